import Conversation
import Foundation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Journals of released formats are read forever") struct GoldenJournalTests {
    private static let current = "journal-format-\(JournalStamp.currentFormat)"
    private static let stages = [
        "awaitingAnswer", "awaitingConfirmation", "confirming", "handedOff", "handling", "idle", "inProgress",
        "resolving",
    ]

    /// The stamps of version 0.1.0 had neither a format nor the timestamps of the records before the positions.
    private func isOld(_ name: String) -> Bool { name == "journal-0.1.0" }

    @Test func `the journal of today is the newest file; a change needs a new format and a new file`() throws {
        let file = GoldenJournal.file(Self.current)
        // A file is written once for each format and never changed.
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write", try !GoldenJournal.stored.contains(Self.current) {
            try Data(GoldenJournal.current.text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == GoldenJournal.current.text)
        #expect(try GoldenJournal.stored.count == JournalStamp.currentFormat + 1)
    }

    @Test(arguments: try GoldenJournal.stored)
    func `sessions, positions and unacknowledged results are as they were`(name: String) throws {
        var replay = JournalReplay()
        for record in try GoldenJournal(named: name).records {
            #expect(replay.apply(record) == .valid, "offset \(record.offset)")
        }
        let stamp = try #require(replay.stamp)
        #expect(replay.epoch == 2 && replay.owner == "coordinator-2" && replay.fences == ["$fence/2/coordinator-2"])
        #expect(replay.terms.partitions == (isOld(name) ? nil : 1))
        #expect(stamp.requests == GoldenJournal.requests.next && stamp.outcomes == GoldenJournal.outcomes.next)
        #expect(stamp.lastRequest == (isOld(name) ? nil : GoldenJournal.requests.last))
        #expect(stamp.lastOutcome == (isOld(name) ? nil : GoldenJournal.outcomes.last))
        #expect(stamp.settled == 14 && stamp.results == 2)
        #expect(replay.sessions.keys.map(\.text).sorted() == Self.stages)
        for (id, record) in replay.sessions {
            let session = try JournalOutline(record).session(id, in: record)
            #expect(session.session.active?.stage.name.rawValue ?? "idle" == id.text)
            #expect(session.unacknowledged.map(\.sequence) == (id == "awaitingAnswer" ? [1] : []), "\(id)")
            // An owner writes the same value again, byte for byte.
            #expect(JournalRecord.value(session) == record.value, "\(id)")
        }
    }

    @Test(arguments: try GoldenJournal.stored)
    func `the next owner sends unsent results, and continues a conversation`(name: String) async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        for record in try GoldenJournal(named: name).records { try pipeline.sendCopy(of: record) }
        let (requests, outcomes) = (GoldenJournal.requests, GoldenJournal.outcomes)
        for _ in 0..<requests.next { try pipeline.write(nil, key: nil, timestamp: requests.last) }
        for _ in 0..<outcomes.next { try pipeline.write(nil, to: \.outcomes, key: nil, timestamp: outcomes.last) }
        for _ in 0..<2 { try pipeline.write(nil, to: \.results, key: "ended") }
        let coordinator = try await pipeline.start().coordinator()
        #expect(coordinator.counters.partitionsStopped == 0 && coordinator.openSessions == Self.stages.count)
        func results() throws -> [ReceivedResult] {
            let all = try pipeline.records(\.results).dropFirst(2).map { try ReceivedResult($0) }
            return all.filter { $0.session == "awaitingAnswer" }
        }
        for value in [JSON.string("Airport"), nil] {
            let prompt = try #require(try results().compactMap(\.prompt).last)
            let answer = Answer(prompt: prompt, action: .accept, value: value)
            try await pipeline.deliver(.answered(answer), "awaitingAnswer")
        }
        #expect(try results().map(\.line) == Booking.conversation)
        #expect(try results().map(\.sequence) == [1, 2, 3])
    }
}

/// A journal partition in a readable file, with a line for each record. The values are stored unchanged, byte for byte.
struct GoldenJournal { var records: [ConsumedRecord] }

