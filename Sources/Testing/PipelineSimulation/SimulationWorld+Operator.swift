import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

// The operator, who does what `intents journal check` and `intents journal repair` do, and restarts coordinators.
extension SimulationWorld {
    /// Repairs the stopped partitions, and restarts the coordinators that have stopped them.
    ///
    /// - Returns: `true` if a partition was stopped.
    @discardableResult
    func repair() -> Bool {
        let stopped = processes.filter { $0.coordinator?.stoppedPartitions.isEmpty == false }
        for number in Set(stopped.flatMap { $0.coordinator?.stoppedPartitions ?? [] }).sorted() { repair(number) }
        for process in stopped {
            kill(process, evict: true)
            start(process)
        }
        return !stopped.isEmpty
    }

    /// Returns the problems of a partition's journal.
    func check(_ number: Int32) -> (check: JournalCheck, findings: [JournalFinding]) {
        var check = JournalCheck(partition: number, topics: topics)
        for record in books.records(in: TopicPartition(topics.sessions, number)) { check.apply(record) }
        check.group = GroupPositions(
            log.committed(group: Coordinator.group(topics).id), partition: number, topics: topics)
        for record in books.records(in: TopicPartition(topics.results, number)) where record.offset >= check.resultsNext
        {
            check.apply(result: record)
        }
        let inputs = JournalInput.allCases.compactMap { input($0, number, before: check.replay.position(of: $0).next) }
        // An owner's clock may be ahead.
        let now = processes.map(\.clock.now).max() ?? clock.now
        return (check, check.findings(partitions: Self.partitions, inputs: inputs, at: now))
    }

    /// Returns the range of an input and the record before the position; `nil` while the input has no leader.
    private func input(_ input: JournalInput, _ number: Int32, before offset: Int64) -> InputLog? {
        let place = TopicPartition(input.topic(topics), number)
        guard let range = try? log.client(ClientConfiguration(clientID: "operator")).range(of: place) else {
            return nil
        }
        return InputLog(input, range: range, before: record(place, offset - 1))
    }

    /// Returns whether all partitions of a topic have leaders, so that the operator can see their records.
    func hasLeaders(_ topic: String) -> Bool {
        let client = log.client(ClientConfiguration(clientID: "operator"))
        return (0..<Self.partitions).allSatisfy { (try? client.range(of: TopicPartition(topic, $0))) != nil }
    }

    private func record(_ place: TopicPartition, _ offset: Int64) -> ConsumedRecord? {
        log.records(in: place).first { $0.offset == offset }
    }

    private func repair(_ number: Int32) {
        books.with { _ in }
        // Every repair removes a problem.
        for _ in 0..<20 {
            let found = check(number)
            guard let finding = found.findings.first, let change = change(finding, found.check) else { return }
            write(change, found.check)
        }
        books.withLedger { $0.violated(.restless, "repairs of partition \(number) don't end") }
    }

