public import Conversation
import DequeModule
public import IntentEvents
public import IntentModel
public import Logging
public import RecordLog
import Synchronization

/// Knows what is remembered about people, and keeps `intents.memory` for some of them.
///
/// Every coordinator's process has one. All of them read all of `intents.memory`. The partitions of `intents.memory-changes` are shared among them by a group: the
/// member that has a partition takes its changes in their order, and writes what they make of each person (``RememberedPerson``). So there is one writer for each
/// person, and its order is that of the log.
///
/// One thread drives it with ``step(timeout:)``, another one the coordinator that asks it.
public final class MemoryKeeper: TopicFollower {
    private struct State {
        var memories: PersonMemories
        /// Partitions that were read to their ends.
        var atEnd: Set<Int32> = []
        /// Persons who have had something forgotten since the coordinator has asked last, by their partition.
        var forgotten: [Int32: Set<Principal>] = [:]
        var unreadable: [Int32: Int] = [:]
        var hasToldOfBound = false
        var wake: (@Sendable () -> Void)?
    }

    private let client: any LogClient
    private let topics: Topics
    private let partitions: Int32
    private let clock: @Sendable () -> Instant
    private let logger: Logger
    private let state: Mutex<State>
    private let writing: Mutex<MemoryWriting>

    /// - Parameters:
    ///   - client: a member of the group of ``client(_:_:)``.
    ///   - partitions: how many each topic has.
    ///   - maximumBytes: how much of memory it may take, by estimate. Past it, what was changed the longest ago is forgotten.
    public init(
        client: any LogClient, topics: Topics, partitions: Int32, maximumBytes: Int = 256 << 20,
        clock: @escaping @Sendable () -> Instant, logger: Logger
    ) {
        (self.client, self.topics, self.partitions, self.clock, self.logger) = (
            client, topics, partitions, clock, logger
        )
        state = Mutex(State(memories: PersonMemories(maximumBytes: maximumBytes)))
        writing = Mutex(MemoryWriting())
    }

    /// The group that shares the partitions of the changes.
    public static func group(_ topics: Topics) -> (id: String, topics: [String]) {
        ("\(topics.prefix).memory", [topics.memoryChanges])
    }

    /// The client that it needs.
    public static func client(_ id: String, _ topics: Topics) -> ClientConfiguration {
        var client = ClientConfiguration(clientID: "\(id)-memory", group: group(topics))
        client.isFollower = true
        return client
    }

    // MARK: For any thread

    public var isReady: Bool { state.withLock { $0.atEnd.count == Int(partitions) } }

    /// Batches of the topics that could not be read and were passed over.
    public var unreadableBatches: Int { state.withLock { $0.unreadable.values.reduce(0, +) } }

    /// Whether all that was written before about a person has been read.
    func isReady(for principal: Principal) -> Bool {
        let number = partition(of: principal)
        return state.withLock { $0.atEnd.contains(number) }
    }

    private func partition(of principal: Principal) -> Int32 {
        Murmur2.partition(of: MemoryChangeRecord.key(of: principal), count: partitions)
    }

    /// All that is remembered about a person. `nil` if nothing is known, and until all that was written before is read: an older record may come before a newer one.
    public func person(_ principal: Principal) -> RememberedPerson? {
        let number = partition(of: principal)
        return state.withLock { $0.atEnd.contains(number) ? $0.memories[principal] : nil }
    }

    /// The persons who have had something forgotten since the last call. Persons whose partition is not read to its end come later: a session that is opened
    /// until then knows of no forgetting.
    func takeForgotten() -> Set<Principal> {
        state.withLock { state in
            let ready = state.forgotten.keys.filter(state.atEnd.contains)
            return ready.reduce(into: []) { $0.formUnion(state.forgotten.removeValue(forKey: $1) ?? []) }
        }
    }

    /// How many partitions were read to their ends.
    var partitionsRead: Int { state.withLock { $0.atEnd.count } }

    /// Calls `wake` when there is something for ``takeForgotten()``.
    func onForgotten(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    // MARK: For its own thread

    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        try writing.withLock { writing throws(LogError) in try step(timeout: timeout, &writing) }
    }

    public func close(timeout: Duration) throws(LogError) {
        do { try client.close(timeout: timeout) } catch {
            // The next owner takes again what is not written.
            if error.code != .timedOut { throw error }
        }
    }

    private func step(timeout: Duration, _ writing: inout MemoryWriting) throws(LogError) -> Bool {
        if !writing.isOpen {
            writing.isOpen = true
            for number in 0..<partitions { try client.read(TopicPartition(topics.memory, number), from: .beginning) }
        }
        let events = try client.poll(
            maximum: 500, timeout: writing.hasUnsent ? min(timeout, .milliseconds(10)) : timeout)
        writing.steps += 1
        var hasForgotten = false
        for event in events {
            switch event {
            case .read(let record): if take(record, &writing) { hasForgotten = true }
            case .readEnd(let place, let next):
                if state.withLock({ $0.atEnd.insert(place.partition).inserted && $0.forgotten[place.partition] != nil })
                {
                    hasForgotten = true
                }
                writing.reachedEnd(of: place.partition, next: next)
            case .assigned(let assigned):
                try client.assign([:])
                // To its end once more: the member before may have written since.
                for place in assigned {
                    try client.read(
                        TopicPartition(topics.memory, place.partition), from: writing.begin(place.partition))
                }
            case .revoked:
                writing.giveBack()
                try client.release()
            case .record(let record): try receive(record, &writing)
            case .delivered(let delivery): if try delivered(delivery, &writing) { hasForgotten = true }
            case .outOfRange(let position) where position.partition.topic == topics.memoryChanges:
                lost(position, &writing)
            case .unreadable(let batch):
                // It may be read twice: a partition that the group gives is read to its end again.
                guard writing.passOver(batch, topics) else { break }
                if state.withLock({ state in
                    state.unreadable[batch.partition.partition, default: 0] += 1
                    return state.unreadable[batch.partition.partition] == 1
                }) {
                    logger.error("a batch of the memory is passed over: \(batch)")
                }
            case .failed(let error): logger.log(level: error.code == .unauthorized ? .error : .info, "memory: \(error)")
            case .outOfRange(let position):
                logger.error(
                    "what is remembered about people is read again, because the topic was cut or created again: \(position)"
                )
            case .committed, .committedOffsets: break
            }
        }
        try write(&writing)
        if hasForgotten { state.withLock { $0.wake }?() }
        tellOfBound()
        return !events.isEmpty
    }

