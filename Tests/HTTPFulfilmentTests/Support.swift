import AsyncHTTPClient
import Foundation
import IntentModel
import IntentRuntime
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PipelineTestKit
import Synchronization
import Testing

@testable import HTTPFulfilment

/// Runs programs of this machine.
enum Command {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// A Python interpreter with these modules: the one of deploy/setup.sh, or `python3`; `nil` if there is none.
    static func python(with modules: String) -> String? {
        [root.appending(path: ".build/python/bin/python3").path, "python3"].first {
            (try? run([$0, "-c", "import \(modules)"]))?.status == 0
        }
    }
}

/// A file that is removed with its value.
final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "file-\(UUID().uuidString)").path

    init(_ text: String) throws { try write(text) }
    deinit { remove() }

    /// Replaces the file by another one of the same name, as a mounted secret is replaced.
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// A self-signed certificate for `localhost`, made by the program openssl.
struct TestCertificate {
    let certificate: String
    let key: String

    /// The shared certificate; `nil` if there is no openssl.
    static let made = try? TestCertificate()

    init() throws {
        let options =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout /dev/stdout -out /dev/stdout "
            + "-days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        let text = try Command.run(["openssl"] + options.split(separator: " ").map(String.init)).output
        func block(_ name: String) throws -> String {
            guard let begin = text.range(of: "-----BEGIN \(name)-----"),
                let end = text.range(of: "-----END \(name)-----")
            else { throw CocoaError(.fileReadCorruptFile) }
            return String(text[begin.lowerBound..<end.upperBound]) + "\n"
        }
        certificate = try block("CERTIFICATE")
        key = try block("PRIVATE KEY")
    }

    func serverContext() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    }

    /// Calls `body` with a client that trusts only this certificate.
    func client<Result: Sendable>(_ body: (HTTPClient) async throws -> Result) async throws -> Result {
        var settings = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)])
        settings.tlsConfiguration = tls
        return try await HTTPClient.withHTTPClient(configuration: settings, body)
    }
}

/// A call of a phase of `BookTable`.
func call(
    _ phase: Phase, parameters: [String: JSON] = ["people": .number(2)], deadline: Int64? = nil, replyTo: String = ""
) -> FulfilmentCall {
    var context = InvocationContext(
        session: "me", request: "r1", attempt: 1, deadline: deadline, idempotencyKey: "me/r1", locale: "en-GB",
        attributes: ["tier": .string("gold")])
    (context.memory, context.principal) = (["city": .string("Delft")], Principal(.appUser, "ann"))
    context.replyTo = replyTo
    (context.timeZone, context.now) = ("Europe/Amsterdam", 1_700_000_000_000)
    context.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    return FulfilmentCall(
        phase: phase, intent: "BookTable", parameters: parameters, summary: "A table for 2", context: context)
}

/// A clock that moves only during the delays between attempts, which take no real time.
final class StandingClock: Sendable {
    private let state = Mutex<(now: Int64, waits: [Duration])>((1_700_000_000_000, []))

    var waits: [Duration] { state.withLock { $0.waits } }

    var clock: FulfilmentClock {
        FulfilmentClock(
            now: { self.state.withLock { $0.now } },
            sleep: { wait in
                self.state.withLock { state in
                    state.now += Int64(wait / .milliseconds(1))
                    state.waits.append(wait)
                }
            })
    }
}

/// The end of a call, with its traces at the service, on the clock and in the operator's log.
struct Exchange: Sendable {
    /// The beginning of the service's URLs.
    var url = ""
    var response: IntentResponse?
    var resolution: ParameterResolution?
    var failure: IntentFailure?
    var requests: [LoopbackServer.Request] = []
    var waits: [Duration] = []
    var log: [String] = []

