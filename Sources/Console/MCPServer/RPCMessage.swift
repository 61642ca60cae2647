package import IntentModel

/// A JSON-RPC 2.0 message, as the Model Context Protocol defines them.
package enum RPCMessage: Sendable {
    case request(id: JSON, method: String, params: JSONView?)
    case notification(method: String, params: JSONView?)
    case response(id: JSON, result: JSON?)

    /// The limits of one message. Arguments of tools become events of 64 KiB.
    package static let limits = JSONLimits(maximumBytes: 128 << 10, maximumDepth: 32, maximumKeys: 2_000)

    /// - Throws: ``RPCError`` with the code of the problem.
    package init(parsing bytes: [UInt8]) throws(RPCError) {
        let view: JSONView
        do { view = try JSONView(parsing: bytes, limits: Self.limits) } catch {
            throw RPCError(
                error.code != .malformed && error.code != .notUTF8 ? .invalidRequest : .parseError,
                "the message can't be read: \(error)")
        }
        guard view.kind == .object, view["jsonrpc"]?.string == "2.0" else {
            throw RPCError(
                .invalidRequest, "a message is an object with \"jsonrpc\": \"2.0\"; batches are not supported")
        }
        let id = view["id"]
        if let id, id.string == nil && id.int == nil || id.json.bytes.count > 256 {
            throw RPCError(.invalidRequest, "an id is a text or a whole number of at most 256 bytes")
        }
        if let params = view["params"], params.kind != .object {
            throw RPCError(.invalidRequest, "'params' is an object")
        }
        if let method = view["method"] {
            guard let method = method.string else { throw RPCError(.invalidRequest, "'method' is a text") }
            self =
                id.map { .request(id: $0.json, method: method, params: view["params"]) }
                ?? .notification(method: method, params: view["params"])
        } else if let id, view["result"] != nil || view["error"] != nil {
            self = .response(id: id.json, result: view["result"]?.json)
        } else {
            throw RPCError(.invalidRequest, "a message has a 'method', or an 'id' with a 'result' or an 'error'")
        }
    }

    static func result(_ id: JSON, _ result: JSON) -> JSON {
        .object(["jsonrpc": .string("2.0"), "id": id, "result": result])
    }

    package static func error(_ id: JSON?, _ error: RPCError) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("jsonrpc", "2.0")
            writer.member("id", ifPresent: id)
            writer.name("error")
            writer.beginObject()
            writer.member("code", error.code.rawValue)
            writer.member("message", error.message)
            writer.member("data", ifPresent: error.data)
            writer.endObject()
            writer.endObject()
        }
    }

    static func notification(_ method: String, _ params: JSON?) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("jsonrpc", "2.0")
            writer.member("method", method)
            writer.member("params", ifPresent: params)
            writer.endObject()
        }
    }

    static func request(_ id: JSON, _ method: String, _ params: JSON) -> JSON {
        .object(["jsonrpc": .string("2.0"), "id": id, "method": .string(method), "params": params])
    }
}
