import Conversation
import IntentEvents
import IntentKit
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import MCPServer

@Suite("MCP without initialize")
struct StatelessTests {
    private func call(_ host: AgentHost, _ members: KeyValuePairs<String, JSON>, tasks: Bool = false) async throws
        -> JSONView
    {
        try await host.ask("tools/call", AgentHost.stateless(members, tasks: tasks))
    }

    private func request(_ reply: JSONView) throws -> (key: String, params: JSONView, state: JSON) {
        #expect(reply["result"]?["resultType"]?.string == "input_required", "\(reply.json)")
        let (key, request) = try #require(reply["result"]?["inputRequests"]?.members.first)
        #expect(request["method"]?.string == "elicitation/create")
        return (key, try #require(request["params"]), try #require(reply["result"]?["requestState"]).json)
    }

    private func accept(_ params: JSONView) -> JSON {
        let field = params["requestedSchema"]?["properties"]?.members.first
        let content: JSON =
            field.map { .object([$0.name: $0.value["oneOf"]?.elements.first?["const"]?.json ?? .null]) } ?? .object([:])
        return .object(["action": .string("accept"), "content": content])
    }

    @Test("a ride is booked by repeating the call with what was asked for, each time at another process")
    func booked() async throws {
        let first = try await AgentHost()
        let second = try await AgentHost(first.pipeline)
        let (name, ride) = (JSON.string("RequestRide"), AgentHost.ride)
        var reply = try await call(first, ["name": name, "arguments": ride])
        var rounds = 0
        while reply["result"]?["resultType"]?.string == "input_required", rounds < 10 {
            rounds += 1
            let (key, params, state) = try request(reply)
            let members: KeyValuePairs<String, JSON> = [
                "name": name, "arguments": ride, "requestState": state,
                "inputResponses": .object([key: accept(params)]),
            ]
            reply = try await call(rounds.isMultiple(of: 2) ? first : second, members)
        }
        #expect(reply.status == "success", "\(reply.json)")
        #expect(rounds == 3)
        #expect(reply["result"]?["resultType"]?.string == "complete")
        #expect(reply["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"] != nil)
    }

    @Test("a copy of an answer is the same event, and gets the same reply")
    func copy() async throws {
        let host = try await AgentHost()
        let (key, params, state) = try request(
            try await call(host, ["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        let again: KeyValuePairs<String, JSON> = [
            "name": .string("RequestRide"), "arguments": AgentHost.ride, "requestState": state,
            "inputResponses": .object([key: accept(params)]),
        ]
        let replies = [try request(try await call(host, again)).key, try request(try await call(host, again)).key]
        #expect(replies[0] == replies[1])
        #expect(try host.pipeline.results().allSatisfy { $0.type != .rejected })
    }

    @Test("a state serves the same caller, tool and arguments alone, until it expires")
    func bound() async throws {
        let ann = try await AgentHost(principal: Principal(.appUser, "ann"))
        let bob = try await AgentHost(ann.pipeline, principal: Principal(.appUser, "bob"))
        let (_, _, state) = try request(
            try await call(ann, ["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        func code(_ host: AgentHost, _ tool: String, _ arguments: JSON, _ state: JSON) async throws -> Int? {
            try await call(host, ["name": .string(tool), "arguments": arguments, "requestState": state])["error"]?[
                "code"]?.int
        }
        #expect(try await code(bob, "RequestRide", AgentHost.ride, state) == -32602)
        #expect(try await code(ann, "CancelRide", AgentHost.ride, state) == -32602)
        #expect(try await code(ann, "RequestRide", AgentHost.wholeRide, state) == -32602)
        #expect(try await code(ann, "RequestRide", AgentHost.ride, .number(1)) == -32602)
        ann.pipeline.clock.advance(by: .seconds(3_601))
        #expect(try await code(ann, "RequestRide", AgentHost.ride, state) == -32602)
    }

    @Test("a state serves nobody who only looks like its caller")
    func lookalike() async throws {
        let owner = try await AgentHost(principal: Principal(.appUser, "jos\u{E9}"))
        let other = try await AgentHost(owner.pipeline, principal: Principal(.appUser, "jose\u{301}"))
        let (_, _, state) = try request(
            try await call(owner, ["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        let reply = try await call(
            other, ["name": .string("RequestRide"), "arguments": AgentHost.ride, "requestState": state])
        #expect(reply["error"]?["code"]?.int == -32602)
    }

    @Test("without the answers that were asked for, they are asked for again")
    func missing() async throws {
        let host = try await AgentHost()
        let (key, _, state) = try request(
            try await call(host, ["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        let again = try await call(
            host,
            [
                "name": .string("RequestRide"), "arguments": AgentHost.ride, "requestState": state,
                "inputResponses": .object([:]),
            ])
        #expect(try request(again).key == key)
    }

    @Test("what takes long becomes a task, is polled, asks, and completes with the result of the call")
    func task() async throws {
        let host = try await AgentHost()
        host.pipeline.pause("coordinator")
        let id = host.begin(
            "tools/call",
            AgentHost.stateless(["name": .string("RequestRide"), "arguments": AgentHost.wholeRide], tasks: true))
        try await host.until("the end of patience") { host.waits.end(.seconds(3)) }
        try await host.until("a task") { host.reply(to: id) != nil }
        let created = try #require(host.reply(to: id)?["result"])
        #expect(created["resultType"]?.string == "task")
        #expect(created["status"]?.string == "working")
        let task = try #require(created["taskId"]).json
        host.pipeline.wake("coordinator")
        func get() async throws -> JSONView {
            try #require(try await host.ask("tasks/get", AgentHost.stateless(["taskId": task], tasks: true))["result"])
        }
        var state = try await get()
        while state["status"]?.string == "working" { state = try await get() }
        #expect(state["status"]?.string == "input_required", "\(state.json)")
        let key = try #require(state["inputRequests"]?.members.first?.name)
        let answer = JSON.object([key: .object(["action": .string("accept"), "content": .object([:])])])
        let acknowledged = try await host.ask(
            "tasks/update", AgentHost.stateless(["taskId": task, "inputResponses": answer], tasks: true))
        #expect(acknowledged["result"]?["resultType"]?.string == "complete")
        state = try await get()
        while state["status"]?.string == "working" { state = try await get() }
        #expect(state["status"]?.string == "completed")
        #expect(state["result"]?["structuredContent"]?["status"]?.string == "success")
        let undeclared = try await host.ask("tasks/get", AgentHost.stateless(["taskId": task]))
        #expect(undeclared["error"]?["code"]?.int == -32021)
    }

    /// Makes a call that becomes a task, because the coordinator starts only afterwards.
    private func startedTask(_ host: AgentHost, _ tool: String, _ arguments: JSON) async throws -> JSON {
        host.pipeline.pause("coordinator")
        let id = host.begin(
            "tools/call", AgentHost.stateless(["name": .string(tool), "arguments": arguments], tasks: true))
        try await host.until("the end of patience") { host.waits.end(.seconds(3)) }
        try await host.until("a task") { host.reply(to: id) != nil }
        host.pipeline.wake("coordinator")
        return try #require(host.reply(to: id)?["result"]?["taskId"]).json
    }

    @Test("a task whose request is rejected is still its caller's, and completes with the rejection")
    func rejectedTask() async throws {
        let pipeline = try await AgentHost.parcels { $0.configuration.maximumSessionsOfPrincipal = 0 }
        let host = try await AgentHost(pipeline, principal: Principal(.appUser, "ann"))
        let task = try await startedTask(host, "SendParcel", AgentHost.parcel)
        var state: JSONView?
        repeat {
            state = try await host.ask("tasks/get", AgentHost.stateless(["taskId": task], tasks: true))["result"]
        } while state?["status"]?.string == "working"
        #expect(state?["status"]?.string == "completed", "\(String(describing: state?.json))")
        #expect(state?["result"]?["structuredContent"]?["status"]?.string == "rejected")
        #expect(state?["result"]?["isError"]?.bool == true)
    }

    @Test("a task that is cancelled is cancelled")
    func cancelledTask() async throws {
        let host = try await AgentHost()
        let task = try await startedTask(host, "RequestRide", AgentHost.ride)
        var state: JSONView?
        repeat {
            state = try await host.ask("tasks/get", AgentHost.stateless(["taskId": task], tasks: true))["result"]
        } while state?["status"]?.string == "working"
        _ = try await host.ask("tasks/cancel", AgentHost.stateless(["taskId": task], tasks: true))
        repeat {
            state = try await host.ask("tasks/get", AgentHost.stateless(["taskId": task], tasks: true))["result"]
        } while state?["status"]?.string != "cancelled"
        #expect(state?["result"] == nil)
    }

    @Test("tools are listed in one order, with schemas, hints and how long the list is good")
    func tools() async throws {
        let host = try await AgentHost()
        let result = try #require(try await host.ask("tools/list", AgentHost.stateless([:]))["result"])
        let tools = result["tools"]?.elements ?? []
        let names = tools.compactMap { $0["name"]?.string }
        #expect(names.dropLast(2) == names.dropLast(2).sorted()[...])
        #expect(names.suffix(2) == ["intent_reply", "intent_status"])
        #expect(tools.allSatisfy { $0["inputSchema"]?["type"]?.string == "object" })
        let ride = try #require(tools.first { $0["name"]?.string == "RequestRide" })
        #expect(ride["annotations"]?["destructiveHint"]?.bool == true)
        #expect(result["ttlMs"]?.int == 5_000)
        #expect(result["cacheScope"]?.string == "public")
    }

    @Test("a listener is told first what it will be told, and then of changes, with its own id")
    func listen() async throws {
        let host = try await AgentHost()
        let id = host.begin(
            "subscriptions/listen", AgentHost.stateless(["notifications": .object(["toolsListChanged": .bool(true)])]))
        func told(_ method: String) -> JSONView? {
            host.notifications.first { $0["method"]?.string == method }?["params"]
        }
        try await host.until("an acknowledgement") { told("notifications/subscriptions/acknowledged") != nil }
        try await host.until("a look at the catalogue") { host.waits.end(.seconds(2)) }
        try host.pipeline.closePublisher("publisher")
        try await host.until("a change") {
            _ = host.waits.end(.seconds(2))
            return told("notifications/tools/list_changed") != nil
        }
        #expect(
            told("notifications/tools/list_changed")?["_meta"]?["io.modelcontextprotocol/subscriptionId"]?.int == id)
    }

    @Test("over HTTP the headers have to say what the message says, and a call is a stream that ends with its reply")
    func http() async throws {
        let host = try await AgentHost()
        let body = JSON.object([
            "jsonrpc": .string("2.0"), "id": .number(1), "method": .string("tools/call"),
            "params": AgentHost.stateless(["name": .string("RequestRide"), "arguments": AgentHost.ride]),
        ]).bytes
        var headers = [
            "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "CancelRide",
            "accept": "text/event-stream",
        ]
        guard
            case .json(let refusal, 400) = await host.endpoint.respond(
                to: body, header: { headers[$0] }, principal: nil)
        else {
            Issue.record("another name is accepted")
            return
        }
        #expect(refusal.view["error"]?["code"]?.int == -32020)
        headers["mcp-name"] = "RequestRide"
        guard
            case .events(let messages) = await host.endpoint.respond(to: body, header: { headers[$0] }, principal: nil)
        else {
            Issue.record("it is no stream")
            return
        }
        let inbox = Inbox()
        let reading = Task { for await message in messages { inbox.put(message) } }
        try await host.until("a reply") { inbox.reply(to: 1) != nil }
        await reading.value
        #expect(inbox.all.last?.view["result"]?["resultType"]?.string == "input_required")
    }
}
