import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A person's memory in the pipeline") struct PersonMemoryFlowTests {
    private static let bob = Principal(.appUser, "bob")
    private static let leeds = [#"city "Leeds""#]
    private static let york = [#"city "York""#]
    private static let asked = ["prompt value city"]

    /// A pipeline whose resolver uses the remembered city if no city is given, and remembers the city for the person.
    private let pipeline: TestPipeline

    init() async throws {
        pipeline = try await TestPipeline { invocation, _ in
            guard invocation.phase == .resolve else {
                let asks = invocation.phase == .confirm && invocation.parameters.contains { $0.name == "ask" }
                return .responded(
                    IntentResponse(invocation.phase == .confirm ? .ready : .success),
                    confirmation: asks ? ConfirmationRequest(summary: "Go?") : nil)
            }
            let given = invocation.parameters.first(where: { $0.name == "city" })?.value
            guard let value = given ?? invocation.context.memory["city"], value != .null else {
                return .resolved([
                    ResolvedParameter(name: "city", resolution: .needsValue(dialog: nil), memoryKey: "city")
                ])
            }
            var city = ResolvedParameter(name: "city", resolution: .success(value), memoryKey: "city")
            city.memoryScope = .person
            if given == nil { city.provenance = ParameterState.Provenance(source: .remembered) }
            return .resolved([city])
        }
        (pipeline.follows.catalogue, pipeline.follows.memory) = (true, true)
        let parameters: [JSON] = [.rememberedCity, .object(["name": .string("seats")])]
        let song: [JSON] = [.object(["name": .string("song")])]
        let intents = [("Book", parameters), ("Travel", parameters), ("Sing", song)].map {
            PublishedIntent(intent: Identifier($0), title: $0, details: ["parameters": .array($1)])
        }
        try pipeline.startPublisher(
            "publisher", .init(lease: WorkerLease(instance: "w", intents: intents.map(\.intent)), intents: intents))
        try await pipeline.settle()
        try await pipeline.start()
    }

    /// Replaces the coordinator by one that has journalled a memory change and not written the change to the memory.
    private func loseChange() async throws {
        pipeline.interposer = { name, client in name == "lossy" ? WithoutMemory(client) : client }
        try await pipeline.replaceCoordinator(by: "lossy")
        try await ask("s", "Leeds")
    }

    /// Starts another coordinator, which reads events of the memory only once the hold is over.
    private func replaceCoordinator(holding isHeld: @escaping (LogEvent) -> Bool) throws -> Hold {
        pipeline.kill("coordinator")
        let hold = pipeline.hold("next-memory", isHeld)
        try pipeline.startCoordinator("next")
        return hold
    }

    private func end(_ hold: Hold) async throws {
        hold.isOn = false
        try await pipeline.settle()
    }

    /// Requests an intent, and returns the results of the session as lines.
    @discardableResult
    private func ask(
        _ session: Identifier, _ city: String? = nil, id: Identifier = "r", intent: Identifier = "Book",
        from person: Principal? = .ann, _ change: (inout IntentRequest) -> Void = { _ in }
    ) async throws -> [String] {
        var request = IntentRequest(id: id, intent: intent, principal: person)
        if let city { request.parameters = [ParameterState(name: "city", value: .string(city))] }
        change(&request)
        try await send(.requested(request), session, from: person)
        return try await pipeline.lines(session)
    }

    private func send(_ event: SessionEvent, _ session: Identifier, from person: Principal? = .ann) async throws {
        try await pipeline.deliver(event, session, to: \.answers, from: person)
    }

    /// The person's values that a new coordinator would find.
    private func remembered() throws -> [String] {
        var memories = PersonMemories()
        for record in pipeline.records(\.memory) { memories.take(try MemoryRecord(record)) }
        return (memories[.ann]?.values ?? []).map { "\($0.key) \($0.value)" }
    }

    /// Writes a change as the coordinator of another session does.
    private func write(_ kind: MemoryChange.Kind, _ stream: Identifier = "other", _ number: Int = 1) throws {
        try write(MemoryChange(kind, stream: stream, number: number, time: pipeline.clock.now))
    }

    private func write(_ change: MemoryChange) throws {
        try pipeline.send(MemoryChangeRecord(of: .ann, change).record(topics: pipeline.topics, at: pipeline.clock.now))
    }

    private func forget(_ keys: [String]? = nil, in session: Identifier = "u", from person: Principal = .ann)
        async throws
    {
        try await send(.forgotten(Forgetting(keys: keys, scope: .person)), session, from: person)
    }

    @Test(arguments: ["decline", "accept"])
    func `an agent's request is remembered about its person only once they agree`(_ action: String) async throws {
        func write(_ type: String, _ value: String, to topic: KeyPath<Topics, String>, _ more: [RecordHeader] = [])
            async throws
        {
            let headers: KeyValuePairs = [
                "ce_type": type, "ce_id": type, "ce_authtype": "app_user", "ce_authid": "ann",
            ]
            try pipeline.send(
                Record(
                    topic: pipeline.topics[keyPath: topic], key: Bytes("s".utf8), value: Bytes(value.utf8),
                    headers: headers.map { RecordHeader($0, $1) } + more, timestamp: pipeline.clock.now.milliseconds))
            try await pipeline.settle()
        }
        let request = #"{"intent":"Travel","parameters":{"city":"Leeds","ask":true}}"#
        try await write("intent.requested.v1", request, to: \.requests, [EventEncoder.fromAgent])
        #expect(try remembered().isEmpty)
        let answer = #"{"prompt":"\#(try pipeline.prompt("s"))","action":"\#(action)"}"#
        try await write("prompt.answered.v1", answer, to: \.answers)
        #expect(try remembered() == (action == "accept" ? Self.leeds : []))
    }

    @Test func `a person's value is the default in another session, of any intent, with its provenance`() async throws {
        #expect(try await ask("s", "Leeds") == Booking.completed && remembered() == Self.leeds)
        #expect(try await ask("t", intent: "Travel") == Booking.completed)
        let city = try pipeline.last("t").data["provenance"]?["city"]
        #expect(city?["source"]?.string == "remembered" && city?["intent"]?.string == "Book")
        #expect(city?["time"]?.string != nil)
    }

    @Test(arguments: [nil, bob])
    func `a person's value is not the default of anyone else, authenticated or not`(_ person: Principal?) async throws {
        try await ask("s", "Leeds")
        #expect(try await ask("t", from: person) == Self.asked)
    }

    @Test func `a person whose name only looks equal neither gets nor forgets a value`() async throws {
        let (owner, other) = (Principal(.appUser, "jos\u{E9}"), Principal(.appUser, "jose\u{301}"))
        try await ask("s", "Leeds", from: owner)
        #expect(try await ask("t", from: other) == Self.asked)
        try await forget(in: "t", from: other)
        #expect(try await ask("u", from: owner) == Booking.completed)
    }

    @Test func `a successor writes the memory changes that its predecessor has only journalled`() async throws {
        try await loseChange()
        #expect(try remembered().isEmpty)
        try await pipeline.replaceCoordinator("lossy", by: "next")
        #expect(try remembered() == Self.leeds)
        #expect(try await ask("t") == Booking.completed)
        try await pipeline.replaceCoordinator("next", by: "third")
        #expect(pipeline.records(\.memoryChanges).count == 1, "a written change is not written again")
    }

    @Test(arguments: ["forgotten", "said"])
    func `a repeated change replaces no later forgetting or value`(last: String) async throws {
        let said = RememberedValue(key: "city", value: .string("York"), time: Instant(milliseconds: 0))
        try await loseChange()
        let sessions = try pipeline.coordinator("lossy").inspection.flatMap(\.sessions.values)
        let change = try #require(sessions.first?.person.pending.first)
        pipeline.kill("lossy")
        // The change is in the log, but its acknowledgement never reached the coordinator.
        try write(change)
        try write(last == "said" ? .remember(said) : .forget(nil))
        try await pipeline.addCoordinator("next")
        #expect(try remembered() == (last == "said" ? Self.york : []))
    }

    @Test func `a value from before a forgetting is not remembered after it, in any order of writing`() async throws {
        try await loseChange()
        pipeline.kill("lossy")
        try write(.forget(["city"]))
        try await pipeline.addCoordinator("next")
        #expect(try pipeline.records(\.memoryChanges).count == 2 && remembered().isEmpty)
        #expect(try await ask("t") == Self.asked)
    }

    @Test func `an open session's old value does not return after 64 other sessions and a takeover`() async throws {
        try await ask("s", "Leeds")
        for number in 1...70 {
            let value = RememberedValue(key: "city", value: .string("York"), time: pipeline.clock.now)
            try write(.remember(value), Identifier("other\(number)"))
        }
        try await pipeline.settle()
        try await pipeline.replaceCoordinator(by: "next")
        #expect(try remembered() == Self.york)
        try await ask("s", id: "r2")
        #expect(try pipeline.last().data["parameters"]?["city"]?.string == "York")
    }

    @Test func `nothing is taken from the memory before it is read to its end`() async throws {
        try await ask("s", "Leeds")
        let hold = try replaceCoordinator { _ in true }
        #expect(try await ask("t") == Self.asked)
        try await end(hold)
        #expect(try await ask("u") == Booking.completed)
    }

    @Test func `a value is remembered after a forgetting that the session knows and its owner does not`() async throws {
        #expect(try await ask("s") == Self.asked)
        try await forget()
        let hold = try replaceCoordinator { _ in true }
        try await pipeline.settle()
        try await ask("s", "York", id: "r2") { $0.whenBusy = .replace }
        try await end(hold)
        #expect(try pipeline.last().line == "completed success success" && remembered() == Self.york)
        try await ask("t")
        #expect(try pipeline.last("t").data["parameters"]?["city"]?.string == "York")
    }

    @Test func `a session that opened before the memory was read follows earlier forgettings`() async throws {
        try await forget()
        let hold = try replaceCoordinator { if case .readEnd = $0 { true } else { false } }
        #expect(try await ask("s") == Self.asked)
        try await end(hold)
        let session = pipeline.coordinators["next"]?.inspection.compactMap { $0.sessions["s"] }.first
        #expect(session?.person.told != nil && session?.active?.request.isForgotten == true)
    }

    @Test func `a session is not forgotten before the log has its changes`() async throws {
        try await loseChange()
        try await pipeline.advance(by: pipeline.policy.idleTimeout + .seconds(5))
        #expect(try pipeline.coordinator("lossy").openSessions == 1)
    }

    @Test func `a forgotten session's change is known to the next coordinator`() async throws {
        try await ask("s", "Leeds")
        try await pipeline.advance(by: pipeline.policy.idleTimeout + .seconds(5))
        #expect(try pipeline.coordinator().openSessions == 0)
        #expect(try await pipeline.replaceCoordinator(by: "next").openSessions == 0 && remembered() == Self.leeds)
        #expect(try await ask("t") == Booking.completed)
    }

    @Test(arguments: [["city"], nil])
    func `a forgotten value is asked for again, and the result has its count`(_ keys: [String]?) async throws {
        try await ask("s", "Leeds")
        try await forget(keys)
        #expect(try remembered().isEmpty)
        let result = try pipeline.last("u")
        #expect(result.type == .memoryForgotten && result.data["count"]?.int == 1)
        #expect(result.data["event"]?.string?.hasPrefix("e") == true)
        #expect(result.data["keys"]?.elements.compactMap(\.string) == keys)
        #expect(try await ask("t") == Self.asked)
        try await forget(keys, in: "v")
        #expect(try pipeline.last("v").data["count"]?.int == 0, "there was nothing left")
    }

    @Test(arguments: [true, false])
    func `a forgotten value is asked for again in an open request`(isTakenOver: Bool) async throws {
        try await ask("s", "Leeds")
        let ask = ParameterState(name: "ask", value: .bool(true))
        #expect(try await self.ask("t") { $0.parameters = [ask] } == ["prompt confirmIntent -"])
        if isTakenOver {
            // No coordinator owns the session when the value is forgotten.
            pipeline.kill("coordinator")
            try write(.forget(nil))
            try await pipeline.addCoordinator("next")
        } else {
            try await forget()
        }
        #expect(try pipeline.last("t").line == "prompt value city")
        try await pipeline.answer("t", .accept, "Bath", to: \.answers, from: .ann)
        #expect(try pipeline.last("t").line == "prompt confirmIntent -" && remembered().isEmpty)
    }

    @Test func `a forgetting is reported when the log has it, not before, and once`() async throws {
        try await ask("s", "Leeds")
        pipeline.setLeaders(of: \.memory, areAway: true)
        try await forget()
        #expect(try await pipeline.lines("u").isEmpty)
        pipeline.setLeaders(of: \.memory, areAway: false)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "u").map(\.type) == [.memoryForgotten])
        try await pipeline.replaceCoordinator(by: "next")
        #expect(try pipeline.results(session: "u").count == 1)
    }

    @Test func `a forgetting that the log refuses is rejected`() async throws {
        pipeline.refuse(1, in: \.memoryChanges, with: LogError(.unauthorized, "no right to write"))
        try await forget()
        #expect(try await pipeline.lines("u") == ["rejected internal"])
        try await forget(in: "v")
        #expect(try pipeline.results(session: "v").map(\.type) == [.memoryForgotten])
    }

    @Test func `an open session's next request has no value that was forgotten in another session`() async throws {
        try await ask("s", "Leeds")
        pipeline.clock.advance(by: .seconds(1))
        try await forget()
        pipeline.clock.advance(by: .seconds(1))
        #expect(try await ask("s", id: "r2").last == "prompt value city")
    }

    @Test(arguments: [Int64.min + 1, .max])
    func `a request with an overflowing timestamp remembers like any other`(_ timestamp: Int64) async throws {
        var encoder = EventEncoder(source: "/test")
        var request = IntentRequest(id: "r", intent: "Book", principal: .ann)
        request.parameters = [ParameterState(name: "city", value: .string("Bath"))]
        let encoded = encoder.record(
            .requested(request), session: "s", id: "r", topics: pipeline.topics, from: .ann, at: pipeline.clock.now)
        var record = try #require(encoded)
        record.timestamp = timestamp
        try pipeline.send(record)
        #expect(try await pipeline.lines("s") == Booking.completed && remembered() == [#"city "Bath""#])
    }

    @Test func `a donation, which earlier versions took, is rejected by name and opens no session`() async throws {
        let headers: KeyValuePairs = ["ce_type": "intent.donated.v1", "ce_id": "d", "ce_source": "/app"]
        let value = #"{"intent":"Travel","parameters":{"city":"Bath"}}"#
        try pipeline.send(
            Record(
                topic: pipeline.topics.answers, key: Array("d".utf8), value: Array(value.utf8),
                headers: headers.map { RecordHeader($0, $1) }))
        #expect(try await pipeline.lines("d") == ["rejected unsupported"])
        #expect(try remembered().isEmpty && pipeline.records(\.deadLetters).isEmpty)
        #expect(try pipeline.coordinator().openSessions == 0)
    }
}

extension JSON {
    /// The published parameter `city`, which is remembered for the person.
    static let rememberedCity = JSON.object([
        "name": .string("city"), "memory": .object(["key": .string("city"), "scope": .string("person")]),
    ])
}
