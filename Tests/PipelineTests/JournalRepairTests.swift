import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Testing

@Suite("An operator repairs a journal")
struct JournalRepairTests {
    private let now = ScriptedJournal().now

    /// A journal in which an owner has decided on session `t`, and on session `s` with results 1 and 2. The newest
    /// record of `s` is damaged.
    private func journal() -> [ConsumedRecord] {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal(partitions: 4)
        owner.takeOver(&log)
        owner.tell { $0.requests = InputPosition(next: 5, last: 104) }
        owner.tell { $0.outcomes = InputPosition(next: 3, last: 103) }
        owner.decide("t", result: 1)
        for sequence in 1...2 { owner.decide("s", result: sequence) }
        owner.land(in: &log)
        log.damage(
            3,
            #"{"sequence":"two","active":{"request":{"id":"r","intent":"Book"},"stage":"handling","parameters":{"pin":"1234"}}}"#
        )
        return log
    }

    private func repair(_ change: JournalRepair.Change, _ log: [ConsumedRecord], owner: Identifier = "repair-1")
        -> JournalRepair
    {
        var check = JournalCheck(partition: 0, topics: Topics())
        for record in log { check.apply(record) }
        return JournalRepair(change, check, owner: owner)
    }

    /// Runs a repair on the log.
    ///
    /// - Parameters:
    ///   - before: Changes the log before the fence is written.
    ///   - between: Changes the log between the repair's fence and its change.
    @discardableResult
    private func run(
        _ change: JournalRepair.Change, _ log: inout [ConsumedRecord],
        before: (inout [ConsumedRecord]) -> Void = { _ in },
        between: (inout [ConsumedRecord]) -> Void = { _ in }
    ) throws -> Int64? {
        var repair = repair(change, log)
        var next = log.count
        let fence = try repair.begin()
        before(&log)
        log.append(fence, at: now)
        while next < log.count {
            let record = log[next]
            next += 1
            switch try repair.read(record) {
            case .readOn: break
            case .append(let entry):
                between(&log)
                log.append(entry, at: now)
            case .done(let offset): return offset
            }
        }
        return nil
    }

    private func successor(_ log: inout [ConsumedRecord], results: [ConsumedRecord] = []) -> ScriptedJournal {
        var successor = ScriptedJournal(owner: "successor", partitions: 4)
        successor.takeOver(&log, results: results)
        return successor
    }

