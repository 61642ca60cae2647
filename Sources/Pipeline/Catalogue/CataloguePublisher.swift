public import Conversation
public import IntentEvents
public import Logging
public import RecordLog
import Synchronization

/// Publishes what one worker process serves on `intents.catalog`: its intents at the start and when they change, and its lease again and again.
///
/// It knows nothing of other workers. An intent is in the catalogue while any worker's lease names it, so several processes of a service need not agree: each
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
    }

    private let client: any LogClient
    private let topics: Topics
    private let clock: @Sendable () -> Instant
    private let logger: Logger
    private let state: Mutex<State>

    /// How often intents are written again, so that the retention of their topic does not delete them.
    static let intentRenewal: Duration = .seconds(86_400)
    /// How long it waits before it writes again what the log has refused.
    static let retryDelay: Duration = .seconds(5)

    /// - Parameter client: one without a group.
    public init(
        _ content: Content, client: any LogClient, topics: Topics, clock: @escaping @Sendable () -> Instant, logger: Logger
    ) {
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
        let events = try client.poll(maximum: 500, timeout: records.isEmpty ? min(timeout, max(.zero, now.duration(to: next))) : .zero)
        for event in events {
            switch event {
            case .delivered(let delivery):
                if let key = take(delivery.token, delivery.error), let error = delivery.error { failed.append((key, error)) }
            case .failed(let error): logger.log(level: error.code == .unauthorized ? .error : .info, "catalogue: \(error)")
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
    /// - Parameter withdraws: Whether it does. Otherwise the lease runs out by itself, so that nothing is missing while the process is restarted.
    public func close(timeout: Duration, withdraws: Bool = true) throws(LogError) {
        if withdraws {
            let now = clock()
            let (token, record) = state.withLock { state in
                let key = state.content.lease.key
                return (state.token(for: key), state.encoder.withdrawal(of: key, topics: topics, at: now))
            }
            try client.send(record, token: token)
        }
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
            for intent in state.content.intents {
                let key = CatalogueRecord.intent(intent).key
                guard state.published.updateValue(intent, forKey: key) != intent else { continue }
                records.append((state.token(for: key), state.encoder.record(intent, topics: topics, at: now)))
            }
            // After the intents that it names.
            let lease = state.content.lease
            records.append((state.token(for: lease.key), state.encoder.record(lease, topics: topics, at: now)))
            state.nextLease = now.advanced(by: .milliseconds(WorkerLease.renewal))
            return records
        }
    }

    /// Notes that a record is in the log, or is not: then it is written again soon.
    private func take(_ token: UInt64, _ error: LogError?) -> CatalogueKey? {
        let now = clock()
        return state.withLock { state in
            let key = state.underWay.removeValue(forKey: token)
            if let key, let error {
                state.published[key] = nil
                // Without a right, it takes someone to grant it.
                let delay: Duration = error.code == .unauthorized ? .milliseconds(WorkerLease.renewal) : Self.retryDelay
                state.nextLease = min(state.nextLease, now.advanced(by: delay))
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
