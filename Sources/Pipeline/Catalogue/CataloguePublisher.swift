public import Conversation
public import IntentEvents
public import Logging
public import RecordLog
import Synchronization

/// Publishes what one worker process serves on `intents.catalog`: its intents at the start and when they change, and its lease again and again.
///
/// The broker dates the records of `intents.catalog`, so the lease that is read back tells how far this process's clock is from the broker's.
///
/// It knows nothing of other processes. An intent is in the catalogue while any worker's lease names it, so several processes of a service need not agree: each
/// withdraws its own lease, and the last one to stop takes the intent out.
///
/// One thread drives it with ``step(timeout:)``.
public final class CataloguePublisher: Sendable {
    /// What a worker serves.
    public struct Content: Sendable, Hashable {
        public var lease: WorkerLease
        public var intents: [PublishedIntent]

        public init(lease: WorkerLease, intents: [PublishedIntent]) {
            self.lease = lease
            self.intents = intents
        }
    }

    fileprivate struct State {
        var content: Content
        /// What is in the log, or under way to it.
        var published: [CatalogueKey: PublishedIntent] = [:]
        var nextLease: Instant
        var nextIntents: Instant
        /// What is under way, by token.
        var underWay: [UInt64: CatalogueKey] = [:]
        var lastToken: UInt64 = 0
        var encoder: EventEncoder
        /// The time from which on the next lease is read back.
        var nextComparison = Instant.earliest
        /// The lease that is under way, and when it was made.
        var lease: (token: UInt64, sent: Instant)?
        /// Where the newest lease is read back.
        var reading: (place: TopicPartition, offset: Int64, sent: Instant)?
    }

    private let client: any LogClient
    private let topics: Topics
    private let clock: @Sendable () -> Instant
    private let logger: Logger
    private let onComparison: (@Sendable (Duration) -> Void)?
    private let state: Mutex<State>

    /// How often intents are written again, so that the retention of their topic does not delete them.
    static let intentRenewal: Duration = .seconds(86_400)
    /// How long it waits for a lease that the log has not acknowledged, before it looks again whether another one is due.
    static let acknowledgementDelay: Duration = .seconds(1)
    /// How long it waits before it writes again what it has no right to write: it takes someone to grant it.
    static let unauthorizedDelay: Duration = .seconds(15)
    /// How often a lease is read back, and how soon after one that has shown a difference of clocks of more than this, so that one late reading decides nothing.
    static let comparisonInterval: Duration = .seconds(60), comparisonDelay: Duration = .seconds(10),
        doubtful: Duration = .seconds(5)

    /// - Parameters:
    ///   - client: one without a group.
    ///   - onComparison: is called when a lease was read back, with the time by which this process's clock is certainly ahead of the broker's: negative if it is behind,
    ///     and zero if the broker has dated the lease between its sending and its reading. Without it no lease is read back.
    public init(
        _ content: Content, client: any LogClient, topics: Topics, clock: @escaping @Sendable () -> Instant,
        logger: Logger,
        onComparison: (@Sendable (Duration) -> Void)? = nil
    ) {
        self.onComparison = onComparison
        (self.client, self.topics, self.clock, self.logger) = (client, topics, clock, logger)
        let now = clock()
        let encoder = EventEncoder(source: "/intents/catalog/\(content.lease.instance)")
        state = Mutex(State(content: content, nextLease: now, nextIntents: now, encoder: encoder))
    }

    /// Publishes other content from now on. May be called from any thread.
    public func publish(_ content: Content) {
        let now = clock()
        state.withLock { state in
            guard state.content != content else { return }
            state.content = content
            state.nextLease = now
        }
        client.wake()
    }