    @Test("a session that can't be read is forgotten, and the next owner goes on with the others")
    func forget() throws {
        var log = journal()
        #expect(successor(&log).problem != nil)
        #expect(try run(.forget("s"), &log) == Int64(log.count) - 1)
        let successor = successor(&log)
        #expect(successor.problem == nil && successor.takeover?.sessions.map(\.session.id) == ["t"])
        #expect(successor.journal.requests == InputPosition(next: 5, last: 104))
        #expect(successor.journal.outcomes == InputPosition(next: 3, last: 103))
        // The fence has the terms of the previous fence.
        #expect(
            try log.contains {
                try JournalOutline($0).stamp.owner == "repair-1" && FenceTerms($0.value).partitions == 4
            })
    }

    @Test("what is lost is said without values")
    func consequences() {
        let said = repair(.forget("s"), journal()).consequences.joined()
        #expect(said.contains("its request 'r' (Book) is in the stage 'handling'"))
        #expect(!said.contains("1234"))
        let restored = repair(.restore("s", told: 2), journal()).consequences.joined()
        #expect(restored.contains("as it was at offset 2") && restored.contains("up to offset 3, are lost"))
        #expect(restored.contains("has the number 3"))
    }

    @Test("a session goes on with its newest record that can be read, and its next result has a new number")
    func restore() throws {
        var log = journal()
        let results = (1...2).map { ScriptedJournal.record(ScriptedJournal.result($0, of: "s", at: now), of: "s") }
        try run(.restore("s", told: 2), &log)
        let successor = successor(&log, results: results)
        #expect(repair(.restore("s", told: 2), log).check.resultsStart(of: "s") == 0)
        let session = try #require(successor.takeover?.sessions.first { $0.session.id == "s" })
        #expect(session.session.sequence == 2)
        #expect(successor.sent == ["result 1 of t"])
    }

    @Test("a result of the restored record that was not sent is sent")
    func unsent() throws {
        var log = journal()
        try run(.restore("s", told: 0), &log)
        #expect(successor(&log).sent.sorted() == ["result 1 of s", "result 1 of t"])
    }

    @Test(
        "an input continues where the operator says, back or forth, for all owners after that",
        arguments: [0, 2, 9] as [Int64])
    func inputs(next: Int64) throws {
        var log = journal()
        try run(.forget("s"), &log)
        try run(.inputs([.requests: InputPosition(next: next, last: nil)]), &log)
        var first = successor(&log)
        #expect(first.journal.requests.next == next && first.journal.outcomes == InputPosition(next: 3, last: 103))
        first.decide("t", result: 2)
        first.land(in: &log)
        #expect(successor(&log).journal.requests.next == next)
        // The second change.
        try run(.inputs([.requests: InputPosition(next: 1), .outcomes: InputPosition(next: 0)]), &log)
        let last = successor(&log)
        #expect(last.journal.requests.next == 1 && last.journal.outcomes.next == 0)
        #expect(try #require(log.last.map { try JournalOutline($0) }).stamp.inputs == 2)
    }

    @Test("what still has to be told of records before the new position stays to be told")
    func open() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal(partitions: 4)
        owner.takeOver(&log)
        for offset in 0..<5 as Range<Int64> { owner.tell { $0.requests.take(ScriptedJournal.request(at: offset)) } }
        for offset in [1, 4] as [Int64] { owner.tell { $0.leaveOpen(offset, of: .requests) } }
        owner.decide("t", result: 1)
        owner.land(in: &log)
        try run(.inputs([.requests: InputPosition(next: 3)]), &log)
        #expect(successor(&log).journal.requests.open == [1])
    }

    @Test("the positions that were set survive compaction, whichever records it leaves")
    func compacted() throws {
        var log = journal()
        try run(.inputs([.requests: InputPosition(next: 1)]), &log)
        for index in log.indices.dropLast() {
            var compacted = log
            compacted.remove(at: index)
            var replay = JournalReplay()
            for record in compacted { replay.apply(record) }
            #expect(replay.stamp?.requests == 1 && replay.stamp?.inputs == 1, "without \(index)")
        }
    }

    @Test(
        "a coordinator that is quicker keeps the partition, and nothing is changed",
        arguments: ["before the fence", "after the fence"])
    func quicker(when: String) throws {
        var log = journal()
        func fence(_ log: inout [ConsumedRecord]) {
            var other = ScriptedJournal(owner: "quick", partitions: 4)
            other.tell { $0.takeOver() }
            // A coordinator that has not read the repair's fence writes a fence of the same epoch.
            other.read(log[...])
            other.tell { $0.reachedEnd(of: .journal, next: Int64(log.count)) }
            other.land(in: &log)
        }
        #expect(throws: JournalProblem.self) {
            if when == "before the fence" {
                try run(.forget("s"), &log, before: fence)
            } else {
                try run(.forget("s"), &log, between: fence)
            }
        }
        var replay = JournalReplay()
        for record in log { replay.apply(record) }
        #expect(replay.owner == "quick" && replay.sessions["s"]?.offset == 3)
        #expect(successor(&log).problem?.contains("the session 's' can't be read at offset 3") == true)
    }

    @Test("an owner that is fenced off by a repair sends nothing more, and what it writes does not count")
    func activeOwner() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal(partitions: 4)
        owner.takeOver(&log)
        try run(.inputs([.requests: InputPosition(next: 7)]), &log)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        owner.tell { $0.acknowledged(at: Int64(log.count) - 1) }
        owner.read(log[1...])
        #expect(owner.sent.isEmpty && !owner.journal.isOwned)
        let successor = successor(&log)
        #expect(successor.takeover?.sessions.isEmpty == true && successor.journal.requests.next == 7)
    }

    @Test("what can't be done is refused before anything is written")
    func refused() {
        let log = journal()
        for change in [JournalRepair.Change.forget("nobody"), .restore("nobody", told: 0), .restore("t", told: 0)] {
            var repair = repair(change, log)
            do throws(JournalProblem) {
                _ = try repair.begin()
                Issue.record("\(change) was not refused")
            } catch {
                #expect(
                    error.description.contains(change == .restore("t", told: 0) ? "nothing to restore" : "'nobody'"))
            }
        }
    }

    @Test("a partition at work is left alone, unless the operator insists")
    func objections() {
        var log = journal()
        let finding = JournalFinding.otherPartitions(before: 1, now: 2)
        let later = now.advanced(by: .seconds(61))
        #expect(repair(.forget("s"), log).objection([], at: now)?.contains("a coordinator is at work there") == true)
        #expect(repair(.forget("s"), log).objection([], at: later) == nil)
        #expect(repair(.forget("s"), log).objection([finding], at: now) == nil)
        #expect(repair(.forget("t"), log).objection([finding], at: later)?.contains("intents session end") == true)
        // The tool is older than the coordinators.
        log.setFormat(2, at: 3)
        let newer = repair(.forget("s"), log)
        let findings = newer.check.findings(partitions: 4, inputs: [], at: now)
        #expect(newer.objection(findings, at: now)?.contains("use the tool of that version") == true)
        #expect(newer.objection(findings, at: later) == nil)
    }
}

extension [ConsumedRecord] {
    fileprivate mutating func append(_ entry: JournalRepair.Entry, at now: Instant) {
        append(entry.outline.record(value: entry.value, topic: "intents.sessions", partition: 0, at: now))
    }
}
