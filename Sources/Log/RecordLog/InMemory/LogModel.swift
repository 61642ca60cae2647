import DequeModule

/// The state of an ``InMemoryLog``. One call at a time changes it.
struct LogModel: Sendable {
    /// The maximum number of unacknowledged records of a client.
    let queueLimit: Int
    /// The maximum size of a record in bytes: key, value and headers. Topics can have their own limit.
    let recordLimit: Int
    /// Kafka's `offset.metadata.max.bytes`.
    static let metadataLimit = 4_096

    var topics: [String: TopicModel] = [:] { didSet { changes += 1 } }
    /// The number of changes of the topics.
    private(set) var changes = 0
    var groups: [String: GroupModel] = [:]
    /// All clients by number. Closed and crashed clients stay, so that each number is used once.
    var clients: [ClientModel] = []
    var faults = FaultPlan()
    /// Planned crashes of clients that have not connected yet, by client id.
    var plannedCrashes: [String: PlannedCrash] = [:]

    init(queueLimit: Int, recordLimit: Int) {
        self.queueLimit = queueLimit
        self.recordLimit = recordLimit
    }

    func partition(_ partition: TopicPartition) throws(LogError) -> PartitionModel {
        guard let model = topics[partition.topic]?[partition.partition] else {
            throw .unknown(partition.topic, partition.partition)
        }
        return model
    }

    // MARK: Writing

    /// Writes at most `limit` of a client's queued records, in order, and acknowledges each. Records for a partition
    /// without a leader stay queued, unless the client is broken and drops them.
    ///
    /// - Returns: The number of failed records.
    @discardableResult
    mutating func flush(_ number: Int, atMost limit: Int = .max, now: Int64) -> Int {
        var left = limit
        var failed = 0
        var waiting: [(record: Record, token: UInt64)] = []
        func answer(_ delivery: Delivery) {
            if delivery.error != nil { failed += 1 }
            clients[number].report(delivery)
        }
        while left > 0, let (unsent, token) = clients[number].queue.popFirst() {
            var record = unsent
            let partition = partition(of: record, by: number)
            if clients[number].failure.error == nil, topics[record.topic]?[partition]?.isLeaderAway == true {
                // Without a fixed partition, the next flush would choose again.
                record.partition = partition
                waiting.append((record, token))
                continue
            }
            left -= 1
            answer(write(record, to: partition, token: token, by: number, now: now))
        }
        if let error = clients[number].failure.error {
            for (record, token) in waiting { answer(.refused(record, record.partition ?? -1, token, error)) }
        } else {
            clients[number].queue.prepend(contentsOf: waiting)
        }
        return failed
    }

    private mutating func write(_ record: Record, to partition: Int32, token: UInt64, by number: Int, now: Int64)
        -> Delivery
    {
        let exists = topics[record.topic]?[partition] != nil
        let limit = topics[record.topic]?.recordLimit ?? recordLimit
        if let error = clients[number].failure.error {
            clients[number].failure.inFlight -= 1
            if clients[number].failure.inFlight >= 0, exists, record.size <= limit {
                _ = append(record, to: partition, now: now)
            }
            return .refused(record, partition, token, error)
        }
        guard exists else { return fail(record, partition, token, .unknown(record.topic, partition), by: number) }
        if let refusal = topics[record.topic]?.refusal { return fail(record, partition, token, refusal, by: number) }
        guard record.size <= limit else {
            let error = LogError(.recordTooLarge, "\(record.size) bytes; \(record.topic) accepts \(limit)")
            return fail(record, partition, token, error, by: number)
        }
        let fault = faults.next(for: TopicPartition(record.topic, partition), by: number)
        if case .failed(let error, let extent) = fault {
            if extent.isWritten { _ = append(record, to: partition, now: now) }
            if error.disposition == .fatal { clients[number].failure.error = error }
            let failed = fail(record, partition, token, error, by: number)
            if clients[number].failure.isStopped { clients[number].failure.inFlight = extent.inFlight }
            return failed
        }
        var offset = append(record, to: partition, now: now)
        if case .acknowledgementLost = fault { offset = nil }
        return Delivery(token: token, topic: record.topic, partition: partition, offset: offset)
    }

    /// Returns the delivery of a failed record. The client stops if the record's topic is one of its
    /// ``ClientConfiguration/gaplessTopics``.
    mutating func fail(_ record: Record, _ partition: Int32, _ token: UInt64, _ error: LogError, by number: Int)
        -> Delivery
    {
        var delivery = Delivery.refused(record, partition, token, error)
        guard clients[number].configuration.gaplessTopics.contains(record.topic) else { return delivery }
        delivery.error?.disposition = .fatal
        clients[number].failure.error = .stopped(after: delivery)
        clients[number].failure.isStopped = true
        return delivery
    }

    /// Writes a record to an existing partition and returns the record's offset.
    mutating func append(_ record: Record, to partition: Int32, now: Int64) -> Int64? {
        guard let topic = topics[record.topic] else { return nil }
        guard topic.stampsRecords else {
            return topics[record.topic]?.partitions[Int(partition)].append(record, partition: partition, timestamp: now)
        }
        var stamped = record
        stamped.timestamp = nil
        return topics[record.topic]?.partitions[Int(partition)].append(stamped, partition: partition, timestamp: now)
    }

    /// The partition of a record; -1 if its topic does not exist.
    private mutating func partition(of record: Record, by number: Int) -> Int32 {
        if let partition = record.partition { return partition }
        guard let count = topics[record.topic]?.partitions.count else { return -1 }
        if let key = record.key { return Murmur2.partition(of: key, count: Int32(count)) }
        let turn = clients[number].roundRobin[record.topic, default: 0]
        clients[number].roundRobin[record.topic] = turn + 1
        return Int32(turn % count)
    }
}

extension Delivery {
    static func refused(_ record: Record, _ partition: Int32, _ token: UInt64, _ error: LogError) -> Delivery {
        Delivery(token: token, topic: record.topic, partition: partition, offset: nil, error: error)
    }
}

extension Record {
    /// The size of key, value and headers in bytes.
    var size: Int {
        headers.reduce((key?.count ?? 0) + (value?.count ?? 0)) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    }
}

extension LogError {
    static func unknown(_ topic: String, _ partition: Int32) -> LogError {
        LogError(.unknownTopicOrPartition, "there is no \(topic)[\(partition)]")
    }
}