    /// Writes what is due.
    ///
    /// - Parameter timeout: how long to wait if nothing is due.
    /// - Returns: whether there was something to do.
    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        let records = due()
        var failed: [(CatalogueKey, LogError)] = []
        for (token, record) in records {
            do throws(LogError) { try client.send(record, token: token) } catch {
                guard error.code == .queueFull else { throw error }
                if let key = take(token, error) { failed.append((key, error)) }
            }
        }
        let now = clock()
        let next = state.withLock { min($0.nextLease, $0.nextIntents) }
        let events = try client.poll(
            maximum: 500, timeout: records.isEmpty ? min(timeout, max(.zero, now.duration(to: next))) : .zero)
        for event in events {
            switch event {
            case .delivered(let delivery):
                if let key = take(delivery.token, delivery.error), let error = delivery.error {
                    failed.append((key, error))
                }
                try readBack(delivery)
            case .read(let record): try compare(record)
            case .failed(let error):
                logger.log(level: error.code == .unauthorized ? .error : .info, "catalogue: \(error)")
            default: break
            }
        }
        if let (key, error) = failed.first {
            logger.warning(
                "the catalogue could not be written, and will be written again",
                metadata: ["records": "\(failed.count)", "first": "\(key)", "error": "\(error)"])
        }
        return !records.isEmpty || !events.isEmpty
    }

    /// Withdraws the lease, and with it the intents that no other worker serves.
    ///
    /// - Parameter withdraws: Whether it does. Otherwise the lease runs out by itself, so that nothing is missing while the process is restarted: it is not renewed
    ///   meanwhile, and names no phases.
    public func close(timeout: Duration, withdraws: Bool = true) throws(LogError) {
        let now = clock()
        let (token, record) = state.withLock { state in
            var lease = state.content.lease
            (lease.phases, lease.renewal) = ([], lease.validFor)
            let record =
                withdraws
                ? state.encoder.withdrawal(of: lease.key, topics: topics, at: now)
                : state.encoder.record(lease, topics: topics, at: now)
            return (state.token(for: lease.key), record)
        }
        try client.send(record, token: token)
        try client.close(timeout: timeout)
    }

    private func due() -> [(UInt64, Record)] {
        let now = clock()
        return state.withLock { state in
            var records: [(UInt64, Record)] = []
            if now >= state.nextIntents {
                state.published = [:]
                state.nextIntents = now.advanced(by: Self.intentRenewal)
            }
            guard now >= state.nextLease else { return [] }
            if let lease = state.lease, state.underWay[lease.token] != nil {
                state.nextLease = now.advanced(by: Self.acknowledgementDelay)
                return []
            }
            for intent in state.content.intents {
                let key = CatalogueRecord.intent(intent).key
                guard state.published.updateValue(intent, forKey: key) != intent else { continue }
                records.append((state.token(for: key), state.encoder.record(intent, topics: topics, at: now)))
            }
            // After the intents that it names.
            let lease = state.content.lease
            let token = state.token(for: lease.key)
            records.append((token, state.encoder.record(lease, topics: topics, at: now)))
            state.lease = (token, now)
            state.nextLease = now.advanced(by: .milliseconds(WorkerLease.renewal))
            return records
        }
    }

    /// Reads the newest lease from its place in the log.
    private func readBack(_ delivery: Delivery) throws(LogError) {
        guard onComparison != nil, let offset = delivery.offset else { return }
        let place = TopicPartition(delivery.topic, delivery.partition)
        let (before, isLease) = state.withLock { state in
            guard let lease = state.lease, lease.token == delivery.token, lease.sent >= state.nextComparison else {
                return (nil as TopicPartition?, false)
            }
            state.nextComparison = lease.sent.advanced(by: Self.comparisonInterval)
            defer { state.reading = (place, offset, lease.sent) }
            return (state.reading?.place, true)
        }
        if let before { try client.stopReading(before) }
        if isLease { try client.read(place, from: .offset(offset)) }
    }

    private func compare(_ record: ConsumedRecord) throws(LogError) {
        let now = clock()
        let sent = state.withLock { state -> Instant? in
            guard let reading = state.reading, reading.place == record.topicPartition, reading.offset == record.offset
            else { return nil }
            state.reading = nil
            return reading.sent
        }
        guard let sent else { return }
        try client.stopReading(record.topicPartition)
        let dated = Instant(milliseconds: record.timestamp)
        let ahead = dated < sent ? dated.duration(to: sent) : dated > now ? dated.duration(to: now) : .zero
        onComparison?(ahead)
        if ahead > Self.doubtful || ahead < .zero - Self.doubtful {
            state.withLock { $0.nextComparison = min($0.nextComparison, now.advanced(by: Self.comparisonDelay)) }
        }
    }

    /// Notes that a record is in the log, or is not: then it is written again soon.
    private func take(_ token: UInt64, _ error: LogError?) -> CatalogueKey? {
        let now = clock()
        return state.withLock { state in
            let key = state.underWay.removeValue(forKey: token)
            if let key, let error {
                state.published[key] = nil
                if error.code == .unauthorized { state.nextLease = now.advanced(by: Self.unauthorizedDelay) }
            } else if let lease = state.lease, lease.token == token {
                // One that has waited for the log is renewed at once.
                state.nextLease = min(state.nextLease, lease.sent.advanced(by: .milliseconds(WorkerLease.renewal)))
            }
            return key
        }
    }
}

extension CataloguePublisher.State {
    fileprivate mutating func token(for key: CatalogueKey) -> UInt64 {
        lastToken += 1
        underWay[lastToken] = key
        return lastToken
    }
}

extension WorkerLease {
    fileprivate var key: CatalogueKey { .worker(service: service, instance: instance) }
}
