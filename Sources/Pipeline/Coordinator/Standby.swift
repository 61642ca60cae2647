public import Conversation
public import IntentEvents
public import Logging
public import RecordLog
import Synchronization

/// Follows the journals of partitions that other coordinators own, so that taking one of them over takes no longer than reading its tail.
///
/// Kafka's `range` assignor deals out runs of partition numbers over the sorted members, so those nearest in number to one's own are the ones to inherit.
///
/// One thread drives it with ``step(timeout:)``, another one the coordinator that takes from it. It writes nothing.
public final class Standby: Sendable {
    public struct Configuration: Sendable {
        public var topics: Topics
        /// How many partitions there are.
        public var partitions: Int32
        /// How many of them are followed, beside those that are owned: a bound on the memory of this process. It is not a number of copies of each
        /// partition, for which the members would have to know of each other.
        public var maximum: Int
        /// For how long it may be behind: nothing is removed by compaction in that time.
        public var patience: Duration = .milliseconds(Topics.compactionLag)

        public init(topics: Topics = Topics(), partitions: Int32, maximum: Int) {
            self.topics = topics
            self.partitions = partitions
            self.maximum = maximum
        }
    }

    /// How far the reading is.
    public struct Progress: Sendable, Hashable {
        /// Partitions that were read to their end.
        public var ready = 0
        public var partitions = 0
        /// The newest records of sessions that are kept.
        public var sessions = 0
        /// Offsets passed.
        public var offsets: Int64 = 0
    }

    fileprivate struct State {
        var followers: [Int32: JournalFollower] = [:]
        /// Those of them that are being read. Nothing of the others can have been read yet.
        var open: Set<Int32> = []
        /// Those that the client reads, as of the last step.
        var read: Set<Int32> = []
        var restarts = 0
    }

    private let client: any LogClient
    private let configuration: Configuration
    private let clock: @Sendable () -> Instant
    private let logger: Logger
    private let state = Mutex(State())

    /// Follows the first partitions, until it is told which ones are owned.
    ///
    /// - Parameter client: one without a group.
    public init(
        client: any LogClient, configuration: Configuration, clock: @escaping @Sendable () -> Instant, logger: Logger
    ) {
        (self.client, self.configuration, self.clock, self.logger) = (client, configuration, clock, logger)
        follow(beside: [])
    }

    /// The client that a standby needs.
    public static func client(_ id: String) -> ClientConfiguration {
        var client = ClientConfiguration(clientID: "\(id)-standby")
        client.isReadOnly = true
        client.isFollower = true
        return client
    }

    // MARK: The coordinator

    /// Follows those partitions that are nearest to these, and no others.
    ///
    /// - Parameter kept: What is known of partitions that were given back a moment ago.
    /// - Returns: Those that are followed from what was kept of them, now or before.
    @discardableResult
    func follow(beside own: Set<Int32>, keeping kept: [Int32: JournalReplay] = [:]) -> Set<Int32> {
        let wanted = Set(Self.nearest(to: own, of: configuration.partitions, atMost: configuration.maximum))
        let now = clock()
        defer { client.wake() }
        return state.withLock { state in
            for number in state.followers.keys where !wanted.contains(number) { state.drop(number) }
            for number in wanted where state.followers[number] == nil {
                state.followers[number] = JournalFollower(
                    patience: configuration.patience, at: now, continuing: kept[number] ?? JournalReplay())
            }
            return Set(state.followers.filter(\.value.replay.isResumed).keys)
        }
    }

    /// What is known of a partition that is to be taken over. It is not followed any more.
    func take(_ number: Int32) -> JournalReplay? {
        let now = clock()
        return state.withLock { state in
            guard let follower = state.drop(number), !follower.isLate(at: now) else { return nil }
            return follower.replay
        }
    }

    /// The partitions that are followed, in order.
    public var partitions: [Int32] { state.withLock { $0.followers.keys.sorted() } }

    /// The partitions that are not owned, the nearest in number first.
    static func nearest(to own: Set<Int32>, of count: Int32, atMost maximum: Int) -> [Int32] {
        let others = (0..<max(0, count)).filter { !own.contains($0) }
        guard maximum < others.count else { return others }
        let distances = others.map { other in (own.map { abs($0 - other) }.min() ?? 0, other) }
        return distances.sorted { $0 < $1 }.prefix(max(0, maximum)).map(\.1)
    }

