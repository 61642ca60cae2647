import Conversation
import DequeModule
import IntentModel
import RecordLog

/// Sends records: at once while they are few, and in batches while they are many, each at most ``longestDelay`` late. Brokers and clients are several times cheaper
/// to run with a few large requests than with many small ones.
///
/// Each partition of each topic has a queue, whose records go out in order, and a share of the client's room. A partition that takes no records, because it has no
/// leader, uses up its share and nothing else.
package struct Outbound {
    /// How late a record may go out while there are many.
    static let longestDelay = Duration.milliseconds(5)
    /// A partition is stuck if it has taken nothing for so long although there was something.
    package static let patience = Duration.seconds(5)
    private static let batchSize = 4_096
    /// The room of all shares: half of what a client of librdkafka has here (`queue.buffering.max.messages`, `queue.buffering.max.kbytes`).
    private static let sharedRecords = 50_000
    private static let sharedBytes = 32 << 20
    /// A partition has no smaller share of records, however many there are.
    private static let leastRecords = 64
    /// A partition has no smaller share of bytes, and no larger one.
    private static let bytes = 256 << 10...4 << 20
    /// The most records of a partition that a client has.
    static let maximumRecords = 1_024

    private struct Queue {
        let place: TopicPartition
        var unsent = Deque<(record: Record, token: UInt64)>()
        var bytesUnsent = 0
        /// The sizes of the records that the client has, and that the log has neither taken nor refused.
        var underWay = Deque<Int>()
        var bytesUnderWay = 0
        /// Since when the log has neither taken nor refused any, as ``findStuck(at:)`` has seen it.
        var quietSince: Instant?
        /// Whether it is in ``due``.
        var isDue = false
        var isStuck = false

        var isEmpty: Bool { unsent.isEmpty && underWay.isEmpty }
    }

    private let client: any LogClient
    private let clock: @Sendable () -> Instant
    private let maximumRecords: Int
    private var queues: [Queue] = []
    /// The indices of the queues, by the last eight bits of the partition's number. A bucket has few queues: comparing their topics costs less than hashing one.
    private var indices = [[Int]](repeating: [], count: 256)
    /// The queues of which a record may go out now, in the order in which they got it.
    private var due: [Int] = []
    private var dueCount = 0
    private var lastFlush: Instant
    private var load: SendLoad
    /// Whether the client had no room for a record.
    private var isClogged = false
    /// Whether the last look has found a partition that is stuck.
    private var hasStuck = false

    /// - Parameters:
    ///   - rate: records a second up to which each goes out at once.
    ///   - maximumRecords: the most records of a partition that the client has.
    init(
        _ client: any LogClient, rate: Double, maximumRecords: Int = Outbound.maximumRecords,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.client = client
        self.maximumRecords = max(1, maximumRecords)
        self.clock = clock
        lastFlush = clock()
        load = SendLoad(rate: rate, at: lastFlush)
    }

    /// Records that wait.
    private(set) var backlog = 0
    /// Bytes of the keys and values of those that wait, and of those that the log has neither taken nor refused.
    private(set) var bytes = 0

    /// Records of a partition that wait, or that the log has neither taken nor refused.
    func count(of place: TopicPartition) -> Int {
        index(of: place).map { queues[$0].unsent.count + queues[$0].underWay.count } ?? 0
    }

    /// Bytes of these records.
    func bytes(of place: TopicPartition) -> Int {
        index(of: place).map { queues[$0].bytesUnderWay + queues[$0].bytesUnsent } ?? 0
    }

    /// How long to wait at most for anything else before ``flush()`` is called again; `nil` if nothing is to be sent before the log takes or refuses a record.
    func delay(at now: Instant) -> Duration? {
        if due.isEmpty { return nil }
        let rest = Self.longestDelay - lastFlush.duration(to: now)
        return isClogged ? .milliseconds(1) : min(max(rest, .milliseconds(1)), Self.longestDelay)
    }

    /// - Parameter record: If it has no partition, the client chooses one by the key, and the share of none is used up.
    mutating func send(_ record: Record, token: UInt64) {
        let index = queue(of: TopicPartition(record.topic, record.partition ?? -1))
        let weight = record.weight
        backlog += 1
        if queues[index].isEmpty { queues[index].quietSince = nil }
        queues[index].unsent.append((record, token))
        queues[index].bytesUnsent += weight
        bytes += weight
        if queues[index].isDue { dueCount += 1 } else if hasShare(index) { makeDue(index) }
    }

    /// The log has taken or refused a record that the client had.
    mutating func delivered(_ delivery: Delivery) {
        guard let index = index(of: TopicPartition(delivery.topic, delivery.partition)),
            let weight = queues[index].underWay.popFirst()
        else { return }
        queues[index].bytesUnderWay -= weight
        bytes -= weight
        queues[index].isStuck = false
        queues[index].quietSince = nil
        if !queues[index].isDue, !queues[index].unsent.isEmpty { makeDue(index) }
    }

    private func index(of place: TopicPartition) -> Int? {
        indices[bucket(of: place)].first {
            queues[$0].place.partition == place.partition && queues[$0].place.topic == place.topic
        }
    }

    private func bucket(of place: TopicPartition) -> Int { Int(place.partition) & (indices.count - 1) }

    /// The index of a partition's queue, which is made with the partition's first record.
    private mutating func queue(of place: TopicPartition) -> Int {  // rule: partitionsAreSentApart
        if let index = index(of: place) { return index }
        queues.append(Queue(place: place))
        indices[bucket(of: place)].append(queues.count - 1)
        return queues.count - 1
    }

    private mutating func makeDue(_ index: Int) {
        queues[index].isDue = true
        due.append(index)
        dueCount += queues[index].unsent.count
    }

    private func hasShare(_ index: Int) -> Bool {
        let count = queues.count
        return queues[index].underWay.count < min(maximumRecords, max(Self.leastRecords, Self.sharedRecords / count))
            && queues[index].bytesUnderWay
                < min(Self.bytes.upperBound, max(Self.bytes.lowerBound, Self.sharedBytes / count))
    }

    /// Hands what is due over to the client.
    ///
    /// - Parameter isUrgent: all of it is due.
    /// - Returns: whether the client took a record.
    @discardableResult
    mutating func flush(isUrgent: Bool = false) throws(LogError) -> Bool {
        if due.isEmpty { return false }
        let now = clock()
        // The clock may go back.
        let isRecent = .zero..<Self.longestDelay ~= lastFlush.duration(to: now)
        if isRecent, !isUrgent, dueCount < Self.batchSize, load.isHigh(with: dueCount, at: now) { return false }
        lastFlush = now
        let before = backlog
        isClogged = false
        var clogged: [Int] = []
        for index in due {
            queues[index].isDue = false
            if try !flush(index) { clogged.append(index) }
        }
        due.removeAll(keepingCapacity: true)
        dueCount = 0
        for index in clogged { makeDue(index) }
        isClogged = !clogged.isEmpty
        let sent = before - backlog
        load.add(sent, at: now)
        return sent > 0
    }

    /// - Returns: `false` if the client had no room for a record.
    private mutating func flush(_ index: Int) throws(LogError) -> Bool {
        while hasShare(index), let (record, token) = queues[index].unsent.popFirst() {
            do { try client.send(record, token: token) } catch {
                queues[index].unsent.prepend((record, token))
                if error.code != .queueFull { throw error }
                return false
            }
            let weight = record.weight
            queues[index].bytesUnsent -= weight
            backlog -= 1
            guard record.partition != nil else {
                bytes -= weight
                continue
            }
            queues[index].underWay.append(weight)
            queues[index].bytesUnderWay += weight
        }
        return true
    }

    // MARK: Partitions that are stuck

    /// Whether the partition has taken nothing for ``patience``, as ``findStuck(at:)`` has found last.
    func isStuck(_ place: TopicPartition) -> Bool { hasStuck && index(of: place).map { queues[$0].isStuck } ?? false }

    /// Looks for partitions that have taken nothing for ``patience``. It is called about once a second.
    mutating func findStuck(at now: Instant) -> [TopicPartition] {
        for index in queues.indices {
            let since = queues[index].isEmpty ? nil : min(queues[index].quietSince ?? now, now)
            queues[index].quietSince = since
            queues[index].isStuck = since.map { $0.duration(to: now) >= Self.patience } ?? false
        }
        let stuck = queues.filter(\.isStuck).map(\.place)
        hasStuck = !stuck.isEmpty
        return stuck
    }

    /// Takes back what waits for a partition and was not handed to the client: the log does not have it and will not.
    mutating func takeBack(_ place: TopicPartition) -> [UInt64] {
        guard let index = index(of: place) else { return [] }
        let unsent = queues[index].unsent
        queues[index].unsent = []
        backlog -= unsent.count
        bytes -= queues[index].bytesUnsent
        queues[index].bytesUnsent = 0
        if queues[index].isDue { dueCount -= unsent.count }
        return unsent.map(\.token)
    }

    /// Drops the records with these tokens that were not handed to the client.
    mutating func drop(where isDropped: (UInt64) -> Bool) {
        for index in queues.indices where !queues[index].unsent.isEmpty {
            let (count, weight) = (queues[index].unsent.count, queues[index].bytesUnsent)
            queues[index].unsent.removeAll { isDropped($0.token) }
            queues[index].bytesUnsent = queues[index].unsent.reduce(0) { $0 + $1.record.weight }
            let dropped = count - queues[index].unsent.count
            backlog -= dropped
            bytes -= weight - queues[index].bytesUnsent
            if queues[index].isDue { dueCount -= dropped }
        }
    }
}

/// How much was sent lately: a bucket that each record fills by one and that empties at the rate up to which the load is low.
private struct SendLoad {
    /// Records a millisecond.
    private let rate: Double
    private var level = 0.0
    private var time: Instant

    /// It is high after so many milliseconds of records at that rate.
    private static let high = 20.0

    init(rate: Double, at now: Instant) {
        self.rate = rate / 1_000
        time = now
    }

    func isHigh(with more: Int, at now: Instant) -> Bool { level(at: now) + Double(more) > rate * Self.high }

    mutating func add(_ records: Int, at now: Instant) {
        // Bounded, so that a burst does not count for long.
        level = min(level(at: now) + Double(records), 2 * rate * Self.high)
        time = now
    }

    private func level(at now: Instant) -> Double {
        max(0, level - rate * max(0, Double(now.milliseconds(since: time))))
    }
}

extension Record {
    fileprivate var weight: Int { (key?.count ?? 0) + (value?.count ?? 0) }
}
