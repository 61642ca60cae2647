public import Conversation
public import IntentEvents
public import Logging
public import RecordLog
import Synchronization

/// Follows `intents.catalog`, so that a coordinator knows where the work of each intent goes.
///
/// One thread drives it with ``step(timeout:)``, another one the coordinator that asks it. It writes nothing.
public final class CatalogueFollower: Sendable {
    private struct State {
        var catalogue = Catalogue(keepsDescriptions: false)
        /// Partitions that were read to their ends.
        var atEnd: Set<Int32> = []
        var isOpen = false
        /// When leases were looked at last.
        var looked: Instant
        /// The intents that several services serve, as they were told last.
        var contested: [String: [String]] = [:]
        var routes = CatalogueRoutes()
    }

    private let client: any LogClient
    private let topics: Topics
    private let partitions: Int32
    private let clock: @Sendable () -> Instant
    private let logger: Logger
    private let state: Mutex<State>

    /// How often leases are looked at.
    static let interval: Duration = .seconds(5)
    /// By how much the time of a lease moves on in one look. If this process was paused for long, renewals are read before leases are dropped.
    static let stride: Duration = .seconds(10)

    /// - Parameters:
    ///   - client: one without a group.
    ///   - partitions: how many the topic has.
    public init(
        client: any LogClient, topics: Topics, partitions: Int32, clock: @escaping @Sendable () -> Instant, logger: Logger
    ) {
        (self.client, self.topics, self.partitions, self.clock, self.logger) = (client, topics, partitions, clock, logger)
        state = Mutex(State(looked: clock()))
    }

    /// The client that it needs.
    public static func client(_ id: String) -> ClientConfiguration {
        var client = ClientConfiguration(clientID: "\(id)-catalog")
        client.isReadOnly = true
        client.isFollower = true
        return client
    }

    /// Whether all that was written before has been read.
    public var isReady: Bool { state.withLock { $0.atEnd.count == Int(partitions) } }

    /// Where the work of an intent goes. May be called from any thread. Until all is read, what is not known yet goes to the default service.
    public func answer(for intent: String) -> CatalogueRoutes.Answer {
        let (routes, isReady) = state.withLock { ($0.routes, $0.atEnd.count == Int(partitions)) }
        let answer = routes.answer(for: intent)
        if !isReady, case .unserved = answer { return .served(nil) }
        return answer
    }

    /// Takes what the log has to tell.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        try open()
        let events = try client.poll(maximum: 500, timeout: timeout)
        let now = clock()
        var contested: [String: [String]]?
        state.withLock { state in
            var hasChanged = false
            for event in events {
                switch event {
                case .read(let record): if take(record, at: state.looked, &state) { hasChanged = true }
                case .readEnd(let place, _): state.atEnd.insert(place.partition)
                // The topic was cut, or created again. What leases said holds until they are over.
                case .outOfRange, .record, .delivered, .assigned, .revoked, .committed, .failed: break
                }
            }
            if state.looked.duration(to: now) >= Self.interval {
                state.looked = min(now, state.looked.advanced(by: Self.stride))
                if state.catalogue.expire(at: state.looked) { hasChanged = true }
            }
            guard hasChanged else { return }
            let entries = state.catalogue.entries
            state.routes = CatalogueRoutes(entries)
            let all = Dictionary(entries.filter(\.isContested).map { ($0.intent, $0.names) }) { first, _ in first }
            if all != state.contested { contested = all }
            state.contested = all
        }
        for event in events { if case .failed(let error) = event { logger.info("catalogue: \(error)") } }
        for (intent, services) in (contested ?? [:]).sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "several services serve one intent; only the first one gets its work",
                metadata: ["intent": "\(intent)", "services": "\(services.joined(separator: ", "))"])
        }
        return !events.isEmpty
    }

    public func close(timeout: Duration) throws(LogError) { try client.close(timeout: timeout) }

    private func open() throws(LogError) {
        let isNew = state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        guard isNew else { return }
        for number in 0..<partitions { try client.read(TopicPartition(topics.catalog, number), from: .beginning) }
    }

    private func take(_ record: ConsumedRecord, at now: Instant, _ state: inout State) -> Bool {
        do { return try state.catalogue.take(record, at: now) } catch {
            logger.warning(
                "a record of the catalogue is passed over",
                metadata: ["place": "\(record.topicPartition)@\(record.offset)", "problem": "\(error.rejection.message)"])
            return false
        }
    }
}

extension Catalogue.Entry {
    /// The services that serve it, the one that gets its work first.
    fileprivate var names: [String] { (isInApp ? appServices : services).map { $0.service ?? ServiceName.ofDefault } }
}
