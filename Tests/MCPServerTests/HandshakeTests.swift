import Conversation
import IntentEvents
import IntentKit
import IntentModel
import PersonGateway
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@testable import MCPServer

@Suite("MCP with initialize")
struct HandshakeTests {
    /// Replies with the first choice, and accepts.
    private func agreeable(_ params: JSONView) throws -> JSON {
        let properties = params["requestedSchema"]?["properties"]?.members ?? []
        guard let (name, field) = properties.first else {
            return .object(["action": .string("accept"), "content": .object([:])])
        }
        let choice =
            field["oneOf"]?.elements.first?["const"]?.json ?? field["enum"]?.elements.first?.json
            ?? .string("Trinity College")
        return .object(["action": .string("accept"), "content": .object([name: choice])])
    }

    @Test(
        "a ride is booked: what is ambiguous and the agreement are asked of the host's user",
        arguments: ["2025-11-25", "2025-06-18"])
    func booked(_ version: String) async throws {
        let host = try await AgentHost()
        try await host.initialize(
            version, elicitation: version == "2025-06-18" ? .object([:]) : .object(["form": .object([:])]))
        host.user = agreeable
        let reply = try await host.ask(
            "tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        #expect(reply.status == "success", "\(reply.json)")
        #expect(reply["result"]?["isError"]?.bool == false)
        #expect(reply["result"]?["resultType"] == nil)
        #expect(host.asked.count == 3)
        #expect(host.asked.allSatisfy { ($0["mode"]?.string == "form") == (version != "2025-06-18") })
        let choice = try #require(host.asked.first?["requestedSchema"]?["properties"]?["dropOff"])
        #expect((choice["enumNames"] == nil) == (version != "2025-06-18"))
        let confirmation = try #require(host.asked.last)
        #expect(confirmation["requestedSchema"]?["properties"]?.members.isEmpty == true)
        #expect(confirmation["message"]?.string?.contains("Drop-off: ") == true)
    }

    @Test("a no of the host's user is a no")
    func declined() async throws {
        let host = try await AgentHost()
        try await host.initialize()
        host.user = { _ in .object(["action": .string("decline")]) }
        let reply = try await host.ask(
            "tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.wholeRide]))
        #expect(reply.status == "cancelled", "\(reply.json)")
        #expect(host.pipeline.log.records(in: host.pipeline.topics.handle).isEmpty)
    }

    @Test("what does not fit the form is asked again, with the reason")
    func wrong() async throws {
        let host = try await AgentHost()
        try await host.initialize()
        host.user = { params in
            if host.asked.count == 1 {
                return .object(["action": .string("accept"), "content": .object(["dropOff": .string("nowhere")])])
            }
            return try agreeable(params)
        }
        let reply = try await host.ask(
            "tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        #expect(reply.status == "success")
        #expect(host.asked[1]["message"]?.string?.hasPrefix("Not accepted: 'Drop-off' takes one of: ") == true)
    }

    @Test("to cancel a call cancels its request, and the question to the host's user")
    func cancelled() async throws {
        let host = try await AgentHost()
        try await host.initialize()
        let id = host.begin("tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        try await expectCancelled(id, host)
    }

    @Test(
        "a call that waits can be cancelled also where only the person's channel may say more than what fills in or refuses"
    )
    func cancelledByAgent() async throws {
        let host = try await AgentHost(try await AgentHost.parcels { $0.configuration.trust = .separate }) {
            $0.agreement = .person
            $0.consoleURL = "https://console.example"
        }
        try await host.initialize()
        let id = host.begin("tools/call", .object(["name": .string("SendParcel"), "arguments": AgentHost.parcel]))
        try await expectCancelled(id, host)
    }

    /// Cancels a call that asks the host's user a question, and checks that its request is cancelled too.
    private func expectCancelled(_ id: Int, _ host: AgentHost) async throws {
        try await host.until("a question") { !host.asked.isEmpty }
        host.receive(
            .object([
                "jsonrpc": .string("2.0"), "method": .string("notifications/cancelled"),
                "params": .object(["requestId": .number(id)]),
            ]))
        try await host.until("a completion") { try host.pipeline.results().contains { $0.type == .completed } }
        #expect(try host.pipeline.results().last { $0.type == .completed }?.data["status"]?.string == "cancelled")
        #expect(host.notifications.contains { $0["method"]?.string == "notifications/cancelled" })
        #expect(host.reply(to: id) == nil)
    }

    @Test("a host that can't ask gets a handle: its model fills in, and can't agree")
    func fallback() async throws {
        let host = try await AgentHost()
        try await host.initialize(elicitation: nil)
        func reply(_ members: KeyValuePairs<String, JSON>) async throws -> JSONView {
            try await host.ask("tools/call", .object(["name": .string("intent_reply"), "arguments": .object(members)]))
        }
        var asked = try await host.ask(
            "tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.ride]))
        while let field = asked.structured?["requestedSchema"]?["properties"]?.members.first {
            #expect(asked.status == "input_required")
            let option = try #require(field.value["oneOf"]?.elements.first?["const"])
            asked = try await reply([
                "handle": try #require(asked.structured?["handle"]).json, "values": .object([field.name: option.json]),
            ])
        }
        let handle = try #require(asked.structured?["handle"]).json
        let refused = try await reply(["handle": handle, "action": .string("accept")])
        #expect(refused["result"]?["isError"]?.bool == true)
        #expect(host.pipeline.log.records(in: host.pipeline.topics.handle).isEmpty)

        let session = try #require(asked.structured?["session"]?.string)
        let status = host.begin(
            "tools/call", .object(["name": .string("intent_status"), "arguments": .object(["handle": handle])]))
        try await host.step()
        let prompt = try #require(try host.pipeline.results(session: Identifier(session)).last?.prompt)
        try host.pipeline.send(
            .answered(Answer(prompt: prompt, action: .accept)), session: Identifier(session), id: "yes",
            to: host.pipeline.topics.answers)
        try await host.until("the status") { host.reply(to: status) != nil }
        #expect(host.reply(to: status)?.status == "success")
    }

    @Test("a model can't agree to a value either, where the host's user can")
    func value() async throws {
        let host = try await AgentHost(try await AgentHost.parcels())
        try await host.initialize(elicitation: nil)
        let call = JSON.object(["name": .string("SendParcel"), "arguments": AgentHost.parcel])
        let asked = try await host.ask("tools/call", call)
        #expect(asked.status == "input_required")
        #expect(asked.structured?["requestedSchema"] == nil)
        let handle = try #require(asked.structured?["handle"]).json
        for action in [[:], ["action": .string("accept")]] as [KeyValuePairs<String, JSON>] {
            let arguments = JSON.make { writer in
                writer.beginObject()
                writer.member("handle", handle)
                for (name, value) in action { writer.member(named: name, value) }
                writer.endObject()
            }
            let refused = try await host.ask(
                "tools/call", .object(["name": .string("intent_reply"), "arguments": arguments]))
            #expect(refused["result"]?["isError"]?.bool == true)
            #expect(
                refused.structured?["message"]?.string?.contains("The person has to do it themselves") == true,
                "\(refused.json)")
        }
        try await host.step()
        #expect(try host.pipeline.results().contains { $0.type == .completed } == false)

        let other = try await AgentHost(host.pipeline)
        try await other.initialize()
        other.user = { _ in .object(["action": .string("accept"), "content": .object([:])]) }
        #expect(try await other.ask("tools/call", call).status == "success")
        #expect(other.asked.count == 1)
    }

    @Test("a model can search the options that only the person may choose from, and can't choose")
    func search() async throws {
        let host = try await AgentHost(try await AgentHost.parcels())
        try await host.initialize(elicitation: nil)
        func reply(_ arguments: JSON) async throws -> JSONView {
            try await host.ask("tools/call", .object(["name": .string("intent_reply"), "arguments": arguments]))
        }
        func options(_ reply: JSONView) -> [String?] {
            let fields = reply.structured?["requestedSchema"]?["properties"]?.members ?? []
            return fields.flatMap { ($0.value["oneOf"]?.elements ?? []).map { $0["title"]?.string } }
        }
        let parcel: JSON = .object(["to": .string("the office"), "weight": .number(1)])
        let asked = try await host.ask("tools/call", .object(["name": .string("SendParcel"), "arguments": parcel]))
        #expect(options(asked) == ["counter", "locker"], "\(asked.json)")
        let handle = try #require(asked.structured?["handle"]).json
        let found = try await reply(.object(["handle": handle, "search": .string("lock")]))
        #expect(options(found) == ["locker"], "\(found.json)")
        let field = try #require(asked.structured?["requestedSchema"]?["properties"]?.members.first)
        let id = try #require(field.value["oneOf"]?.elements.first?["const"]).json
        let refused = try await reply(.object(["handle": handle, "values": .object([field.name: id])]))
        #expect(refused["result"]?["isError"]?.bool == true)
        #expect(try host.pipeline.results().contains { $0.type == .completed } == false)
    }

    @Test("a secret is refused in a call and in an answer, whether the model or the host's user gives it")
    func secret() async throws {
        let host = try await AgentHost(try await AgentHost.parcels())
        try await host.initialize(elicitation: nil)
        let values: JSON = .object(["weight": .number(3), "pin": .string("marker-1")])
        let call = JSON.object(["name": .string("SendParcel"), "arguments": .object(["to": .string("Mia")])])
        let asked = try await host.ask("tools/call", call)
        let handle = try #require(asked.structured?["handle"]).json
        for (tool, arguments) in [
            ("intent_reply", .object(["handle": handle, "values": values])), ("SendParcel", values),
        ] {
            let refused = try await host.ask("tools/call", .object(["name": .string(tool), "arguments": arguments]))
            #expect(refused["result"]?["isError"]?.bool == true)
            #expect(refused.structured?["message"]?.string?.contains("'pin' is secret") == true, "\(refused.json)")
        }
        let other = try await AgentHost(host.pipeline)
        try await other.initialize()
        other.user = { _ in
            .object(["action": .string(other.asked.count > 1 ? "cancel" : "accept"), "content": values])
        }
        _ = try await other.ask("tools/call", call)
        #expect(other.asked.last?["message"]?.string?.contains("'pin' is secret") == true)
        for topic in [host.pipeline.topics.requests, host.pipeline.topics.answers] {
            #expect(
                !host.pipeline.log.records(in: topic).contains {
                    String(decoding: $0.value ?? [], as: UTF8.self).contains("marker-1")
                })
        }
    }

    @Test("with agreement by the person, the host's user opens their page, and the call goes on when they have agreed")
    func byPerson() async throws {
        let host = try await AgentHost {
            $0.agreement = .person
            $0.consoleURL = "https://console.example"
        }
        try await host.initialize()
        try await expectPage(host)
    }

    @Test("where the person has to agree, a model can't: it gets their page, and may decline")
    func pageForModel() async throws {
        let host = try await AgentHost {
            $0.agreement = .person
            $0.consoleURL = "https://console.example"
        }
        try await host.initialize(elicitation: nil)
        let asked = try await host.ask(
            "tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.wholeRide]))
        let session = try #require(asked.structured?["session"]?.string)
        #expect(asked.structured?["url"]?.string == "https://console.example/#/sessions/\(session)")
        let handle = try #require(asked.structured?["handle"]).json
        func reply(_ action: String) async throws -> JSONView {
            let arguments = JSON.object(["handle": handle, "action": .string(action)])
            return try await host.ask("tools/call", .object(["name": .string("intent_reply"), "arguments": arguments]))
        }
        let refused = try await reply("accept")
        #expect(refused["result"]?["isError"]?.bool == true)
        #expect(
            refused.structured?["message"]?.string?.contains("Only the person can do that") == true, "\(refused.json)")
        #expect(host.pipeline.log.records(in: host.pipeline.topics.handle).isEmpty)
        #expect(try await reply("decline").status == "cancelled")
    }

    @Test("with separate trust, an agreement that the coordinator refuses is given on the person's page")
    func separateTrust() async throws {
        let host = try await AgentHost(trust: .separate) { $0.consoleURL = "https://console.example" }
        try await host.initialize()
        try await expectPage(host)
    }

    /// Checks that the user is last asked to open the page of the session.
    private func expectPage(_ host: AgentHost) async throws {
        host.user = { params in
            guard let url = params["url"]?.string else {
                return .object(["action": .string("accept"), "content": .object([:])])
            }
            let session = try #require(url.split(separator: "/").last.map(String.init))
            #expect(url == "https://console.example/#/sessions/\(session)")
            #expect(params["elicitationId"]?.string?.isEmpty == false)
            let prompt = try #require(
                try host.pipeline.results(session: Identifier(session)).last { $0.prompt != nil }?.prompt)
            try host.pipeline.send(
                .answered(Answer(prompt: prompt, action: .accept)), session: Identifier(session), id: "yes",
                to: host.pipeline.topics.answers)
            return .object(["action": .string("accept")])
        }
        let reply = try await host.ask(
            "tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.wholeRide]))
        #expect(reply.status == "success", "\(reply.json)")
        #expect(host.asked.last?["mode"]?.string == "url")
    }

    @Test("calls at the same time may share a session of their caller, and no one else's may join")
    func sharedSession() async throws {
        let host = try await AgentHost(principal: Principal(.appUser, "ann"))
        try await host.initialize(elicitation: nil)
        host.pipeline.pause("coordinator")
        let call = JSON.object([
            "name": .string("RequestRide"), "arguments": AgentHost.ride,
            "_meta": .object(["intents/session": .string("kitchen")]),
        ])
        func said() -> Int { host.pipeline.log.records(in: host.pipeline.topics.requests).count }
        _ = host.begin("tools/call", call)
        try await host.until("the first request") {
            said() == 1 && host.gateway.view(for: .unrestricted).session("kitchen") != nil
        }
        let second = host.begin("tools/call", call)
        try await host.until("the second request, or its refusal") { said() == 2 || host.reply(to: second) != nil }
        #expect(host.reply(to: second) == nil)

        let bob = try await AgentHost(host.pipeline, principal: Principal(.appUser, "bob"))
        try await bob.initialize(elicitation: nil)
        #expect(try await bob.ask("tools/call", call)["error"]?["code"]?.int == -32602)
        #expect(said() == 2)
    }

    @Test(
        "who only looks like the session's caller may not join it, and a session whose key only looks equal is another one"
    )
    func lookalikeSession() async throws {
        let host = try await AgentHost(principal: Principal(.appUser, "jos\u{E9}"))
        try await host.initialize(elicitation: nil)
        func call(_ session: String) -> JSON {
            .object([
                "name": .string("RequestRide"), "arguments": AgentHost.wholeRide,
                "_meta": .object(["intents/session": .string(session)]),
            ])
        }
        _ = try await host.ask("tools/call", call("K"))
        let other = try await AgentHost(host.pipeline, principal: Principal(.appUser, "jose\u{301}"))
        try await other.initialize(elicitation: nil)
        #expect(try await other.ask("tools/call", call("K"))["error"]?["code"]?.int == -32602)
        #expect(try await other.ask("tools/call", call("\u{212A}"))["error"] == nil)
    }

    @Test("a model's request is marked as an agent's, also where the host's user agrees to it: their answer is not")
    func marks() async throws {
        let host = try await AgentHost(principal: Principal(.appUser, "ann"))
        try await host.initialize()
        host.user = { _ in .object(["action": .string("accept"), "content": .object([:])]) }
        let reply = try await host.ask(
            "tools/call", .object(["name": .string("RequestRide"), "arguments": AgentHost.wholeRide]))
        #expect(reply.status == "success" && host.asked.count == 1, "\(reply.json)")
        let records = host.pipeline.log.records(in: host.pipeline.topics.requests)
        #expect(records.map { $0.headers.contains(EventEncoder.fromAgent) } == [true, false])
    }

    @Test("the trace of the caller goes on in the request")
    func trace() async throws {
        let host = try await AgentHost()
        try await host.initialize(elicitation: nil)
        let parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
        _ = try await host.ask(
            "tools/call",
            .object([
                "name": .string("RequestRide"), "arguments": AgentHost.ride,
                "_meta": .object(["traceparent": .string(parent)]),
            ]))
        let request = try #require(host.pipeline.log.records(in: host.pipeline.topics.requests).first)
        #expect(
            request.headers.contains {
                $0.name == "traceparent" && $0.text?.contains("0af7651916cd43dd8448eb211c80319c") == true
            })
    }

    @Test("when the catalogue changes, clients are told")
    func changes() async throws {
        let host = try await AgentHost()
        try await host.initialize()
        host.receive(.object(["jsonrpc": .string("2.0"), "method": .string("notifications/initialized")]))
        try await host.until("a look at the catalogue") { host.waits.end(.seconds(2)) }
        try host.pipeline.closePublisher("publisher")
        try await host.until("a change") {
            _ = host.waits.end(.seconds(2))
            return host.notifications.contains { $0["method"]?.string == "notifications/tools/list_changed" }
        }
    }
}
