public import Conversation
public import IntentEvents
public import IntentModel
public import Logging
public import RecordLog
import Synchronization

/// Follows `intents.memory`, so that a coordinator knows what is remembered about the people who own its sessions, wherever it was said.
///
/// One thread drives it with ``step(timeout:)``, another one the coordinator that asks it. It writes nothing.
public final class MemoryFollower: TopicFollower {
    private struct State {
        var memories: PersonMemories
        var hasToldOfBound = false
    }

    private let reading: TopicReading
    private let clock: @Sendable () -> Instant
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameters:
    ///   - client: one without a group.
    ///   - partitions: how many the topic has.
    ///   - maximumBytes: how much of memory it may take, by estimate. Past it, what was said the longest ago is not known.
    public init(
        client: any LogClient, topics: Topics, partitions: Int32, maximumBytes: Int = 256 << 20,
        clock: @escaping @Sendable () -> Instant, logger: Logger
    ) {
        reading = TopicReading(client, topic: topics.memory, partitions: partitions)
        (self.clock, self.logger) = (clock, logger)
        state = Mutex(State(memories: PersonMemories(maximumBytes: maximumBytes)))
    }

    /// The client that it needs.
    public static func client(_ id: String) -> ClientConfiguration { TopicReading.client("\(id)-memory") }

    public var isReady: Bool { reading.isAtEnd }

    /// Batches of the topic that could not be read and were passed over. May be called from any thread.
    public var unreadableBatches: Int { reading.unreadableBatches }

    /// What is remembered about a person under these keys, and what of it was forgotten. May be called from any thread.
    public func values(_ keys: some Sequence<String>, of principal: Principal, at now: Instant) -> [RememberedValue] {
        state.withLock { $0.memories.values(keys, of: principal, at: now) }
    }

    /// The keys under which something is remembered about a person, in order. May be called from any thread.
    public func keys(of principal: Principal) -> [String] { state.withLock { $0.memories.values(of: principal).map(\.key) } }

    /// Whether the topic has this value, or a later one of its key. May be called from any thread.
    public func has(_ value: RememberedValue, of principal: Principal) -> Bool {
        state.withLock { ($0.memories.value(value.key, of: principal)?.time).map { $0 >= value.time } ?? false }
    }

    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        let events = try reading.poll(timeout: timeout)
        let now = clock()
        var isBeyondBound = false
        state.withLock { state in
            for case .read(let record) in events { take(record, at: now, &state) }
            isBeyondBound = state.memories.dropped > 0 && !state.hasToldOfBound
            if isBeyondBound { state.hasToldOfBound = true }
        }
        reading.note(events)
        for case .failed(let error) in events { logger.info("memory: \(error)") }
        for batch in reading.countUnreadable(events) { logger.error("a batch of the memory is passed over: \(batch)") }
        if isBeyondBound {
            logger.warning("there is no room for all that is remembered about people: what was said the longest ago is asked again")
        }
        return !events.isEmpty
    }

    public func close(timeout: Duration) throws(LogError) { try reading.close(timeout: timeout) }

    private func take(_ record: ConsumedRecord, at now: Instant, _ state: inout State) {
        do { state.memories.take(try MemoryRecord(record), at: now) } catch {
            logger.warning(
                "a record of the memory is passed over",
                metadata: ["place": "\(record.topicPartition)@\(record.offset)", "problem": "\(error.rejection.message)"])
        }
    }
}
