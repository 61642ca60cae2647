import Conversation
import IntentEvents
import IntentKit
import IntentModel
import PersonGateway
import Pipeline
import PipelineTestKit
import RecordLog
import ServiceLifecycleTestKit
import Testing

@testable import MCPServer

extension AgentHost {
    /// Withdraws the intents from the catalogue, and runs everything until the client gets a notification.
    func untilToldOfChange() async throws {
        try await until("a look at the catalogue") { waits.end(.seconds(2)) }
        try pipeline.closePublisher("publisher")
        try await until("a change") {
            _ = waits.end(.seconds(2))
            return hasNotification("notifications/tools/list_changed")
        }
    }

    /// Calls a tool over HTTP, with headers that name it.
    func post(_ version: String = AgentHost.version, tool: String = "RequestRide") async throws -> AsyncStream<JSON>? {
        let members: KeyValuePairs<String, JSON> = ["name": "RequestRide", "arguments": Self.ride]
        let params = version == Self.version ? Self.stateless(members) : .object(members)
        let body: JSON = ["jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params]
        let headers = [
            "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": tool,
            "accept": "text/event-stream",
        ]
        switch await endpoint.respond(to: body.bytes, header: { headers[$0] }, principal: nil) {
        case .events(let messages): return messages
        case .json(let refusal, let status):
            #expect(status == 400 && refusal.view.errorCode == -32020)
            return nil
        default:
            Issue.record("neither a stream nor a refusal")
            return nil
        }
    }
}

@Suite("MCP without initialize") struct StatelessTests {
    /// Calls a tool, again with the state and the answers of the call before.
    private func call(
        _ host: AgentHost, _ tool: JSON = "RequestRide", _ arguments: JSON = AgentHost.ride, state: JSON? = nil,
        answers: JSON? = nil
    ) async throws -> JSONView {
        var params: [(String, JSON)] = [("name", tool), ("arguments", arguments)]
        if let state { params.append(("requestState", state)) }
        if let answers { params.append(("inputResponses", answers)) }
        params.append(("_meta", try #require(AgentHost.stateless([:]).view["_meta"]).json))
        return try await host.ask("tools/call", JSON(params))
    }

    /// The question of a reply, and the state to send with its answer.
    private func question(_ reply: JSONView) throws -> (key: String, answer: JSON, state: JSON) {
        #expect(reply.resultType == "input_required", "\(reply.json)")
        let (key, request) = try #require(reply["result"]?["inputRequests"]?.members.first)
        #expect(request["method"]?.string == "elicitation/create")
        let field = try #require(request["params"]).field
        let content: JSON = field.map { [$0.name: $0.value.firstOption ?? .null] } ?? [:]
        let answer: JSON = [key: ["action": "accept", "content": content]]
        return (key, answer, try #require(reply["result"]?["requestState"]).json)
    }

    @Test func `a ride is booked by repeated calls with answers, alternating between processes`() async throws {
        let first = try await AgentHost()
        let second = try await AgentHost(first.pipeline)
        var reply = try await call(first)
        var rounds = 0
        while reply.resultType == "input_required", rounds < 10 {
            rounds += 1
            let (_, answer, state) = try question(reply)
            reply = try await call(rounds.isMultiple(of: 2) ? first : second, state: state, answers: answer)
        }
        #expect(reply.status == "success" && reply.resultType == "complete" && rounds == 3, "\(reply.json)")
        #expect(reply["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"] != nil)
    }

    @Test func `a copy of an answer is the same event, and gets the same reply`() async throws {
        let host = try await AgentHost()
        let (_, answer, state) = try question(try await call(host))
        var keys: Set<String> = []
        for _ in 0..<2 { keys.insert(try question(try await call(host, state: state, answers: answer)).key) }
        #expect(keys.count == 1)
        #expect(try host.pipeline.results().allSatisfy { $0.type != .rejected })
    }

    @Test func `a state serves the same caller, tool and arguments alone, until it expires`() async throws {
        let ann = try await AgentHost(principal: Principal(.appUser, "ann"))
        let bob = try await AgentHost(ann.pipeline, principal: Principal(.appUser, "bob"))
        let state = try question(try await call(ann)).state
        #expect(try await call(bob, state: state).errorCode == -32602)
        #expect(try await call(ann, "CancelRide", state: state).errorCode == -32602)
        #expect(try await call(ann, "RequestRide", AgentHost.wholeRide, state: state).errorCode == -32602)
        #expect(try await call(ann, state: 1).errorCode == -32602)
        ann.pipeline.clock.advance(by: .seconds(3_601))
        #expect(try await call(ann, state: state).errorCode == -32602)
    }

    @Test func `missing answers are asked for again`() async throws {
        let host = try await AgentHost()
        let (key, _, state) = try question(try await call(host))
        #expect(try question(try await call(host, state: state, answers: [:])).key == key)
    }

    /// Makes a call that becomes a task, because the coordinator starts only afterwards.
    private func startTask(_ host: AgentHost, _ arguments: JSON, tool: JSON = "RequestRide") async throws -> JSON {
        host.pipeline.pause("coordinator")
        let id = host.begin("tools/call", AgentHost.stateless(["name": tool, "arguments": arguments], tasks: true))
        try await host.until("the end of patience") { host.waits.end(.seconds(3)) }
        let created = try #require(try await host.untilReply(to: id)["result"])
        #expect(created["resultType"]?.string == "task" && created["status"]?.string == "working")
        host.pipeline.wake("coordinator")
        return try #require(created["taskId"]).json
    }

    /// Polls a task until it has a status, or any but `working`.
    private func poll(_ host: AgentHost, _ task: JSON, until status: String? = nil) async throws -> JSONView {
        while true {
            let reply = try await host.ask("tasks/get", AgentHost.stateless(["taskId": task], tasks: true))
            let state = try #require(reply["result"])
            if status.map({ state["status"]?.string == $0 }) ?? (state["status"]?.string != "working") { return state }
        }
    }

    @Test func `a slow call becomes a task that is polled, asks, and completes with the result`() async throws {
        let host = try await AgentHost()
        let task = try await startTask(host, AgentHost.wholeRide)
        let asking = try await poll(host, task)
        #expect(asking["status"]?.string == "input_required", "\(asking.json)")
        let key = try #require(asking["inputRequests"]?.members.first?.name)
        let answer = AgentHost.stateless(["taskId": task, "inputResponses": [key: .accepted]], tasks: true)
        #expect(try await host.ask("tasks/update", answer).resultType == "complete")
        let completed = try await poll(host, task)
        #expect(completed["status"]?.string == "completed")
        #expect(completed["result"]?["structuredContent"]?["status"]?.string == "success")
        #expect(try await host.ask("tasks/get", AgentHost.stateless(["taskId": task])).errorCode == -32021)
    }

    @Test func `a task of a rejected request completes with the rejection for its caller`() async throws {
        let pipeline = try await AgentHost.parcels { $0.configuration.limits.maximumSessionsOfPrincipal = 0 }
        let host = try await AgentHost(pipeline, principal: Principal(.appUser, "ann"))
        let state = try await poll(host, try await startTask(host, AgentHost.parcel, tool: "SendParcel"))
        #expect(state["status"]?.string == "completed", "\(state.json)")
        #expect(state["result"]?["structuredContent"]?["status"]?.string == "rejected")
        #expect(state["result"]?["isError"]?.bool == true)
    }

    @Test func `cancelling a task cancels its request`() async throws {
        let host = try await AgentHost()
        let task = try await startTask(host, AgentHost.ride)
        _ = try await poll(host, task)
        _ = try await host.ask("tasks/cancel", AgentHost.stateless(["taskId": task], tasks: true))
        #expect(try await poll(host, task, until: "cancelled")["result"] == nil)
    }

    @Test func `tools are listed in a fixed order, with schemas, hints and the list's lifetime`() async throws {
        let result = try #require(try await AgentHost().ask("tools/list", AgentHost.stateless([:]))["result"])
        let tools = result["tools"]?.elements ?? []
        let names = tools.compactMap { $0["name"]?.string }
        #expect(names.dropLast(2) == names.dropLast(2).sorted()[...])
        #expect(names.suffix(2) == ["intent_reply", "intent_status"])
        #expect(tools.allSatisfy { $0["inputSchema"]?["type"]?.string == "object" })
        let ride = try #require(tools.first { $0["name"]?.string == "RequestRide" })
        #expect(ride["annotations"]?["destructiveHint"]?.bool == true)
        #expect(result["ttlMs"]?.int == 5_000 && result["cacheScope"]?.string == "public")
    }

    @Test func `a listener gets an acknowledgement, and then changes with its own id`() async throws {
        let host = try await AgentHost()
        let id = host.begin("subscriptions/listen", AgentHost.stateless(["notifications": ["toolsListChanged": true]]))
        try await host.until("an acknowledgement") { host.hasNotification("notifications/subscriptions/acknowledged") }
        try await host.untilToldOfChange()
        let meta = host.notification("notifications/tools/list_changed")?["params"]?["_meta"]
        #expect(meta?["io.modelcontextprotocol/subscriptionId"]?.int == id)
    }

    @Test func `over HTTP the headers must match the message, and a call's stream ends with its reply`() async throws {
        let host = try await AgentHost()
        #expect(try await host.post(tool: "CancelRide") == nil)
        let messages = try #require(try await host.post())
        let inbox = Recorder<JSON>()
        let reading = Task { for await message in messages { inbox.record(message) } }
        try await host.until("a reply") { inbox.reply(to: 1) != nil }
        await reading.value
        #expect(inbox.all.last?.view.resultType == "input_required")
    }
}

@Suite("A client that leaves the stream of a call") struct DisconnectionTests {
    /// Begins a call over HTTP, and leaves its stream while the request is open.
    private func leave(_ host: AgentHost, _ version: String, before: () -> Void = {}) async throws {
        host.pipeline.pause("coordinator")
        let messages = try #require(try await host.post(version))
        let reading = Task { for await _ in messages {} }
        try await host.until("the request") { host.requestCount == 1 && !host.waits.isEmpty }
        before()
        reading.cancel()
        await reading.value
        try await host.until("the end of the call") { host.waits.isEmpty }
        for _ in 0..<20 { try await host.step() }
    }

    /// Checks that the request asks its first question.
    private func expectGoingOn(_ host: AgentHost) async throws {
        #expect(host.requestCount == 1)
        host.pipeline.wake("coordinator")
        try await host.until("a question") { try host.pipeline.results().contains { $0.type == .promptIssued } }
        #expect(try host.completion == nil)
    }

    @Test func `cancels its request, as version 2026-07-28 demands`() async throws {
        let host = try await AgentHost()
        try await leave(host, AgentHost.version)
        host.pipeline.wake("coordinator")
        try await host.until("a completion") { try host.completion != nil }
        #expect(try host.completion == "cancelled")
    }

    @Test(arguments: ["2025-11-25", "2025-06-18"])
    func `a lost connection cancels nothing in versions that forbid that`(_ version: String) async throws {
        let host = try await AgentHost()
        try await leave(host, version)
        try await expectGoingOn(host)
    }

    @Test func `cancels nothing when the stream ends because the process does`() async throws {
        let host = try await AgentHost()
        try await testGracefulShutdown { trigger in
            try await leave(host, AgentHost.version) { trigger.triggerGracefulShutdown() }
        }
        try await expectGoingOn(host)
    }
}

@Suite("A call whose request Kafka does not acknowledge in time") struct UndecidedCallTests {
    /// Calls the tool while Kafka is away.
    private func beginWhileAway(_ host: AgentHost, _ params: JSON) async throws -> Int {
        host.pipeline.log.setLeaders(of: host.pipeline.topics.requests, areAway: true)
        let id = host.begin("tools/call", params)
        try await host.until("the request is on its way") { host.gateway.load.waiting == 1 }
        try await host.step()
        return id
    }

    /// Lets the gateway give up a request, and lets the request arrive after the reply.
    private func replyBeforeArrival(_ host: AgentHost, to id: Int) async throws -> JSONView {
        host.pipeline.clock.advance(by: .seconds(11))
        let reply = try await host.untilReply(to: id)
        host.pipeline.log.setLeaders(of: host.pipeline.topics.requests, areAway: false)
        try await host.until("the request has arrived") { host.requestCount == 1 }
        return reply
    }

    private static let call: KeyValuePairs<String, JSON> = ["name": "RequestRide", "arguments": AgentHost.ride]

    @Test func `an unacknowledged call continues by its handle, and is not reported as refused`() async throws {
        let host = try await AgentHost().initialize(elicitation: nil)
        let reply = try await replyBeforeArrival(host, to: beginWhileAway(host, .object(Self.call)))
        #expect(reply.status == "working" && reply.isError == false, "\(reply.json)")
        let status = try await host.call(ToolList.status, ["handle": reply.handle])
        #expect(status.status == "input_required" && host.requestCount == 1, "\(status.json)")
    }

    @Test func `an in-flight call continues by its handle after the server has ended`() async throws {
        let host = try await AgentHost().initialize(elicitation: nil)
        let id = try await beginWhileAway(host, .object(Self.call))
        #expect(throws: LogError.self) { try host.gateway.close(timeout: .zero) }
        let deadline = ContinuousClock.now.advanced(by: .seconds(180))
        while host.reply(to: id) == nil, ContinuousClock.now < deadline { await Task.yield() }
        let reply = try #require(host.reply(to: id))
        #expect(try reply.status == "working" && reply.handle != .null, "\(reply.json)")
    }

    @Test func `an unacknowledged call without initialize continues by its state`() async throws {
        let host = try await AgentHost()
        let id = try await beginWhileAway(host, AgentHost.stateless(Self.call, tasks: true))
        let reply = try await replyBeforeArrival(host, to: id)
        #expect(reply.resultType == "input_required", "\(reply.json)")
        let state = try #require(reply["result"]?["requestState"]).json
        let again = try await host.ask(
            "tools/call",
            AgentHost.stateless(["name": "RequestRide", "arguments": AgentHost.ride, "requestState": state]))
        #expect(again["result"]?["inputRequests"]?.members.count == 1, "\(again.json)")
        #expect(host.requestCount == 1)
    }
}
