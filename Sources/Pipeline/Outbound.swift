import Conversation
import DequeModule
import RecordLog

/// Sends records in order. While there is much to do they go out in batches, at most five milliseconds late: brokers and clients are several times
/// cheaper to run with a few large requests than with many small ones. What the client has no room for is kept until it has.
struct Outbound {
    private static let batchDelay = Duration.milliseconds(5)
    private static let batchSize = 4096

    private let client: any LogClient
    private var unsent = Deque<(record: Record, token: UInt64)>()
    private let clock: @Sendable () -> Instant
    private var lastFlush: Instant

    init(_ client: any LogClient, clock: @escaping @Sendable () -> Instant) {
        self.client = client
        self.clock = clock
        lastFlush = clock()
    }

    /// Records that wait.
    var backlog: Int { unsent.count }
    /// Bytes of the keys and values of those that wait.
    private(set) var bytes = 0

    mutating func send(_ record: Record, token: UInt64) {
        bytes += record.weight
        unsent.append((record, token))
    }

    /// Hands what waits over to the client.
    ///
    /// - Parameter isBusy: more to send is about to come.
    /// - Returns: whether the client took a record.
    @discardableResult
    mutating func flush(isBusy: Bool = false) throws(LogError) -> Bool {
        if unsent.isEmpty { return false }
        let now = clock()
        if isBusy, unsent.count < Self.batchSize, lastFlush.duration(to: now) < Self.batchDelay { return false }
        lastFlush = now
        let backlog = unsent.count
        while let (record, token) = unsent.popFirst() {
            do { try client.send(record, token: token) } catch {
                unsent.prepend((record, token))
                if error.code == .queueFull { break }
                throw error
            }
            bytes -= record.weight
        }
        return unsent.count < backlog
    }
}

extension Record {
    fileprivate var weight: Int { (key?.count ?? 0) + (value?.count ?? 0) }
}