    var isFinal: Bool { failure?.disposition == .failure(.failure) }
    /// The words for the person; empty if the call succeeds.
    var message: String { failure?.message ?? "" }
    var request: LoopbackServer.Request { get throws { try #require(requests.first) } }
}

/// Calls a service that sends the test's replies. The last reply is repeated.
func callService(
    _ replies: LoopbackServer.Reply..., for work: FulfilmentCall = call(.handle), host: String = "127.0.0.1",
    path: String = "/intents", settings: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(),
    isSecure: Bool = false, _ configure: (inout HTTPFulfilmentConfiguration) -> Void = { _ in }
) async throws -> Exchange {
    try await callService(for: work, host: host, path: path, settings: settings, isSecure: isSecure, configure) {
        replies[min($1, replies.count) - 1]
    }
}

/// Calls a service. `reply` gets a request and its number, from 1.
func callService(
    for work: FulfilmentCall = call(.handle), host: String = "127.0.0.1", path: String = "/intents",
    settings: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(), isSecure: Bool = false,
    _ configure: (inout HTTPFulfilmentConfiguration) -> Void,
    reply: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Reply
) async throws -> Exchange {
    let (clock, log) = (StandingClock(), Recorder<String>())
    var settings = settings
    settings.onFailure = { _, problem in log.record(problem) }
    return try await LoopbackServer.run(isSecure: isSecure, reply) { [settings] server in
        let url = "\(isSecure ? "https" : "http")://\(host):\(server.port)"
        var exchange = Exchange(url: url)
        try await fulfilling(url + path, settings: settings, clock: clock.clock, configure) { fulfilment in
            do {
                switch work.phase {
                case .resolve: exchange.resolution = try await fulfilment.resolve("people", of: work)
                case .confirm: exchange.response = try await fulfilment.confirm(work)
                case .handle: exchange.response = try await fulfilment.handle(work)
                }
            } catch let failure as IntentFailure { exchange.failure = failure }
        }
        (exchange.requests, exchange.waits, exchange.log) = (server.requests, clock.waits, log.all)
        return exchange
    }
}

/// Calls `body` with a fulfilment by the service at a URL.
func fulfilling(
    _ url: String, settings: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(),
    clock: FulfilmentClock = FulfilmentClock(), _ configure: (inout HTTPFulfilmentConfiguration) -> Void = { _ in },
    _ body: (HTTPIntentFulfilment) async throws -> Void
) async throws {
    try await HTTPFulfilmentClient.withClient(settings) { client in
        var configuration = HTTPFulfilmentConfiguration(url: url)
        configuration.phases = [.confirm, .handle]
        // Only tests with a silent server wait for the timeout.
        configuration.timeout = .seconds(60)
        configure(&configuration)
        var fulfilment = try HTTPIntentFulfilment(configuration, client: client)
        fulfilment.clock = clock
        try await body(fulfilment)
    }
}

/// A server on 127.0.0.1 that sends a test's replies and records the requests.
final class LoopbackServer: Sendable {
    struct Request: Sendable {
        var method: String
        var uri: String
        var headers: HTTPHeaders
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        func header(_ name: String) -> String? { headers.first(name: name) }
    }

    enum Reply: Sendable {
        case answer(Int, [String: String] = [:], String = "")
        /// Reads the request, and never replies.
        case silence
        /// Begins a reply that never ends.
        case endless
        /// Closes the connection without a reply.
        case close

        static func ok(_ body: String) -> Reply { .answer(200, [:], body) }
        static let (ready, success) = (ok(#"{"code":"ready"}"#), ok(#"{"code":"success"}"#))
    }

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let port: Int
    private let state = Mutex<(requests: [Request], closed: Int)>(([], 0))
    private let (events, happened) = AsyncStream<Void>.makeStream()
    private let reply: @Sendable (Request, Int) -> Reply

    private init(_ port: Int, _ reply: @escaping @Sendable (Request, Int) -> Reply) {
        (self.port, self.reply) = (port, reply)
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var url: String { "http://127.0.0.1:\(port)" }

    /// Runs a server while `body` runs. `reply` gets a request and its number, from 1.
    static func run<Result: Sendable>(
        isSecure: Bool = false, _ reply: @escaping @Sendable (Request, Int) -> Reply,
        _ body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let tls = isSecure ? try TestCertificate.made?.serverContext() : nil
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    if let tls { try handlers.addHandler(NIOSSLServerHandler(context: tls)) }
                    try handlers.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        let server = LoopbackServer(listener.channel.localAddress?.port ?? 0, reply)
        let serving = Task {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { tasks in
                    for try await connection in connections { tasks.addTask { await server.serve(connection) } }
                }
            }
        }
        func end() async {
            serving.cancel()
            _ = await serving.result
        }
        do {
            let result = try await body(server)
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    /// Waits until the condition is true.
    func until(_ isTrue: (_ requests: Int, _ closed: Int) -> Bool) async {
        if state.withLock({ isTrue($0.requests.count, $0.closed) }) { return }
        for await _ in events where state.withLock({ isTrue($0.requests.count, $0.closed) }) { return }
    }

    private func serve(_ connection: Connection) async {
        // A client may close the connection at any time.
        try? await connection.executeThenClose { inbound, outbound in
            var request = Request(method: "", uri: "", headers: [:], body: [])
            for try await part in inbound {
                switch part {
                case .head(let head):
                    request = Request(method: head.method.rawValue, uri: head.uri, headers: head.headers, body: [])
                case .body(let part): request.body += part.readableBytesView
                case .end:
                    let number = state.withLock { state in
                        state.requests.append(request)
                        return state.requests.count
                    }
                    happened.yield()
                    guard try await send(reply(request, number), outbound) else { return }
                }
            }
        }
        state.withLock { $0.closed += 1 }
        happened.yield()
    }

    /// Sends a reply. Returns `false` if the connection is to be closed.
    func send(_ reply: Reply, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>) async throws -> Bool {
        func head(_ status: Int, _ headers: [(String, String)]) -> HTTPServerResponsePart {
            .head(HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: .init(headers)))
        }
        switch reply {
        case .silence: return true
        case .close: return false
        case .answer(let status, let headers, let body):
            let length = ("Content-Length", "\(body.utf8.count)")
            try await outbound.write(head(status, headers.map { ($0.key, $0.value) } + [length]))
            try await outbound.write(.body(.byteBuffer(ByteBuffer(string: body))))
            try await outbound.write(.end(nil))
            return true
        case .endless:
            try await outbound.write(head(200, []))
            while true { try await outbound.write(.body(.byteBuffer(ByteBuffer(repeating: 0x20, count: 16_384)))) }
        }
    }
}
