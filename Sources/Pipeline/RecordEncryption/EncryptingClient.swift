public import IntentEvents
import IntentModel
public import RecordLog

/// A client that encrypts the values of records that it writes, and decrypts records that it reads: the journal, work,
/// outcomes, results, dead letters and memory. Requests and answers stay as their producers have written them, and the
/// catalogue has no values of persons.
///
/// Each session has a key. A coordinator's client assigns the key from a stock that is in `intents.keys` already, so
/// that every reader of a record finds the key that the record's header names. Memory, and a record of a session whose
/// key the writer does not know, have keys of their own, wrapped in the header.
///
/// A record whose key is unknown waits, and so do the later records of its stream; see ``HeldStreams``. If the key does
/// not exist, the record is passed on encrypted. Each partition waits for its own keys only.
public final class EncryptingClient: LogClient, @unchecked Sendable {
    let inner: any LogClient
    let topics: Topics
    let keys: EncryptionKeys
    /// `true` for a coordinator's client, which writes keys and assigns them to sessions.
    let makesKeys: Bool
    /// Returns the time in milliseconds since 1970.
    let now: @Sendable () -> Int64
    let sealedTopics: Set<String>
    var partitions: [Int32: PartitionKeys] = [:]
    /// The written keys without an acknowledgement, by token; `nil` for a key that was written again.
    var unacknowledged: [UInt64: DataKey?] = [:]
    var lastToken = EncryptingClient.tokens
    /// The partitions that the user has paused.
    private var pausedByUser: Set<TopicPartition> = []
    /// The partitions of `intents.keys` that the user reads too, and the user's positions.
    private var readByUser: [TopicPartition: StartOffset] = [:]
    /// `true` if the last batch had no room for all events.
    private var hasMore = false
    /// The time of the next ``renewKeys()``.
    private var nextRenewal = Int64.min

    /// Records of keys have tokens above this one. No user's token is as high.
    static let tokens: UInt64 = 0xFFFF << 48
    /// The age at which the key of a session is written again, in milliseconds.
    static let renewal: Int64 = 86_400_000
    /// The time between two looks at the age of keys, in milliseconds.
    private static let renewalInterval: Int64 = 3_600_000

    /// - Parameters:
    ///   - makesKeys: `true` for a coordinator's client, which may write to `intents.keys`.
    ///   - now: Returns the time in milliseconds since 1970.
    public init(
        _ inner: any LogClient, topics: Topics, keys: EncryptionKeys, makesKeys: Bool = false,
        now: @escaping @Sendable () -> Int64
    ) {
        (self.inner, self.topics, self.keys, self.makesKeys, self.now) = (inner, topics, keys, makesKeys, now)
        sealedTopics = Set(
            [topics.sessions, topics.outcomes, topics.results, topics.memory, topics.memoryChanges, topics.deadLetters]
                + topics.work)
    }

    // MARK: Polling

    /// `true` if a record waits for its key, or behind such a record.
    package var isWaiting: Bool { partitions.values.contains { !$0.held.isEmpty } }

