import DequeModule
public import IntentEvents
import IntentModel
public import RecordLog

/// A client that encrypts the values of what it writes, and decrypts those of what it reads. What uses it knows nothing of that.
///
/// Everything is encrypted that the pipeline writes about sessions and people: the journal, work, outcomes, results, dead letters, and what is remembered about
/// people. The catalogue is not: it holds what
/// programs declare, and no values of persons. Requests and answers are as their producers have
/// written them. Each session has a key of its own. The coordinator takes it from a stock of keys that are in `intents.keys` already, so that each reader of
/// a record finds its key there. A record names its key in a header. What belongs to no session that the writer knows, and a deferred outcome, has a key of its
/// own, wrapped in the header.
///
/// A record whose key is not known yet waits, and what follows it in its partition, until `intents.keys` was read up to an end that it had later. If there is no
/// such key then, the record is passed on as it is.
public final class EncryptingClient: LogClient, @unchecked Sendable {
    let inner: any LogClient
    let topics: Topics
    let keys: EncryptionKeys
    /// Whether it gives keys to sessions: coordinators do.
    let makesKeys: Bool
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64
    let sealedTopics: Set<String>
    var partitions: [Int32: PartitionKeys] = [:]
    /// Partitions that the user of this client has paused.
    private var pausedByUser: Set<TopicPartition> = []
    /// Partitions of `intents.keys` that the user of this client reads too, and where that goes on.
    private var readByUser: [TopicPartition: StartOffset] = [:]
    /// Whether the last batch had no room for all that was ready.
    private var hasMore = false
    /// When the age of the keys is looked at next.
    private var nextCare: Int64 = .min

    /// What is under way to `intents.keys`, by token; `nil` is a key that was there before.
    var underWay: [UInt64: DataKey?] = [:]
    var lastToken = EncryptingClient.tokens

    /// The acknowledgements of keys have higher ones. No user of a client has a token as high.
    static let tokens: UInt64 = 0xFFFF << 48
    /// Keys that are in use are written again after a day, in milliseconds.
    static let renewal: Int64 = 86_400_000
    /// How long new sessions wait for keys, and how long a refusal of a key keeps the next ones back, in milliseconds.
    static let patience: Int64 = 5_000
    static let refusalDelay: Int64 = 1_000
    /// How often ends are looked up, and how often the age of keys, in milliseconds.
    private static let lookInterval: Int64 = 50
    private static let careInterval: Int64 = 3_600_000
    /// How many events of a partition wait for keys before it is read no further. A batch may come on top.
    static let maximumHeld = 1_000

    /// - Parameters:
    ///   - makesKeys: Whether the client is a coordinator's. It may write to `intents.keys` then.
    ///   - now: Milliseconds since 1970.
    public init(
        _ inner: any LogClient, topics: Topics, keys: EncryptionKeys, makesKeys: Bool = false,
        now: @escaping @Sendable () -> Int64
    ) {
        self.inner = inner
        self.topics = topics
        self.keys = keys
        self.makesKeys = makesKeys
        self.now = now
        sealedTopics = Set(
            [topics.sessions, topics.outcomes, topics.results, topics.memory, topics.memoryChanges, topics.deadLetters]
                + topics.work)
    }

