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

@Suite("MCP with initialize") struct HandshakeTests {
    /// Replies with the first choice, and accepts.
    private func agreeable(_ params: JSONView) -> JSON {
        guard let field = params.field else { return .accepted }
        return ["action": "accept", "content": [field.name: field.value.firstOption ?? "Trinity College"]]
    }

    /// A host that can't ask its user.
    private func mute(_ pipeline: TestPipeline? = nil, principal: Principal? = nil) async throws -> AgentHost {
        try await AgentHost(pipeline, principal: principal).initialize(elicitation: nil)
    }

    @Test(arguments: ["2025-11-25", "2025-06-18"])
    func `a ride is booked with the choices and the agreement of the host's user`(_ version: String) async throws {
        let isOld = version == "2025-06-18"
        let host = try await AgentHost().initialize(version, elicitation: isOld ? [:] : ["form": [:]])
        host.user = agreeable
        let reply = try await host.call()
        #expect(reply.status == "success" && reply.isError == false && reply.resultType == nil, "\(reply.json)")
        #expect(host.asked.count == 3)
        #expect(host.asked.allSatisfy { ($0["mode"]?.string == "form") != isOld })
        let choice = try #require(host.asked.first?["requestedSchema"]?["properties"]?["dropOff"])
        #expect((choice["enumNames"] == nil) != isOld)
        let confirmation = try #require(host.asked.last)
        #expect(confirmation["requestedSchema"]?["properties"]?.members.isEmpty == true)
        #expect(confirmation["message"]?.string?.contains("Drop-off: ") == true)
    }

    @Test func `a decline of the host's user cancels the request`() async throws {
        let host = try await AgentHost().initialize()
        host.user = { _ in ["action": "decline"] }
        let reply = try await host.call("RequestRide", AgentHost.wholeRide)
        #expect(reply.status == "cancelled" && host.hasHandledNothing, "\(reply.json)")
    }

    @Test func `an answer that does not fit the form is asked again, with the reason`() async throws {
        let host = try await AgentHost().initialize()
        host.user = { params in
            host.asked.count == 1 ? ["action": "accept", "content": ["dropOff": "nowhere"]] : agreeable(params)
        }
        #expect(try await host.call().status == "success")
        #expect(host.asked[1]["message"]?.string?.hasPrefix("Not accepted: 'Drop-off' takes one of: ") == true)
    }

