import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The journal is read back as it was written")
struct JournalTests {
    static let seeds: [UInt64] = [1, 4, 9, 16]
    private let now = Instant(milliseconds: 1_772_366_400_250)

    private func readBack(_ record: JournalRecord) throws -> JournalRecord {
        try JournalRecord(record.record(topic: "intents.sessions", partition: 3, at: now).consumed())
    }

    @Test("a session in any stage is read back with all its fields and unacknowledged results", arguments: seeds)
    func sessions(_ seed: UInt64) throws {
        var random = RandomSession(seed: seed)
        var stages: Set<StageName> = []
        for number in 1...400 {
            let journaled = random.journaled()
            let record = JournalRecord(stamp: random.stamp(), content: .session(id: journaled.session.id, journaled))
            #expect(try readBack(record) == record, "seed \(seed), session \(number)")
            if let active = journaled.session.active { stages.insert(active.stage.name) }
        }
        #expect(stages == Set(RandomSession.stages))
    }

    @Test("a session that was read back continues the same")
    func goesOn() throws {
        let policy = SessionPolicy()
        var kept = Session(id: "s", updated: now)
        let parameters = [ParameterState(name: "dropOff", value: .string("Station"))]
        let choice = ParameterResolution.disambiguation(Examples.options, dialog: nil)
        var ofAgent = IntentRequest(id: "r", intent: "Book", parameters: parameters, trace: Examples.trace)
        ofAgent.isUnagreed = true
        let script: [SessionEvent] = [
            .requested(ofAgent),
            .requested(IntentRequest(id: "q", intent: "Book", parameters: parameters)),
            .outcome(
                Outcome(
                    request: "r", step: 1, phase: .resolve,
                    content: .finished(.resolved([ResolvedParameter(name: "dropOff", resolution: choice)])), ticket: nil
                )),
            .requested(IntentRequest(id: "i", intent: "Book", whenBusy: .interrupt)), .cancelled(request: "i"),
            .answered(Answer(prompt: "", action: .accept, option: "south")),
            .outcome(Outcome(request: "r", step: 4, phase: .resolve, content: .finished(.resolved([])), ticket: nil)),
            .outcome(
                Outcome(
                    request: "r", step: 5, phase: .confirm,
                    content: .finished(.responded(IntentResponse(.continueInApp), confirmation: nil)), ticket: nil)),
            .handoffClaimed(handoff: "", claimant: "phone"),
            .handoffCompleted(handoff: "", claimant: "phone", response: IntentResponse(.success)),
        ]
        var randomness = Randomness(seed: 7)
        for var event in script {
            // Tickets and the ids of prompts and handoffs are random.
            switch event {
            case .outcome(var outcome):
                outcome.ticket = kept.active?.ticket
                event = .outcome(outcome)
            case .answered(var answer):
                answer.prompt = kept.active?.prompt?.id ?? ""
                event = .answered(answer)
            case .handoffClaimed(_, let claimant):
                event = .handoffClaimed(handoff: kept.handoffs.first?.id ?? "", claimant: claimant)
            case .handoffCompleted(_, let claimant, let response):
                event = .handoffCompleted(
                    handoff: kept.handoffs.first?.id ?? "", claimant: claimant, response: response)
            default: break
            }
            let record = try readBack(
                JournalRecord(stamp: .example, content: .session(id: kept.id, JournaledSession(kept))))
            var restored = try #require(record.session).session
            var same = randomness
            let decision = restored.receive(event, at: now, policy: policy, randomness: &same)
            let expected = kept.receive(event, at: now, policy: policy, randomness: &randomness)
            #expect(decision == expected && !decision.isIgnored && restored == kept, "after \(event)")
        }
        #expect(kept.active?.request.id == "q")
    }

    @Test(
        "fences, positions and forgotten sessions are read back; a forgotten session or an old fence is a tombstone",
        arguments: [
            (.fence, nil), (.positions, nil), (.session(id: "kitchen", nil), "kitchen"),
            (.forgottenFence(oldFence), oldFence),
        ] as [(JournalRecord.Content, Identifier?)])
    func others(_ content: JournalRecord.Content, _ tombstone: Identifier?) throws {
        let record = JournalRecord(stamp: .example, content: content)
        #expect(try readBack(record) == record)
        guard let tombstone else { return }
        let written = record.record(topic: "t", partition: 3, at: now)
        #expect(written.key == Array(tombstone.utf8) && written.value == nil && written.partition == 3)
    }

