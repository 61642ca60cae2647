import AsyncHTTPClient
import Conversation
import Foundation
import IntentEvents
import IntentModel
import NIOCore
import NIOHTTP1
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import HTTPFulfilment

@Suite("The callback server")
struct CallbackServerTests {
    /// Starts a server on the loopback interface, with a thread that writes to the log.
    private func serving(
        limits: CallbackLimits = CallbackLimits(), certificate: CallbackCertificate? = nil,
        _ body: (CallbackServer, Courier) async throws -> Void
    ) async throws {
        let courier = try await Courier(started: false)
        let isStopped = Box()
        let writer = courier.writer
        let thread = Thread {
            while !isStopped.flag.load(ordering: .acquiring) { _ = try? writer.step(timeout: .milliseconds(10)) }
            isStopped.ended.yield()
        }
        thread.start()
        try await CallbackServer.withServer(
            host: "127.0.0.1", port: 0, answers: courier.answers, certificate: certificate, limits: limits
        ) { try await body($0, courier) }
        isStopped.flag.store(true, ordering: .releasing)
        for await _ in isStopped.end { return }
    }

    private final class Box: Sendable {
        let flag = Atomic<Bool>(false)
        let (end, ended) = AsyncStream<Void>.makeStream()
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

    @Test("replies 202 when the outcome has been written to the log")
    func accepted() async throws {
        try await serving { server, courier in
            let token = courier.tokens.token(for: Courier.replyTo(), now: courier.pipeline.clock.now)
            let response = try await post("/v1/answers/\(token)", #"{"code":"success"}"#, to: server)
            #expect(response.status == 202)
            let record = try #require(courier.pipeline.log.records(in: courier.pipeline.topics.outcomes).first)
            #expect(record.partition == 1 && record.key.map { String(decoding: $0, as: UTF8.self) } == "me")
            #expect(
                record.value.map { String(decoding: $0, as: UTF8.self) }
                    == #"{"request":"r1","step":4,"code":"success"}"#)
        }
    }

    @Test("refuses invalid requests with a reason")
    func refused() async throws {
        try await serving { server, courier in
            let now = courier.pipeline.clock.now
            let token = courier.tokens.token(for: Courier.replyTo(), now: now)
            let old = courier.tokens.token(for: Courier.replyTo(), now: now.advanced(by: .seconds(-25 * 3_600)))
            let large =
                #"{"code":"success","dialog":"\#(String(repeating: "x", count: DeferredOutcomes.maximumBytes))"}"#
            for (path, body, method, status, reason) in [
                ("/v1/answers/\(token)", "{}", HTTPMethod.POST, 400, "invalid"),
                ("/v1/answers/\(token)", "", .POST, 400, "unparseable"),
                ("/v1/answers/no.token", "{}", .POST, 400, "unauthorized"),
                ("/v1/answers/\(old)", #"{"code":"success"}"#, .POST, 410, "unexpected"),
                ("/v1/answers/\(token)", large, .POST, 413, "complex"), ("/", "{}", .POST, 404, "unsupported"),
                ("/v1/answers/", "{}", .POST, 404, "unsupported"),
                ("/v1/answers/\(token)", "", .GET, 405, "unsupported"),
            ] {
                let response = try await post(path, body, to: server, method: method)
                #expect(response.status == status && response.error?["reason"]?.string == reason, "\(status)")
                #expect(response.error?["message"]?.string?.isEmpty == false)
            }
            #expect(courier.pipeline.log.records(in: courier.pipeline.topics.outcomes).isEmpty)
        }
    }

    @Test("asks the service to post again while the log can't be written")
    func unavailable() async throws {
        let courier = try await Courier(started: false)
        try courier.writer.close(timeout: .zero)
        try await CallbackServer.withServer(host: "127.0.0.1", port: 0, answers: courier.answers) { server in
            let token = courier.tokens.token(for: Courier.replyTo(), now: courier.pipeline.clock.now)
            let response = try await post("/v1/answers/\(token)", #"{"code":"success"}"#, to: server)
            #expect(response.status == 503 && response.headers.first(name: "retry-after") == "1")
        }
    }

    @Test("a connection is kept for another request, and closed when none comes in time")
    func idle() async throws {
        var limits = CallbackLimits()
        limits.idleTime = .seconds(1)
        try await serving(limits: limits) { server, courier in
            let token = courier.tokens.token(for: Courier.replyTo(), now: courier.pipeline.clock.now)
            let body = #"{"code":"success"}"#
            let request =
                "POST /v1/answers/\(token) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            // Both requests are sent at once. The server answers one after the other, waits, and closes.
            let received = try await RawConnection.exchange(request + request, port: server.port)
            #expect(received.components(separatedBy: "HTTP/1.1 202 ").count == 3, "\(received)")
            #expect(courier.pipeline.log.records(in: courier.pipeline.topics.outcomes).count == 2)
        }
    }

    @Test(
        "a connection more than an address may have is closed at once, the others are served, and a closed one makes room"
    )
    func tooMany() async throws {
        var limits = CallbackLimits()
        limits.connectionsPerAddress = 1
        try await serving(limits: limits) { server, courier in
            let token = courier.tokens.token(for: Courier.replyTo(), now: courier.pipeline.clock.now)
            let body = #"{"code":"success"}"#
            try await RawConnection.open(port: server.port) { first in
                // The server has counted a request whose outcome is in the log.
                try await first.send(
                    "POST /v1/answers/\(token) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                while courier.pipeline.log.records(in: courier.pipeline.topics.outcomes).isEmpty { await Task.yield() }
                let refused = try await RawConnection.exchange("GET / HTTP/1.1\r\n\r\n", port: server.port)
                #expect(refused.isEmpty)
                let answers = try await first.exchange("GET / HTTP/1.1\r\n\r\n")
                #expect(answers.contains("HTTP/1.1 202 ") && answers.contains("HTTP/1.1 404 "))
            }
            var answer = ""
            while answer.isEmpty {
                answer = try await RawConnection.exchange("GET / HTTP/1.1\r\n\r\n", port: server.port)
            }
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("connections are counted by address and in all, and a closed one makes room")
    func counting() {
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

    @Test("all addresses of an IPv6 network of 64 bits count as one, IPv4 addresses each for itself")
    func addresses() throws {
        func client(_ address: String) throws -> String {
            ConnectionGate.client(at: try SocketAddress(ipAddress: address, port: 1))
        }
        #expect(try client("2001:db8:1:2::1") == client("2001:db8:1:2:ffff::9"))
        #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1"))
        #expect(try client("10.0.0.1") != client("10.0.0.2"))
        #expect(try client("::ffff:10.0.0.1") != client("::ffff:10.0.0.2"))
    }

    @Test(
        "speaks TLS with a certificate, and takes over a new one when the files change",
        .enabled(if: TestCertificate.made != nil, "there is no openssl to make one with"))
    func tls() async throws {
        let (old, new) = (try TestCertificate(), try TestCertificate())
        let (certificate, key) = (try TemporaryFile(old.certificate), try TemporaryFile(old.key))
        let log = ProblemLog()
        let files = try CallbackCertificate(certificate: certificate.path, key: key.path, onProblem: log.add)
        try await serving(certificate: files) { server, courier in
            let token = courier.tokens.token(for: Courier.replyTo(), now: courier.pipeline.clock.now)
            func status(trusting trusted: TestCertificate) async throws -> UInt {
                try await trusted.client { client in
                    var request = HTTPClientRequest(url: "https://localhost:\(server.port)/v1/answers/\(token)")
                    request.method = .POST
                    request.body = .bytes(ByteBuffer(string: #"{"code":"success"}"#))
                    return try await client.execute(request, timeout: .seconds(30)).status.code
                }
            }
            let before = try await status(trusting: old)
            #expect(before == 202)
            // Between the two writes the pair does not match, and the old pair stays in use.
            try certificate.write(new.certificate)
            let between = try await status(trusting: old)
            #expect(
                between == 202 && log.problems.count == 1 && log.problems.first?.contains("is not that of") == true,
                "\(log.problems)")
            try key.write(new.key)
            let after = try await status(trusting: new)
            #expect(after == 202)
            await #expect(throws: (any Error).self) { try await status(trusting: old) }
            key.remove()
            let kept = try await status(trusting: new)
            #expect(kept == 202 && log.problems.count == 2)
        }
    }

    @Test("files without a certificate or a key are refused at the start")
    func certificateFiles() throws {
        let text = try TemporaryFile("no certificate")
        let error = #expect(throws: CallbackSettingError.self) {
            try CallbackCertificate(certificate: text.path, key: text.path, onProblem: ProblemLog().add)
        }
        #expect(error?.message.contains(text.path) == true)
    }
}
