import AsyncHTTPClient
import Conversation
import Foundation
import IntentEvents
import IntentModel
import NIOCore
import NIOHTTP1
import NIOPosix
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
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        return (Int(response.status.code), response.headers, try? JSONView(parsing: bytes)["error"])
    }

    @Test func `replies 202 when the outcome has been written to the log`() async throws {
        try await serving { server, courier in
            let response = try await post("/v1/answers/\(courier.madeUpToken())", Self.success, to: server)
            #expect(response.status == 202)
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

    @Test(
        "a connection more than an address may have is closed at once, the others are served, and a closed one makes room"
    )
    func tooMany() async throws {
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
        #expect(gate.admit("a") && gate.admit("a") && !gate.admit("a"))
        #expect(gate.admit("b") && !gate.admit("c"))
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
        #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1"))
        #expect(try client("10.0.0.1") != client("10.0.0.2"))
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
                    return try await client.execute(request, timeout: .seconds(30)).status.code
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
        ) {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawConnection(inbound: inbound, outbound: outbound))
        }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Sends a text, and waits until the server closes the connection.
    ///
    /// - Returns: The server's whole output.
    func exchange(_ text: String) async throws -> String {
        var received = ""
        // A server that closes before it has read everything resets the connection.
        do {
            try await send(text)
            for try await part in inbound { received += String(buffer: part) }
        } catch is IOError {
        } catch is ChannelError {
        } catch is NIOAsyncWriterError {}
        return received
    }

    static func exchange(_ text: String, port: Int) async throws -> String {
        var received = ""
        // A refused connection may be closed before it is set up, and then can't be closed again.
        do { try await open(port: port) { received = try await $0.exchange(text) } } catch is ChannelError {}
        return received
    }
}
