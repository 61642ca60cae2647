import AgentConversation
import Conversation
import IntentEvents
import IntentKit
import IntentModel
import PersonGateway
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@testable import A2AServer

@Suite("A2A")
struct A2AEndpointTests {
    private func state(_ task: JSONView?) -> String? { task?["status"]?["state"]?.string }

    @Test("a ride is booked: an option in words, a value as data, and an agreement with its action")
    func booked() async throws {
        let host = try await A2AHost()
        var task = try await host.rpc("SendMessage", A2AHost.message(A2AHost.ride))["result"]?["task"]
        #expect(state(task) == "TASK_STATE_INPUT_REQUIRED")
        let id = try #require(task?["id"]?.string)
        let asked = try #require(task?["status"]?["message"]?["parts"]?.elements.compactMap { $0["data"] }.first)
        #expect(asked["kind"]?.string == "choice")
        let title = try #require(asked["options"]?.elements.first?["title"]?.string)
        func say(_ part: JSON, _ number: Int) async throws -> JSONView {
            try await host.rpc("SendMessage", A2AHost.message(part, id: "m-\(number)", task: id))
        }
        task = try await say(.object(["text": .string(title)]), 2)["result"]?["task"]
        task = try await say(A2AHost.data(["value": .string("Comfort")]), 3)["result"]?["task"]
        #expect(state(task) == "TASK_STATE_INPUT_REQUIRED")
        // Words agree to nothing.
        #expect(try await say(.object(["text": .string("yes")]), 4)["error"]?["code"]?.int == -32602)
        task = try await say(A2AHost.data(["action": .string("accept")]), 5)["result"]?["task"]
        #expect(state(task) == "TASK_STATE_COMPLETED", "\(String(describing: task?.json))")
        let result = task?["artifacts"]?.elements.first?["parts"]?.elements.compactMap { $0["data"] }.first
        #expect(result?["status"]?.string == "success")
        // A task that has ended is never opened again.
        #expect(try await say(A2AHost.data(["value": .string("x")]), 6)["error"]?["code"]?.int == -32004)
        let got = try await host.http("GET", "/tasks/\(id)")
        #expect(state(got.bodies.first) == "TASK_STATE_COMPLETED")
    }

    @Test("what asks for an agreement says so, also to a value, and a bare value agrees to nothing")
    func agreements() async throws {
        for (pipeline, part) in [(try await A2AHost.parcels(), A2AHost.parcel), (nil, A2AHost.wholeRide)] {
            let host = try await A2AHost(pipeline)
            let task = try #require(try await host.rpc("SendMessage", A2AHost.message(part))["result"]?["task"])
            let asked = try #require(task["status"]?["message"]?["parts"]?.elements.compactMap { $0["data"] }.first)
            #expect(asked["agreement"]?.bool == true, "\(asked.json)")
            let id = try #require(task["id"]?.string)
            let bare = A2AHost.message(A2AHost.data(["value": .bool(true)]), id: "m-2", task: id)
            #expect(try await host.rpc("SendMessage", bare)["error"]?["code"]?.int == -32602)
            let yes = A2AHost.message(A2AHost.data(["action": .string("accept")]), id: "m-3", task: id)
            #expect(state(try await host.rpc("SendMessage", yes)["result"]?["task"]) == "TASK_STATE_COMPLETED")
        }
    }

    @Test("a secret is refused in a new task and in an answer")
    func secret() async throws {
        let host = try await A2AHost(try await A2AHost.parcels())
        let pin: JSON = .object(["pin": .string("marker-1")])
        let new = A2AHost.data(["intent": .string("SendParcel"), "parameters": pin])
        let part = A2AHost.data(["intent": .string("SendParcel"), "parameters": .object(["to": .string("Mia")])])
        let task = try #require(try await host.rpc("SendMessage", A2AHost.message(part))["result"]?["task"]?["id"]?.string)
        let messages = [
            A2AHost.message(new, id: "m-2"),
            A2AHost.message(A2AHost.data(["value": .number(3), "parameters": pin]), id: "m-3", task: task),
            A2AHost.message(A2AHost.data(["action": .string("decline"), "parameters": pin]), id: "m-4", task: task),
        ]
        for message in messages {
            let error = try await host.rpc("SendMessage", message)["error"]
            #expect(error?["code"]?.int == -32602)
            #expect(error?["message"]?.string?.contains("'pin' is secret") == true, "\(String(describing: error?.json))")
        }
        #expect(host.pipeline.log.records(in: host.pipeline.topics.requests).count == 1)
    }

