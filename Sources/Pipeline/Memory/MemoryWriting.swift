import Conversation
import DequeModule
import IntentEvents
import IntentModel
import RecordLog

/// How far the writer of `intents.memory` is in each partition. It holds no record of the topic.
struct MemoryWriting {
    /// A partition that the group has given to this member.
    private struct Owned {
        /// In which step the reading of the topic to its end began.
        var since: Int
        /// Whether the topic was read to its end since: what the member before has written is known.
        var isRead = false
        /// The epoch of its records: a new one for each owner, so that none of its records is older than one of the owner before.
        var epoch = 0
        var isPaused = false
        /// Changes that have come and are not taken.
        var waiting = Deque<ConsumedRecord>()
        /// The records of the last changes, which are all acknowledged before the next ones are taken: so no change is behind one that is missing.
        var underWay: [UInt64: MemoryRecord] = [:]
        var next: Int64?
        var committed: Int64?
    }

    private struct Replaced {
        var record: MemoryRecord
        /// The token of its tombstone, if that is under way.
        var token: UInt64?
    }

    private var owned: [Int32: Owned] = [:]
    /// The latest epoch in each partition.
    private var epochs: [Int32: Int] = [:]
    /// The next offset of each partition of the topic.
    private var read: [Int32: Int64] = [:]
    /// Records that newer ones have replaced, and that have no tombstone in the log yet, by their keys.
    private var replaced: [Int32: [Bytes: Replaced]] = [:]
    private var unsent = Deque<(record: MemoryRecord, partition: Int32, token: UInt64)>()
    private var tokens: UInt64 = 0
    /// Records that the log has refused, to be sent again.
    private var refused: [(record: MemoryRecord, partition: Int32, token: UInt64)] = []
    private var nextTry = Instant(milliseconds: 0)
    private var toldRefusal: Instant?
    var isOpen = false
    var steps = 0

    /// How many changes may wait in a partition, and how many are taken at a time.
    private static let maximumWaiting = 1_000
    private static let batch = 200

    var hasUnsent: Bool { !unsent.isEmpty }

    // MARK: What is read

    mutating func hasRead(_ record: ConsumedRecord) { read[record.partition] = record.offset + 1 }

    /// - Returns: whether the batch was not passed over before.
    mutating func passOver(_ batch: UnreadableRange, _ topics: Topics) -> Bool {
        let number = batch.partition.partition
        guard batch.partition.topic == topics.memory else { return true }
        if let next = read[number], next > batch.offsets.lowerBound { return false }
        read[number] = batch.offsets.upperBound
        return true
    }

    mutating func has(_ position: MemoryPosition, in number: Int32) {
        epochs[number] = max(epochs[number] ?? 0, position.epoch)
    }

    mutating func isReplaced(_ memory: MemoryRecord, in number: Int32) {
        if replaced[number]?[memory.key] == nil {  // rule: replacedMemoryIsDeleted
            replaced[number, default: [:]][memory.key] = Replaced(record: memory)
        }
    }

    /// The log has its tombstone.
    mutating func isGone(_ memory: MemoryRecord, in number: Int32) { replaced[number]?[memory.key] = nil }

    // MARK: Partitions come and go

    /// The group has given a partition.
    ///
    /// - Returns: where the topic is read from, once more to its end.
    mutating func begin(_ number: Int32) -> StartOffset {
        owned[number] = Owned(since: steps)
        return read[number].map { .offset($0) } ?? .beginning
    }

    /// The topic was read to its end. The first time, the changes of the partition can be taken.
    mutating func reachedEnd(of number: Int32, next: Int64) {
        read[number] = max(read[number] ?? 0, next)
        guard let since = owned[number]?.since, since < steps, owned[number]?.isRead == false else { return }
        owned[number]?.isRead = true
        owned[number]?.epoch = (epochs[number] ?? -1) + 1
    }

    /// Records that are under way may still be written. The next owner makes the same of the same changes.
    mutating func giveBack() {
        owned = [:]
        (unsent, refused) = ([], [])
        for number in replaced.keys {
            for key in replaced[number, default: [:]].keys { replaced[number]?[key]?.token = nil }
        }
    }

    /// The changes begin again at the first offset, which is after all others.
    mutating func beginAgain(_ number: Int32) {
        guard let epoch = owned[number]?.epoch else { return }
        owned[number]?.epoch = max(epoch, epochs[number] ?? 0) + 1
        owned[number]?.waiting = []
        owned[number]?.next = nil
    }