extension GoldenJournal {
    /// Reads a file.
    init(named name: String) throws {
        let view = try JSONView(parsing: Array(Data(contentsOf: Self.file(name))), limits: .journal)
        records = (view["records"]?.elements ?? []).map { record in
            ConsumedRecord(
                topic: "intents.sessions", partition: 0, offset: Int64(record["offset"]?.int ?? -1),
                timestamp: Int64(record["timestamp"]?.int ?? -1), key: record["key"]?.string.map { Array($0.utf8) },
                value: record["value"].flatMap { $0.isNull ? nil : $0.json.bytes },
                headers: [RecordHeader("intents-journal", record["stamp"]?.string ?? "")])
        }
    }

    /// The text of the file.
    var text: String {
        let lines = records.map { record in
            JSON.object([
                "offset": .number(Int(record.offset)), "timestamp": .number(Int(record.timestamp)),
                "key": .string(String(decoding: record.key ?? [], as: UTF8.self)),
                "stamp": .string(record.headers.first?.text ?? ""),
                "value": record.value.map { JSON(unchecked: $0) } ?? .null,
            ]).description
        }
        return "{\"records\":[\n\(lines.joined(separator: ",\n"))\n]}\n"
    }

    static func file(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name).json")
    }

    static var stored: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: file("x").deletingLastPathComponent().path)
                .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        }
    }
}

// The content of the files.
extension GoldenJournal {
    /// The time of the last record.
    static let now = Instant(milliseconds: 1_767_268_800_000)
    /// The next offset of each input, and the timestamp of the record before it, in milliseconds.
    static let requests: (next: Int64, last: Int64) = (7, 1_767_268_798_000)
    static let outcomes: (next: Int64, last: Int64) = (4, 1_767_268_799_000)

    /// The journal as this version writes it. The journal has two owners, sessions in every stage, an ended session and
    /// an unacknowledged result.
    static var current: GoldenJournal {
        let log = ScriptedLog()
        var stamp = JournalStamp(
            epoch: 1, owner: "coordinator-1", number: 0, requests: 0, outcomes: 0, settled: 0, results: 0)
        func append(_ subject: JournalOutline.Subject, _ value: Bytes? = nil) {
            stamp.number += 1
            let outline = JournalOutline(stamp: stamp, subject: subject)
            log.append(outline.record(value: value, topic: "intents.sessions", partition: 0, at: now))
        }
        func append(_ session: JournaledSession) {
            stamp.format = session.format
            defer { stamp.format = JournalStamp.usualFormat }
            append(.session(session.session.id, isOpen: true), JournalRecord.value(session))
        }
        append(.fence(epoch: 1, owner: "coordinator-1"), FenceTerms(partitions: 1).bytes)
        (stamp.requests, stamp.lastRequest) = (3, 1_767_268_797_000)
        append(idle("ended"))
        append(asking(isTold: false))
        (stamp.settled, stamp.results) = (3, 1)
        append(.positions)
        append(.session("ended", isOpen: false))

        stamp = JournalStamp(
            epoch: 2, owner: "coordinator-2", number: 0, requests: 3, outcomes: 0, settled: 5, results: 2,
            lastRequest: 1_767_268_797_000)
        append(.fence(epoch: 2, owner: "coordinator-2"), FenceTerms(partitions: 1).bytes)
        append(.forgottenFence("$fence/1/coordinator-1"))
        (stamp.requests, stamp.lastRequest) = (requests.next, requests.last)
        (stamp.outcomes, stamp.lastOutcome) = (outcomes.next, outcomes.last)
        for session in waiting { append(session) }
        stamp.settled = log.next
        append(asking(isTold: true))
        return GoldenJournal(records: log.records)
    }

