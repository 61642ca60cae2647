import IntentModel
import PersonGateway

/// An error of the protocol, with its codes in both bindings.
struct A2AError: Error, Sendable, Hashable {
    enum Kind: String, Sendable, Hashable {
        case parse = "INVALID_JSON"
        case invalidRequest = "INVALID_REQUEST"
        case methodNotFound = "METHOD_NOT_FOUND"
        case methodNotAllowed = "METHOD_NOT_ALLOWED"
        case invalidParams = "INVALID_ARGUMENT"
        case `internal` = "INTERNAL"
        case busy = "UNAVAILABLE"
        case taskNotFound = "TASK_NOT_FOUND"
        case taskNotCancelable = "TASK_NOT_CANCELABLE"
        case pushNotSupported = "PUSH_NOTIFICATION_NOT_SUPPORTED"
        case unsupportedOperation = "UNSUPPORTED_OPERATION"
        case contentNotSupported = "CONTENT_TYPE_NOT_SUPPORTED"
        case noExtendedCard = "EXTENDED_AGENT_CARD_NOT_CONFIGURED"
        case versionNotSupported = "VERSION_NOT_SUPPORTED"

        var code: Int {
            switch self {
            case .parse: -32_700
            case .invalidRequest: -32_600
            case .methodNotFound, .methodNotAllowed: -32_601
            case .invalidParams: -32_602
            case .internal, .busy: -32_603
            case .taskNotFound: -32_001
            case .taskNotCancelable: -32_002
            case .pushNotSupported: -32_003
            case .unsupportedOperation: -32_004
            case .contentNotSupported: -32_005
            case .noExtendedCard: -32_007
            case .versionNotSupported: -32_009
            }
        }

        var httpStatus: Int {
            switch self {
            case .taskNotFound, .methodNotFound: 404
            case .methodNotAllowed: 405
            case .internal: 500
            case .busy: 503
            default: 400
            }
        }

        /// The name of the status in `google.rpc.Status`.
        var status: String {
            switch self {
            case .taskNotFound, .methodNotFound: "NOT_FOUND"
            case .methodNotAllowed: "UNIMPLEMENTED"
            case .internal: "INTERNAL"
            case .busy: "UNAVAILABLE"
            case .parse, .invalidRequest, .invalidParams, .contentNotSupported: "INVALID_ARGUMENT"
            default: "FAILED_PRECONDITION"
            }
        }
    }

    var kind: Kind
    var message: String

    init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

    init(_ problem: GatewayProblem) {
        switch problem.reason {
        case .busy: self.init(.busy, problem.message)
        // What Kafka does not let the server write is not the caller's fault.
        case .unauthorized, .internal: self.init(.internal, problem.message)
        default: self.init(.invalidParams, problem.message)
        }
    }

    static let taskNotFound = A2AError(.taskNotFound, "there is no such task, or it is not this caller's")

    private var details: JSON {
        let info = JSON.object([
            "@type": .string("type.googleapis.com/google.rpc.ErrorInfo"), "reason": .string(kind.rawValue),
            "domain": .string("a2a-protocol.org"),
        ])
        guard kind == .busy else { return .array([info]) }
        return .array([
            info, .object(["@type": .string("type.googleapis.com/google.rpc.RetryInfo"), "retryDelay": .string("1s")]),
        ])
    }

    /// The error in JSON-RPC.
    var rpc: JSON { .object(["code": .number(kind.code), "message": .string(message), "data": details]) }

    /// The error over HTTP.
    var http: JSON {
        .object([
            "error": .object([
                "code": .number(kind.httpStatus), "status": .string(kind.status), "message": .string(message), "details": details,
            ])
        ])
    }
}
