package import IntentModel
import PersonGateway

/// An error of the protocol, as opposed to an error of a tool.
package struct RPCError: Error, Sendable, Hashable {
    package enum Code: Int, Sendable, Hashable {
        case parseError = -32_700
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParams = -32_602
        case internalError = -32_603
        case headerMismatch = -32_020
        case missingCapability = -32_021
        case unsupportedVersion = -32_022
    }

    package var code: Code
    package var message: String
    package var data: JSON?

    package init(_ code: Code, _ message: String, data: JSON? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    init(_ problem: GatewayProblem) {
        switch problem.reason {
        // If Kafka does not accept a record of the server, the caller is not at fault.
        case .busy, .unauthorized, .internal: self.init(.internalError, problem.message)
        default: self.init(.invalidParams, problem.message)
        }
    }

    /// The HTTP status of the reply.
    package var httpStatus: Int {
        switch code {
        case .methodNotFound: 404
        case .internalError: 500
        default: 400
        }
    }
}
