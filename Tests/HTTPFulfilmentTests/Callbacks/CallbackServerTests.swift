import AsyncHTTPClient
import Conversation
import Foundation
import IntentEvents
import IntentModel
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Pipeline
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import HTTPFulfilment

@Suite("The callback server") struct CallbackServerTests {
    /// Starts a server on the loopback interface, with a thread that writes to the log.
    private func serving(
        limits: CallbackLimits = CallbackLimits(), certificate: CallbackCertificate? = nil,
        _ body: (CallbackServer, Courier) async throws -> Void
    ) async throws {
        let courier = try await Courier(started: false)
        let isStopped = Mutex(false)
        let (end, ended) = AsyncStream<Void>.makeStream()
        let writer = courier.writer
        Thread.detachNewThread {
            while !isStopped.withLock({ $0 }) { _ = try? writer.step(timeout: .milliseconds(10)) }
            ended.finish()
        }
        try await CallbackServer.withServer(
            host: "127.0.0.1", port: 0, answers: courier.answers, certificate: certificate, limits: limits
        ) { try await body($0, courier) }
        isStopped.withLock { $0 = true }
        for await _ in end {}
    }

    private static let success = #"{"code":"success"}"#

    /// The text of a request with an outcome.
    private static func request(_ courier: Courier) -> String {
        "POST /v1/answers/\(courier.madeUpToken()) HTTP/1.1\r\nHost: a\r\nContent-Length: \(success.utf8.count)\r\n\r\n"
            + success
    }

    private func post(
        _ path: String, _ body: String, to server: CallbackServer, method: HTTPMethod = .POST
    ) async throws -> (status: Int, headers: HTTPHeaders, error: JSONView?) {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)\(path)")
        request.method = method
        if method == .POST { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        return (Int(response.status.code), response.headers, try? JSONView(parsing: bytes)["error"])
    }

    @Test func `replies 202 when the outcome has been written to the log`() async throws {
        try await serving { server, courier in
            #expect(try await post("/v1/answers/\(courier.madeUpToken())", Self.success, to: server).status == 202)
            let record = try #require(courier.outcomes.first)
            #expect(record.partition == 1 && record.key == Bytes("me".utf8))
            #expect(record.value == Bytes(#"{"request":"r1","step":4,"code":"success"}"#.utf8))
        }
    }

