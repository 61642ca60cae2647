import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

// Trouble in one partition, and faults that can't be undone.
extension SimulationWorld {
    /// Removes the leader of one partition of a topic for a while, while all persons send requests. Sessions elsewhere
    /// must continue.
    func loseOneLeader(_ random: inout SimulationRandom) {
        let names = topics.all.filter { $0 != topics.catalog }
        let away = TopicPartition(random.pick(names), Int32(random.below(Int(Self.partitions))))
        log.setLeader(of: away, isAway: true)
        countFault("a partition without a leader")
        // With many sessions, the rounds make thousands of decisions.
        for number in 0..<(script.isDense && random.once(in: 4) ? 40 : 8) {
            for session in script.sessions {
                act(session, random.once(in: 4) ? .cancel : .request, 7_000_000 + number, &random)
            }
            if random.once(in: 2) {
                _ = try? log.append(
                    Record(
                        topic: topics.requests, partition: away.partition, key: Bytes("x".utf8), value: Bytes("{".utf8))
                )
            }
            settle()
        }
        advance(seconds: 9, &random)
        if traits.isNarrow {
            // Two decisions whose work waits for the partition delay their owner's input until the work is given up.
            for _ in 0..<Outbound.patience.components.seconds + 2 where isBehind(beside: away) {
                advance(seconds: 1, &random)
            }
        }
        checkProgress(beside: away, "has no leader")
        restoreLeaders()
    }

    /// Floods one partition with more unreadable records than get a dead letter each. Sessions elsewhere must continue,
    /// and dead letters must name all of the records.
    func flood(_ random: inout SimulationRandom) {
        // Version 0.1.0 does not know the answers.
        let inputs = JournalInput.allCases.filter { script.older == nil || $0 != .answers }
        let place = TopicPartition(random.pick(inputs).topic(topics), Int32(random.below(Int(Self.partitions))))
        for _ in 0..<1_100 {
            guard
                let record = try? log.append(
                    Record(topic: place.topic, partition: place.partition, key: Bytes("x".utf8), value: Bytes("{".utf8))
                )
            else { return }
            books.withLedger { $0.deadLetters.insert(unreadable: record) }
        }
        for session in script.sessions { act(session, .request, 8_000_000, &random) }
        settle()
        advance(seconds: 2, &random)
        checkProgress(beside: place, "is flooded")
    }

    /// Advances the clock by seconds, and lets handlers finish their calls.
    private func advance(seconds: Int, _ random: inout SimulationRandom) {
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            settle()
            // Handled work may lead to further work.
            while handlers.waiting > 0 || reportDeferred(&random) {
                while handlers.waiting > 0 { handlers.finish(&random) }
                executor.run()
                settle()
            }
        }
    }

    /// Removes the newest records of a partition's journal, although they were acknowledged. If anything else shows the
    /// loss, nothing may be decided in the partition until an operator has chosen how to continue. Nothing else is
    /// promised.
    func loseJournal(_ random: inout SimulationRandom) {
        let number = Int32(random.below(Int(Self.partitions)))
        let journal = TopicPartition(topics.sessions, number)
        let count = log.records(in: journal).count
        let group = Coordinator.group(topics).id
        books.with { $0.hasLostJournal = true }
        for process in processes where process.coordinator != nil { kill(process, evict: true) }
        let isWhole = random.once(in: 2)
        log.cutTail(of: journal, records: isWhole ? count : random.within(1...max(1, count)))
        if isWhole, random.once(in: 2) { log.removeCommits(group: group) }
        let left = PartitionInspection(
            journal: books.records(in: journal), partition: number, outlining: books.journalOutline,
            reading: books.journalRecord)
        // Positions that were committed before an operator has set others say nothing of the journal.
        let isCommitted =
            cluster.repairs == 0
            && JournalInput.allCases.contains { input in
                let committed = log.committed(group: group)[TopicPartition(input.topic(topics), number)]
                return committed.map { $0.offset > left.inputs[input] ?? 0 } ?? false
            }
        // A journal without any decision knows no result.
        let isReported =
            isWhole
            && books.records(in: TopicPartition(topics.results, number)).contains {
                (try? ReceivedResult($0))?.sequence != nil
            }
        let written = ([topics.results] + topics.work).map { TopicPartition($0, number) }
        let before = written.map { log.records(in: $0).count }
        guard let last = process("c1") else { return }
        start(last)
        guard settle() else {
            return books.withLedger {
                $0.violated(.restless, "a coordinator does not come to rest with a journal that lost records")
            }
        }
        guard let owner = last.coordinator else {
            return books.withLedger {
                $0.violated(.restless, "a coordinator has ended with a journal that lost records")
            }
        }
        let isStopped = owner.stoppedPartitions.contains(number)
        if isCommitted || isReported, !isStopped {
            books.withLedger {
                $0.violated(.lossUnnoticed, "\(journal) has lost what was committed or told, and is served")
            }
        }
        if !isStopped { return }
        if written.map({ log.records(in: $0).count }) != before {
            books.withLedger {
                $0.violated(
                    .lossUnnoticed, "\(journal) has lost records, and its partition is not served, but has written")
            }
        }
        // A check reports the next problem only after the first one is repaired.
        for _ in 0..<3 where repair() { settle() }
        guard settle() else {
            return books.withLedger { $0.violated(.restless, "a repaired coordinator does not come to rest") }
        }
        if last.coordinator?.stoppedPartitions.isEmpty != true {
            books.withLedger { $0.violated(.restless, "\(journal) is repaired, and not served") }
        }
    }

    /// Adds a partition to all topics, which can't be undone. No partition with sessions may be served any more, and
    /// nothing in it may change.
    func grow() {
        cluster.hasGrown = true
        let journals = (0..<Self.partitions).map { TopicPartition(topics.sessions, $0) }
        let before = journals.map { log.records(in: $0).count }
        partitionCount = Self.partitions + 1
        for topic in topics.all { log.addPartitions(to: topic, count: Int(partitionCount)) }
        // A running coordinator learns the new number from its assignment, and ends.
        guard settle(), let last = process("c2"), last.body == nil else {
            return books.withLedger { $0.violated(.restless, "a coordinator goes on although the topics have grown") }
        }
        // A starting coordinator finds the new number, and the old one in the journal.
        kill(last, evict: true)
        start(last)
        guard settle() else {
            return books.withLedger {
                $0.violated(.restless, "the processes don't come to rest after the topics have grown")
            }
        }
        let stopped = last.coordinator?.stoppedPartitions ?? []
        let hasWritten = journals.map { log.records(in: $0).count } != before
        if stopped != Array(0..<Self.partitions) || hasWritten {
            books.withLedger {
                $0.violated(.restless, "the topics have grown, and of the old partitions only \(stopped) are stopped")
            }
        }
        countFault("topics with more partitions than the journal says")
    }
}
