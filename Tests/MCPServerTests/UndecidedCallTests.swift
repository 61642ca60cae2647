import IntentEvents
import IntentModel
import PersonGateway
import PipelineTestKit
import RecordLog
import Testing

@testable import MCPServer

@Suite("A call whose request Kafka does not acknowledge in time")
struct UndecidedCallTests {
    /// Calls the tool while Kafka is away, until the gateway has given up.
    private func callWhileAway(_ host: AgentHost, _ params: JSON) async throws -> JSONView {
        host.pipeline.log.setLeaders(of: host.pipeline.topics.requests, areAway: true)
        let id = host.begin("tools/call", params)
        try await host.until("the request is on its way") { host.gateway.load.waiting == 1 }
        try await host.step()
        host.pipeline.clock.advance(by: .seconds(11))
        try await host.until("a reply") { host.reply(to: id) != nil }
        return try #require(host.reply(to: id))
    }

    private func requests(_ host: AgentHost) -> Int {
        host.pipeline.log.records(in: host.pipeline.topics.requests).count
    }

    @Test("goes on by its handle: the model is not told that it was not accepted, because it may be done after all")
    func handle() async throws {
        let host = try await AgentHost()
        try await host.initialize(elicitation: nil)
        let members: KeyValuePairs<String, JSON> = ["name": .string("RequestRide"), "arguments": AgentHost.ride]
        let reply = try await callWhileAway(host, .object(members))
        #expect(reply.status == "working" && reply["result"]?["isError"]?.bool == false, "\(reply.json)")
        let handle = try #require(reply["result"]?["structuredContent"]?["handle"]).json
        host.pipeline.log.setLeaders(of: host.pipeline.topics.requests, areAway: false)
        try await host.until("the request has arrived") { requests(host) == 1 }
        let status = try await host.ask(
            "tools/call", .object(["name": .string(ToolList.status), "arguments": .object(["handle": handle])]))
        #expect(status.status == "input_required", "\(status.json)")
        #expect(requests(host) == 1)
    }

    @Test("goes on by its handle also if the server ends while the request is on its way")
    func closing() async throws {
        let host = try await AgentHost()
        try await host.initialize(elicitation: nil)
        host.pipeline.log.setLeaders(of: host.pipeline.topics.requests, areAway: true)
        let id = host.begin("tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        try await host.until("the request is on its way") { host.gateway.load.waiting == 1 }
        try await host.step()
        #expect(throws: LogError.self) { try host.gateway.close(timeout: .zero) }
        let deadline = ContinuousClock.now.advanced(by: .seconds(20))
        while host.reply(to: id) == nil, ContinuousClock.now < deadline { await Task.yield() }
        let reply = try #require(host.reply(to: id))
        #expect(reply.status == "working" && reply["result"]?["structuredContent"]?["handle"] != nil, "\(reply.json)")
    }

    @Test("goes on by its state in the version without initialize")
    func state() async throws {
        let host = try await AgentHost()
        let reply = try await callWhileAway(
            host, AgentHost.stateless(["name": .string("RequestRide"), "arguments": AgentHost.ride], tasks: true))
        #expect(reply["result"]?["resultType"]?.string == "input_required", "\(reply.json)")
        let state = try #require(reply["result"]?["requestState"]).json
        host.pipeline.log.setLeaders(of: host.pipeline.topics.requests, areAway: false)
        try await host.until("the request has arrived") { requests(host) == 1 }
        let again = try await host.ask(
            "tools/call",
            AgentHost.stateless(["name": .string("RequestRide"), "arguments": AgentHost.ride, "requestState": state]))
        #expect(again["result"]?["inputRequests"]?.members.count == 1, "\(again.json)")
        #expect(requests(host) == 1)
    }
}