    /// Sessions in every stage except that of ``asking(isTold:)``.
    private static var waiting: [JournaledSession] {
        [
            idle("idle"), session("resolving", .resolving(.init(announceAt: later(8)))),
            session("confirming", .confirming(.init(retryAt: later(5)))),
            session("awaitingConfirmation", .awaitingConfirmation(approval)),
            session("handling", .handling(.init(), .init(permit: "worker-1.7"))) {
                $0.active?.confirmed.agreement = Agreement(
                    approval, [Consent(nil, isRequester: true, at: now)], Approval(by: [.role("finance")]))
                $0.queued = [IntentRequest(id: "q", intent: "Book", parameters: [.said("pin", "1234")])]
            },
            session("inProgress", .inProgress(.init(cancelReason: .replaced))) {
                $0.active?.run.fraction = 0.5
                $0.abandoned = [AbandonedWork(request: "old", intent: "Book", step: 3)]
            },
            session("handedOff", .handedOff(handoff: "r.2.handoff")) {
                $0.handoffs = [
                    Handoff(
                        id: "r.2.handoff", request: "r", mode: .foreground,
                        activity: UserActivity(activityType: "com.example.book"),
                        interaction: Interaction(intent: "Book", parameters: [], code: .continueInApp),
                        expires: later(600))
                ]
            },
        ]
    }

    /// A session that needs a drop-off.
    ///
    /// - Parameter isTold: `true` if the session has issued its prompt, whose result is not acknowledged; `false` if
    ///   the session still resolves.
    private static func asking(isTold: Bool) -> JournaledSession {
        var prompt = Prompt(
            id: "r.2", intent: "Book", kind: .value, parameter: "dropOff", dialog: "Where to?", expires: later(120))
        prompt.asked.title = "Drop-off"
        var asking = session("awaitingAnswer", isTold ? .awaitingAnswer(prompt) : .resolving(.init()))
        guard isTold else { return asking }
        asking.session.sequence = 1
        let data = JSON.object([
            "session": .string("awaitingAnswer"), "sequence": .number(1), "request": .string("r"),
            "prompt": .string("r.2"), "kind": .string("value"), "parameter": .string("dropOff"),
            "dialog": .string("Where to?"),
        ])
        asking.unacknowledged = [EncodedResult(sequence: 1, type: .promptIssued, request: "r", time: now, data: data)]
        return asking
    }

    private static func idle(_ id: Identifier) -> JournaledSession {
        var idle = Session(id: id, sequence: 2, rememberedRequests: ["r"], updated: now)
        idle.memory = SessionMemory([.init(key: "home", value: .string("Main Street 1"))])
        return JournaledSession(idle)
    }

    private static func session(
        _ id: Identifier, _ stage: ActiveRequest.Stage, _ change: (inout Session) -> Void = { _ in }
    ) -> JournaledSession {
        var session = Session(id: id, updated: now)
        session.active = ActiveRequest(
            request: IntentRequest(id: "r", intent: "Book", locale: "en-GB"),
            parameters: [ParameterState(name: "party", value: .string("2"), origin: .resolved)], stage: stage, step: 2,
            began: Instant(milliseconds: 0))
        session.active?.stageEnds = later(60)
        session.active?.times.step = now
        session.active?.traits.knowsSecrets = true
        change(&session)
        return JournaledSession(session)
    }

    /// A confirmation that two have to agree to, of whom one has.
    private static var approval: Prompt {
        var prompt = Prompt(
            id: "r.2", intent: "Book", kind: .confirmIntent, dialog: "Book?", summary: "A ride", expires: later(120))
        let ann = Principal(.appUser, "ann")
        var party = PromptParameter(name: "party", title: "Party", text: "2")
        (party.value, party.source, party.reason) = (.string("2"), .remembered, "as before")
        prompt.parameters = [party]
        prompt.waiting = Prompt.Waiting(
            since: now, ends: later(120), reminders: [.seconds(30), .seconds(60)],
            approval: Approval(
                by: [.principal(ann), .role("finance")], count: 2, includesRequester: true, timeout: .seconds(120),
                reminders: [.seconds(30)], escalation: .init(after: .seconds(90), to: [.role("board")])))
        prompt.waiting?.reminded = 1
        prompt.waiting?.consents = [Consent(ann, at: now)]
        prompt.waiting?.delegators = [Principal(.user, "bob")]
        prompt.waiting?.added = [.principal(Principal(.user, "cem")), .role("board")]
        prompt.waiting?.isEscalated = true
        return prompt
    }

    private static func later(_ seconds: Int) -> Instant { now.advanced(by: .seconds(seconds)) }
}
