import Conversation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

private let ann = Principal(.appUser, "ann")
private let bob = Principal(.appUser, "bob")
private let day = Duration.seconds(86_400)

@Suite("An approval that takes days") struct ApprovalFlowTests {
    private static let approval = Approval(
        by: [.role("finance")], timeout: day * 12, reminders: [day * 3, day * 6],
        escalation: .init(after: day * 8, to: [.principal(Principal(.appUser, "cem"))]))

    /// A pipeline that encrypts, in which Ann has asked for what others have to agree to.
    private func asked(_ approval: Approval = approval) async throws -> EncryptedPipeline {
        let encrypted = try await EncryptedPipeline(approval: approval)
        try encrypted.pipeline.startAll()
        let request = IntentRequest(id: "r", intent: "Move", parameters: [.said("to", EncryptedPipeline.planted)])
        try encrypted.pipeline.send(.requested(request), session: "s", id: "r", from: ann)
        try await encrypted.settle()
        return encrypted
    }

    private func answer(
        _ encrypted: EncryptedPipeline, as principal: Principal, _ roles: [Identifier] = [], isFromAgent: Bool = false
    ) async throws {
        let results = try encrypted.results(keys: encrypted.keys)
        var answer = Answer(prompt: try #require(results.compactMap(\.prompt).last), action: .accept)
        (answer.roles, answer.isFromAgent) = (roles, isFromAgent)
        try encrypted.pipeline.send(
            .answered(answer), session: "s", id: "e\(encrypted.log.changes)", to: encrypted.topics.answers,
            from: principal)
        try await encrypted.settle()
    }

    /// Lets a day pass, in which the coordinator runs.
    private func passDay(_ encrypted: EncryptedPipeline) async throws {
        for _ in 0..<24 {
            encrypted.pipeline.clock.advance(by: .seconds(3_600))
            encrypted.time.advance(by: 3_600_000)
            try await encrypted.settle()
        }
    }

    /// Removes what Kafka removes by then: all records of the topics with a retention, the old records of keys, and the
    /// records of the journal that have a newer one.
    private func applyRetention(_ encrypted: EncryptedPipeline) {
        let topics = encrypted.topics
        for topic in [topics.requests, topics.answers, topics.outcomes, topics.results] + topics.work {
            let place = TopicPartition(topic, 0)
            encrypted.log.truncate(place, before: (encrypted.log.records(in: place).last?.offset ?? -1) + 1)
        }
        let keys = TopicPartition(topics.keys, 0)
        let oldest = encrypted.time.now() - Int64(Topics.keyRetention)
        if let kept = encrypted.log.records(in: keys).first(where: { $0.timestamp >= oldest }) {
            encrypted.log.truncate(keys, before: kept.offset)
        }
        encrypted.log.compact(topics.sessions, droppingTombstones: true)
    }

    @Test func `survives ten days, a new key, retention and a restart of everything, and a second person gives it`()
        async throws
    {
        let encrypted = try await asked()
        let (old, new) = (EncryptedPipeline.keys, String(repeating: "b1", count: 32))
        for number in 1...10 {
            try await passDay(encrypted)
            if number == 2 {
                encrypted.keys = "\(new)\n\(old)"
                try await encrypted.replaceAll()
            }
            // The other one agrees just in time, after the old key is gone.
            if number == 10 { encrypted.keys = new }
        }
        let told = try encrypted.results(keys: new).map(\.line)
        #expect(
            told == ["prompt confirmIntent -", "reminded reminder", "reminded reminder", "reminded escalated"])
        let prompt = try #require(try encrypted.results(keys: new).compactMap(\.prompt).last)
        applyRetention(encrypted)
        for name in ["coordinator-2", "resolve-2", "confirm-2", "handle-2"] { encrypted.pipeline.kill(name) }
        try encrypted.pipeline.startCoordinator("coordinator-3")
        for phase in Phase.allCases { try encrypted.pipeline.startWorker("\(phase.rawValue)-3", phase) }
        try await encrypted.settle()
        #expect(try encrypted.pipeline.coordinator("coordinator-3").counters.partitionsStopped == 0)
        func say(_ principal: Principal, _ roles: [Identifier], isFromAgent: Bool = false) async throws -> [String] {
            var answer = Answer(prompt: prompt, action: .accept)
            (answer.roles, answer.isFromAgent) = (roles, isFromAgent)
            let before = try encrypted.results(keys: new).count
            try encrypted.pipeline.send(
                .answered(answer), session: "s", id: "e\(encrypted.log.changes)", to: encrypted.topics.answers,
                from: principal)
            try await encrypted.settle()
            return try encrypted.results(keys: new).dropFirst(before).map(\.line)
        }
        #expect(try await say(ann, ["finance"]) == ["rejected unauthorized"])
        #expect(try await say(bob, ["finance"], isFromAgent: true) == ["rejected unauthorized"])
        #expect(try await say(bob, []) == ["rejected unauthorized"])
        #expect(try await say(bob, ["finance"]) == ["completed success success"])
        let completion = try #require(try encrypted.results(keys: new).last)
        let agreement = try #require(completion.data["agreement"])
        let consent = try #require(agreement["by"]?.elements.first)
        #expect(consent["principal"]?.json == JSON.object(["type": "app_user", "id": "bob"]))
        #expect(consent["time"]?.string == encrypted.pipeline.clock.now.description)
        #expect(agreement["prompt"]?.identifier == prompt)
        #expect(agreement["summary"]?.string == "To \"\(EncryptedPipeline.planted)\"?")
        #expect(completion.data["parameters"]?["to"]?.string == EncryptedPipeline.planted)
        #expect(encrypted.pipeline.records(\.handle).count == 1)
    }

