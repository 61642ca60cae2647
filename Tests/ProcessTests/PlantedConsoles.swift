import AsyncHTTPClient
import Foundation
import GatewayFixture
import IntentModel
import NIOCore
import NIOHTTP1
import Synchronization

/// The consoles of a pipeline with planted secrets: one for this machine, and one with tokens. Readers in each role
/// follow the events.
final class PlantedConsoles: @unchecked Sendable {
    struct Reader: Sendable {
        var name: String
        var url: String
        var token: String?
        /// The place in the table of planted texts that the reader stands for.
        var place: PlantedSecrets.Place

        func request(_ method: String, _ path: String, _ body: String? = nil) -> HTTPClientRequest {
            var request = HTTPClientRequest(url: url + path)
            request.method = .RAW(value: method)
            if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
            if let body {
                request.headers.add(name: "Content-Type", value: "application/json")
                request.body = .bytes(ByteBuffer(string: body))
            }
            return request
        }
    }

    private let processes: [RoleProcess]
    let readers: [Reader]
    private let streams = Mutex<[String: String]>([:])
    private let tasks = Mutex<[Task<Void, any Error>]>([])

    /// Starts the consoles.
    ///
    /// - Parameters:
    ///   - options: The options that connect the consoles to Kafka.
    ///   - keys: The path of a file for the public keys.
    ///   - person: The person who asks for the planted request.
    init(_ options: [String], keys: String, person: String, environment: [String: String]) async throws {
        let tokens = TestTokens()
        try Data(try tokens.jwks().utf8).write(to: URL(fileURLWithPath: keys))
        let checked = ["--jwt-issuer", TestTokens.issuer, "--jwt-audience", TestTokens.audience, "--jwt-keys", keys]
        let listening = options + ["--listen", "127.0.0.1:0"]
        processes = [
            try RoleProcess("intents-console", listening, environment: environment),
            try RoleProcess("intents-console", listening + checked, environment: environment),
        ]
        var urls: [String] = []
        for process in processes {
            try await eventually("a console listens") { process.values("console").first != nil }
            urls.append(process.values("console").first ?? "")
        }
        var readers = [Reader(name: "this machine", url: urls[0], token: nil, place: .console)]
        for (name, subject, role, place) in [
            ("the person", person, "person", PlantedSecrets.Place.console), ("their agent", person, "agent", .console),
            ("another person", "bob", "person", .maskedConsole), ("another agent", "bob", "agent", .maskedConsole),
            ("an observer", "olga", "observer", .maskedConsole), ("an operator", "otto", "operator", .maskedConsole),
        ] {
            readers.append(
                Reader(name: name, url: urls[1], token: try await tokens.token(subject, [role]), place: place))
        }
        self.readers = readers
    }

    /// The addresses of the consoles' metrics and health.
    var telemetry: [String] { processes.flatMap { $0.values("telemetry") } }
    var log: String { processes.map { $0.output + $0.errors }.joined() }

    /// Follows all events from now on, as each of the readers.
    func follow() async throws {
        for reader in readers {
            let response = try await HTTPClient.shared.execute(
                reader.request("GET", "/api/v1/events"), timeout: .seconds(240))
            guard response.status == .ok else { throw TimedOut(description: "\(reader.name) gets \(response.status)") }
            let task = Task { [weak self] in
                for try await part in response.body {
                    self?.streams.withLock { $0[reader.name, default: ""] += String(buffer: part) }
                }
            }
            tasks.withLock { $0.append(task) }
        }
    }

    /// Asks for a payment as the person, through the console with tokens, answers the prompts, and waits for the
    /// completion.
    func pay(_ session: String, pin: String, note: String) async throws {
        guard let person = readers.first(where: { $0.name == "the person" }) else {
            throw TimedOut(description: "there is no person")
        }
        func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONView? {
            let response = try await HTTPClient.shared.execute(
                person.request(method, "/api/v1/\(path)", body), timeout: .seconds(30))
            return try? JSONView(parsing: Array(try await response.body.collect(upTo: 1 << 22).readableBytesView))
        }
        _ = try await call(
            "POST", "requests",
            #"{"session":"\#(session)","intent":"Pay","parameters":{"pin":"\#(pin)","note":"\#(note)"}}"#)
        let deadline = ContinuousClock.now.advanced(by: .seconds(40))
        while ContinuousClock.now < deadline {
            let view = try await call("GET", "sessions/\(session)")
            if view?["requests"]?.elements.first?["status"]?.string == "success" { return }
            guard let prompt = view?["prompt"]?["prompt"]?.string else { continue }
            _ = try await call(
                "POST", "sessions/\(session)/answers", #"{"prompt":"\#(prompt)","action":"accept","value":2}"#)
        }
        throw TimedOut(description: "the payment through the console has not ended")
    }

    /// The events that a reader has got.
    func stream(of name: String) -> String { streams.withLock { $0[name] ?? "" } }

    /// The responses to all requests that a reader can make about `sessions`.
    func answers(to reader: Reader, sessions: [String]) async throws -> [(path: String, status: Int, body: String)] {
        var requests = ["me", "catalog", "overview", "inbox", "sessions?limit=200"].map {
            ("GET", "/api/v1/\($0)", String?.none)
        }
        requests += sessions.map { ("GET", "/api/v1/sessions/\($0)", nil) }
        requests += sessions.map { ("GET", "/api/v1/sessions/\($0)?reveal=false", nil) }
        let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#
        requests += [("POST", "/mcp", list), ("GET", "/api/v1/nothing?a=b", nil)]
        var answers: [(path: String, status: Int, body: String)] = []
        for (method, path, body) in requests {
            var request = reader.request(method, path, body)
            request.headers.add(name: "MCP-Protocol-Version", value: "2025-11-25")
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            answers.append(
                (path, Int(response.status.code), String(buffer: try await response.body.collect(upTo: 1 << 24))))
        }
        return answers
    }

    func end() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        for process in processes { process.end() }
    }
}

extension RoleProcess {
    /// The values of a member in the lines of the process's output.
    fileprivate func values(_ name: String) -> [String] {
        output.split(separator: "\n").compactMap { try? JSONView(parsing: Array($0.utf8))[name]?.string }
    }
}