    @Test func `refuses invalid requests with a reason`() async throws {
        try await serving { server, courier in
            let (token, old) = (courier.madeUpToken(), courier.madeUpToken(age: .seconds(25 * 3_600)))
            let padding = String(repeating: "x", count: DeferredOutcomes.maximumBytes)
            for (path, body, method, status, reason) in [
                ("/v1/answers/\(token)", "{}", HTTPMethod.POST, 400, "invalid"),
                ("/v1/answers/\(token)", "", .POST, 400, "unparseable"),
                ("/v1/answers/no.token", "{}", .POST, 400, "unauthorized"),
                ("/v1/answers/\(old)", Self.success, .POST, 410, "unexpected"),
                ("/v1/answers/\(token)", #"{"code":"success","dialog":"\#(padding)"}"#, .POST, 413, "complex"),
                ("/", "{}", .POST, 404, "unsupported"), ("/v1/answers/", "{}", .POST, 404, "unsupported"),
                ("/v1/answers/\(token)", "", .GET, 405, "unsupported"),
            ] {
                let response = try await post(path, body, to: server, method: method)
                #expect(response.status == status && response.error?["reason"]?.string == reason, "\(status)")
                #expect(response.error?["message"]?.string?.isEmpty == false)
            }
            #expect(courier.outcomes.isEmpty)
        }
    }

    @Test func `asks the service to post again while the log can't be written`() async throws {
        let courier = try await Courier(started: false)
        try courier.writer.close(timeout: .zero)
        try await CallbackServer.withServer(host: "127.0.0.1", port: 0, answers: courier.answers) { server in
            let response = try await post("/v1/answers/\(courier.madeUpToken())", Self.success, to: server)
            #expect(response.status == 503 && response.headers.first(name: "retry-after") == "1")
        }
    }

    @Test func `a connection is kept for another request, and closed when none comes in time`() async throws {
        var limits = CallbackLimits()
        limits.idleTime = .seconds(1)
        try await serving(limits: limits) { server, courier in
            // Both requests are sent at once. The server answers one after the other, waits, and closes.
            let request = Self.request(courier)
            let received = try await RawConnection.exchange(request + request, port: server.port)
            #expect(received.components(separatedBy: "HTTP/1.1 202 ").count == 3, "\(received)")
            #expect(courier.outcomes.count == 2)
        }
    }

    @Test func `a connection beyond an address's limit is closed at once, and a closed one makes room`() async throws {
        var limits = CallbackLimits()
        limits.connectionsPerAddress = 1
        try await serving(limits: limits) { server, courier in
            let get = "GET / HTTP/1.1\r\n\r\n"
            try await RawConnection.open(port: server.port) { first in
                // The server has counted a request whose outcome is in the log.
                try await first.send(Self.request(courier))
                while courier.outcomes.isEmpty { await Task.yield() }
                #expect(try await RawConnection.exchange(get, port: server.port).isEmpty)
                let answers = try await first.exchange(get)
                #expect(answers.contains("HTTP/1.1 202 ") && answers.contains("HTTP/1.1 404 "))
            }
            var answer = ""
            while answer.isEmpty { answer = try await RawConnection.exchange(get, port: server.port) }
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `connections are counted by address and in all, and a closed one makes room`() {
        var limits = CallbackLimits()
        (limits.connections, limits.connectionsPerAddress) = (3, 2)
        let gate = ConnectionGate(limits)
        #expect(gate.admit("a") && gate.admit("a") && !gate.admit("a") && gate.admit("b") && !gate.admit("c"))
        gate.release("a")
        #expect(gate.admit("c") && !gate.admit("a"))
        gate.release("c")
        #expect(gate.admit("a") && !gate.admit("b"))
    }

    @Test func `all addresses of an IPv6 network of 64 bits count as one, IPv4 addresses each for itself`() throws {
        func client(_ address: String) throws -> String {
            ConnectionGate.client(at: try SocketAddress(ipAddress: address, port: 1))
        }
        #expect(try client("2001:db8:1:2::1") == client("2001:db8:1:2:ffff::9"))
        #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1") && client("10.0.0.1") != client("10.0.0.2"))
        #expect(try client("::ffff:10.0.0.1") != client("::ffff:10.0.0.2"))
    }

    @Test(.enabled(if: TestCertificate.made != nil, "there is no openssl to make one with"))
    func `speaks TLS with a certificate, and takes over a new one when the files change`() async throws {
        let (old, new) = (try TestCertificate(), try TestCertificate())
        let (certificate, key) = (try TemporaryFile(old.certificate), try TemporaryFile(old.key))
        let log = Recorder<String>()
        let files = try CallbackCertificate(certificate: certificate.path, key: key.path) { log.record("\($0)") }
        try await serving(certificate: files) { server, courier in
            let token = courier.madeUpToken()
            func status(trusting trusted: TestCertificate) async throws -> UInt {
                try await trusted.client { client in
                    var request = HTTPClientRequest(url: "https://localhost:\(server.port)/v1/answers/\(token)")
                    request.method = .POST
                    request.body = .bytes(ByteBuffer(string: Self.success))
                    return try await client.execute(request, timeout: .seconds(120)).status.code
                }
            }
            #expect(try await status(trusting: old) == 202)
            // Between the two writes the pair does not match, and the old pair stays in use.
            try certificate.write(new.certificate)
            #expect(try await status(trusting: old) == 202)
            #expect(log.all.count == 1 && log.all.first?.contains("is not that of") == true, "\(log.all)")
            try key.write(new.key)
            #expect(try await status(trusting: new) == 202)
            await #expect(throws: (any Error).self) { try await status(trusting: old) }
            key.remove()
            #expect(try await status(trusting: new) == 202 && log.all.count == 2)
        }
    }

    @Test func `files without a certificate or a key are refused at the start`() throws {
        let text = try TemporaryFile("no certificate")
        let error = #expect(throws: CallbackSettingError.self) {
            try CallbackCertificate(certificate: text.path, key: text.path) { _ in }
        }
        #expect(error?.message.contains(text.path) == true)
    }
}

/// A connection to a server on this machine that sends exactly the bytes of the test.
struct RawConnection {
    private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    static func open<Result>(port: Int, _ body: (RawConnection) async throws -> Result) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(
            host: "127.0.0.1", port: port
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawConnection(inbound: inbound, outbound: outbound))
        }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Sends a text, waits until the server closes the connection, and returns the server's whole output.
    func exchange(_ text: String) async throws -> String {
        var received = ""
        // A server that closes before it has read everything resets the connection.
        do {
            try await send(text)
            for try await part in inbound { received += String(buffer: part) }
        } catch is IOError {} catch is ChannelError {} catch is NIOAsyncWriterError {}
        return received
    }

    static func exchange(_ text: String, port: Int) async throws -> String {
        var received = ""
        // A refused connection may be closed before it is set up, and then can't be closed again.
        do { try await open(port: port) { received = try await $0.exchange(text) } } catch is ChannelError {}
        return received
    }
}

/// Tests the limits for clients of the callback server, on one connection with a manual clock.
@Suite("What a client of the callback server can take") struct CallbackLimitTests {
    private let channel = EmbeddedChannel()
    private let tokens: CallbackTokens