    @Test(arguments: [InputTrust.open, .separate])
    func `cancelling a call cancels its request and its question, with any trust`(_ trust: InputTrust) async throws {
        let pipeline = try await AgentHost.parcels { $0.configuration.trust = trust }
        let host = try await AgentHost(pipeline) { if trust == .separate { AgentHost.agreementByPerson(&$0) } }
        try await host.initialize()
        let id = host.begin(tool: "SendParcel", AgentHost.parcel)
        try await host.until("a question") { !host.asked.isEmpty }
        host.receive(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": .number(id)]])
        try await host.until("a completion") { try host.completion != nil }
        #expect(try host.completion == "cancelled")
        #expect(host.hasNotification("notifications/cancelled") && host.reply(to: id) == nil)
    }

    @Test func `a host that can't ask gets a handle: its model fills in, and can't agree`() async throws {
        let host = try await mute()
        var asked = try await host.call()
        while let field = asked.structured?.field {
            #expect(asked.status == "input_required")
            let values: JSON = [field.name: try #require(field.value.firstOption)]
            asked = try await host.call("intent_reply", ["handle": asked.handle, "values": values])
        }
        let handle = try asked.handle
        #expect(try await host.call("intent_reply", ["handle": handle, "action": "accept"]).isError == true)
        #expect(host.hasHandledNothing)

        let status = host.begin(tool: "intent_status", ["handle": handle])
        try await host.step()
        try host.agree(in: try #require(asked.structured?["session"]?.string))
        #expect(try await host.untilReply(to: status).status == "success")
    }

    @Test func `a model can't agree to a value either, where the host's user can`() async throws {
        let host = try await mute(AgentHost.parcels())
        let asked = try await host.call("SendParcel", AgentHost.parcel)
        #expect(asked.status == "input_required" && asked.structured?["requestedSchema"] == nil)
        let handle = try asked.handle
        for arguments: JSON in [["handle": handle], ["handle": handle, "action": "accept"]] {
            let refused = try await host.call("intent_reply", arguments)
            #expect(refused.isError("The person has to do it themselves"), "\(refused.json)")
        }
        try await host.step()
        #expect(try host.completion == nil)

        let other = try await AgentHost(host.pipeline).initialize()
        other.user = { _ in .accepted }
        #expect(try await other.call("SendParcel", AgentHost.parcel).status == "success" && other.asked.count == 1)
    }

    @Test func `a model can search the options that only the person may choose from, and can't choose`() async throws {
        let host = try await mute(AgentHost.parcels())
        func options(_ reply: JSONView) -> [String?] {
            let fields = reply.structured?["requestedSchema"]?["properties"]?.members ?? []
            return fields.flatMap { ($0.value["oneOf"]?.elements ?? []).map { $0["title"]?.string } }
        }
        let asked = try await host.call("SendParcel", ["to": "the office", "weight": 1])
        #expect(options(asked) == ["counter", "locker"], "\(asked.json)")
        let handle = try asked.handle
        let found = try await host.call("intent_reply", ["handle": handle, "search": "lock"])
        #expect(options(found) == ["locker"], "\(found.json)")
        let field = try #require(asked.structured?.field)
        let values: JSON = [field.name: try #require(field.value.firstOption)]
        #expect(try await host.call("intent_reply", ["handle": handle, "values": values]).isError == true)
        #expect(try host.completion == nil)
    }

    @Test func `a secret is refused in a call and in an answer, from the model and from the user`() async throws {
        let host = try await mute(AgentHost.parcels())
        let values: JSON = ["weight": 3, "pin": "marker-1"]
        let answer: JSON = ["handle": try await host.call("SendParcel", ["to": "Mia"]).handle, "values": values]
        for (tool, arguments) in [("intent_reply", answer), ("SendParcel", values)] {
            let refused = try await host.call(tool, arguments)
            #expect(refused.isError("'pin' is secret"), "\(refused.json)")
        }
        let other = try await AgentHost(host.pipeline).initialize()
        other.user = { _ in ["action": other.asked.count > 1 ? "cancel" : "accept", "content": values] }
        _ = try await other.call("SendParcel", ["to": "Mia"])
        #expect(other.asked.last?["message"]?.string?.contains("'pin' is secret") == true)
        for topic in [host.pipeline.topics.requests, host.pipeline.topics.answers] {
            let values = host.pipeline.log.records(in: topic).map { String(decoding: $0.value ?? [], as: UTF8.self) }
            #expect(!values.contains { $0.contains("marker-1") })
        }
    }

    @Test(arguments: [InputTrust.open, .separate])
    func `the user agrees on the person's page if settings or trust require it`(_ trust: InputTrust) async throws {
        let host = try await AgentHost(trust: trust) {
            if trust == .open { AgentHost.agreementByPerson(&$0) }
            $0.consoleURL = "https://console.example"
        }.initialize()
        host.user = { params in
            guard let url = params["url"]?.string else { return .accepted }
            let session = try #require(url.split(separator: "/").last.map(String.init))
            #expect(url == "https://console.example/#/sessions/\(session)")
            #expect(params["elicitationId"]?.string?.isEmpty == false)
            try host.agree(in: session)
            return ["action": "accept"]
        }
        let reply = try await host.call("RequestRide", AgentHost.wholeRide)
        #expect(reply.status == "success" && host.asked.last?["mode"]?.string == "url", "\(reply.json)")
    }

    @Test func `a model gets the page of a person who has to agree, and may only decline`() async throws {
        let host = try await AgentHost(change: AgentHost.agreementByPerson).initialize(elicitation: nil)
        let asked = try await host.call("RequestRide", AgentHost.wholeRide)
        let session = try #require(asked.structured?["session"]?.string)
        #expect(asked.structured?["url"]?.string == "https://console.example/#/sessions/\(session)")
        let refused = try await host.call("intent_reply", ["handle": asked.handle, "action": "accept"])
        #expect(refused.isError("Only the person can do that") && host.hasHandledNothing, "\(refused.json)")
        let declined = try await host.call("intent_reply", ["handle": asked.handle, "action": "decline"])
        #expect(declined.status == "cancelled")
    }

    @Test func `concurrent calls share a session of their caller, and no other caller can join`() async throws {
        let host = try await mute(principal: Principal(.appUser, "ann"))
        host.pipeline.pause("coordinator")
        let call: JSON = ["name": "RequestRide", "arguments": AgentHost.ride, "_meta": ["intents/session": "kitchen"]]
        _ = host.begin("tools/call", call)
        try await host.until("the first request") {
            host.requestCount == 1 && host.gateway.view(for: .unrestricted).session("kitchen") != nil
        }
        let second = host.begin("tools/call", call)
        try await host.until("the second request, or its refusal") {
            host.requestCount == 2 || host.reply(to: second) != nil
        }
        #expect(host.reply(to: second) == nil)

        let bob = try await mute(host.pipeline, principal: Principal(.appUser, "bob"))
        #expect(try await bob.ask("tools/call", call).errorCode == -32602 && host.requestCount == 2)
    }

    @Test func `a lookalike caller can't join the session, and a lookalike key is another session`() async throws {
        let host = try await mute(principal: Principal(.appUser, "jos\u{E9}"))
        func call(_ host: AgentHost, _ session: JSON) async throws -> JSONView {
            try await host.call("RequestRide", AgentHost.wholeRide, meta: ["intents/session": session])
        }
        _ = try await call(host, "K")
        let other = try await mute(host.pipeline, principal: Principal(.appUser, "jose\u{301}"))
        #expect(try await call(other, "K").errorCode == -32602)
        #expect(try await call(other, "\u{212A}")["error"] == nil)
    }

    @Test func `a model's request is marked as an agent's, and its user's answer is not`() async throws {
        let host = try await AgentHost(principal: Principal(.appUser, "ann")).initialize()
        host.user = { _ in .accepted }
        let reply = try await host.call("RequestRide", AgentHost.wholeRide)
        #expect(reply.status == "success" && host.asked.count == 1, "\(reply.json)")
        let records = host.pipeline.log.records(in: host.pipeline.topics.requests)
        #expect(records.map { $0.headers.contains(EventEncoder.fromAgent) } == [true, false])
    }

    @Test func `a request continues the caller's trace`() async throws {
        let host = try await mute()
        let trace = "0af7651916cd43dd8448eb211c80319c"
        _ = try await host.call(meta: ["traceparent": .string("00-\(trace)-00f067aa0ba902b7-01")])
        let request = try #require(host.pipeline.log.records(in: host.pipeline.topics.requests).first)
        #expect(request.headers.first { $0.name == "traceparent" }?.text?.contains(trace) == true)
    }

    @Test func `when the catalogue changes, clients are told`() async throws {
        let host = try await AgentHost().initialize()
        host.receive(["jsonrpc": "2.0", "method": "notifications/initialized"])
        try await host.untilToldOfChange()
    }
}
