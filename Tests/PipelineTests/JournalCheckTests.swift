import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Testing

@Suite("What a check of the journal finds is what an owner would stop for")
struct JournalCheckTests {
    private static let topics = Topics()
    private static let now = ScriptedJournal().now

    /// A journal in which an owner has decided twice on session `s`, with results 1 and 2.
    private func journal() -> [ConsumedRecord] {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal(partitions: 4)
        owner.takeOver(&log)
        for sequence in 1...2 { owner.decide("s", result: sequence) }
        owner.land(in: &log)
        return log
    }

    private func check(_ log: [ConsumedRecord]) -> JournalCheck {
        var check = JournalCheck(partition: 0, topics: Self.topics)
        for record in log { check.apply(record) }
        return check
    }

    private func findings(_ log: [ConsumedRecord], partitions: Int32 = 4, inputs: [InputLog] = []) -> [JournalFinding] {
        check(log).findings(partitions: partitions, inputs: inputs, at: Self.now)
    }

    /// The problem that makes an owner stop the partition; `nil` if the owner serves it.
    private func problem(_ log: [ConsumedRecord], partitions: Int32 = 4) -> String? {
        var log = log
        var owner = ScriptedJournal(owner: "you", partitions: partitions)
        owner.takeOver(&log)
        return owner.problem
    }

    @Test("a journal without a problem: what it has is counted")
    func healthy() {
        var log = journal()
        var copy = log[1]
        copy.offset = 3
        log.append(copy)
        let check = check(log)
        #expect(check.records == 4 && check.void == 1 && check.formats == [1: 4])
        #expect(
            check.replay.sessions.keys.sorted() == ["s"] && check.replay.fences == ["$fence/1/me"]
                && check.replay.terms.partitions == 4)
        #expect(findings(log).isEmpty && problem(log) == nil)
    }

    @Test(
        "a session that can't be read: where, why, and which older record can",
        arguments: ["damage", "format", "both records"])
    func unreadable(how: String) throws {
        var log = journal()
        switch how {
        case "damage": log.damage(2, #"{"sequence":"two","updated":1}"#)
        case "format": log.setFormat(2, at: 2)
        default:
            log.damage(2, "{")
            log.damage(1, "{")
        }
        let finding = try #require(findings(log).first)
        #expect(findings(log).count == 1)
        #expect(problem(log)?.contains(finding.description) == true)
        guard case .unreadable("s", 2, _, let format, let readableAt) = finding else {
            Issue.record("\(finding)")
            return
        }
        #expect(format == (how == "format" ? 2 : nil) && readableAt == (how == "both records" ? nil : 1))
        #expect(finding.remedies.contains { $0.hasPrefix("--restore 's'") } == (readableAt != nil))
        #expect(finding.remedies.contains { $0.contains("run the version that wrote format 2") } == (format != nil))
        #expect(finding.remedies.last?.hasPrefix("--forget 's'") == true)
    }

    @Test("a session is not restored from before its end")
    func anotherSession() throws {
        var log = journal()
        var owner = ScriptedJournal(owner: "you", partitions: 4)
        owner.takeOver(&log)
        owner.tell { $0.forget(session: "s") }
        owner.decide("s", result: 1)
        owner.land(in: &log)
        log.damage(log.count - 1, "{")
        let finding = try #require(findings(log).first)
        #expect(finding.remedies.count == 1 && finding.remedies[0].hasPrefix("--forget 's'"))
    }

    @Test(
        "a record that no coordinator wrote is a problem only where an owner stops for it", arguments: [false, true],
        [false, true])
    func foreign(isOld: Bool, isCovering: Bool) {
        var log = journal()
        let age = isOld ? Int64(Topics.compactionLag) + 1 : 0
        log.append(
            Record(
                topic: "intents.sessions", partition: 0, key: Array((isCovering ? "s" : "t").utf8),
                value: Array("garbage".utf8),
                timestamp: Self.now.milliseconds - age))
        let isProblem = isOld && !isCovering
        #expect((problem(log) != nil) == isProblem)
        #expect(findings(log).map { problem(log)?.contains($0.description) } == (isProblem ? [true] : []))
        #expect(check(log).harmless(at: Self.now).map(\.offset) == (isProblem ? [] : [3]))
    }

    @Test("another number of partitions")
    func grown() {
        #expect(findings(journal(), partitions: 6) == [.otherPartitions(before: 4, now: 6)])
        #expect(
            problem(journal(), partitions: 6)?.contains(JournalFinding.otherPartitions(before: 4, now: 6).description)
                == true)
    }

    @Test("an input that is another log: it ends below the position, or has another record before it")
    func inputs() throws {
        var log = journal()
        var stamp = try JournalOutline(log[2]).stamp
        (stamp.requests, stamp.lastRequest) = (5, 104)
        log[2].headers = [RecordHeader("intents-journal", stamp.description)]
        func other(_ range: Range<Int64>, at offset: Int64 = 4, _ timestamp: Int64?) -> Bool {
            let before = timestamp.map {
                ConsumedRecord(
                    topic: "intents.requests", partition: 0, offset: offset, timestamp: $0, key: nil, value: nil,
                    headers: [])
            }
            return !findings(log, inputs: [InputLog(.requests, range: range, before: before)]).isEmpty
        }
        #expect(!other(0..<5, 104))
        #expect(!other(2..<90, 104))
        #expect(other(0..<90, 105))
        #expect(other(0..<3, nil))
        // Retention has removed the record before the position.
        #expect(!other(8..<90, nil))
        // The log ends at the position, and the next record will be compared.
        #expect(!other(0..<5, nil))
    }
}

extension [ConsumedRecord] {
    mutating func damage(_ index: Int, _ value: String) { self[index].value = Array<UInt8>(value.utf8) }

    /// Changes the format in the record's stamp.
    mutating func setFormat(_ format: Int, at index: Int) {
        guard var stamp = try? JournalOutline(self[index]).stamp else { return }
        stamp.format = format
        self[index].headers = [RecordHeader("intents-journal", stamp.description)]
    }
}