    init() throws {
        tokens = CallbackTokens(keys: try CallbackKeys([Array("a key of sixteen bytes".utf8)]), base: "https://a")
        let log = InMemoryLog { 0 }
        let writer = AcknowledgedWriter(client: try log.connect(ClientConfiguration(clientID: "callback")))
        let answers = DeferredOutcomes(tokens: tokens, topics: Topics(), writer: writer, clock: { Self.now }) {
            _, response in .responded(response)
        }
        try CallbackServer.configure(channel, answers, CallbackLimits())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private static let now = Instant(milliseconds: 1_700_000_000_000)

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    /// The text that the server has sent since the last call.
    private func answer() throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let buffer) = part { text += String(buffer: buffer) }
        }
        return text
    }

    private func advance(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    private func head(token: String? = nil, length: Int = 9_999, isChunked: Bool = false, _ more: String = "") -> String
    {
        let token = token ?? tokens.token(for: Courier.replyTo(), now: Self.now)
        let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(length)"
        return "POST /v1/answers/\(token) HTTP/1.1\r\nHost: a\r\n\(length)\r\n\(more)\r\n"
    }

    @Test func `a request without a valid token is refused at its head, and its connection ends`() throws {
        try send(head(token: "forged"))
        let refusal = try answer()
        #expect(refusal.hasPrefix("HTTP/1.1 400 ") && refusal.contains("\"unauthorized\""))
        #expect(refusal.contains("Connection: close"))
        typealias AutoRead = ChannelOptions.Types.AutoReadOption
        #expect(channel.options.contains { $0.option is AutoRead && $0.value as? Bool == false })
        // More of the body, and another request behind it, change nothing.
        try send(String(repeating: " ", count: 9_999) + head())
        #expect(try answer().isEmpty && channel.isActive)
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test(arguments: ["ZZ\r\n", "BODY", "BODYNEXT", "BODYnonsense\r\n\r\n"])
    func `after a refusal the rest of a connection is ignored, be it HTTP or not`(_ more: String) throws {
        let next = more.replacing("BODY", with: "2\r\n{}\r\n0\r\n\r\n").replacing("NEXT", with: head(length: 2) + "{}")
        _ = try? send(head(token: "forged", isChunked: true) + next)
        let answer = try answer()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("callback URL is invalid"), "\(answer)")
        #expect(!answer.contains("HTTP/1.1 202 "), "\(answer)")
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test(arguments: [(nil, "100 Continue\r\n"), ("forged", "400 ")])
    func `a request that expects 100-continue is answered at its head`(_ token: String?, _ status: String) throws {
        try send(head(token: token, "Expect: 100-continue\r\n"))
        #expect(try answer().hasPrefix("HTTP/1.1 \(status)"))
    }

    @Test(arguments: [false, true])
    func `a body that is too large is refused by its length, or once it exceeds the bound`(isChunked: Bool) throws {
        let length = DeferredOutcomes.maximumBytes + 1
        try send(head(length: length, isChunked: isChunked))
        if isChunked {
            try send("\(String(length, radix: 16))\r\n")
            #expect(try answer().isEmpty)
            try send(String(repeating: " ", count: length))
        }
        #expect(try answer().hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `a head that does not come in time ends the connection, however often a byte of it comes`() throws {
        for byte in "POST /v1/" {
            advance(.seconds(1))
            try send("\(byte)")
            #expect(channel.isActive)
        }
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a body that does not come in time is refused, however often a byte of it comes`() throws {
        try send(head())
        for _ in 1...29 {
            advance(.seconds(1))
            try send(" ")
            #expect(try answer().isEmpty && channel.isActive)
        }
        advance(.seconds(1))
        #expect(try answer().hasPrefix("HTTP/1.1 408 "))
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test(arguments: [false, true])
    func `a head of more than 16 KiB ends the connection, be it the path or the headers`(_ isPath: Bool) throws {
        try send(isPath ? "POST /v1/answers/" : "POST / HTTP/1.1\r\nX: ")
        for _ in 1...17 where channel.isActive { _ = try? send(String(repeating: "a", count: 1_024)) }
        #expect(!channel.isActive)
    }

    @Test(arguments: [(62, true), (63, false)])
    func `a head with more than 64 headers is refused`(_ count: Int, isAccepted: Bool) throws {
        // Host and Content-Length are two further headers.
        _ = try? send(head((1...count).map { "X\($0): 1\r\n" }.joined()))
        let answer = try answer()
        if isAccepted {
            #expect(answer.isEmpty && channel.isActive)
        } else {
            #expect(!channel.isActive || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        }
    }

    @Test func `chunks of a byte each do not get more than the body's bound for their framing`() throws {
        try send(head(isChunked: true))
        let chunks = String(repeating: "1\r\n \r\n", count: 10_000)
        var sent = 0
        while channel.isActive, sent < 4 << 20 {
            _ = try? send(chunks)
            sent += chunks.utf8.count
        }
        #expect(!channel.isActive && sent < 1 << 20)
    }
}