    /// - Returns: whether there is something new for ``takeForgotten()``.
    private func take(_ record: ConsumedRecord, _ writing: inout MemoryWriting) -> Bool {
        guard record.topic == topics.memory else { return false }
        writing.hasRead(record)
        let memory: MemoryRecord
        do { memory = try MemoryRecord(record) } catch {
            pass(over: record, error)
            return false
        }
        return take(memory, in: record.partition, &writing)
    }

    private func take(_ memory: MemoryRecord, in number: Int32, _ writing: inout MemoryWriting) -> Bool {
        guard let person = memory.person else {
            writing.isGone(memory, in: number)
            _ = state.withLock { $0.memories.take(memory) }
            return false
        }
        writing.has(person.position, in: number)
        let (taken, isReady) = state.withLock { state in
            let taken = state.memories.take(memory)
            if case .newest(_, hasForgotten: true) = taken {  // rule: sessionsAreInformedOfForgetting
                state.forgotten[number, default: []].insert(memory.principal)
            }
            return (taken, state.atEnd.contains(number))
        }
        switch taken {
        case .newest(let replaced, let hasForgotten):
            if let replaced { writing.isReplaced(MemoryRecord(replaced: replaced, of: memory.principal), in: number) }
            return hasForgotten && isReady
        case .outdated: writing.isReplaced(MemoryRecord(replaced: memory.position, of: memory.principal), in: number)
        case .nothing: break
        }
        return false
    }

    /// Keeps a change until those before it are written.
    private func receive(_ record: ConsumedRecord, _ writing: inout MemoryWriting) throws(LogError) {
        if writing.keep(record) { try client.pause([record.topicPartition]) }
    }

    /// - Returns: whether something is forgotten that was not.
    private func delivered(_ delivery: Delivery, _ writing: inout MemoryWriting) throws(LogError) -> Bool {
        // After a fatal error the client refuses all records.
        if let error = delivery.error, error.disposition == .fatal { throw error }
        let (memory, isNews) = writing.delivered(delivery, at: clock())
        if let error = delivery.error {
            if isNews {
                logger.error(
                    """
                    the log refuses what is remembered about people. A record that is too large is given up; all else waits, and is written again every second. 'intents \
                    doctor' compares the topics and rights with those that the pipeline needs
                    """, metadata: ["topic": "\(delivery.topic)", "error": "\(error)"])
            }
            return false
        }
        return memory.map { take($0, in: delivery.partition, &writing) } ?? false
    }

    /// Takes the changes that have come, and writes what they make of each person.
    private func write(_ writing: inout MemoryWriting) throws(LogError) {
        for number in writing.free {
            let records = writing.nextChanges(of: number)
            if !records.isEmpty { decide(records, number, &writing) }
            let place = TopicPartition(topics.memoryChanges, number)
            if writing.hasRoom(number) { try client.resume([place]) }
            if let next = writing.commit(of: number) { try client.commit([place: CommittedOffset(offset: next)]) }
        }
        try writing.send(client, topics, at: clock())
    }

    private func decide(_ records: [ConsumedRecord], _ number: Int32, _ writing: inout MemoryWriting) {
        var changed: [Principal: RememberedPerson] = [:]
        var inOrder: [Principal] = []
        for record in records {
            let change: MemoryChangeRecord
            do { change = try MemoryChangeRecord(record) } catch {
                pass(over: record, error)
                continue
            }
            let principal = change.principal
            var person = changed[principal] ?? state.withLock { $0.memories[principal] } ?? RememberedPerson()
            guard person.take(change.change, at: writing.position(of: record)) else { continue }
            if changed.updateValue(person, forKey: principal) == nil { inOrder.append(principal) }
        }
        for principal in inOrder {
            if let person = changed[principal] { writing.queue(MemoryRecord(of: principal, person), in: number) }
        }
    }

    private func lost(_ position: OutOfRange, _ writing: inout MemoryWriting) {
        logger.error(
            "changes of what is remembered about people were lost: the topic was cut or created again, or its retention was faster",
            metadata: ["position": "\(position)"])
        if position.side != .beforeBeginning { writing.beginAgain(position.partition.partition) }
    }

    private func pass(over record: ConsumedRecord, _ error: EventError) {
        logger.warning(
            "a record of the memory is passed over",
            metadata: ["place": "\(record.topicPartition)@\(record.offset)", "problem": "\(error.rejection.message)"])
    }

    private func tellOfBound() {
        let isNew = state.withLock { state in
            guard state.memories.dropped > 0, !state.hasToldOfBound else { return false }
            state.hasToldOfBound = true
            return true
        }
        if isNew {
            logger.warning(
                "there is no room for all that is remembered about people (--person-memory): what was changed the longest ago is forgotten"
            )
        }
    }
}