    // MARK: Changes

    /// - Returns: whether no more may come for now.
    mutating func keep(_ record: ConsumedRecord) -> Bool {
        owned[record.partition]?.waiting.append(record)
        guard let waiting = owned[record.partition], waiting.waiting.count >= Self.maximumWaiting, !waiting.isPaused
        else { return false }
        owned[record.partition]?.isPaused = true
        return true
    }

    /// - Returns: whether more may come again.
    mutating func hasRoom(_ number: Int32) -> Bool {
        guard let waiting = owned[number], waiting.isPaused, waiting.waiting.count < Self.maximumWaiting / 2 else {
            return false
        }
        owned[number]?.isPaused = false
        return true
    }

    /// The partitions whose next changes can be taken, in order.
    var free: [Int32] { owned.filter { $1.isRead && $1.underWay.isEmpty }.keys.sorted() }

    mutating func nextChanges(of number: Int32) -> [ConsumedRecord] {
        guard let waiting = owned[number]?.waiting, let last = waiting.prefix(Self.batch).last else { return [] }
        let records = Array(waiting.prefix(Self.batch))
        owned[number]?.waiting.removeFirst(records.count)
        owned[number]?.next = last.offset + 1
        return records
    }

    func position(of record: ConsumedRecord) -> MemoryPosition {
        MemoryPosition(epoch: owned[record.partition]?.epoch ?? 0, offset: record.offset)
    }

    /// The position to commit: all before it is written. The next owner begins there.
    mutating func commit(of number: Int32) -> Int64? {
        guard let owner = owned[number], owner.underWay.isEmpty, let next = owner.next, next != owner.committed else {
            return nil
        }
        owned[number]?.committed = next
        return next
    }

    // MARK: What is written

    mutating func queue(_ memory: MemoryRecord, in number: Int32) {
        tokens += 1
        owned[number]?.underWay[tokens] = memory
        unsent.append((memory, number, tokens))
    }

    /// A refused record is sent again after a while, unless it is too large.
    ///
    /// - Returns: The record, if the log has it; and whether a refusal is worth telling: once a minute.
    mutating func delivered(_ delivery: Delivery, at now: Instant) -> (memory: MemoryRecord?, isNews: Bool) {
        let number = delivery.partition
        var isNews = false
        if let error = delivery.error {
            isNews = error.disposition != .retry && toldRefusal.map { $0.duration(to: now) > .seconds(60) } ?? true
            if isNews { toldRefusal = now }
        }
        guard let memory = owned[number]?.underWay[delivery.token] else {
            if let error = delivery.error,
                let key = replaced[number]?.first(where: { $0.value.token == delivery.token })?.key
            {
                replaced[number]?[key]?.token = nil
                if error.disposition != .retry { nextTry = now.advanced(by: .seconds(1)) }
            }
            return (nil, isNews)
        }
        guard let error = delivery.error, error.code != .recordTooLarge else {
            owned[number]?.underWay[delivery.token] = nil
            return (memory, isNews)
        }
        if error.disposition == .retry || error.code == .timedOut {
            unsent.append((memory, number, delivery.token))
        } else {
            refused.append((memory, number, delivery.token))
            nextTry = now.advanced(by: .seconds(1))
        }
        return (nil, isNews)
    }

    /// Hands over what waits, and the tombstones of what was replaced.
    mutating func send(_ client: any LogClient, _ topics: Topics, at now: Instant) throws(LogError) {
        if now >= nextTry || nextTry.duration(to: now) < .seconds(-10) {
            unsent.append(contentsOf: refused)
            refused = []
            for (number, old) in replaced.sorted(by: { $0.key < $1.key }) where owned[number]?.isRead == true {
                // In one order, so that the same changes make the same log.
                for (key, one) in old.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) where one.token == nil {
                    tokens += 1
                    replaced[number]?[key]?.token = tokens
                    unsent.append(
                        (MemoryRecord(replaced: one.record.position, of: one.record.principal), number, tokens))
                }
            }
        }
        while let (memory, number, token) = unsent.first {
            do { try client.send(memory.record(topics: topics, partition: number, at: now), token: token) } catch {
                if error.code == .queueFull { return }
                throw error
            }
            unsent.removeFirst()
        }
    }
}
