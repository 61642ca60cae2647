package import Conversation
package import IntentEvents
package import IntentModel
package import RecordLog

/// Reads a partition of the journal as its next owner would, and says what that one would find, without changing anything.
package struct JournalCheck: Sendable, Hashable {
    package let partition: Int32
    package let topics: Topics
    package private(set) var replay = JournalReplay()
    package private(set) var records = 0
    /// How many records each format has.
    package private(set) var formats: [Int: Int] = [:]
    /// Records of writers that did not own the partition, and copies.
    package private(set) var void = 0
    /// The times of the newest record, and of the newest one that is no fence.
    package private(set) var newest: Instant?
    package private(set) var newestDecision: Instant?
    /// The positions that the group has committed.
    package var group = GroupPositions()
    /// The loss that a result shows; `nil` if none does.
    private var unknownResult: JournalFinding?
    /// The offset after the last result that shows a loss; 0 if none does.
    private var unknownResultsEnd: Int64 = 0
    /// The newest record of each open session that counts and can be read.
    private var readable: [Identifier: ConsumedRecord] = [:]

    package init(partition: Int32, topics: Topics) {
        self.partition = partition
        self.topics = topics
    }

    /// The next record of the log.
    ///
    /// - Returns: what it is to an owner; `nil` if no coordinator wrote it.
    @discardableResult
    package mutating func apply(_ record: ConsumedRecord) -> JournalContinuity.Verdict? {
        records += 1
        newest = max(newest ?? Instant(milliseconds: 0), Instant(milliseconds: record.timestamp))
        let verdict = replay.apply(record)
        guard let outline = try? JournalOutline(record) else { return verdict }
        formats[outline.stamp.format, default: 0] += 1
        if verdict == .void { void += 1 }
        switch outline.subject {
        case .fence, .forgottenFence: return verdict
        case .positions: break
        // A session that was forgotten and opened again is another one.
        case .session(let id, isOpen: false): if verdict == .valid { readable[id] = nil }
        case .session(let id, isOpen: true):
            if verdict == .valid, (try? outline.session(id, in: record)) != nil { readable[id] = record }
        }
        newestDecision = max(newestDecision ?? Instant(milliseconds: 0), Instant(milliseconds: record.timestamp))
        return verdict
    }

    /// The offset of the results from which on the next owner reads them.
    package var resultsNext: Int64 { replay.stamp?.results ?? 0 }

    /// Looks whether the journal knows a result. Give it results from ``resultsNext`` on that were sent before the journal's end was read, oldest first.
    package mutating func apply(result record: ConsumedRecord) {
        guard let loss = replay.loss(shownBy: record) else { return }
        unknownResult = unknownResult ?? loss
        unknownResultsEnd = record.offset + 1
    }

    /// The offset from which on the owner after a repair reads the results. Results that show a loss are before this offset: otherwise that owner would stop for them
    /// again if the clock of their writer was ahead of the repair's.
    package var resultsNextAfterRepair: Int64 { max(resultsNext, unknownResultsEnd) }

    /// The acknowledged records that the journal has lost; `nil` if nothing shows that.
    package var loss: JournalFinding? { replay.loss(after: group) ?? unknownResult }

    /// The newest record of a session that counts, and whether it can be read.
    package func newestRecord(of session: Identifier) -> (record: ConsumedRecord, isReadable: Bool)? {
        replay.sessions[session].map { ($0, readable[session]?.offset == $0.offset) }
    }

    /// The newest record of a session that counts and can be read.
    package func readableRecord(of session: Identifier) -> ConsumedRecord? { readable[session] }

    /// Results of a session that its newest readable record does not know of are at this offset of the results or later. What is before may belong to
    /// a session with the same id that was forgotten.
    package func resultsStart(of session: Identifier) -> Int64 {
        readable[session].flatMap { try? JournalOutline($0).stamp.results } ?? 0
    }

    /// What an owner would stop for, in the order in which it looks.
    ///
    /// - Parameters:
    ///   - partitions: how many each topic has now; `nil` if that is not known.
    ///   - inputs: those that were looked at.
    package func findings(partitions: Int32?, inputs: [InputLog], at now: Instant) -> [JournalFinding] {
        var findings: [JournalFinding] = []
        if let partitions, let before = replay.otherPartitions(than: partitions) {
            findings.append(.otherPartitions(before: before, now: partitions))
        }
        if let loss { findings.append(loss) }
        findings += replay.overwritten(at: now)
        findings += replay.sessions.sorted { $0.value.offset < $1.value.offset }.compactMap { unreadable($0, $1) }
        for log in inputs {
            var position = replay.position(of: log.input)
            let isOther =
                position.next > log.range.upperBound || log.before.map { position.judge($0) == .otherLog } == true
            guard isOther else { continue }
            findings.append(
                .otherInput(log.input, topic: log.input.topic(topics), next: position.next, range: log.range))
        }
        return findings
    }

    private func unreadable(_ id: Identifier, _ record: ConsumedRecord) -> JournalFinding? {
        if readable[id]?.offset == record.offset { return nil }
        do throws(EventError) {
            let outline = try JournalOutline(record)
            let format = outline.stamp.format
            do throws(EventError) { _ = try outline.session(id, in: record) } catch {
                return .unreadable(
                    session: id, offset: record.offset, problem: error.rejection.message,
                    newerFormat: format > JournalStamp.currentFormat ? format : nil, readableAt: readable[id]?.offset)
            }
        } catch {}
        return nil
    }

    /// Records that no coordinator wrote and that the next owner overwrites, in log order, with what is wrong with them.
    package func harmless(at now: Instant) -> [(offset: Int64, problem: String)] {
        let harmful = Set(
            replay.overwritten(at: now).compactMap {
                if case .overwritten(_, let offset, _) = $0 { offset } else { nil }
            })
        return replay.foreign.values.filter { !harmful.contains($0.record.offset) }
            .map { ($0.record.offset, $0.problem.rejection.message) }.sorted { $0.0 < $1.0 }
    }
}

/// What an input has, as far as a check needs it.
package struct InputLog: Sendable, Hashable {
    package var input: JournalInput
    package var range: Range<Int64>
    /// The record before the position that is looked at, if the log has it.
    package var before: ConsumedRecord?

    package init(_ input: JournalInput, range: Range<Int64>, before: ConsumedRecord?) {
        self.input = input
        self.range = range
        self.before = before
    }
}
