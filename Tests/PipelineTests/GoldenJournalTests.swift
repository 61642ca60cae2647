import Conversation
import Foundation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Journals of released formats are read forever")
struct GoldenJournalTests {
    private static let current = "journal-format-\(JournalStamp.currentFormat)"
    private static let stages = [
        "awaitingAnswer", "awaitingConfirmation", "confirming", "handedOff", "handling", "idle", "inProgress",
        "resolving",
    ]

    /// The stamps of version 0.1.0 had neither a format nor the timestamps of the records before the positions.
    private func isOld(_ name: String) -> Bool { name == "journal-0.1.0" }

    @Test("what is written today is the newest file; a change needs a new format and a new file")
    func newest() throws {
        let file = GoldenJournal.file(Self.current)
        // A file is written once for each format and never changed.
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write", !FileManager.default.fileExists(atPath: file.path)
        {
            try Data(GoldenJournal.current.text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == GoldenJournal.current.text)
        #expect(try GoldenJournal.stored.count == JournalStamp.currentFormat + 1)
    }

    @Test("its sessions, positions and unacknowledged results are as they were", arguments: try GoldenJournal.stored)
    func replay(name: String) throws {
        let journal = try GoldenJournal(named: name)
        var replay = JournalReplay()
        for record in journal.records { #expect(replay.apply(record) == .valid, "offset \(record.offset)") }
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

    @Test(
        "its next owner sends what was not sent, and goes on with a conversation", arguments: try GoldenJournal.stored)
    func goesOn(name: String) async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        for record in try GoldenJournal(named: name).records {
            try pipeline.log.append(
                Record(
                    topic: pipeline.topics.sessions, partition: 0, key: record.key, value: record.value,
                    headers: record.headers,
                    timestamp: record.timestamp))
        }
        for (topic, position) in [
            (pipeline.topics.requests, GoldenJournal.requests), (pipeline.topics.outcomes, GoldenJournal.outcomes),
        ] {
            for _ in 0..<position.next {
                try pipeline.log.append(
                    .init(topic: topic, partition: 0, key: nil, value: nil, timestamp: position.last))
            }
        }
        for _ in 0..<2 {
            try pipeline.log.append(
                .init(topic: pipeline.topics.results, partition: 0, key: Array("ended".utf8), value: nil))
        }
        try pipeline.startAll()
        try await pipeline.settle()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        #expect(coordinator.counters.partitionsStopped == 0 && coordinator.openSessions == Self.stages.count)
        func results() throws -> [ReceivedResult] {
            try pipeline.log.records(in: pipeline.topics.results).dropFirst(2).map { try ReceivedResult($0) }
                .filter { $0.session == "awaitingAnswer" }
        }
        for value in [JSON.string("Airport"), nil] {
            let prompt = try #require(try results().compactMap(\.prompt).last)
            try pipeline.send(
                .answered(Answer(prompt: prompt, action: .accept, value: value)), session: "awaitingAnswer", id: prompt)
            try await pipeline.settle()
        }
        let results = try results()
        #expect(results.map(\.line) == ["prompt value dropOff", "prompt confirmIntent -", "completed success success"])
        #expect(results.map(\.sequence) == [1, 2, 3])
    }
}