    public func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        let longest = isWaiting ? min(timeout, .milliseconds(HeldStreams.readingInterval)) : timeout
        var out: [LogEvent] = []
        for event in try inner.poll(maximum: maximum, timeout: hasMore ? .zero : longest) {
            if let event = try process(event) { out.append(event) }
        }
        hasMore = false
        if isWaiting { try releaseHeld(to: &out, maximum: maximum) }
        try renewKeys()
        return out
    }

    /// Returns the event for the user; `nil` if there is none, or not yet.
    private func process(_ event: LogEvent) throws(LogError) -> LogEvent? {
        switch event {
        case .read(let record) where record.topic == topics.keys:
            partitions[record.partition, default: PartitionKeys()].sessions.apply(record)
            partitions[record.partition]?.held.advance(to: record.offset + 1)
            guard readByUser[record.topicPartition] != nil else { return nil }
            readByUser[record.topicPartition] = .offset(record.offset + 1)
            return event
        case .readEnd(let partition, let next) where partition.topic == topics.keys:
            partitions[partition.partition, default: PartitionKeys()].held.reachEnd(next)
            return readByUser[partition] == nil ? nil : event
        case .outOfRange(let position)
        where position.partition.topic == topics.keys && readByUser[position.partition] == nil:
            partitions[position.partition.partition]?.held.restartReading()
            return nil
        case .delivered(let delivery) where delivery.token > Self.tokens && delivery.topic == topics.keys:
            let (key, isRefused) = (unacknowledged.removeValue(forKey: delivery.token) ?? nil, delivery.error != nil)
            partitions[delivery.partition]?.stock.acknowledge(key, refusedAt: isRefused ? now() : nil)
            return isRefused ? event : nil
        case .unreadable(let batch) where batch.partition.topic == topics.keys: return event
        case .assigned(let assigned):
            try replacePartitions(by: Set(assigned.map(\.partition)))
            return event
        default: return try openOrHold(event)
        }
    }

    private func openOrHold(_ event: LogEvent) throws(LogError) -> LogEvent? {
        guard let stream = RecordStream(of: event) else { return event }
        let number = stream.partition.partition
        if partitions[number]?.held.contains(stream) != true {
            if let opened = open(event) { return opened }  // rule: unknownKeysAreAwaited
        }
        try startReading(number)
        if partitions[number]?.held.append(event, to: stream) == true {
            if stream.isGroup { try inner.pause([stream.partition]) } else { try inner.stopReading(stream.partition) }
        }
        return nil
    }

    /// Moves the held events whose keys are known, or do not exist, to the batch.
    private func releaseHeld(to out: inout [LogEvent], maximum: Int) throws(LogError) {
        for number in partitions.keys.sorted() {
            let streams = partitions[number]?.held.streams ?? []
            if !streams.isEmpty, let next = partitions[number]?.held.beginReading(at: now()) {
                let place = TopicPartition(topics.keys, number)
                try inner.read(place, from: readByUser[place] ?? .offset(next))
            }
            for stream in streams {
                while out.count < maximum, let (event, isFinal) = partitions[number]?.held.first(of: stream),
                    let released = open(event) ?? (isFinal ? event : nil)
                {
                    out.append(released)
                    partitions[number]?.held.removeFirst(of: stream)
                }
                hasMore = out.count >= maximum
                guard let next = partitions[number]?.held.removeIfEmpty(stream) else { continue }
                if !stream.isGroup {
                    try inner.read(stream.partition, from: .offset(next))
                } else if !pausedByUser.contains(stream.partition) {
                    try inner.resume([stream.partition])
                }
            }
        }
    }

    private func startReading(_ number: Int32) throws(LogError) {
        if partitions[number, default: PartitionKeys()].held.isReading { return }
        partitions[number, default: PartitionKeys()].held.isReading = true
        try inner.read(TopicPartition(topics.keys, number), from: .beginning)
    }

    /// Forgets all other partitions, and prepares these partitions for new sessions.
    private func replacePartitions(by numbers: Set<Int32>) throws(LogError) {
        for number in partitions.keys where !numbers.contains(number) {
            guard let gone = partitions.removeValue(forKey: number), gone.held.isReading else { continue }
            try inner.stopReading(TopicPartition(topics.keys, number))
        }
        guard makesKeys else { return }
        for number in numbers.sorted() {
            // A coordinator reads also its own keys, because an operator may destroy them.
            try startReading(number)
            try restock(number)
        }
    }

    /// Fills the stocks of keys, writes keys in use again before their topic deletes them, and forgets deleted keys.
    private func renewKeys() throws(LogError) {
        if makesKeys { for number in partitions.keys.sorted() { try restock(number) } }
        let now = now()
        guard now >= nextRenewal || now < nextRenewal &- 2 * Self.renewalInterval else { return }
        nextRenewal = now + Self.renewalInterval
        for number in partitions.keys.sorted() {
            partitions[number]?.sessions.expire(before: now - Int64(Topics.keyRetention))
            guard makesKeys else { continue }
            for key in partitions[number]?.sessions.aged(before: now - Self.renewal, keys) ?? [] {
                _ = try write(key, isNew: false, to: number)
            }
        }
    }

    // MARK: Reading

    /// Removes held events of streams that are read again.
    private func dropHeld(where isGone: (RecordStream) -> Bool) {
        for number in partitions.keys { partitions[number]?.held.remove(where: isGone) }
    }

    /// `true` if the client has paused an assigned partition because too many of its records wait.
    private func isStopped(_ partition: TopicPartition) -> Bool {
        partitions[partition.partition]?.held.isStopped(RecordStream(partition, isGroup: true)) == true
    }

    public func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError) {
        dropHeld { $0.isGroup }
        pausedByUser = []
        try inner.assign(positions, later: later)
    }

    public func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError) {
        let stopped = positions.keys.filter { isStopped($0) && !pausedByUser.contains($0) }
        dropHeld { $0.isGroup && positions[$0.partition] != nil }
        try inner.restart(positions)
        if !stopped.isEmpty { try inner.resume(stopped) }
    }

    public func release() throws(LogError) {
        dropHeld { $0.isGroup }
        pausedByUser = []
        try inner.release()
    }

    public func pause(_ partitions: [TopicPartition]) throws(LogError) {
        pausedByUser.formUnion(partitions)
        try inner.pause(partitions)
    }

    public func resume(_ partitions: [TopicPartition]) throws(LogError) {
        pausedByUser.subtract(partitions)
        let free = partitions.filter { !isStopped($0) }
        if !free.isEmpty { try inner.resume(free) }
    }

    public func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        dropHeld { $0 == RecordStream(partition, isGroup: false) }
        if partition.topic == topics.keys { readByUser[partition] = start }
        try inner.read(partition, from: start)
    }

    public func stopReading(_ partition: TopicPartition) throws(LogError) {
        dropHeld { $0 == RecordStream(partition, isGroup: false) }
        let held = partitions[partition.partition]?.held
        if readByUser.removeValue(forKey: partition) != nil, let held, held.isReading {
            try inner.read(partition, from: .offset(held.next))
        } else {
            try inner.stopReading(partition)
        }
    }

    // MARK: Unchanged functions

    public func send(_ record: Record, token: UInt64) throws(LogError) { try inner.send(seal(record), token: token) }
    public func wake() { inner.wake() }
    public func start(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try inner.start(positions) }
    public func lookUpCommitted(_ places: [TopicPartition]) throws(LogError) { try inner.lookUpCommitted(places) }
    public func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) { try inner.commit(offsets) }
    public func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> { try inner.range(of: partition) }
    public func offset(of partition: TopicPartition, since timestamp: Int64) throws(LogError) -> Int64 {
        try inner.offset(of: partition, since: timestamp)
    }
    public func knownEnd(of partition: TopicPartition) -> Int64? { inner.knownEnd(of: partition) }
    public func topics(timeout: Duration) throws(LogError) -> [TopicDescription] { try inner.topics(timeout: timeout) }
    public var unwritten: Int { inner.unwritten }
    public func close(timeout: Duration) throws(LogError) { try inner.close(timeout: timeout) }
}
