import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import ServiceLifecycleTestKit
import Testing

@testable import MCPServer

@Suite("A client that leaves the stream of a call")
struct DisconnectionTests {
    /// Begins a call over HTTP, and leaves its stream while the request is open.
    private func leave(_ host: AgentHost, _ version: String, before: () -> Void = {}) async throws {
        host.pipeline.pause("coordinator")
        let members: KeyValuePairs<String, JSON> = ["name": .string("RequestRide"), "arguments": AgentHost.ride]
        let body = JSON.object([
            "jsonrpc": .string("2.0"), "id": .number(1), "method": .string("tools/call"),
            "params": version == AgentHost.version ? AgentHost.stateless(members) : .object(members),
        ]).bytes
        let headers = [
            "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "RequestRide",
            "accept": "text/event-stream",
        ]
        guard
            case .events(let messages) = await host.endpoint.respond(to: body, header: { headers[$0] }, principal: nil)
        else {
            throw NeverHappened(what: "a stream")
        }
        let reading = Task { for await _ in messages {} }
        try await host.until("the request") { said(host) == 1 && !host.waits.isEmpty }
        before()
        reading.cancel()
        await reading.value
        try await host.until("the end of the call") { host.waits.isEmpty }
        for _ in 0..<20 { try await host.step() }
    }

    private func said(_ host: AgentHost) -> Int { host.pipeline.log.records(in: host.pipeline.topics.requests).count }

    /// Checks that the request asks its first question.
    private func expectGoingOn(_ host: AgentHost) async throws {
        #expect(said(host) == 1)
        host.pipeline.wake("coordinator")
        try await host.until("a question") { try host.pipeline.results().contains { $0.type == .promptIssued } }
        #expect(try host.pipeline.results().contains { $0.type == .completed } == false)
    }

    @Test("cancels its request, as version 2026-07-28 demands")
    func cancels() async throws {
        let host = try await AgentHost()
        try await leave(host, AgentHost.version)
        host.pipeline.wake("coordinator")
        try await host.until("a completion") { try host.pipeline.results().contains { $0.type == .completed } }
        #expect(try host.pipeline.results().last { $0.type == .completed }?.data["status"]?.string == "cancelled")
    }

    @Test(
        "cancels nothing in the versions before, which forbid to take a lost connection for that",
        arguments: ["2025-11-25", "2025-06-18"])
    func goesOn(_ version: String) async throws {
        let host = try await AgentHost()
        try await leave(host, version)
        try await expectGoingOn(host)
    }

    @Test("cancels nothing when the stream ends because the process does")
    func shutdown() async throws {
        let host = try await AgentHost()
        try await testGracefulShutdown { trigger in
            try await leave(host, AgentHost.version) { trigger.triggerGracefulShutdown() }
        }
        try await expectGoingOn(host)
    }
}
