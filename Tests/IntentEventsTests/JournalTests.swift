import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@Suite("The journal is read back as it was written") struct JournalTests {
    typealias Edit = @Sendable (inout Record) -> Void

    private let now = Instant(milliseconds: 1_772_366_400_250)

    private func readBack(_ record: JournalRecord) throws -> JournalRecord {
        try JournalRecord(record.record(topic: "intents.sessions", partition: 3, at: now).consumed())
    }

    @Test func `a session that was read back continues the same`() throws {
        let policy = SessionPolicy()
        var session = Session(id: "s", updated: now)
        let parameters = [ParameterState(name: "dropOff", value: .string("Station"))]
        var options = Examples.options
        options[0].comparison = Examples.compared
        let choice = ResolvedParameter(name: "dropOff", resolution: .disambiguation(options, dialog: nil))
        var ofAgent = IntentRequest(id: "r", intent: "Book", parameters: parameters, trace: Examples.trace)
        ofAgent.isUnagreed = true
        // Tickets and the ids of prompts and handoffs are random.
        func outcome(_ session: Session, _ step: Int, _ phase: Phase, _ report: PhaseOutcome) -> SessionEvent {
            let content = Outcome.Content.finished(report)
            let ticket = session.active?.ticket
            return .outcome(Outcome(request: "r", step: step, phase: phase, content: content, ticket: ticket))
        }
        func handoff(_ session: Session) -> Identifier { session.handoffs.first?.id ?? "" }
        let script: [(Session) -> SessionEvent] = [
            { _ in .requested(ofAgent) },
            { _ in .requested(IntentRequest(id: "q", intent: "Book", parameters: parameters)) },
            { outcome($0, 1, .resolve, .resolved([choice])) },
            { _ in .requested(IntentRequest(id: "i", intent: "Book", whenBusy: .interrupt)) },
            { _ in .cancelled(request: "i") },
            { .answered(Answer(prompt: $0.active?.prompt?.id ?? "", action: .accept, option: "south")) },
            { outcome($0, 4, .resolve, .resolved([])) },
            { outcome($0, 5, .confirm, .responded(IntentResponse(.continueInApp))) },
            { .handoffClaimed(handoff: handoff($0), claimant: "phone") },
            { .handoffCompleted(handoff: handoff($0), claimant: "phone", response: IntentResponse(.success)) },
        ]
        var randomness = Randomness(seed: 7)
        for step in script {
            let event = step(session)
            let content = JournalRecord.Content.session(id: session.id, JournaledSession(session))
            var restored = try #require(readBack(JournalRecord(stamp: .example, content: content)).session).session
            var same = randomness
            let decision = restored.receive(event, at: now, policy: policy, randomness: &same)
            let expected = session.receive(event, at: now, policy: policy, randomness: &randomness)
            #expect(decision == expected && !decision.isIgnored && restored == session, "after \(event)")
        }
        #expect(session.active?.request.id == "q")
    }

    @Test func `a forgotten session and an old fence are tombstones`() throws {
        let fence = JournalOutline.Subject.fence(epoch: 2, owner: "coordinator-0").key
        for key: Identifier in ["kitchen", fence] {
            let content: JournalRecord.Content = key == fence ? .forgottenFence(fence) : .session(id: key, nil)
            let record = JournalRecord(stamp: .example, content: content)
            #expect(try readBack(record) == record)
            let written = record.record(topic: "t", partition: 3, at: now)
            #expect(written.key == Array(key.utf8) && written.value == nil && written.partition == 3)
        }
    }

    private static let stamp = "epoch=1 owner=a number=1 requests=0 outcomes=0 settled=0 results=0"

    @Test(arguments: [
        (stamp, ""), (stamp, "epoch"), (stamp, "epoch=1"), ("epoch=1", "epoch=x"), ("epoch=1 ", ""),
        ("owner=a ", ""), ("results=0", "results=99999999999999999999"),
        // The first two numbers can't be incremented.
        ("epoch=1", "epoch=9223372036854775807"), ("requests=0", "requests=9007199254740992"),
        ("number=1", "number=-1"), ("settled=0", "settled=-1"), ("settled=0", "settled=0x"),
        ("settled=0", "settled="), ("number=1", "number=1 "), ("results=0", "results=0 openRequests=1,x"),
        ("results=0", "resultx=0"), ("epoch=1", "=1"),
    ])
    func `an invalid stamp is not read`(_ part: String, _ damage: String) {
        #expect(JournalStamp(Self.stamp) != nil && JournalStamp(Self.stamp.replacing(part, with: damage)) == nil)
    }

    @Test func `a stamp says how often the inputs were set only if they were`() {
        #expect(!JournalStamp.example.description.contains("inputs="))
        #expect(JournalStamp.example.with(\.inputs, 2).description.hasSuffix(" inputs=2 format=1"))
    }

    /// A stamp with every field.
    private static let full = JournalStamp(
        epoch: 1 << 40, owner: "host.example.com-17-0af3", number: 8, requests: (1 << 53) - 1, outcomes: 21, settled: 6,
        results: 31, lastRequest: 1_772_366_400_000, lastOutcome: 0
    ).with(\.answers, 40).with(\.lastAnswer, 2).with(\.inputs, 3)
        .with(\.openRequests, [0, 9]).with(\.openAnswers, [39]).with(\.openOutcomes, [18, 19, 20])

    @Test(arguments: ["kitchen", "Küche 🏠", "e\u{301}", "a$"] as [Identifier], [JournalStamp.example, full])
    func `a record with any stamp and session id is read back`(_ id: Identifier, _ stamp: JournalStamp) throws {
        let session = JournaledSession(Session(id: id, updated: now))
        for content in [JournalRecord.Content.session(id: id, session), .session(id: id, nil), .fence, .positions] {
            let record = JournalRecord(stamp: stamp, content: content)
            #expect(try readBack(record) == record)
        }
    }

    @Test(arguments: ["region=eu", "region=", "lastXxquest=1", "openXequests=5", "=", "o=a=b"])
    func `unknown fields of a stamp are ignored`(_ part: String) {
        #expect(JournalStamp("\(JournalStamp.example) \(part)") == .example)
        #expect(JournalStamp("\(part) \(JournalStamp.example)") == .example)
    }

    private static let edits: [(String, String, Edit)] = [
        ("as it was written", "fine", { _ in }), ("without headers", "unparseable key", { $0.headers = [] }),
        ("a short stamp", "unparseable key", { $0.headers[0].value = Array("epoch=1".utf8) }),
        ("an absent stamp", "unparseable key", { $0.headers[0].value = nil }),
        ("without a key", "unparseable key", { $0.key = nil }),
        ("a key that is not UTF-8", "unparseable key", { $0.key = [0xFF] }),
        ("half an object", "unparseable", { $0.value = Array("{".utf8) }),
        ("a list", "unparseable value", { $0.value = Array("[]".utf8) }),
        ("a stage", "unparseable value", { $0.value = Array(#"{"active":{"stage":"dreaming"}}"#.utf8) }),
    ]

    @Test(arguments: edits)
    func `a record of no coordinator is not read`(_ name: String, _ expected: String, _ edit: Edit) {
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

@Suite("The journal's format: records of earlier versions are read, and unreadable ones are never mistaken for others")
struct JournalFormatTests {
    static let asking =
        #"{"sequence":217,"updated":1700050821451,"active":{"request":{"id":"r268","intent":"Book","deadline":1700050999999,"locale":"en-GB","attributes":{"city":"Cork"},"traceparent":"00-1-2-01","tracestate":"v=1","depth":1},"parameters":{"friends":{"value":["mia","jon"],"state":"given","elements":["resolved","given"]},"dropOff":{"state":"notRequired"},"pin":{"value":"1234","state":"confirmed","secret":true}},"stage":"awaitingAnswer","prompt":{"id":"r268.10","intent":"Book","kind":"choice","parameter":"friends","element":1,"secret":true,"dialog":"Which one?","value":null,"items":true,"options":[{"id":"n","title":"North","subtitle":"2 km","value":"n"},{"id":"s","title":"South","value":7}],"unsupported":{"reason":"tooFar"},"summary":"Book","expires":"2023-11-15T12:22:16.950Z","parameters":{"time":{"value":"18:30","state":"confirmed"}},"title":"Friends","question":{"id":"confirm-1","phase":"confirm"}},"step":10,"attempt":2,"stageEnds":1700050936950,"turns":4,"asks":{"dropOff":2,"party":1},"activity":{"activityType":"book"},"items":[{"id":"i","title":"Item","value":1}],"result":{"code":"success","dialog":"Done","updates":true},"redone":1,"notes":{"answers":[{"question":"q","accepted":true,"value":3}],"recorded":{"hold":"H"},"asks":{"confirm-1":1}},"questions":1,"validUntil":1700050936951,"knowsSecrets":true,"memoryKeys":{"party":"party"},"policy":{"effect":"atMostOnce"},"confirmation":{"dialog":"Sure?","summary":"Book"},"misses":{"dropOff":{"noAnswer":1,"noMatch":2,"unsupported":3,"offered":true}},"alternatives":[{"id":"n","title":"North","value":"n"}]},"queued":[{"id":"r269","intent":"Book","parameters":{"party":{"value":2,"state":"given"}},"whenBusy":"interrupt"},{"id":"r271","intent":"Book","parameters":{}}],"handoffs":[{"id":"r256.4.handoff","request":"r256","mode":"foreground","activity":{"activityType":"Book"},"intent":"Book","parameters":{},"code":"failureRequiringAppLaunch","response":{"fare":12},"returns":1,"expires":1700051156314,"claimant":"phone"}],"unanswered":[{"request":"r1","intent":"Book","step":3,"traceparent":"00-1-2-01"}],"updates":[{"request":{"id":"r2","intent":"Book"},"parameters":{},"inApp":true,"open":true,"step":4,"restarts":1,"phase":"ongoing","told":1700050821000,"silentAt":1700050851000,"ends":1700060000000}],"remembered":["none","r269"],"memory":{"party":"n","city":"Cork"},"ending":{"reason":"over"},"unacknowledged":[{"sequence":217,"type":"prompt.issued.v1","request":"r268","time":1700050821451,"data":{"session":"kitchen"}}]}"#

    static let handling =
        #"{"sequence":3,"updated":1700050821451,"active":{"request":{"id":"r","intent":"Book"},"parameters":{},"stage":"handling","step":4,"attempt":1,"stageEnds":1700050936950,"retryAt":1700050936000,"inApp":true,"cancelling":true,"fraction":0.5,"permit":"c.1","announceAt":1700050830000,"cancelReason":"replaced"},"suspended":[{"request":{"id":"q","intent":"Book"},"parameters":{},"stage":"resolving","step":2,"attempt":1,"stageEnds":1700050936950}]}"#

    /// Sessions of a file that together have every member, each in a line. A new member needs a line that has it.
    static let sessions: [String] = {
        let text = try? String(contentsOf: Golden.folder.appending(path: "Sessions.jsonl"), encoding: .utf8)
        return [asking, handling, forgotten] + (text ?? "").split(separator: "\n").map(String.init)
    }()

    /// Returns the record of a session in the journal.
    static func record(_ value: String) -> Record {
        Record(
            topic: "intents.sessions", partition: 3, key: Bytes("kitchen".utf8), value: Bytes(value.utf8),
            headers: [RecordHeader("intents-journal", JournalStamp.example.description)], timestamp: 0)
    }

    private func session(_ value: String) throws -> JournaledSession {
        try #require(try JournalRecord(Self.record(value).consumed()).session)
    }

    @Test(arguments: sessions)
    func `a session with any members is read and written the same, byte for byte`(_ value: String) throws {
        #expect(String(decoding: JournalRecord.value(try session(value)), as: UTF8.self) == value)
    }

    @Test func `a session in any stage is read back with all its fields and unacknowledged results`() throws {
        var input = HostileInput(seed: 1)
        var stages: Set<StageName> = []
        var read = 0
        for number in 1...4_000 {
            var record = Self.record(input.pick(Self.sessions))
            let edit = input.edit(.value, of: record)
            edit.apply(&record)
            guard let session = try? JournalRecord(record.consumed()).session else { continue }
            // Sessions never have a memory whose last number is 0, or a fraction beyond 1.
            if edit.name.hasPrefix("person.last"), session.session.person.last == 0 { continue }
            if edit.name.contains("fraction"), !(0...1 ~= session.session.active?.run.fraction ?? 0) { continue }
            let written = String(decoding: JournalRecord.value(session), as: UTF8.self)
            #expect(try self.session(written) == session, "seed \(input.seed), session \(number): \(edit.name)")
            read += 1
            if let active = session.session.active { stages.insert(active.stage.name) }
        }
        let all: Set<StageName> = [
            .resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff,
        ]
        #expect(stages == all && read > 500, "\(read) sessions were read")
    }

    static let forgotten =
        #"{"sequence":0,"updated":1700050821451,"remembered":["r1","r2"],"once":{"r2":1700137221451,"r0":1700137221000},"forgotten":1700054421451}"#

    @Test func `the requests of a forgotten session are read and written, each with its time`() throws {
        let session = try session(Self.forgotten)
        let once = [("r2", 1_700_137_221_451), ("r0", 1_700_137_221_000)].map {
            OnceRequest(id: $0, until: Instant(milliseconds: $1))
        }
        let rest = ForgottenSession(
            requests: ["r1", "r2"], until: Instant(milliseconds: 1_700_054_421_451), once: once)
        #expect(session.remains == rest)
        #expect(JournaledSession(rest, of: "kitchen", at: Instant(milliseconds: 1_700_050_821_451)) == session)
    }

    @Test func `a session of an earlier version is open, and knows its requests without a time`() throws {
        let value = #"{"sequence":3,"updated":1700050821451,"remembered":["r1"]}"#
        let session = try session(value)
        #expect(session.remains == nil && session.session.rememberedRequests == ["r1"])
        #expect(session.session.onceRequests.isEmpty)
    }

    @Test func `unknown members are ignored`() throws {
        let value = Self.handling.replacing(#""stage":"#, with: #""mood":"good","stage":"#)
        #expect(try session(value) == session(Self.handling))
    }

    @Test func `a cancel of the first versions has no reason`() throws {
        let value = Self.handling.replacing(#","cancelReason":"replaced""#, with: "")
        #expect(try session(value).session.active?.cancelReason == .person)
    }

    @Test(arguments: [
        (#""step":10"#, #""step":"ten""#, "'active.step' is no whole number from 0 to 2^53"),
        (#""step":10"#, #""step":-1"#, "'active.step' is no whole number from 0 to 2^53"),
        (#""step":10,"#, "", "'active.step' is missing"),
        ("awaitingAnswer", "dreaming", "'active.stage' is 'dreaming', which is not known here"),
        ("awaitingAnswer", "handedOff", "'active.stage' is 'handedOff' without what belongs to it"),
        (#""kind":"choice""#, #""kind":1"#, "'active.prompt.kind' is no text"),
        ("notRequired", "lost", "'active.parameters.dropOff.state' is 'lost', which is not known here"),
        (#"{"id":"s","title":"South""#, #"{"title":"South""#, "'active.prompt.options.1.id' is missing"),
        (#""unanswered":["#, #""unanswered":[{},"#, "'unanswered.0.request' is missing"),
        (#""remembered":["none""#, #""remembered":[null"#, "'remembered.0' is no text"),
        (#""updated":1700050821451"#, #""updated":"now""#, "'updated' is no time in milliseconds"),
        (#""remembered":["#, #""once":{"r":"soon"},"remembered":["#, "'once.r' is no time in milliseconds"),
        (#""remembered":["#, #""forgotten":true,"remembered":["#, "'forgotten' is no time in milliseconds"),
    ])
    func `an unreadable session is named with its offset`(_ text: String, _ damage: String, _ fault: String) {
        let value = Self.asking.replacing(text, with: damage, maxReplacements: 1)
        #expect(value != Self.asking)
        let error = #expect(throws: EventError.self) { try session(value) }
        #expect(error?.rejection.message == "the session 'kitchen' can't be read at offset 42: \(fault)")
    }
}
