import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Testing

@Suite("A check of the journal finds everything that an owner would stop for") struct JournalCheckTests {
    /// A journal in which an owner has decided twice on session `s`, with results 1 and 2.
    private let log: ScriptedLog

    init() {
        var owner = ScriptedJournal.owning(partitions: 4)
        for sequence in 1...2 { owner.write("s", result: sequence) }
        log = owner.log
    }

    private var check: JournalCheck { JournalCheck(log.records) }

    private func findings(partitions: Int32 = 4, inputs: [InputLog] = []) -> [JournalFinding] {
        check.findings(partitions: partitions, inputs: inputs, at: ScriptedLog.now)
    }

    /// The next owner of a copy of the journal.
    private func successor(partitions: Int32 = 4) -> ScriptedJournal {
        ScriptedJournal(log: ScriptedLog(log.records)).successor(partitions: partitions)
    }

    /// The problem that makes an owner stop the partition; `nil` if the owner serves it.
    private func problem(partitions: Int32 = 4) -> String? { successor(partitions: partitions).problem }

    @Test func `the records of a journal without a problem are counted`() {
        log.records.append(log.records[1])
        log.records[3].offset = 3
        #expect(check.records == 4 && check.void == 1 && check.formats == [1: 4])
        #expect(check.replay.sessions.keys.sorted() == ["s"] && check.replay.fences == ["$fence/1/me"])
        #expect(check.replay.terms.partitions == 4 && findings().isEmpty && problem() == nil)
    }

    @Test(arguments: ["damage", "format", "both records"])
    func `an unreadable session is named with its offset, its format and an older record`(how: String) throws {
        switch how {
        case "damage": log.damage(2, #"{"sequence":"two","updated":1}"#)
        case "format": log.setFormat(3, at: 2)
        default: for index in 1...2 { log.damage(index, "{") }
        }
        let finding = try #require(findings().first)
        #expect(findings().count == 1 && problem()?.contains(finding.description) == true)
        guard case .unreadable("s", 2, _, let format, let readableAt) = finding else {
            Issue.record("\(finding)")
            return
        }
        #expect(format == (how == "format" ? 3 : nil) && readableAt == (how == "both records" ? nil : 1))
        #expect(finding.remedies.contains { $0.hasPrefix("--restore 's'") } == (readableAt != nil))
        #expect(finding.remedies.contains { $0.contains("run the version that wrote format 3") } == (format != nil))
        #expect(finding.remedies.last?.hasPrefix("--forget 's'") == true)
    }

    @Test func `a session is not restored from before its end`() throws {
        var owner = ScriptedJournal(log: log).successor(partitions: 4)
        owner.apply { $0.forget(session: "s") }
        owner.write("s", result: 1)
        log.damage(log.records.count - 1, "{")
        let finding = try #require(findings().first)
        #expect(finding.remedies.count == 1 && finding.remedies[0].hasPrefix("--forget 's'"))
    }

    @Test(arguments: [false, true], [false, true])
    func `a foreign record is a problem only if an owner stops for it`(isOld: Bool, isCovering: Bool) {
        let (age, key) = (isOld ? Int64(Topics.compactionLag) + 1 : 0, isCovering ? "s" : "t")
        log.appendForeign(key: key, timestamp: ScriptedLog.now.milliseconds - age)
        let isProblem = isOld && !isCovering
        #expect((problem() != nil) == isProblem)
        #expect(problem()?.contains("may have overwritten the session 't'") == (isProblem ? true : nil))
        #expect(findings().map { problem()?.contains($0.description) } == (isProblem ? [true] : []))
        #expect(check.harmless(at: ScriptedLog.now).map(\.offset) == (isProblem ? [] : [3]))
        var successor = successor()
        successor.land()
        #expect((successor.log.newest(key)?.value == nil) == (!isOld && !isCovering), "a tombstone, without a session")
    }

    @Test func `another number of partitions is a problem`() {
        let finding = JournalFinding.otherPartitions(before: 4, now: 6)
        #expect(findings(partitions: 6) == [finding])
        #expect(problem(partitions: 6)?.contains(finding.description) == true)
    }

    @Test(
        arguments: [
            (0..<5, 104, false), (2..<90, 104, false), (0..<90, 105, true), (0..<3, nil, true),
            // Retention has removed the record before the position.
            (8..<90, nil, false),
            // The log ends at the position, and the next record will be compared.
            (0..<5, nil, false),
        ] as [(Range<Int64>, Int64?, Bool)])
    func `an input that is another log is a problem`(range: Range<Int64>, timestamp: Int64?, isOther: Bool) throws {
        var stamp = try log.stamps[2]
        (stamp.requests, stamp.lastRequest) = (5, 104)
        log.setStamp(stamp, at: 2)
        let before = timestamp.map { ScriptedJournal.request(at: 4, timestamp: $0) }
        #expect(findings(inputs: [InputLog(.requests, range: range, before: before)]).isEmpty == !isOther)
    }
}

extension JournalCheck {
    /// A check that has read these records.
    init(_ records: [ConsumedRecord]) {
        self.init(partition: 0, topics: Topics())
        for record in records { apply(record) }
    }
}

extension JournalRepair {
    /// Runs the repair on a log, and returns the offset of its change.
    ///
    /// - Parameter append: Appends a record of the repair: the fence, or the change.
    @discardableResult
    mutating func run(
        at now: Instant, reading records: () -> [ConsumedRecord], append: (Record, _ isFence: Bool) throws -> Void
    ) throws -> Int64? {
        func record(_ entry: Entry) -> Record {
            entry.outline.record(value: entry.value, topic: "intents.sessions", partition: 0, at: now)
        }
        var next = check.replay.next
        try append(record(begin()), true)
        while let read = records().first(where: { $0.offset >= next }) {
            next = read.offset + 1
            switch try self.read(read) {
            case .readOn: break
            case .append(let entry): try append(record(entry), false)
            case .done(let offset): return offset
            }
        }
        return nil
    }
}

@Suite("An operator repairs a journal") struct JournalRepairTests {
    private let now = ScriptedLog.now
    /// A journal in which an owner has decided on session `t`, and on session `s` with results 1 and 2. The newest
    /// record of `s` is damaged.
    private let log: ScriptedLog