    @Test("a stream begins with the task, tells its changes, and ends when it waits or has ended")
    func stream() async throws {
        let host = try await A2AHost()
        let first = try await host.http("POST", "/message:stream", A2AHost.message(A2AHost.wholeRide)).bodies
        let id = try #require(first.first?["task"]?["id"]?.string)
        #expect(first.last?["statusUpdate"]?["status"]?["state"]?.string == "TASK_STATE_INPUT_REQUIRED")
        let yes = A2AHost.message(A2AHost.data(["action": .string("accept")]), id: "m-2", task: id)
        let second = try await host.http("POST", "/message:stream", yes).bodies
        #expect(second.first?["task"]?["id"]?.string == id)
        #expect(second.contains { $0["artifactUpdate"]?["lastChunk"]?.bool == true })
        #expect(second.last?["statusUpdate"]?["status"]?["state"]?.string == "TASK_STATE_COMPLETED")
        #expect(try await host.http("GET", "/tasks/\(id):subscribe").status == 400)
    }

    @Test("where the person has to agree, another agent can't: it gets their page, and may decline")
    func byPerson() async throws {
        let host = try await A2AHost {
            $0.agreement = .person
            $0.consoleURL = "https://console.example"
        }
        let task = try #require(try await host.rpc("SendMessage", A2AHost.message(A2AHost.wholeRide))["result"]?["task"])
        let (id, session) = (try #require(task["id"]?.string), try #require(task["contextId"]?.string))
        let page = task["status"]?["message"]?["parts"]?.elements.compactMap { $0["url"]?.string }.first
        #expect(page == "https://console.example/#/sessions/\(session)")
        func say(_ action: String, _ number: Int) async throws -> JSONView {
            let part = A2AHost.data(["action": .string(action)])
            return try await host.rpc("SendMessage", A2AHost.message(part, id: "m-\(number)", task: id))
        }
        #expect(try await say("accept", 2)["error"]?["code"]?.int == -32004)
        #expect(host.pipeline.log.records(in: host.pipeline.topics.handle).isEmpty)
        #expect(state(try await say("decline", 3)["result"]?["task"]) == "TASK_STATE_CANCELED")
    }

    @Test("a task is its caller's alone, and so is the list")
    func owned() async throws {
        let host = try await A2AHost()
        let (ann, bob) = (Principal(.appUser, "ann"), Principal(.appUser, "bob"))
        let reply = try await host.rpc("SendMessage", A2AHost.message(A2AHost.ride), principal: ann)
        let id = try #require(reply["result"]?["task"]?["id"]?.string)
        let context = try #require(reply["result"]?["task"]?["contextId"]?.string)
        for other in [bob, nil] {
            #expect(try await host.rpc("GetTask", .object(["id": .string(id)]), principal: other)["error"]?["code"]?.int == -32001)
            #expect(try await host.rpc("CancelTask", .object(["id": .string(id)]), principal: other)["error"]?["code"]?.int == -32001)
            let more = A2AHost.message(A2AHost.ride, id: "m-9", context: context)
            #expect(try await host.rpc("SendMessage", more, principal: other)["error"]?["code"]?.int == -32001)
        }
        func listed(_ principal: Principal) async throws -> [String?] {
            try await host.http("GET", "/tasks", query: ["status": "TASK_STATE_INPUT_REQUIRED"], principal: principal).bodies
                .first?["tasks"]?.elements.map { $0["id"]?.string } ?? []
        }
        #expect(try await listed(ann) == [id])
        #expect(try await listed(bob) == [])
    }

    @Test(
        "who only looks like a task's caller neither reads, cancels, continues nor lists it, and a context that only looks equal is another one"
    )
    func lookalike() async throws {
        let host = try await A2AHost()
        let (owner, other) = (Principal(.appUser, "jos\u{E9}"), Principal(.appUser, "jose\u{301}"))
        let reply = try await host.rpc("SendMessage", A2AHost.message(A2AHost.ride, context: "K"), principal: owner)
        let id = try #require(reply["result"]?["task"]?["id"]?.string)
        for operation in ["GetTask", "CancelTask"] {
            #expect(try await host.rpc(operation, .object(["id": .string(id)]), principal: other)["error"]?["code"]?.int == -32001)
        }
        let answer = A2AHost.message(A2AHost.data(["value": .string("Comfort")]), id: "m-2", task: id)
        #expect(try await host.rpc("SendMessage", answer, principal: other)["error"]?["code"]?.int == -32001)
        let more = A2AHost.message(A2AHost.ride, id: "m-3", context: "K")
        #expect(try await host.rpc("SendMessage", more, principal: other)["error"]?["code"]?.int == -32001)
        #expect(try await host.rpc("ListTasks", .object([:]), principal: other)["result"]?["tasks"]?.elements.isEmpty == true)
        let elsewhere = A2AHost.message(A2AHost.ride, id: "m-4", context: "\u{212A}")
        let task = try await host.rpc("SendMessage", elsewhere, principal: other)["result"]?["task"]
        #expect(state(task) == "TASK_STATE_INPUT_REQUIRED")
        let own = try await host.rpc("ListTasks", .object([:]), principal: owner)["result"]?["tasks"]?.elements ?? []
        #expect(own.map { $0["id"]?.string } == [id])
    }

    @Test("a task that was rejected is its caller's too: what is listed is found")
    func rejected() async throws {
        let host = try await A2AHost(try await A2AHost.parcels { $0.maximumSessionsOfPrincipal = 0 })
        let ann = Principal(.appUser, "ann")
        let task = try await host.rpc("SendMessage", A2AHost.message(A2AHost.parcel), principal: ann)["result"]?["task"]
        #expect(state(task) == "TASK_STATE_REJECTED")
        let id = try #require(task?["id"]?.json)
        let listed = try await host.rpc("ListTasks", .object([:]), principal: ann)["result"]?["tasks"]?.elements.map { $0["id"]?.json }
        #expect(listed == [id])
        #expect(state(try await host.rpc("GetTask", .object(["id": id]), principal: ann)["result"]) == "TASK_STATE_REJECTED")
    }

    @Test("a page of the list has as many tasks as it should, and the total is that of all pages")
    func pages() async throws {
        let host = try await A2AHost()
        let ann = Principal(.appUser, "ann")
        func send(_ id: String, _ context: String?) async throws -> String {
            let message = A2AHost.message(A2AHost.ride, id: id, context: context)
            return try #require(try await host.rpc("SendMessage", message, principal: ann)["result"]?["task"]?["id"]?.string)
        }
        var ids = [try await send("m-1", "kitchen")]
        _ = try await host.rpc("CancelTask", .object(["id": .string(ids[0])]), principal: ann)
        host.pipeline.clock.advance(by: .seconds(1))
        ids.append(try await send("m-2", "kitchen"))
        host.pipeline.clock.advance(by: .seconds(1))
        ids.append(try await send("m-3", nil))
        var (listed, next): ([String], String) = ([], "")
        repeat {
            let page = try await host.http("GET", "/tasks", query: ["pageSize": "1", "pageToken": next], principal: ann).bodies.first
            #expect(page?["totalSize"]?.int == 3)
            #expect(page?["tasks"]?.elements.count == 1)
            listed += page?["tasks"]?.elements.compactMap { $0["id"]?.string } ?? []
            next = page?["nextPageToken"]?.string ?? ""
        } while !next.isEmpty && listed.count < 10
        #expect(listed == ids.reversed())
        let query = ["status": "TASK_STATE_CANCELED", "contextId": "kitchen"]
        let cancelled = try await host.http("GET", "/tasks", query: query, principal: ann).bodies.first
        #expect(cancelled?["totalSize"]?.int == 1)
        for wrong in [["pageToken": "x"], ["pageSize": "0"], ["pageSize": "ten"]] {
            #expect(try await host.http("GET", "/tasks", query: wrong, principal: ann).status == 400)
        }
    }

    @Test("a task can be cancelled once; a message that comes twice is one task")
    func cancelled() async throws {
        let host = try await A2AHost()
        let message = A2AHost.message(A2AHost.ride, context: "kitchen")
        let ids = [
            try await host.rpc("SendMessage", message)["result"]?["task"]?["id"]?.string,
            try await host.rpc("SendMessage", message)["result"]?["task"]?["id"]?.string,
        ]
        #expect(ids[0] == ids[1])
        let id = try #require(ids[0])
        #expect(state(try await host.http("POST", "/tasks/\(id):cancel").bodies.first) == "TASK_STATE_CANCELED")
        #expect(try await host.rpc("CancelTask", .object(["id": .string(id)]))["error"]?["code"]?.int == -32002)
    }

    @Test("a task that waits can be cancelled also where only the person's channel may say more than what fills in or refuses")
    func cancelledByAgent() async throws {
        let host = try await A2AHost(try await A2AHost.parcels { $0.trust = .separate }) { $0.agreement = .person }
        let id = try #require(try await host.rpc("SendMessage", A2AHost.message(A2AHost.parcel))["result"]?["task"]?["id"]?.string)
        let reply = try await host.rpc("CancelTask", .object(["id": .string(id)]))
        #expect(state(reply["result"]) == "TASK_STATE_CANCELED", "\(reply.json)")
    }

    @Test("a message that comes twice without a context is one task; another caller's, or another message under its id, is not")
    func repeated() async throws {
        let host = try await A2AHost()
        func send(_ part: JSON, _ principal: Principal?) async throws -> String {
            let reply = try await host.rpc("SendMessage", A2AHost.message(part), principal: principal)
            return try #require(reply["result"]?["task"]?["id"]?.string)
        }
        let ann = Principal(.appUser, "ann")
        let first = try await send(A2AHost.ride, ann)
        #expect(try await send(A2AHost.ride, ann) == first)
        #expect(try host.pipeline.results().count { $0.type == .promptIssued } == 1)
        let all = [
            first, try await send(A2AHost.wholeRide, ann), try await send(A2AHost.ride, Principal(.appUser, "bob")),
            try await send(A2AHost.ride, nil),
        ]
        #expect(Set(all).count == 4)
    }

    @Test("what is not part of the protocol is refused by its own codes")
    func refused() async throws {
        let host = try await A2AHost()
        func code(_ operation: String, _ params: JSON) async throws -> Int? {
            try await host.rpc(operation, params)["error"]?["code"]?.int
        }
        #expect(try await code("message/send", .object([:])) == -32601)
        #expect(try await code("SendMessage", .object([:])) == -32602)
        #expect(try await code("SendMessage", A2AHost.message(.object(["text": .string("a ride")]))) == -32602)
        #expect(try await code("SendMessage", A2AHost.message(.object(["raw": .string("aGk=")]))) == -32005)
        #expect(try await code("GetTask", .object(["id": .string("nothing")])) == -32001)
        #expect(try await code("CreateTaskPushNotificationConfig", .object([:])) == -32003)
        #expect(try await code("GetExtendedAgentCard", .object([:])) == -32007)
        let old = try await host.http("GET", "/tasks/x", version: nil)
        #expect(old.status == 400)
        #expect(old.bodies.first?["error"]?["details"]?.elements.first?["reason"]?.string == "VERSION_NOT_SUPPORTED")
        #expect(try await host.http("DELETE", "/nothing").status == 404)
        let got = try await host.http("GET", "")
        #expect(got.status == 405)
        #expect(got.bodies.first?["error"]?["code"]?.int == 405)
        let unreadable = await host.endpoint.respond(
            method: "POST", path: ["message:send"], query: [:], body: [0xFF], header: { _ in "1.0" }, principal: nil)
        guard case .json(_, 400) = unreadable else {
            Issue.record("it was read")
            return
        }
    }

    @Test("what is busy says when to try again, and what is refused because of the caller is no fault of the server")
    func problems() {
        let busy = A2AError(GatewayProblem(.busy, "x"))
        #expect(busy.kind.httpStatus == 503)
        #expect(busy.http.view["error"]?["details"]?.elements.contains { $0["retryDelay"]?.string == "1s" } == true)
        #expect(A2AError(GatewayProblem(.invalid, "x")).rpc.view["code"]?.int == -32602)
        #expect(A2AError(GatewayProblem(.unauthorized, "x")).kind.httpStatus == 500)
    }

    @Test("the agent card has a skill for each intent, both bindings, and how callers authenticate")
    func card() async throws {
        let host = try await A2AHost()
        let card = host.endpoint.cardJSON.view
        #expect(card["skills"]?.elements.contains { $0["id"]?.string == "RequestRide" } == true)
        #expect(card["supportedInterfaces"]?.elements.map { $0["protocolBinding"]?.string } == ["JSONRPC", "HTTP+JSON"])
        #expect(card["securitySchemes"]?["bearer"] != nil)
    }
}