    // MARK: Reading

    /// How often a journal was read again, because what was known of it counted no more.
    public var restarts: Int { state.withLock(\.restarts) }

    /// Whether some records are not read that it will read as the next ones.
    ///
    /// - Parameter ends: of the partitions.
    package func isBehind(_ ends: [Int32: Int64]) -> Bool {
        let now = clock()
        return state.withLock { state in
            state.followers.contains { $1.replay.next < ends[$0] ?? 0 && !$1.isLate(at: now) }
        }
    }

    /// How far it is.
    public var progress: Progress {
        state.withLock { state in
            var progress = Progress(partitions: state.followers.count)
            for follower in state.followers.values {
                if follower.isAtEnd { progress.ready += 1 }
                progress.sessions += follower.replay.newest.count
                progress.offsets += follower.replay.next
            }
            return progress
        }
    }

    /// Whether all that is followed was read to its end.
    public var isReady: Bool { state.withLock { $0.followers.values.allSatisfy(\.isAtEnd) } }

    /// Takes what the log has to tell.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        try open()
        let events = try client.poll(maximum: 500, timeout: timeout)
        let now = clock()
        var again: Set<Int32> = []
        var unreadable: [UnreadableRange] = []
        state.withLock { state in
            for event in events {
                if case .unreadable(let batch) = event, state.open.contains(batch.partition.partition) {
                    // Without what it holds, a takeover would go on from a wrong state. The owner stops there, with an instruction.
                    unreadable.append(batch)
                    state.drop(batch.partition.partition)
                }
                guard let number = event.number, state.open.contains(number) else { continue }
                if state.take(event, number, at: now) == .readAgain {
                    again.insert(number)
                    state.restarts += 1
                    state.drop(number)
                    state.followers[number] = JournalFollower(patience: configuration.patience, at: now)
                }
            }
        }
        for event in events { if case .failed(let error) = event { logger.info("standby: \(error)") } }
        for batch in unreadable { logger.warning("a partition is not followed any more: \(batch)") }
        if !again.isEmpty {
            logger.notice("journals are read again for the standby", metadata: ["partitions": "\(again.sorted())"])
        }
        return !events.isEmpty
    }

    public func close(timeout: Duration) throws(LogError) { try client.close(timeout: timeout) }

    /// Opens what is to be followed, and closes what no longer is.
    private func open() throws(LogError) {
        let (closed, opened) = state.withLock { state in
            let opened = state.followers.filter { !state.open.contains($0.key) }.mapValues(\.replay.next)
            state.open.formUnion(opened.keys)
            defer { state.read = state.open }
            return (state.read.subtracting(state.open), opened)
        }
        for number in closed.sorted() { try client.stopReading(place(number)) }
        for (number, next) in opened.sorted(by: { $0.key < $1.key }) {
            try client.read(place(number), from: next == 0 ? .beginning : .offset(next))
        }
    }

    private func place(_ number: Int32) -> TopicPartition { TopicPartition(configuration.topics.sessions, number) }
}

extension Standby.State {
    @discardableResult
    fileprivate mutating func drop(_ number: Int32) -> JournalFollower? {
        open.remove(number)
        return followers.removeValue(forKey: number)
    }

    fileprivate mutating func take(_ event: RecordLog.LogEvent, _ number: Int32, at now: Instant) -> JournalFollower
        .Next?
    {
        switch event {
        case .read(let record): followers[number]?.read(record)
        case .readEnd(_, let next): followers[number]?.reachedEnd(next: next, at: now)
        // The log no longer has the place: it was cut or created again, or what is before its beginning was removed.
        case .outOfRange: .readAgain
        default: nil
        }
    }
}

extension RecordLog.LogEvent {
    /// The partition of what was read.
    fileprivate var number: Int32? {
        switch self {
        case .read(let record): record.partition
        case .readEnd(let place, _): place.partition
        case .outOfRange(let position): position.partition.partition
        default: nil
        }
    }
}