    @Test func `is asked for again by no restart, and reminds once`() async throws {
        let encrypted = try await asked()
        try await passDay(encrypted)
        for number in 2...9 {
            try await passDay(encrypted)
            try await encrypted.replaceCoordinator(
                number == 2 ? "coordinator" : "coordinator-\(number - 1)", by: "coordinator-\(number)")
        }
        let told = try encrypted.results().map(\.line)
        #expect(told == ["prompt confirmIntent -", "reminded reminder", "reminded reminder", "reminded escalated"])
        try await answer(encrypted, as: Principal(.appUser, "cem"))
        #expect(try encrypted.results().last?.line == "completed success success")
    }

    @Test func `its records are of a format that a version without approvals stops at, until it is given`() async throws
    {
        let encrypted = try await asked()
        func formats() throws -> [Int] {
            try encrypted.pipeline.records(\.sessions).map { try JournalOutline($0) }
                .filter { if case .session(_, isOpen: true) = $0.subject { true } else { false } }.map(\.stamp.format)
        }
        let before = try formats()
        #expect(before.first == 1 && before.last == 2)
        try await answer(encrypted, as: bob, ["finance"])
        #expect(try formats().last == 1)
    }
}

private struct Transfer: Intent {
    static let title: LocalizedText = "Transfer money"
    static let policy = IntentPolicy(approval: Approval(by: [.role("finance")], timeout: .seconds(864_000)))
    @Parameter(title: "Amount") var amount: Int
    static let parameters = Parameters<Self>(\.$amount)
    static var parameterSummary: some ParameterSummary { Summary("Transfer \(\.$amount) euros") }
}

private struct Purchase: Intent {
    static let title: LocalizedText = "Buy something"
    static let confirmation: ConfirmationPolicy = .onlyIf { $0.amount > 100 }
    static let policy = IntentPolicy(approval: Approval(by: [.role("finance")]))
    @Parameter(title: "Amount") var amount: Int
    static let parameters = Parameters<Self>(\.$amount)
}

private struct Holiday: Intent {
    static let title: LocalizedText = "Take days off"
    @Parameter(title: "Days") var days: Int
    static let parameters = Parameters<Self>(\.$days)
    static var parameterSummary: some ParameterSummary { Summary("\(\.$days) days off") }
}

private struct Stuck: Intent {
    static let title: LocalizedText = "Get stuck"
    static let policy = IntentPolicy(approval: Approval(by: [.principal(bob)], count: 2))
}

private struct TransferHandler: IntentHandling {
    func handle(_ transfer: Transfer, context: Context) async throws -> HandleResponse { .success }
}

private struct PurchaseHandler: IntentHandling {
    func handle(_ purchase: Purchase, context: Context) async throws -> HandleResponse { .success }
}

