import AsyncHTTPClient
import Foundation
import GatewayFixture
import IntentEvents
import IntentModel
import NIOCore
import NIOHTTP1
import RecordLog
import Synchronization
import Testing

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

    private let processes: [RunningProgram]
    let readers: [Reader]
    private let streams = Mutex<[String: String]>([:])
    private let tasks = Mutex<[Task<Void, any Error>]>([])

    /// Starts the consoles with options that connect to Kafka. `keys` is the path of a file for the public keys, and
    /// `person` asks for the planted request.
    init(_ options: String, keys: String, person: String, environment: [String: String]) async throws {
        let tokens = TestTokens()
        try Data(try tokens.jwks().utf8).write(to: URL(fileURLWithPath: keys))
        let checked = "--jwt-issuer \(TestTokens.issuer) --jwt-audience \(TestTokens.audience) --jwt-keys \(keys)"
        processes = try ["", checked].map {
            try RunningProgram(
                "intents-console --listen 127.0.0.1:0 \(options) \($0)", environment: environment, stopsWithInput: true)
        }
        var urls: [String] = []
        for process in processes { urls.append(try await found("a console listens") { process.value("console") }) }
        var readers = [Reader(name: "this machine", url: urls[0], token: nil, place: .console)]
        for (name, subject, role, place) in [
            ("the person", person, "person", PlantedSecrets.Place.console), ("their agent", person, "agent", .console),
            ("another person", "bob", "person", .maskedConsole), ("another agent", "bob", "agent", .maskedConsole),
            ("an observer", "olga", "observer", .maskedConsole), ("an operator", "otto", "operator", .maskedConsole),
        ] {
            let token = try await tokens.token(subject, [role])
            readers.append(Reader(name: name, url: urls[1], token: token, place: place))
        }
        self.readers = readers
    }

    /// The addresses of the consoles' metrics and health.
    var telemetry: [String] { processes.compactMap { $0.value("telemetry") } }
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
        let person = try #require(readers.first { $0.name == "the person" })
        func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONView? {
            let response = try await HTTPClient.shared.execute(
                person.request(method, "/api/v1/\(path)", body), timeout: .seconds(30))
            return try? JSONView(parsing: Array(try await response.body.collect(upTo: 1 << 22).readableBytesView))
        }
        let payment = #"{"session":"\#(session)","intent":"Pay","parameters":{"pin":"\#(pin)","note":"\#(note)"}}"#
        _ = try await call("POST", "requests", payment)
        try await eventually("the payment through the console has ended", within: 40) {
            let view = try await call("GET", "sessions/\(session)")
            if let prompt = view?["prompt"]?["prompt"]?.string {
                let answer = #"{"prompt":"\#(prompt)","action":"accept","value":2}"#
                _ = try await call("POST", "sessions/\(session)/answers", answer)
            }
            return view?["requests"]?.elements.first?["status"]?.string == "success"
        }
    }

    func stream(of name: String) -> String { streams.withLock { $0[name] ?? "" } }

    /// The responses to all requests that a reader can make about `sessions`.
    func answers(to reader: Reader, sessions: [String]) async throws -> [(path: String, status: Int, body: String)] {
        let shown = sessions.flatMap { ["sessions/\($0)", "sessions/\($0)?reveal=false"] }
        let paths = ["me", "catalog", "overview", "inbox", "sessions?limit=200", "nothing?a=b"] + shown
        let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#
        let requests = paths.map { ("GET", "/api/v1/\($0)", String?.none) } + [("POST", "/mcp", list)]
        var answers: [(path: String, status: Int, body: String)] = []
        for (method, path, body) in requests {
            var request = reader.request(method, path, body)
            request.headers.add(name: "MCP-Protocol-Version", value: "2025-11-25")
            let reply = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            answers.append((path, Int(reply.status.code), String(buffer: try await reply.body.collect(upTo: 1 << 24))))
        }
        return answers
    }

    func end() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        for process in processes { process.end() }
    }
}

/// Random texts in place of secrets, with a table of the places where each text may appear.
struct PlantedSecrets {
    /// A place that is searched for planted texts.
    struct Place: Hashable, CustomStringConvertible {
        let description: String

        /// The values and keys of the records of a topic, named without its prefix.
        static func values(_ topic: String) -> Place { Place(description: "values of \(topic)") }
        /// The headers of the records of a topic, named without its prefix.
        static func headers(_ topic: String) -> Place { Place(description: "headers of \(topic)") }
        /// The standard output and standard error of processes.
        static let logs = Place(description: "logs")
        /// The output of the tool's commands for an operator.
        static let tool = Place(description: "output of the tool")
        static let telemetry = Place(description: "metrics, health or spans")
        /// The console's responses on its own machine, to the person whose session it is, and to an operator who
        /// reveals the session.
        static let console = Place(description: "the console")
        /// The console's responses to everyone else.
        static let maskedConsole = Place(description: "the console, for callers who may not see it")
        static let arguments = Place(description: "arguments of processes")
    }

    struct Secret {
        var name: String
        var text: String
        /// The places where the text has to appear, to prove that it was planted.
        var must: Set<Place>
        /// Further places where the text may appear.
        var may: Set<Place>
    }

    private(set) var secrets: [Secret] = []
    private var found: [String: Set<Place>] = [:]

    static let work: Set<Place> = [.values("resolve"), .values("confirm"), .values("handle")]
    /// The places of a parameter's value on its way to the handler, as the coordinator and operators with rights to its
    /// topics see it.
    static let inner: Set<Place> = work.union([.values("outcomes"), .values("sessions")])
    /// The places that show a text to callers with the right to see it.
    static let shown: Set<Place> = [.tool, .console]

    static func text(_ name: String) -> String {
        "planted-\(name.split(separator: " ").joined(separator: "-"))-\(UUID().uuidString.lowercased())"
    }

    mutating func add(_ name: String, _ text: String, must: Set<Place> = [], may: Set<Place> = []) {
        secrets.append(Secret(name: name, text: text, must: must, may: may))
    }

    mutating func look(in bytes: some Collection<UInt8>, at place: Place) {
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in secrets where text.contains(secret.text) { found[secret.name, default: []].insert(place) }
    }

    mutating func look(in record: ConsumedRecord, topic: String) {
        for bytes in [record.key, record.value].compactMap(\.self) { look(in: bytes, at: .values(topic)) }
        for header in record.headers {
            look(in: Bytes(header.name.utf8) + [0x3D] + (header.value ?? []), at: .headers(topic))
        }
    }

    mutating func lookInArguments() throws {
        for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
            guard let line = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline")) else { continue }
            look(in: line, at: .arguments)
        }
    }

    /// The names of the texts that appear in a wrong place or not where they have to, with the places.
    var mistakes: [String] {
        secrets.flatMap { secret in
            let places = found[secret.name] ?? []
            func text(_ places: Set<Place>) -> String { places.map(\.description).sorted().joined(separator: ", ") }
            let leaks = places.subtracting(secret.must).subtracting(secret.may)
            let missing = secret.must.subtracting(places)
            return (leaks.isEmpty ? [] : ["\(secret.name) is in \(text(leaks))"])
                + (missing.isEmpty ? [] : ["\(secret.name) was not planted in \(text(missing))"])
        }
    }
}
