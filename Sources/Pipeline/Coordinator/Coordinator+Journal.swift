import Conversation
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Does what the journal of a partition says.
extension Coordinator {
    /// Tells a partition's journal what happened, and does what follows from it.
    func tell(_ partition: OwnedPartition, _ event: (inout PartitionJournal) -> Void) throws(LogError) {
        event(&partition.journal)
        try perform(partition)
    }

    /// Does what a partition's journal wants done, in order.
    func perform(_ partition: OwnedPartition) throws(LogError) {
        // One action may lead to further ones, which come after those that are there.
        guard !partition.journal.actions.isEmpty, !partition.isPerforming else { return }
        partition.isPerforming = true
        defer {
            partition.isPerforming = false
            partition.journal.actions.removeAll(keepingCapacity: true)
        }
        var index = 0
        while index < partition.journal.actions.count {
            try perform(partition.journal.actions[index], partition)
            index += 1
        }
    }

    private func perform(_ action: JournalAction, _ partition: OwnedPartition) throws(LogError) {
        switch action {
        case .append(let outline, let value):
            outbound.send(
                outline.record(value: value, topic: topics.sessions, partition: partition.number, at: now),
                token: Token.make(.journal, partition))
        case .send(let effect, let session, let place): try send(effect, session, place, partition)
        case .acknowledged(let session, let sequence):
            if let entry = partition.sessions[session] {
                entry.journaled.unacknowledged.removeAll { $0.sequence <= sequence }
            }
            if let overfull = partition.input.overfull, hasRoom(overfull) {
                partition.input.overfull = nil
                try resumeInput(partition)
            }
        case .read(let source, let start):
            partition.readingSince[source] = steps
            try client.read(place(source, partition), from: start)
        case .stopReading(let source): try client.stopReading(place(source, partition))
        case .begin(let takeover): try begin(takeover, partition)
        case .rewrite(let id):
            guard try read(id, partition) else { return }
            if let entry = partition.sessions[id] {
                partition.journal.append(
                    session: id, value: JournalRecord.value(of: &entry.journaled), format: entry.format)
            } else if let remains = partition.sessions.forgotten[id] {
                append(remains, of: id, partition)
            } else {
                partition.journal.forget(session: id)
            }
        case .tell(let notice): tell(notice, partition)
        case .lose(let stamp):
            partition.empty()
            leaveUnsent(of: partition)
            try stopLooking(partition)
            logger.warning(
                "another coordinator took the partition over",
                metadata: ["partition": "\(partition.number)", "epoch": "\(stamp.epoch)", "owner": "\(stamp.owner)"])
        case .reclaim: reclaim(partition)
        case .stop(let problem):
            partition.empty()
            leaveUnsent(of: partition)
            try stopLooking(partition)
            counters.partitionsStopped += 1
            try pause(partition)
            logger.error(
                "a partition is not served", metadata: ["partition": "\(partition.number)", "problem": "\(problem)"])
        case .fail(let error): throw error
        }
    }

    private func place(_ source: JournalSource, _ partition: OwnedPartition) -> TopicPartition {
        TopicPartition(source == .journal ? topics.sessions : topics.results, partition.number)
    }

    private func send(_ effect: JournalEffect, _ session: Identifier, _ place: EffectPlace, _ partition: OwnedPartition)
        throws(LogError)
    {
        switch effect {
        case .work(let work):
            if work.permit != nil { membership.hasPermitted = true }
            let trace = observers.tracing?.records(work.trace) == true ? observers.tracing?.work(work.address) : nil
            let record = encoder.record(
                work, session: session, topics: topics, partition: partition.number, trace: trace, at: now)
            if outbound.isStuck(TopicPartition(record.topic, partition.number)) {  // rule: stuckPartitionsAreSkipped
                return try giveUp(workAt: place, topic: record.topic, partition)
            }
            counters.produced.add(work.kind.type, in: record.topic)
            outbound.send(record, token: Token.make(.work, partition, number: place.number))
        case .result(let result):
            counters.results += 1
            counters.produced.add(result.type, in: topics.results)
            let record = encoder.record(result, session: session, topics: topics, partition: partition.number)
            outbound.send(record, token: Token.make(.result, partition, number: place.number))
        case .memory(let change):
            // The session has it until it is done, so the journal need not wait for it.
            partition.journal.acknowledgedWork(at: place)
            guard let entry = partition.sessions[session] else { return }
            entry.changesJournaled = max(entry.changesJournaled, change.change.number)
            sendChanges(entry, partition)
        case .openInput(let number):
            // The stamps name it, so the journal need not wait for it.
            partition.journal.acknowledgedWork(at: place)
            if let letter = partition.input.open[number]?.letter { return send(letter, number, partition) }
            guard let rejection = partition.input.open[number]?.rejection else { return }
            partition.input.open[number]?.rejection = nil
            outbound.send(rejection, token: Token.make(.openInput, partition, number: number))
        }
    }

