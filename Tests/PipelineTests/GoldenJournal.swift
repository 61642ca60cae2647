import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentModel
import RecordLog

/// A journal partition in a readable file, with a line for each record. The values are stored unchanged, byte for byte.
struct GoldenJournal {
    var records: [ConsumedRecord]

    init(_ records: [ConsumedRecord]) { self.records = records }

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
        var journal = GoldenJournal([])
        var stamp = JournalStamp(
            epoch: 1, owner: "coordinator-1", number: 0, requests: 0, outcomes: 0, settled: 0, results: 0)
        func append(_ subject: JournalOutline.Subject, _ value: Bytes? = nil) {
            stamp.number += 1
            journal.records.append(
                JournalOutline(stamp: stamp, subject: subject).record(
                    value: value, topic: "intents.sessions", partition: 0, at: now))
        }
        func append(_ session: JournaledSession) {
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
        stamp.settled = Int64(journal.records.count)
        append(asking(isTold: true))
        return journal
    }

    /// Sessions in every stage except that of ``asking(isTold:)``.
    private static var waiting: [JournaledSession] {
        [
            idle("idle"), session("resolving", .resolving(.init(announceAt: later(8)))),
            session("confirming", .confirming(.init(retryAt: later(5)))),
            session("awaitingConfirmation", .awaitingConfirmation(agreement)),
            session("handling", .handling(.init(), .init(permit: "worker-1.7"))) {
                $0.queued = [
                    IntentRequest(
                        id: "q", intent: "Book", parameters: [ParameterState(name: "pin", value: .string("1234"))])
                ]
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
        prompt.title = "Drop-off"
        var asking = session("awaitingAnswer", isTold ? .awaitingAnswer(prompt) : .resolving(.init()))
        guard isTold else { return asking }
        asking.session.sequence = 1
        asking.unacknowledged = [
            EncodedResult(
                sequence: 1, type: .promptIssued, request: "r", time: now,
                data: .object([
                    "session": .string("awaitingAnswer"), "sequence": .number(1), "request": .string("r"),
                    "prompt": .string("r.2"),
                    "kind": .string("value"), "parameter": .string("dropOff"), "dialog": .string("Where to?"),
                ]))
        ]
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
            began: Instant(milliseconds: 0)
        )
        session.active?.stageEnds = later(60)
        session.active?.times.step = now
        session.active?.traits.knowsSecrets = true
        change(&session)
        return JournaledSession(session)
    }

    private static var agreement: Prompt {
        Prompt(id: "r.2", intent: "Book", kind: .confirmIntent, dialog: "Book?", summary: "A ride", expires: later(120))
    }

    private static func later(_ seconds: Int) -> Instant { now.advanced(by: .seconds(seconds)) }
}
