public import Conversation
public import IntentEvents
public import IntentModel
public import Logging
public import RecordLog
import Synchronization

/// Follows `intents.catalog`, so that a coordinator knows where the work of each intent goes, and what is remembered about its parameters.
///
/// One thread drives it with ``step(timeout:)``, another one the coordinator that asks it. It writes nothing.
public final class CatalogueFollower: TopicFollower {
    private struct State {
        var catalogue: Catalogue
        /// When leases were looked at last.
        var looked: Instant
        /// Whether what was in the topic at the beginning has been read.
        var isLive = false
        /// The intents that several services serve, as they were told last.
        var contested: [Identifier: [String]] = [:]
        var routes = CatalogueRoutes()
    }

    private let reading: TopicReading
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
        client: any LogClient, topics: Topics, partitions: Int32, clock: @escaping @Sendable () -> Instant,
        logger: Logger
    ) {
        reading = TopicReading(client, topic: topics.catalog, partitions: partitions)
        (self.clock, self.logger) = (clock, logger)
        let now = clock()
        state = Mutex(State(catalogue: Catalogue(keepsDescriptions: false, began: now), looked: now))
    }

    /// The client that it needs.
    public static func client(_ id: String) -> ClientConfiguration { TopicReading.client("\(id)-catalog") }

    public var isReady: Bool { reading.isAtEnd }

    /// Batches of the topic that could not be read and were passed over. May be called from any thread.
    public var unreadableBatches: Int { reading.unreadableBatches }

    /// The faults that the leases show; empty until all of the catalogue is read. May be called from any thread.
    public var faults: [PipelineFault] {
        guard isReady else { return [] }
        let now = clock()
        return state.withLock { $0.catalogue }.faults(partitions: reading.partitions, at: now)
    }

    /// What is remembered about an intent's parameters beyond the session; `nil` if that is not known. May be called from any thread.
    public func memory(of intent: Identifier) -> IntentMemory? { state.withLock { $0.routes.memory(of: intent) } }

    /// Where the work of an intent goes. May be called from any thread. Until all is read, what is not known yet goes to the default service.
    public func answer(for intent: Identifier) -> CatalogueRoutes.Answer {
        let answer = state.withLock { $0.routes }.answer(for: intent)
        if case .unserved = answer, !isReady { return .served(nil) }
        return answer
    }

    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        let events = try reading.poll(timeout: timeout)
        let isAtEnd = reading.isAtEnd(after: events)
        let now = clock()
        var contested: [Identifier: [String]]?
        var complaint: String?
        state.withLock { state in
            var hasChanged = false
            for event in events {
                switch event {
                case .read(let record): if take(record, at: now, &state) { hasChanged = true }
                // The topic was cut, or created again. What leases said holds until they are over.
                case .readEnd, .outOfRange, .unreadable, .record, .delivered, .assigned, .revoked, .committed,
                    .committedOffsets, .failed:
                    break
                }
            }
            if isAtEnd, !state.isLive {
                state.isLive = true
                if state.catalogue.expire(at: state.looked) { hasChanged = true }
            }
            if state.looked.duration(to: now) >= Self.interval {
                state.looked = min(now, state.looked.advanced(by: Self.stride))
                if state.catalogue.expire(at: state.looked) { hasChanged = true }
            }
            complaint = state.catalogue.complaint(at: now)
            guard hasChanged else { return }
            let entries = state.catalogue.entries
            state.routes = CatalogueRoutes(entries)
            let all = Dictionary(entries.filter(\.isContested).map { ($0.intent, $0.names) }) { first, _ in first }
            if all != state.contested { contested = all }
            state.contested = all
        }
        reading.note(events)
        for event in events { if case .failed(let error) = event { logger.info("catalogue: \(error)") } }
        for batch in reading.countUnreadable(events) {
            logger.error("a batch of the catalogue is passed over: \(batch)")
        }
        if let complaint { logger.warning("\(complaint)") }
        for (intent, services) in (contested ?? [:]).sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "several services serve one intent; only the first one gets its work",
                metadata: ["intent": "\(intent)", "services": "\(services.joined(separator: ", "))"])
        }
        return !events.isEmpty
    }

    public func close(timeout: Duration) throws(LogError) { try reading.close(timeout: timeout) }

    private func take(_ record: ConsumedRecord, at now: Instant, _ state: inout State) -> Bool {
        do { return try state.catalogue.take(record, at: now, isPast: !state.isLive) } catch {
            logger.warning(
                "a record of the catalogue is passed over",
                metadata: [
                    "place": "\(record.topicPartition)@\(record.offset)", "problem": "\(error.rejection.message)",
                ])
            return false
        }
    }
}

extension Catalogue.Entry {
    /// The services that serve it, the one that gets its work first.
    fileprivate var names: [String] { (isInApp ? appServices : services).map { $0.service ?? ServiceName.ofDefault } }
}
