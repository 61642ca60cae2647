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
                JournalRecord(stamp: Self.stamp, content: .session(id: kept.id, JournaledSession(kept))))
            guard case .session(_, let read?) = record.content else {
                Issue.record("something else came")
                return
            }
            var restored = read.session
            var same = randomness
            let decision = restored.receive(event, at: now, policy: policy, randomness: &same)
            #expect(
                decision == kept.receive(event, at: now, policy: policy, randomness: &randomness) && !decision.isIgnored
            )
            #expect(restored == kept, "after \(event)")
        }
        #expect(kept.active?.request.id == "q")
    }

    private static let stamp = JournalStamp(
        epoch: 3, owner: "coordinator-1", number: 7, requests: 10, outcomes: 20, settled: 5, results: 30)

    @Test(
        "fences, positions and forgotten sessions are read back",
        arguments: [
            JournalRecord.Content.fence, .positions, .session(id: "kitchen", nil),
        ])
    func others(_ content: JournalRecord.Content) throws {
        let record = JournalRecord(stamp: Self.stamp, content: content)
        #expect(try readBack(record) == record)
    }

    @Test("a forgotten session is written as a tombstone, for compaction")
    func tombstones() {
        let record = JournalRecord(stamp: Self.stamp, content: .session(id: "kitchen", nil)).record(
            topic: "t", partition: 3, at: now)
        #expect(record.key == Array("kitchen".utf8) && record.value == nil && record.partition == 3)
    }

    @Test("an old fence is removed under its own key, with the stamp of the owner that removes it")
    func fenceTombstone() throws {
        let old = JournalStamp(
            epoch: 2, owner: "coordinator-0", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        let key = JournalOutline.Subject.fence(epoch: old.epoch, owner: old.owner).key
        let record = JournalRecord(stamp: Self.stamp, content: .forgottenFence(key)).record(
            topic: "t", partition: 3, at: now)
        #expect(record.key == Array(key.utf8) && record.value == nil)
        #expect(try JournalRecord(record.consumed()) == JournalRecord(stamp: Self.stamp, content: .forgottenFence(key)))
    }

    @Test("a stamp is read back from its text", arguments: seeds)
    func stamps(_ seed: UInt64) {
        var random = RandomSession(seed: seed)
        for _ in 0..<500 {
            let stamp = random.stamp()
            #expect(JournalStamp(stamp.description) == stamp)
        }
    }

    @Test(
        "an invalid stamp is not read",
        arguments: [
            "", "epoch=1", "epoch", "epoch=x owner=a number=1 requests=0 outcomes=0 settled=0 results=0",
            "owner=a number=1 requests=0 outcomes=0 settled=0 results=0",
            "epoch=1 number=1 requests=0 outcomes=0 settled=0 results=0",
            "epoch=1 owner=a number=1 requests=0 outcomes=0 settled=0 results=99999999999999999999",
            // The first two numbers can't be incremented.
            "epoch=9223372036854775807 owner=a number=1 requests=0 outcomes=0 settled=0 results=0",
            "epoch=1 owner=a number=1 requests=9007199254740992 outcomes=0 settled=0 results=0",
            "epoch=1 owner=a number=-1 requests=0 outcomes=0 settled=0 results=0",
            "epoch=1 owner=a number=1 requests=0 outcomes=0 settled=-1 results=0",
            "epoch=1 owner=a number=1 requests=0 outcomes=0 settled=0x results=0",
            "epoch=1 owner=a number=1 requests=0 outcomes=0 settled= results=0",
            "epoch=1 owner=a number=1  requests=0 outcomes=0 settled=0 results=0",
            "epoch=1 owner=a number=1 requests=0 outcomes=0 settled=0 results=0 openRequests=1,x",
            "epoch=1 owner=a number=1 requests=0 outcomes=0 settled=0 resultx=0",
            "=1 owner=a number=1 requests=0 outcomes=0 settled=0 results=0",
        ])
    func badStamps(_ text: String) {
        #expect(JournalStamp(text) == nil)
    }

    @Test("a stamp says how often the inputs were set only if they were")
    func inputs() {
        var stamp = Self.stamp
        #expect(!stamp.description.contains("inputs="))
        stamp.inputs = 2
        #expect(stamp.description.hasSuffix(" inputs=2 format=1"))
        #expect(JournalStamp(stamp.description) == stamp)
    }

    @Test("unknown fields of a stamp are ignored")
    func newerStamp() {
        for part in ["region=eu", "region=", "lastXxquest=1", "openXequests=5", "=", "o=a=b"] {
            #expect(JournalStamp(Self.stamp.description + " " + part) == Self.stamp, "\(part)")
            #expect(JournalStamp(part + " " + Self.stamp.description) == Self.stamp, "\(part)")
        }
    }

    @Test("a record that no coordinator wrote is not read")
    func foreign() throws {
        let good = JournalRecord(
            stamp: Self.stamp, content: .session(id: "kitchen", JournaledSession(Session(id: "kitchen", updated: now)))
        )
        .record(topic: "t", partition: 3, at: now)
        func reading(_ change: (inout Record) -> Void) -> String {
            var record = good
            change(&record)
            return problem { () throws(EventError) in try JournalRecord(record.consumed()) }
        }
        #expect(reading { _ in } == "fine")
        #expect(reading { $0.headers = [] } == "unparseable key, dead letter")
        #expect(reading { $0.headers = [RecordHeader("intents-journal", "epoch=1")] } == "unparseable key, dead letter")
        #expect(
            reading { $0.headers = [RecordHeader("intents-journal", nil as Bytes?)] } == "unparseable key, dead letter")
        #expect(reading { $0.key = nil } == "unparseable key, dead letter")
        #expect(reading { $0.key = [0xFF] } == "unparseable key, dead letter")
        #expect(reading { $0.value = Array("{".utf8) } == "unparseable, dead letter")
        #expect(reading { $0.value = Array("[]".utf8) } == "unparseable value, dead letter")
        #expect(
            reading { $0.value = Array(#"{"active":{"stage":"dreaming"}}"#.utf8) } == "unparseable value, dead letter")
    }
}