private struct HolidayHandler: IntentHandling {
    var approval = Approval(by: [.principal(bob)])

    func confirm(_ holiday: Holiday, context: Context) async throws -> ConfirmResponse {
        holiday.days > 3 ? .ready(dialog: "May Ann take \(holiday.days) days off?").requiring(approval) : .ready
    }
    func handle(_ holiday: Holiday, context: Context) async throws -> HandleResponse { .success }
}

private struct StuckHandler: IntentHandling {
    func handle(_ stuck: Stuck, context: Context) async throws -> HandleResponse { .success }
}

@Suite("An intent declares its approval") struct DeclaredApprovalTests {
    @Test func `an intent with an approval is always confirmed, and by another`() async throws {
        var talk = try await TestConversation(about: TransferHandler(), ["amount": "5"], by: ann)
        #expect(try talk.lines == ["confirms: Transfer 5 euros?"])
        try await talk.answer("yes")
        #expect(try talk.lines.last == "rejected unauthorized")
        try await talk.answer("yes", as: bob, roles: ["finance"])
        #expect(try talk.lines.last == "success success")
    }

    @Test(arguments: [("100", "success success"), ("101", "confirms: Buy something?")])
    func `an intent may need one for some values alone`(_ amount: String, _ expected: String) async throws {
        let talk = try await TestConversation(about: PurchaseHandler(), ["amount": amount], by: ann)
        #expect(try talk.lines == [expected])
    }

    @Test func `a confirmer may require one for these values, and of whom`() async throws {
        var talk = try await TestConversation(about: HolidayHandler(), ["days": "2"], by: ann)
        #expect(try talk.lines == ["success success"])
        talk = try await TestConversation(about: HolidayHandler(), ["days": "9"], by: ann)
        #expect(try talk.lines == ["confirms: May Ann take 9 days off?"])
        let prompt = try #require(try talk.prompt)
        #expect(prompt.data["summary"]?.string == "9 days off")
        #expect(prompt.data["approval"]?["approvers"]?.json == .array([["type": "app_user", "id": "bob"]]))
        try await talk.answer("yes", as: bob)
        #expect(try talk.lines.last == "success success")
    }

    @Test func `a confirmer's approval that nobody can give is its failure, by name`() async throws {
        let talk = try await TestConversation(
            about: HolidayHandler(approval: Approval(by: [])), ["days": "9"], by: ann)
        let error = try #require(try talk.completions.last?.data["error"])
        #expect(
            error["message"]?.string == "confirm of Holiday requires an approval that names nobody else who may agree")
    }

    @Test func `an approval that nobody can give is no declaration`() throws {
        #expect {
            _ = try SingleHandlerExtension(handler: StuckHandler()).registry()
        } throws: { error in
            "\(error)".contains("the policy of Stuck has an approval that needs 2 to agree, and names 1 who may")
        }
    }

    @Test(arguments: [
        (Approval(by: []), "names nobody else who may agree"),
        (Approval(by: [.role("")]), "names the role ''"),
        (Approval(by: [.role("a")], count: 0), "needs 0 to agree"),
        (Approval(by: [.principal(bob), .principal(bob)], count: 2), "names 1 who may"),
        (Approval(by: [.role("a")], timeout: .seconds(31 * 86_400)), "has a timeout that is not 1 s to 30 days"),
        (
            Approval(by: [.role("a")], timeout: .seconds(60), reminders: [.seconds(60)]),
            "a reminder that is not from 1 s"
        ),
        (Approval(by: [.role("a")], escalation: .init(after: .zero, to: [.role("b")])), "escalates at a time"),
        (Approval(by: [.role("a")], escalation: .init(after: .seconds(1), to: [])), "escalates to nobody"),
        (Approval(by: Array(repeating: .role("a"), count: 17)), "more than 16 approvers"),
    ])
    func `each rule of an approval is named`(_ approval: Approval, _ problem: String) {
        #expect(approval.problem?.contains(problem) == true)
    }

    @Test func `an approval with every member that can be given has no problem`() {
        let approval = Approval(
            by: [.principal(bob)], count: 2, includesRequester: true, timeout: day, reminders: [.seconds(1)],
            escalation: .init(after: .seconds(60), to: [.role("board")]))
        #expect(approval.problem == nil)
    }
}
