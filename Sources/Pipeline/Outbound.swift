import Conversation
import DequeModule
import RecordLog

/// Sends records in order: at once while they are few, and in batches while they are many, each at most ``longestDelay`` late. Brokers and clients are several times
/// cheaper to run with a few large requests than with many small ones. What the client has no room for is kept until it has.
struct Outbound {
    /// How late a record may go out while there are many.
    static let longestDelay = Duration.milliseconds(5)
    private static let batchSize = 4_096

    private let client: any LogClient
    private let clock: @Sendable () -> Instant
    private var unsent = Deque<(record: Record, token: UInt64)>()
    private var lastFlush: Instant
    private var load: SendLoad
    /// Whether the client had no room for the first record that waits.
    private var isClogged = false

    /// - Parameter rate: records a second up to which each goes out at once.
    init(_ client: any LogClient, rate: Double, clock: @escaping @Sendable () -> Instant) {
        self.client = client
        self.clock = clock
        lastFlush = clock()
        load = SendLoad(rate: rate, at: lastFlush)
    }

    /// Records that wait.
    var backlog: Int { unsent.count }
    /// Bytes of the keys and values of those that wait.
    private(set) var bytes = 0

    /// How long to wait at most for anything else before ``flush()`` is called again; `nil` if nothing is to be sent.
    func delay(at now: Instant) -> Duration? {
        if unsent.isEmpty { return nil }
        let rest = Self.longestDelay - lastFlush.duration(to: now)
        return isClogged ? .milliseconds(1) : min(max(rest, .milliseconds(1)), Self.longestDelay)
    }

    mutating func send(_ record: Record, token: UInt64) {
        bytes += record.weight
        unsent.append((record, token))
    }

    /// Hands what is due over to the client.
    ///
    /// - Parameter isUrgent: all of it is due.
    /// - Returns: whether the client took a record.
    @discardableResult
    mutating func flush(isUrgent: Bool = false) throws(LogError) -> Bool {
        if unsent.isEmpty { return false }
        let now = clock()
        // The clock may go back.
        let isRecent = .zero..<Self.longestDelay ~= lastFlush.duration(to: now)
        if isRecent, !isUrgent, unsent.count < Self.batchSize, load.isHigh(with: unsent.count, at: now) { return false }
        lastFlush = now
        let backlog = unsent.count
        isClogged = false
        while let (record, token) = unsent.popFirst() {
            do { try client.send(record, token: token) } catch {
                unsent.prepend((record, token))
                if error.code != .queueFull { throw error }
                isClogged = true
                break
            }
            bytes -= record.weight
        }
        let sent = backlog - unsent.count
        load.add(sent, at: now)
        return sent > 0
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

    private func level(at now: Instant) -> Double { max(0, level - rate * max(0, Double(now.milliseconds - time.milliseconds))) }
}

extension Record {
    fileprivate var weight: Int { (key?.count ?? 0) + (value?.count ?? 0) }
}