    /// A partition was taken over: its sessions go on.
    private func begin(_ takeover: Takeover, _ partition: OwnedPartition) throws(LogError) {
        counters.takeovers.all += 1
        observers.metrics?.restored(milliseconds: max(0, clock().milliseconds(since: partition.assigned)))
        if !takeover.isResumed {
            partition.empty()
            partition.sessions.unread = takeover.unread
        } else if takeover.hasChanges {
            counters.takeovers.back += 1
            partition.sessions.replace(takeover)  // rule: recordsOfOthersReplaceCachedState
            // Acknowledgements of changes that were sent before do not count for the sessions that have replaced them.
            partition.changes = partition.changes.filter { partition.sessions[$0.value.session] != nil }
        }
        if takeover.isResumed {
            partition.unheard.formUnion(
                partition.sessions.open.values.filter { $0.session.mayHaveToForget }.map { $0.session.id })
        }
        for journaled in takeover.sessions { take(journaled, partition) }
        if takeover.foreign > 0 {
            logger.error(
                "records of the journal were not written by a coordinator and are overwritten: only coordinators may write there",
                metadata: ["partition": "\(partition.number)", "records": "\(takeover.foreign)"])
        }
        if takeover.afterGap > 0 {
            logger.warning(
                "records of the previous owner do not count, because one before them is missing; their input is read again",
                metadata: ["partition": "\(partition.number)", "records": "\(takeover.afterGap)"])
        }
        logger.info(
            "took a partition over",
            metadata: [
                "partition": "\(partition.number)", "epoch": "\(partition.journal.epoch)",
                "sessions": "\(partition.sessions.openCount)",
                "forgotten": "\(partition.sessions.forgottenCount)",
                "milliseconds": "\(clock().milliseconds(since: partition.assigned))",
            ])
        try forgetExcess(partition)
    }

    /// A session goes on that was taken over, or it is forgotten and its requests are known.
    func take(_ journaled: JournaledSession, _ partition: OwnedPartition) {
        guard let entry = partition.sessions.restore(journaled, configuration.policy),
            !journaled.session.person.isEmpty || journaled.session.mayHaveToForget
        else { return }
        (entry.changesJournaled, entry.changesTakenOver) = (
            journaled.session.person.last, journaled.session.person.last
        )
        // rule: memoryIsWrittenAgain
        if followers.memory == nil {
            sendChanges(entry, partition)
        } else {
            partition.unheard.insert(journaled.session.id)
        }
    }

    private func tell(_ notice: JournalNotice, _ partition: OwnedPartition) {
        let number = "\(partition.number)"
        switch notice {
        case .gap(let from, let to):
            counters.gaps += 1
            logger.notice(
                "reading a gap in the journal",
                metadata: ["partition": "\(number)", "from": "\(from)", "to": "\(to ?? -1)"])
        case .staleWriter(let owner):
            logger.notice(
                "a stale writer wrote to the journal", metadata: ["partition": "\(number)", "writer": "\(owner)"])
        case .foreign(let offset, let problem):
            logger.error(
                "a record of the journal was not written by a coordinator and is overwritten: only coordinators may write there",
                metadata: ["partition": "\(number)", "offset": "\(offset)", "problem": "\(problem)"])
        case .loss(let finding):
            logger.warning(
                "the journal seems to have lost records and is read again: another coordinator may have written them meanwhile",
                metadata: ["partition": "\(number)", "finding": "\(finding)"])
        }
    }
}
