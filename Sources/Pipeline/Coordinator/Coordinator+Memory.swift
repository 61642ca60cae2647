import Conversation
import IntentEvents
import IntentModel
import RecordLog

// What is remembered about people. It is looked up when a request comes, and the session journals it with the request. What a session changes is journalled, and then
// written to `intents.memory-changes`, where the owner of the person's partition takes it (``MemoryKeeper``). The session holds each change until it is done: the next
// owner of the session writes it again.
extension Coordinator {
    /// Adds to an event of the person's side what is remembered about them.
    ///
    /// - Parameters:
    ///   - id: the event's.
    ///   - entry: the session; `nil` if the event opens it.
    func remembering(_ event: SessionEvent, for person: Principal, event id: Identifier, _ entry: SessionEntry?)
        -> SessionEvent
    {
        switch event {
        case .requested(var request):
            // One look at what is known: the values and the forgettings are of the same time.
            let known = memory?.person(person)
            guard known != nil || entry?.session.person.isEmpty == false else { return event }
            request.remembered = remembered(
                for: [request.intent] + request.candidates.map(\.intent) + (request.fallback.map { [$0] } ?? []), known,
                person, entry)
            // The session may have followed a forgetting of which this process has not read yet.
            request.memorySince = [known?.forgettings.last?.position, entry?.session.person.told].compactMap { $0 }
                .max()
            if let known, let own = entry?.session, !own.person.isEmpty {
                request.memoryDone = known.done(own.person.stream)
            }
            return .requested(request)
        case .forgotten(var forgetting):
            forgetting.event = id
            return .forgotten(forgetting)
        default: return event
        }
    }

    /// The values that are remembered about a person for these intents, with the changes of their session.
    ///
    /// - Parameter known: all that is remembered about them.
    func remembered(
        for intents: [Identifier], _ known: RememberedPerson?, _ person: Principal, _ entry: SessionEntry?
    ) -> [RememberedValue] {
        // An older record may come before a newer one, and what this process has read may be older than what the session knows to be forgotten.
        if let memory, !memory.isReady(for: person) { return [] }
        if let told = entry?.session.person.told, known.map({ $0.position < told }) ?? true { return [] }
        var values: [RememberedValue] = []
        if let known {
            // Without a catalogue it is not known what an intent remembers.
            let keys = catalogue.map { catalogue in
                Set(intents.flatMap { Array((catalogue.memory(of: $0)?.personKeys ?? [:]).values) })
            }
            values = known.values.filter { keys?.contains($0.key) != false && !$0.isOver(at: now) }
        }
        guard let entry, !entry.session.person.isEmpty else { return values }
        var own = entry.session.person
        if isUnsure(of: own, known) { own.pending.removeAll { $0.number <= entry.changesSent } }
        return own.adding(to: values, known)
    }

    /// Writes the changes of a session that are in the journal. They go out together, and the next ones when these are acknowledged: so a partition that takes none holds
    /// at most one record of each change.
    func sendChanges(_ entry: SessionEntry, _ partition: OwnedPartition) {
        guard entry.changesUnderWay == 0, entry.changesSent < entry.changesJournaled,
            let person = entry.session.rememberedPerson
        else {
            return
        }
        let own = entry.session.person
        let known = memory?.person(person)
        let done = entry.changesSent == 0 && isUnsure(of: own, known) ? entry.changesTakenOver : own.done(known)
        for change in own.pending
        where change.number > max(done, entry.changesSent) && change.number <= entry.changesJournaled {
            counters.memories += 1
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

    /// Whether changes that were sent may be done, although the person's record does not say so: of many sessions it knows the last ones only.
    private func isUnsure(of changes: PersonMemory, _ known: RememberedPerson?) -> Bool {
        known.map { $0.hasForgottenStreams && $0.done(changes.stream) == 0 } ?? false
    }

    /// The log has a change, or never will: then it is given up.
    func changed(_ number: UInt64, _ refused: RefusedRecord?, _ partition: OwnedPartition) throws(LogError) {
        // The session may have been opened again since.
        guard let (id, stream, change) = partition.changes.removeValue(forKey: number),
            let entry = partition.sessions[id],
            entry.session.person.stream == stream
        else { return }
        entry.changesUnderWay = max(0, entry.changesUnderWay - 1)
        if let refused, partition.journal.isOwned, Rule.refusedChangesAreDropped.holds {
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
        guard let memory else { return }
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

extension Sender {
    /// The person about whom something can be remembered in a session; `nil` if its owner is no person, or not authenticated.
    ///
    /// - Parameter entry: `nil` if this sender opens it.
    func person(in entry: SessionEntry?) -> Principal? {
        if let entry { return entry.session.rememberedPerson }
        guard let principal, principal.isPerson, !isNamed else { return nil }
        return principal
    }
}
