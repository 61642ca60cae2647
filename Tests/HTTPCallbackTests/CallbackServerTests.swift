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

@testable import HTTPCallback

@Suite("The callback server")
struct CallbackServerTests {
    /// Starts a server on the loopback interface, with a thread that writes to the log.
    private func serving(_ body: (CallbackServer, Courier) async throws -> Void) async throws {
        let courier = try await Courier(started: false)
        let isStopped = Box()
        let writer = courier.writer
        let thread = Thread {
            while !isStopped.flag.load(ordering: .acquiring) { _ = try? writer.step(timeout: .milliseconds(10)) }
            isStopped.ended.yield()
        }
        thread.start()
        try await CallbackServer.withServer(host: "127.0.0.1", port: 0, answers: courier.answers) { try await body($0, courier) }
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
            let token = courier.tokens.token(for: #"["me","r1",4,1]"#, now: courier.pipeline.clock.now)
            let response = try await post("/v1/answers/\(token)", #"{"code":"success"}"#, to: server)
            #expect(response.status == 202)
            let record = try #require(courier.pipeline.log.records(in: courier.pipeline.topics.outcomes).first)
            #expect(record.partition == 1 && record.key.map { String(decoding: $0, as: UTF8.self) } == "me")
            #expect(record.value.map { String(decoding: $0, as: UTF8.self) } == #"{"request":"r1","step":4,"code":"success"}"#)
        }
    }

    @Test("refuses invalid requests with a reason")
    func refused() async throws {
        try await serving { server, courier in
            let now = courier.pipeline.clock.now
            let token = courier.tokens.token(for: #"["me","r1",4,1]"#, now: now)
            let old = courier.tokens.token(for: #"["me","r1",4,1]"#, now: now.advanced(by: .seconds(-25 * 3_600)))
            let large = #"{"code":"success","dialog":"\#(String(repeating: "x", count: DeferredOutcomes.maximumBytes))"}"#
            for (path, body, method, status, reason) in [
                ("/v1/answers/\(token)", "{}", HTTPMethod.POST, 400, "invalid"), ("/v1/answers/\(token)", "", .POST, 400, "unparseable"),
                ("/v1/answers/no.token", "{}", .POST, 400, "unauthorized"),
                ("/v1/answers/\(old)", #"{"code":"success"}"#, .POST, 410, "unexpected"),
                ("/v1/answers/\(token)", large, .POST, 413, "complex"), ("/", "{}", .POST, 404, "unsupported"),
                ("/v1/answers/", "{}", .POST, 404, "unsupported"), ("/v1/answers/\(token)", "", .GET, 405, "unsupported"),
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
            let token = courier.tokens.token(for: #"["me","r1",4,1]"#, now: courier.pipeline.clock.now)
            let response = try await post("/v1/answers/\(token)", #"{"code":"success"}"#, to: server)
            #expect(response.status == 503 && response.headers.first(name: "retry-after") == "1")
        }
    }
}