    init() {
        var owner = ScriptedJournal.owning(partitions: 4)
        owner.apply { $0[.requests] = InputPosition(next: 5, last: 104) }
        owner.apply { $0[.outcomes] = InputPosition(next: 3, last: 103) }
        owner.write("t", result: 1)
        for sequence in 1...2 { owner.write("s", result: sequence) }
        log = owner.log
        let active = #""request":{"id":"r","intent":"Book"},"stage":"handling","parameters":{"pin":"1234"}"#
        log.damage(3, #"{"sequence":"two","active":{\#(active)}}"#)
    }

    private func repair(_ change: JournalRepair.Change, in other: ScriptedLog? = nil) -> JournalRepair {
        JournalRepair(change, JournalCheck((other ?? log).records), owner: "repair-1")
    }

    /// Runs a repair on the log.
    ///
    /// - Parameters:
    ///   - before: Changes the log before the fence is written.
    ///   - between: Changes the log between the repair's fence and its change.
    @discardableResult
    private func run(
        _ change: JournalRepair.Change, in other: ScriptedLog? = nil, before: () -> Void = {}, between: () -> Void = {}
    ) throws -> Int64? {
        let log = other ?? log
        var repair = repair(change, in: log)
        return try repair.run(at: now, reading: { log.records }) { record, isFence in
            if isFence { before() } else { between() }
            log.append(record)
        }
    }

    private func successor(results: [ConsumedRecord] = []) -> ScriptedJournal {
        ScriptedJournal(log: log).successor("successor", partitions: 4, results: results)
    }

    @Test func `a session that can't be read is forgotten, and the next owner serves the others`() throws {
        #expect(successor().problem != nil)
        #expect(try run(.forget("s")) == log.next - 1)
        let successor = successor()
        #expect(successor.problem == nil && successor.takeover?.sessions.map(\.session.id) == ["t"])
        #expect(successor.journal[.requests] == InputPosition(next: 5, last: 104))
        #expect(successor.journal[.outcomes] == InputPosition(next: 3, last: 103))
        // The fence has the terms of the previous fence.
        let written = try log.records.filter { try JournalOutline($0).stamp.owner == "repair-1" }
        #expect(written.contains { FenceTerms($0.value).partitions == 4 })
    }

    @Test func `consequences are described without values`() {
        let said = repair(.forget("s")).consequences.joined()
        #expect(said.contains("its request 'r' (Book) is in the stage 'handling'") && !said.contains("1234"))
        let restored = repair(.restore("s", told: 2)).consequences.joined()
        #expect(restored.contains("as it was at offset 2") && restored.contains("up to offset 3, are lost"))
        #expect(restored.contains("has the number 3"))
    }

    @Test func `a session continues with its newest readable record, and its next result has a new number`() throws {
        try run(.restore("s", told: 2))
        let successor = successor(results: [1, 2].map { ScriptedJournal.resultRecord($0) })
        #expect(repair(.restore("s", told: 2)).check.resultsStart(of: "s") == 0)
        #expect(successor.takeover?.sessions.first { $0.session.id == "s" }?.session.sequence == 2)
        #expect(successor.sent == ["result 1 of t"])
    }

    @Test func `an unsent result of the restored record is sent`() throws {
        try run(.restore("s", told: 0))
        #expect(successor().sent.sorted() == ["result 1 of s", "result 1 of t"])
    }

    @Test(arguments: [0, 2, 9] as [Int64])
    func `an input continues at the operator's position, for all later owners`(next: Int64) throws {
        try run(.forget("s"))
        try run(.inputs([.requests: InputPosition(next: next, last: nil)]))
        var first = successor()
        #expect(first.journal[.requests].next == next && first.journal[.outcomes] == InputPosition(next: 3, last: 103))
        first.write("t", result: 2)
        #expect(successor().journal[.requests].next == next)
        // The second change.
        try run(.inputs([.requests: InputPosition(next: 1), .outcomes: InputPosition(next: 0)]))
        let last = successor()
        #expect(last.journal[.requests].next == 1 && last.journal[.outcomes].next == 0)
        #expect(try log.stamps.last?.inputs == 2)
    }

    @Test func `an open record before the new position stays open`() throws {
        var owner = ScriptedJournal.owning(partitions: 4)
        owner.consume(0..<5)
        for offset in [1, 4] as [Int64] { owner.apply { $0.leaveOpen(offset, of: .requests) } }
        owner.write("t", result: 1)
        try run(.inputs([.requests: InputPosition(next: 3)]), in: owner.log)
        #expect(owner.successor(partitions: 4).journal[.requests].open == [1])
    }

    @Test func `the positions that were set survive compaction, whichever records it leaves`() throws {
        try run(.inputs([.requests: InputPosition(next: 1)]))
        for index in log.records.indices.dropLast() {
            let compacted = ScriptedLog(log.records)
            compacted.records.remove(at: index)
            let stamp = compacted.replay().stamp
            #expect(stamp?.requests == 1 && stamp?.inputs == 1, "without \(index)")
        }
    }

    @Test(arguments: ["before", "after"])
    func `a coordinator that is quicker keeps the partition, and nothing is changed`(when: String) throws {
        /// Writes the fence of a coordinator that has not read the repair's fence, which has the same epoch.
        func fence() {
            var other = ScriptedJournal(owner: "quick", partitions: 4, log: log)
            other.apply { $0.takeOver() }
            other.read()
            other.reachEnd()
            other.land()
        }
        #expect(throws: JournalProblem.self) {
            try run(.forget("s"), before: when == "before" ? fence : {}, between: when == "after" ? fence : {})
        }
        let replay = log.replay()
        #expect(replay.owner == "quick" && replay.sessions["s"]?.offset == 3)
        #expect(successor().problem?.contains("the session 's' can't be read at offset 3") == true)
    }