    private static let oldFence = JournalOutline.Subject.fence(epoch: 2, owner: "coordinator-0").key

    @Test("a stamp is read back from its text", arguments: seeds)
    func stamps(_ seed: UInt64) {
        var random = RandomSession(seed: seed)
        for _ in 0..<500 {
            let stamp = random.stamp()
            #expect(JournalStamp(stamp.description) == stamp)
        }
    }

    private static let stamp = "epoch=1 owner=a number=1 requests=0 outcomes=0 settled=0 results=0"

    @Test(
        "an invalid stamp is not read",
        arguments: [
            (stamp, ""), (stamp, "epoch"), (stamp, "epoch=1"), ("epoch=1", "epoch=x"), ("epoch=1 ", ""),
            ("owner=a ", ""), ("results=0", "results=99999999999999999999"),
            // The first two numbers can't be incremented.
            ("epoch=1", "epoch=9223372036854775807"), ("requests=0", "requests=9007199254740992"),
            ("number=1", "number=-1"), ("settled=0", "settled=-1"), ("settled=0", "settled=0x"),
            ("settled=0", "settled="), ("number=1", "number=1 "), ("results=0", "results=0 openRequests=1,x"),
            ("results=0", "resultx=0"), ("epoch=1", "=1"),
        ])
    func badStamps(_ part: String, _ damage: String) {
        #expect(JournalStamp(Self.stamp) != nil && JournalStamp(Self.stamp.replacing(part, with: damage)) == nil)
    }

    @Test("a stamp says how often the inputs were set only if they were")
    func inputs() {
        var stamp = JournalStamp.example
        #expect(!stamp.description.contains("inputs="))
        stamp.inputs = 2
        #expect(stamp.description.hasSuffix(" inputs=2 format=1"))
        #expect(JournalStamp(stamp.description) == stamp)
    }

    @Test(
        "unknown fields of a stamp are ignored",
        arguments: ["region=eu", "region=", "lastXxquest=1", "openXequests=5", "=", "o=a=b"])
    func newerStamp(_ part: String) {
        #expect(JournalStamp("\(JournalStamp.example) \(part)") == .example)
        #expect(JournalStamp("\(part) \(JournalStamp.example)") == .example)
    }

    private static let edits: [(String, String, @Sendable (inout Record) -> Void)] = [
        ("as it was written", "fine", { _ in }), ("without headers", "unparseable key", { $0.headers = [] }),
        ("a short stamp", "unparseable key", { $0.headers[0].value = Array("epoch=1".utf8) }),
        ("an absent stamp", "unparseable key", { $0.headers[0].value = nil }),
        ("without a key", "unparseable key", { $0.key = nil }),
        ("a key that is not UTF-8", "unparseable key", { $0.key = [0xFF] }),
        ("half an object", "unparseable", { $0.value = Array("{".utf8) }),
        ("a list", "unparseable value", { $0.value = Array("[]".utf8) }),
        ("a stage", "unparseable value", { $0.value = Array(#"{"active":{"stage":"dreaming"}}"#.utf8) }),
    ]

    @Test("a record that no coordinator wrote is not read", arguments: edits)
    func foreign(_ name: String, _ expected: String, _ edit: @Sendable (inout Record) -> Void) {
        let session = JournaledSession(Session(id: "kitchen", updated: now))
        var record = JournalRecord(stamp: .example, content: .session(id: "kitchen", session))
            .record(topic: "t", partition: 3, at: now)
        edit(&record)
        let dead = expected == "fine" ? "" : ", dead letter"
        #expect(problem(record.consumed(), JournalRecord.init) == expected + dead, "\(name)")
    }
}

extension JournalRecord {
    /// The session of the record; `nil` for a tombstone and for other records.
    var session: JournaledSession? { if case .session(_, let session) = content { session } else { nil } }
}