    public func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        let isHolding = isWaiting
        let wait = hasMore ? .zero : isHolding ? min(timeout, .milliseconds(Self.lookInterval)) : timeout
        let events = try inner.poll(maximum: maximum, timeout: wait)
        var out: [LogEvent] = []
        out.reserveCapacity(events.count)
        for event in events { try take(event, &out) }
        hasMore = false
        if isHolding || isWaiting { try release(&out, maximum: maximum) }
        try care()
        return out
    }

    /// Whether a record waits for its key, or behind one that does.
    package var isWaiting: Bool { partitions.values.contains { !$0.held.isEmpty } }

    /// The keys of a partition.
    func keys(of number: Int32) -> PartitionKeys {
        if let known = partitions[number] { return known }
        let new = PartitionKeys()
        partitions[number] = new
        return new
    }

    private func take(_ event: LogEvent, _ out: inout [LogEvent]) throws(LogError) {
        switch event {
        case .read(let record) where record.topic == topics.keys:
            keys(of: record.partition).take(record)
            if readByUser[record.topicPartition] != nil {
                readByUser[record.topicPartition] = .offset(record.offset + 1)
                out.append(event)
            }
        case .readEnd(let partition, let next) where partition.topic == topics.keys:
            keys(of: partition.partition).reachedEnd(next)
            if readByUser[partition] != nil { out.append(event) }
        case .outOfRange(let position)
        where position.partition.topic == topics.keys && readByUser[position.partition] == nil:
            // Reading continues at the beginning.
            keys(of: position.partition.partition).beginAgain()
        case .delivered(let delivery) where delivery.token > Self.tokens && delivery.topic == topics.keys:
            let key = underWay.removeValue(forKey: delivery.token) ?? nil
            if delivery.error != nil {
                partitions[delivery.partition]?.refusedUntil = now() + Self.refusalDelay
                out.append(event)
            }
            partitions[delivery.partition]?.written(delivery.error == nil ? key : nil)
        case .assigned(let assigned):
            try keep(Set(assigned.map(\.partition)))
            out.append(event)
        case .record(let record): try take(record, event, isGroup: true, &out)
        case .read(let record): try take(record, event, isGroup: false, &out)
        case .readEnd(let partition, _):
            let stream = PartitionKeys.Stream(partition: partition, isGroup: false)
            if let keys = partitions[partition.partition], keys.held[stream] != nil {
                keys.held[stream]?.append(.init(event: event))
            } else {
                out.append(event)
            }
        case .unreadable(let batch) where batch.partition.topic != topics.keys:
            let stream = PartitionKeys.Stream(partition: batch.partition, isGroup: batch.isAssigned)
            if let keys = partitions[batch.partition.partition], keys.held[stream] != nil {
                keys.held[stream]?.append(.init(event: event))
            } else {
                out.append(event)
            }
        default: out.append(event)
        }
    }

    private func take(_ record: ConsumedRecord, _ event: LogEvent, isGroup: Bool, _ out: inout [LogEvent])
        throws(LogError)
    {
        let stream = PartitionKeys.Stream(partition: record.topicPartition, isGroup: isGroup)
        if partitions[record.partition]?.held[stream] == nil {
            if let opened = open(record) { return out.append(isGroup ? .record(opened) : .read(opened)) }
            if !Rule.unknownKeysAreAwaited.holds { return out.append(event) }
        }
        let keys = keys(of: record.partition)
        try startReading(record.partition, keys)
        keys.held[stream, default: []].append(.init(event: event))
        if keys.stopped[stream] != nil {
            keys.stopped[stream] = record.offset + 1
        } else if keys.held[stream]?.count ?? 0 >= Self.maximumHeld {
            keys.stopped[stream] = record.offset + 1
            if isGroup { try inner.pause([stream.partition]) } else { try inner.stopReading(stream.partition) }
        }
    }

    private func startReading(_ number: Int32, _ keys: PartitionKeys) throws(LogError) {
        guard !keys.isReading else { return }
        keys.isReading = true
        try inner.read(TopicPartition(topics.keys, number), from: .beginning)
    }

    /// Reads a stream on of which too much has waited.
    private func proceed(_ stream: PartitionKeys.Stream, _ keys: PartitionKeys) throws(LogError) {
        guard let next = keys.stopped.removeValue(forKey: stream) else { return }
        if !stream.isGroup { return try inner.read(stream.partition, from: .offset(next)) }
        if !pausedByUser.contains(stream.partition) { try inner.resume([stream.partition]) }
    }

    /// Passes on what has waited, as far as the keys are known now.
    private func release(_ out: inout [LogEvent], maximum: Int) throws(LogError) {
        for (number, keys) in partitions.sorted(by: { $0.key < $1.key }) where keys.hasReachedEnd && !keys.held.isEmpty
        {
            try look(number, keys)
            for stream in keys.held.keys.sorted() {
                while out.count < maximum, let event = popReady(stream, keys) { out.append(event) }
                hasMore = out.count >= maximum
                if keys.held[stream]?.isEmpty == true {
                    keys.held[stream] = nil
                    try proceed(stream, keys)
                }
            }
        }
    }

    /// Begins to read `intents.keys` where it was read up to, to learn of an end that it has now: it may have grown since what waits has come.
    private func look(_ number: Int32, _ keys: PartitionKeys) throws(LogError) {
        let now = now()
        guard keys.needsLook, now < keys.lastLook || now >= keys.lastLook &+ Self.lookInterval else { return }
        keys.look(at: now)
        let place = TopicPartition(topics.keys, number)
        try inner.read(place, from: readByUser[place] ?? .offset(keys.next))
    }

    /// The first event of a stream, if it need not wait any longer.
    private func popReady(_ stream: PartitionKeys.Stream, _ keys: PartitionKeys) -> LogEvent? {
        guard let first = keys.held[stream]?.first else { return nil }
        var event = first.event
        switch event {
        case .record(let record), .read(let record):
            if let opened = open(record) {
                event = stream.isGroup ? .record(opened) : .read(opened)
            } else {
                // There is no such key: the record can't be decoded, and that is told.
                guard first.look == .done else { return nil }
            }
        default: break
        }
        keys.held[stream]?.removeFirst()
        return event
    }

    /// The group has given these partitions: the others are forgotten.
    private func keep(_ numbers: Set<Int32>) throws(LogError) {
        for (number, keys) in partitions where !numbers.contains(number) {
            partitions[number] = nil
            if keys.isReading { try inner.stopReading(TopicPartition(topics.keys, number)) }
        }
        guard makesKeys else { return }
        for number in numbers.sorted() {
            // Also what it makes itself, to learn which keys are destroyed.
            try startReading(number, keys(of: number))
            try stock(number)
        }
    }

    /// Drops what waits in these streams: it is read again.
    private func drop(where isGone: (PartitionKeys.Stream) -> Bool) {
        for keys in partitions.values {
            keys.held = keys.held.filter { !isGone($0.key) }
            keys.stopped = keys.stopped.filter { !isGone($0.key) }
        }
    }

    /// Keeps keys in stock, keeps those in use from being deleted by the retention of their topic, and forgets those that it has deleted.
    private func care() throws(LogError) {
        if makesKeys { for number in partitions.keys.sorted() { try stock(number) } }
        let now = now()
        guard now >= nextCare || now < nextCare &- 2 * Self.careInterval else { return }
        nextCare = now + Self.careInterval
        for (number, known) in partitions.sorted(by: { $0.key < $1.key }) {
            known.expire(before: now - Int64(Topics.keyRetention))
            guard makesKeys else { continue }
            for key in known.aged(before: now - Self.renewal, keys) { _ = try write(key, isNew: false, number) }
        }
    }

    public func wake() { inner.wake() }

    public func send(_ record: Record, token: UInt64) throws(LogError) {
        try inner.send(try sealed(record), token: token)
    }

    public func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError) {
        drop { $0.isGroup }
        pausedByUser = []
        try inner.assign(positions, later: later)
    }

    public func start(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try inner.start(positions) }

    public func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError) {
        let stopped = positions.keys.filter {
            partitions[$0.partition]?.stopped[.init(partition: $0, isGroup: true)] != nil && !pausedByUser.contains($0)
        }
        drop { $0.isGroup && positions[$0.partition] != nil }
        try inner.restart(positions)
        if !stopped.isEmpty { try inner.resume(stopped) }
    }

    public func release() throws(LogError) {
        drop { $0.isGroup }
        pausedByUser = []
        try inner.release()
    }

    public func lookUpCommitted(_ partitions: [TopicPartition]) throws(LogError) {
        try inner.lookUpCommitted(partitions)
    }

    public func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) { try inner.commit(offsets) }

    public func pause(_ partitions: [TopicPartition]) throws(LogError) {
        pausedByUser.formUnion(partitions)
        try inner.pause(partitions)
    }

    public func resume(_ partitions: [TopicPartition]) throws(LogError) {
        pausedByUser.subtract(partitions)
        let free = partitions.filter {
            self.partitions[$0.partition]?.stopped[.init(partition: $0, isGroup: true)] == nil
        }
        if !free.isEmpty { try inner.resume(free) }
    }

    public func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        drop { $0 == PartitionKeys.Stream(partition: partition, isGroup: false) }
        if partition.topic == topics.keys { readByUser[partition] = start }
        try inner.read(partition, from: start)
    }

    public func stopReading(_ partition: TopicPartition) throws(LogError) {
        drop { $0 == PartitionKeys.Stream(partition: partition, isGroup: false) }
        if readByUser.removeValue(forKey: partition) != nil, let keys = partitions[partition.partition], keys.isReading
        {
            return try inner.read(partition, from: .offset(keys.next))
        }
        try inner.stopReading(partition)
    }

    public func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> { try inner.range(of: partition) }
    public func knownEnd(of partition: TopicPartition) -> Int64? { inner.knownEnd(of: partition) }
    public var unwritten: Int { inner.unwritten }
    public func close(timeout: Duration) throws(LogError) { try inner.close(timeout: timeout) }
}