    @Test func `an owner that is fenced off by a repair sends nothing more, and its records do not count`() throws {
        var owner = ScriptedJournal.owning(partitions: 4)
        try run(.inputs([.requests: InputPosition(next: 7)]), in: owner.log)
        owner.write("s", result: 1)
        owner.acknowledge(owner.log.records.count - 1)
        owner.read(from: 1)
        #expect(owner.sent.isEmpty && !owner.journal.isOwned)
        let successor = owner.successor(partitions: 4)
        #expect(successor.takeover?.sessions.isEmpty == true && successor.journal[.requests].next == 7)
    }

    @Test func `an impossible change is refused before anything is written`() {
        for (change, reason) in [
            (.forget("nobody"), "'nobody'"), (.restore("nobody", told: 0), "'nobody'"),
            (.restore("t", told: 0), "nothing to restore"),
        ] as [(JournalRepair.Change, String)] {
            var repair = repair(change)
            let problem = #expect(throws: JournalProblem.self) { try repair.begin() }
            #expect(problem?.description.contains(reason) == true)
        }
    }

    @Test func `a partition at work is left alone, unless the operator insists`() {
        let finding = JournalFinding.otherPartitions(before: 1, now: 2)
        let later = now.advanced(by: .seconds(61))
        #expect(repair(.forget("s")).objection([], at: now)?.contains("a coordinator is at work there") == true)
        #expect(repair(.forget("s")).objection([], at: later) == nil)
        #expect(repair(.forget("s")).objection([finding], at: now) == nil)
        #expect(repair(.forget("t")).objection([finding], at: later)?.contains("intents session end") == true)
        // The tool is older than the coordinators.
        log.setFormat(3, at: 3)
        let newer = repair(.forget("s"))
        let findings = newer.check.findings(partitions: 4, inputs: [], at: now)
        #expect(newer.objection(findings, at: now)?.contains("use the tool of that version") == true)
        #expect(newer.objection(findings, at: later) == nil)
    }
}
