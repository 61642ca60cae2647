package import IntentModel

// The two bindings over HTTP: JSON-RPC, and HTTP+JSON.
extension A2AEndpoint {
    /// Answers a request.
    ///
    /// Who calls this has checked `Origin` and `Host`, and who the caller is.
    ///
    /// - Parameters:
    ///   - method: that of HTTP.
    ///   - path: the segments after the path where the endpoint is mounted, each percent-decoded by itself: none for JSON-RPC, otherwise such as `message:send`, or `tasks` and an id.
    ///   - query: the parameters of the URL, percent-decoded.
    ///   - body: the body, as it came.
    ///   - header: the value of a header by its name in lower case.
    ///   - principal: the caller; `nil` if it is not authenticated.
    package func respond(
        method: String, path: [String], query: [String: String], body: [UInt8], header: (String) -> String?, principal: Principal?
    ) async -> A2AReply {
        let version = header("a2a-version") ?? ""
        // Without a version, the caller speaks one of before 1.0.
        let isSpoken = version == "1" || version.hasPrefix("1.")
        let problem = A2AError(.versionNotSupported, "the header A2A-Version has to be 1.0")
        if path.isEmpty {
            guard method == "POST" else {
                let error = A2AError(.methodNotAllowed, "JSON-RPC comes as POST")
                return .json(error.http, status: error.kind.httpStatus)
            }
            return await rpc(body, isSpoken ? nil : problem, principal)
        }
        do throws(A2AError) {
            if !isSpoken { throw problem }
            let (operation, params) = try Self.route(method, path, query, body)
            switch try await perform(operation, params, principal) {
            case .one(let json): return .json(json, status: 200)
            case .many(let events): return .events(events)
            }
        } catch {
            return .json(error.http, status: error.kind.httpStatus)
        }
    }

    private func rpc(_ body: [UInt8], _ problem: A2AError?, _ principal: Principal?) async -> A2AReply {
        var id = JSON.null
        func wrapped(_ name: String, _ value: JSON, _ id: JSON) -> JSON {
            .object(["jsonrpc": .string("2.0"), "id": id, name: value])
        }
        do throws(A2AError) {
            let message = try Self.parsed(body)
            guard message.kind == .object, message["jsonrpc"]?.string == "2.0", let method = message["method"]?.string else {
                throw A2AError(.invalidRequest, "a request is an object with \"jsonrpc\": \"2.0\", an 'id' and a 'method'")
            }
            guard let number = message["id"], number.string != nil || number.int != nil, number.json.bytes.count <= 256 else {
                throw A2AError(.invalidRequest, "an id is a text or a whole number of at most 256 bytes")
            }
            id = number.json
            if let problem { throw problem }
            if let params = message["params"], params.kind != .object { throw A2AError(.invalidParams, "'params' is an object") }
            switch try await perform(method, message["params"], principal) {
            case .one(let json): return .json(wrapped("result", json, id), status: 200)
            case .many(let events):
                let (stream, messages) = AsyncStream.makeStream(of: JSON.self, bufferingPolicy: .bufferingOldest(1_000))
                let task = Task { [id] in
                    for await event in events { messages.yield(wrapped("result", event, id)) }
                    messages.finish()
                }
                messages.onTermination = { if case .cancelled = $0 { task.cancel() } }
                return .events(stream)
            }
        } catch {
            return .json(wrapped("error", error.rpc, id), status: 200)
        }
    }

    private static func parsed(_ body: [UInt8]) throws(A2AError) -> JSONView {
        do { return try JSONView(parsing: body, limits: limits) } catch {
            throw A2AError(
                error.code == .malformed || error.code == .notUTF8 ? .parse : .invalidRequest, "the request can't be read: \(error)")
        }
    }

    /// The operation of a path, and its parameters.
    private static func route(
        _ method: String, _ parts: [String], _ query: [String: String], _ body: [UInt8]
    ) throws(A2AError) -> (String, JSONView?) {
        switch (method, parts.first, parts.count) {
        case ("POST", "message:send", 1): return ("SendMessage", try parsed(body))
        case ("POST", "message:stream", 1): return ("SendStreamingMessage", try parsed(body))
        case ("GET", "tasks", 1): return ("ListTasks", parameters(query))
        case ("GET", "extendedAgentCard", 1): return ("GetExtendedAgentCard", nil)
        case (_, "tasks", 3...) where parts[2] == "pushNotificationConfigs": return ("CreateTaskPushNotificationConfig", nil)
        case (_, "tasks", 2):
            let id = parts[1]
            let action = id.lastIndex(of: ":").map { (String(id[..<$0]), String(id[id.index(after: $0)...])) }
            if method == "POST", case (let id, "cancel")? = action { return ("CancelTask", parameters(["id": id])) }
            if method == "GET" || method == "POST", case (let id, "subscribe")? = action {
                return ("SubscribeToTask", parameters(["id": id]))
            }
            if method == "GET" { return ("GetTask", parameters(["id": id])) }
        default: break
        }
        throw A2AError(.methodNotFound, "there is no \(method.printable) /\(parts.joined(separator: "/").printable)")
    }

    private static func parameters(_ query: [String: String]) -> JSONView {
        JSON.make { writer in
            writer.beginObject()
            for (name, value) in query.sorted(by: { $0.key < $1.key }) {
                switch name {
                case "pageSize", "historyLength": writer.member(named: name, Int(value).map { .number($0) } ?? .string(value))
                case "includeArtifacts": writer.member(named: name, .bool(value == "true"))
                default: writer.member(named: name, .string(value))
                }
            }
            writer.endObject()
        }.view
    }
}
