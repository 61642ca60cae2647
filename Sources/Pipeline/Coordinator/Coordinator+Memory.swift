import Conversation
import IntentEvents
import IntentModel
import RecordLog

// What is remembered about people. It is looked up when a request comes, and the session journals it with the request. What a session changes is journalled, and then
// written to `intents.memory-changes`, where the owner of the person's partition takes it (``MemoryKeeper``). The session holds each change until it is done: the next
// owner of the session writes it again.
extension Coordinator {
    /// Writes the changes of a session that are in the journal. They go out together, and the next ones when these are acknowledged: so a partition that takes none holds
    /// at most one record of each change.
    func sendChanges(_ entry: SessionEntry, _ partition: OwnedPartition) {
        guard entry.changesUnderWay == 0, entry.changesSent < entry.changesJournaled,
            let person = entry.session.rememberedPerson
        else {
            return
        }
        let own = entry.session.person
        let known = followers.memory?.person(person)
        let done = entry.changesSent == 0 && own.isUnsure(known) ? entry.changesTakenOver : own.done(known)
        for change in own.pending
        where change.number > max(done, entry.changesSent) && change.number <= entry.changesJournaled {
            entry.changesUnderWay += 1
            partition.lastChange = (partition.lastChange + 1) & 0xFFFF_FFFF
            partition.changes[partition.lastChange] = (entry.session.id, change.stream, change.number)
            outbound.send(
                MemoryChangeRecord(of: person, change).record(
                    topics: topics, partitions: configuration.partitions, at: now),
                token: Token.make(.memory, partition, number: partition.lastChange))
        }
        entry.changesSent = entry.changesJournaled
    }

    /// The log has a change, or never will: then it is given up.
    func changed(_ number: UInt64, _ refused: RefusedRecord?, _ partition: OwnedPartition) throws(LogError) {
        // The session may have been opened again since.
        guard let (id, stream, change) = partition.changes.removeValue(forKey: number),
            let entry = partition.sessions[id],
            entry.session.person.stream == stream
        else { return }
        entry.changesUnderWay = max(0, entry.changesUnderWay - 1)
        if let refused, partition.journal.isOwned {  // rule: refusedChangesAreDropped
            let why =
                "a change of what is remembered could not be written to \(refused.topic): \(refused.code.rawValue)"
            try decide(.changeRefused(number: change, Rejection(.internal, why)), session: id, event: nil, partition)
        }
        sendChanges(entry, partition)
    }

    /// Sessions that are told in one step of a partition that something was forgotten.
    private static let toldPerStep = 100

    /// Tells sessions that something was forgotten which was remembered about their owners.
    func tellOfForgotten() throws(LogError) {
        guard let memory = followers.memory else { return }
        let (persons, partitionsRead) = (memory.takeForgotten(), memory.partitionsRead)
        for partition in inOrder where partition.isActive {
            if persons.contains(where: { partition.sessions.openSessions(of: $0) > 0 }) {
                for entry in partition.sessions.open.values
                where entry.session.rememberedPerson.map(persons.contains) == true {
                    partition.unheard.insert(entry.session.id)
                }
            }
            if partition.unready.partitionsRead != partitionsRead {
                partition.unheard.formUnion(partition.unready.sessions)
                partition.unready = ([], partitionsRead)
            }
            if partition.unheard.isEmpty || partition.input.holdsTimers { continue }
            // In one order, so that the same events make the same log.
            var told = 0
            for id in partition.unheard.prefix(10 * Self.toldPerStep).sorted() where told < Self.toldPerStep {
                guard let entry = partition.sessions[id], let person = entry.session.rememberedPerson else {
                    partition.unheard.remove(id)
                    continue
                }
                guard memory.isReady(for: person) else {
                    partition.unheard.remove(id)
                    partition.unready.sessions.insert(id)
                    continue
                }
                told += 1
                partition.unheard.remove(id)
                sendChanges(entry, partition)
                guard let known = memory.person(person),
                    case let news = MemoryNews(
                        done: known.done(entry.session.person.stream), forgettings: known.forgettings),
                    entry.session.isConcerned(by: news)
                else { continue }
                try decide(.memoryChanged(news), session: id, event: nil, partition)
            }
        }
    }
}
