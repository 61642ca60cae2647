import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Console

@Suite("The route for agents")
struct AgentRoutesTests {
    @Test(
        "an agent has a limited number of streams open, and what it opens beyond that is refused by name",
        .timeLimit(.minutes(1)))
    func streams() async throws {
        try await RunningConsole.with(isOpen: false, streamsPerPrincipal: 2) { console in
            let token = try await console.token("ann", ["agent"])
            let listen =
                #"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"#
                + #""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#
            let headers: HTTPFields = [
                .authorization: "Bearer \(token)", .contentType: "application/json", .accept: "text/event-stream",
                try #require(HTTPField.Name("mcp-protocol-version")): "2026-07-28",
                try #require(HTTPField.Name("mcp-method")): "subscriptions/listen",
            ]
            let tasks = (0..<2).map { _ in
                Task { [client = console.client] in
                    try await client.execute(
                        uri: "/mcp", method: .post, headers: headers, body: ByteBuffer(string: listen))
                }
            }
            defer { for task in tasks { task.cancel() } }
            let deadline = ContinuousClock.now.advanced(by: .seconds(30))
            while console.streams.count < 2 {
                try #require(ContinuousClock.now < deadline)
                await Task.yield()
            }
            let refused = try await console.client.execute(
                uri: "/mcp", method: .post, headers: headers, body: ByteBuffer(string: listen))
            #expect(
                refused.status == .tooManyRequests
                    && String(buffer: refused.body).contains("2 streams of yours are open"))
            #expect(console.streams.count == 2)
            console.streams.endFailingStreams(date: .now.addingTimeInterval(700))
            for task in tasks { _ = await task.result }
        }
    }
}