    private func change(_ finding: JournalFinding, _ check: JournalCheck) -> JournalRepair.Change? {
        switch finding {
        case .unreadable(let session, _, _, _, readableAt: .some):
            countFault("a session that can't be read, and is restored")
            let lastSent = lastResult(of: session.text, check)
            let known = check.readableRecord(of: session).flatMap {
                try? JournalOutline($0).session(session, in: $0).session.sequence
            }
            books.with { $0.restore(session.text, lastSent: lastSent, known: known ?? lastSent) }
            return .restore(session, told: lastSent)
        case .unreadable(let session, _, _, _, readableAt: nil):
            countFault("a session that can't be read, and is forgotten")
            let tickets = self.tickets(of: session.text, check.partition)
            books.withLedger { ledger in
                ledger.loseRequests(of: session.text)
                ledger.deadLetters.forget(tickets)
            }
            return .forget(session)
        case .overwritten(let session, _, _):
            countFault("a session that may have been overwritten, and is forgotten")
            return .forget(session)
        case .otherInput(let input, let topic, _, let range):
            countFault("other \(input.rawValue), and a new position in them")
            let place = TopicPartition(topic, check.partition)
            // A journal that has lost the operator's repair knows the log that was there before.
            let end = books.withLedger(\.hasLostJournal) ? range.upperBound : nil
            guard let next = cluster.cuts.removeValue(forKey: place) ?? end else {
                books.withLedger { $0.violated(.restless, "\(place) is said to be another log, and is not") }
                return nil
            }
            let position = InputPosition(next: next, last: record(place, next - 1).map(\.timestampMark))
            return .inputs([input: position])
        case .otherPartitions: return nil
        case .behindResults where hasSkewedClocks:
            // A coordinator whose clock was ahead has dated a result, and its journal records were overwritten since.
            // No decision is lost that could be repeated.
            return .repeatLost
        case _ where finding.isLoss && !books.withLedger(\.hasLostJournal):
            books.withLedger {
                $0.violated(.restless, "the journal is said to have lost records, and has not: \(finding)")
            }
            return nil
        case .behindGroup(let known, let committed):
            countFault("a journal that lost records, and whose input is skipped")
            var positions: [JournalInput: InputPosition] = [:]
            for input in JournalInput.allCases {
                let wanted = committed[input] ?? known[input] ?? 0
                // Before a repair of the input, the group may have committed a position beyond the input's end.
                guard let log = self.input(input, check.partition, before: wanted) else { return nil }
                let next = min(max(wanted, log.range.lowerBound), log.range.upperBound)
                let before = record(TopicPartition(input.topic(topics), check.partition), next - 1)
                positions[input] = InputPosition(next: next, last: before.map(\.timestampMark))
            }
            return .inputs(positions)
        case .behindResults:
            countFault("a journal that lost records, and decides again")
            return .repeatLost
        }
    }

    /// Returns the tickets of the work that a session has sent so far.
    private func tickets(of session: String, _ number: Int32) -> Set<Ticket> {
        let topics = [topics.resolve, topics.confirm, topics.handle, topics.handleInApp]
        let work = topics.flatMap { books.records(in: TopicPartition($0, number)) }.filter {
            $0.key == Bytes(session.utf8)
        }
        return Set(work.compactMap { try? WorkEvent($0).work.item?.ticket })
    }

    /// Returns the number of the session's last result, as the tool finds it; 0 if there is none.
    private func lastResult(of session: String, _ check: JournalCheck) -> Int {
        let start = check.resultsStart(of: Identifier(session))
        let records = books.records(in: TopicPartition(topics.results, check.partition)).filter {
            $0.offset >= start && $0.key == Bytes(session.utf8)
        }
        var (last, timestamp) = (0, Int64.min)
        for record in records {
            guard let sequence = (try? ReceivedResult(record))?.sequence else { continue }
            if sequence > last || sequence == 1 && record.timestamp > timestamp {
                (last, timestamp) = (sequence, record.timestamp)
            }
        }
        return last
    }

    /// Appends the fence, and the change after the fence is read.
    private func write(_ change: JournalRepair.Change, _ check: JournalCheck) {
        let journal = TopicPartition(topics.sessions, check.partition)
        cluster.repairs += 1
        var repair = JournalRepair(change, check, owner: "repair-\(cluster.repairs)")
        do throws(JournalProblem) {
            var next = check.replay.next
            let fence = try repair.begin()
            append(fence.outline, fence.value, to: check.partition)
            while let record = books.records(in: journal).first(where: { $0.offset >= next }) {
                next = record.offset + 1
                switch try repair.read(record) {
                case .readOn: break
                case .append(let entry): append(entry.outline, entry.value, to: check.partition)
                case .done: return
                }
            }
            books.withLedger { $0.violated(.restless, "a repair of partition \(check.partition) has not ended") }
        } catch {
            books.withLedger { $0.violated(.restless, "partition \(check.partition) can't be repaired: \(error)") }
        }
    }
}
