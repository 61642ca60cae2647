import HTTPTypes
import Hummingbird
import IntentModel
import NIOCore
import PersonGateway

/// A problem with a request, answered as `application/problem+json` (RFC 9457).
struct HTTPProblem: Error, Sendable, HTTPResponseError {
    var status: HTTPResponse.Status
    var detail: String
    var reason: RejectionReason
    var field: String?
    /// Additional headers of the response.
    var fields: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ detail: String, _ reason: RejectionReason, field: String? = nil) {
        self.status = status
        self.detail = detail
        self.reason = reason
        self.field = field
    }

    init(_ problem: GatewayProblem) {
        let status: HTTPResponse.Status =
            switch problem.reason {
            case .busy: .serviceUnavailable
            case .unauthorized: .forbidden
            case .internal, .outcomeUnknown: .internalServerError
            case .unexpected: .conflict
            case .complex: .contentTooLarge
            case .unsupported, .invalid, .unparseable, .deprecated: .badRequest
            }
        self.init(status, problem.message, problem.reason, field: problem.field)
        if problem.reason == .busy { fields[.retryAfter] = "1" }
    }

    static func notAllowed(_ methods: [String]) -> HTTPProblem {
        var problem = HTTPProblem(
            .methodNotAllowed, "only \(methods.joined(separator: ", ")) is possible here", .unsupported)
        problem.fields[.allow] = methods.joined(separator: ", ")
        return problem
    }

    static func notFound(_ what: String) -> HTTPProblem { HTTPProblem(.notFound, "there is no \(what)", .unsupported) }

    private var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("type", "about:blank")
            writer.member("title", status.reasonPhrase)
            writer.member("status", status.code)
            writer.member("detail", detail.withoutControlCharacters)
            writer.member("reason", reason.rawValue)
            writer.member("field", ifPresent: field)
            writer.endObject()
        }
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers = fields
        headers[.contentType] = "application/problem+json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }
}

extension Response {
    /// Makes a JSON response.
    init(_ status: HTTPResponse.Status = .ok, json: JSON, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json"
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }
}
