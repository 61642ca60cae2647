import Conversation
import IntentEvents
import IntentModel
import RecordLog

// What is remembered about people. It is looked up when a request comes, and the session journals it with the request. What a session changes is journalled, and
// then written to `intents.memory`. The session holds it until it ends: the next owner writes what the topic does not have.
extension Coordinator {
    /// Adds to an event of the person's side what is remembered about them.
    ///
    /// - Parameter time: that of the event's record.
    func remembering(_ event: SessionEvent, for person: Principal, at time: Instant) -> SessionEvent {
        switch event {
        case .requested(var request):
            guard memory != nil else { return event }
            request.remembered = remembered(
                for: [request.intent] + request.candidates.map(\.intent) + (request.fallback.map { [$0] } ?? []), about: person)
            return .requested(request)
        case .forgotten(var forgetting):
            guard forgetting.scope == .person else { return event }
            forgetting.remembered = remembered(under: forgetting.keys, of: person)
            return .forgotten(forgetting)
        default: return event
        }
    }

    /// What is remembered about a person for these intents.
    func remembered(for intents: [Identifier], about person: Principal) -> [RememberedValue] {
        guard let memory, let catalogue else { return [] }
        let keys = intents.flatMap { catalogue.memory(of: $0)?.personKeys.values.map { $0 } ?? [] }
        return keys.isEmpty ? [] : memory.values(keys, of: person, at: now)
    }

    /// What is remembered about a person under these keys, or under any. Under a key of the catalogue something may be that had no room here.
    private func remembered(under keys: [String]?, of person: Principal) -> [RememberedValue] {
        let keys = keys ?? Set((memory?.keys(of: person) ?? []) + (catalogue?.personKeys ?? [])).sorted()
        let known = memory?.values(keys, of: person, at: now) ?? []
        let others = keys.filter { key in !known.contains { $0.key == key } }
        let zero = Instant(milliseconds: 0)
        return (known + others.map { RememberedValue(key: $0, value: nil, time: zero) }).prefix(Forgetting.maximumKeys).map { $0 }
    }

    /// Writes a change that is journalled.
    ///
    /// - Parameter place: the change's place among the effects of its journal record; `nil` if an earlier owner has decided it.
    func send(_ change: MemoryRecord, _ session: Identifier, _ place: EffectPlace?, _ partition: OwnedPartition) {
        counters.memories += 1
        partition.sessions[session]?.memoryUnderWay += 1
        let number = partition.memoryWrites.open(.init(session: session, place: place))
        outbound.send(encoder.record(change, topics: topics, at: now), token: Token.make(.memory, partition, number: number))
    }

    /// The log has a change, or never will: then it is given up, and the next owner of the session tries again.
    func remembered(_ number: UInt64, _ partition: OwnedPartition) {
        guard let write = partition.memoryWrites.close(number) else { return }
        if let entry = partition.sessions[write.session] { entry.memoryUnderWay = max(0, entry.memoryUnderWay - 1) }
        if let place = write.place { partition.journal.acknowledgedWork(at: place) }
    }

    /// Writes what an earlier owner of the session may not have written. It waits until the topic is read: what someone has forgotten there meanwhile would be
    /// remembered again otherwise, once compaction has removed the tombstone before it.
    func remember(_ entry: SessionEntry, _ partition: OwnedPartition) {
        guard !entry.session.person.isEmpty, let person = entry.session.rememberedPerson, Rule.memoryIsWrittenAgain.holds else { return }
        if let memory, !memory.isReady {
            entry.memoryUnderWay += 1
            return partition.memoryWrites.waiting.append(entry.session.id)
        }
        for value in entry.session.person.values where memory?.has(value, of: person) != true {
            send(MemoryRecord(of: person, value), entry.session.id, nil, partition)
        }
    }
}

extension Coordinator {
    /// Writes what had to wait until the topic is read.
    func rememberWaiting() {
        for partition in inOrder where !partition.memoryWrites.waiting.isEmpty && memory?.isReady == true {
            let waiting = partition.memoryWrites.waiting
            partition.memoryWrites.waiting = []
            for id in waiting {
                guard let entry = partition.sessions[id] else { continue }
                entry.memoryUnderWay = max(0, entry.memoryUnderWay - 1)
                remember(entry, partition)
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

/// Changes of what is remembered about people that are under way to the log, by number.
struct MemoryWrites {
    struct Write {
        var session: Identifier
        /// The change's place among the effects of its journal record.
        var place: EffectPlace?
    }

    private var all: [UInt64: Write] = [:]
    private var last: UInt64 = 0
    /// Sessions that were taken over and whose changes are compared with the topic when that is read.
    var waiting: [Identifier] = []

    var isEmpty: Bool { all.isEmpty && waiting.isEmpty }

    /// - Returns: The number by which its acknowledgement is known.
    mutating func open(_ write: Write) -> UInt64 {
        last = (last + 1) & 0xFFFF_FFFF
        all[last] = write
        return last
    }

    mutating func close(_ number: UInt64) -> Write? { all.removeValue(forKey: number) }
}
