import DequeModule

/// The state of an ``InMemoryLog``: a value that one call at a time changes.
struct LogModel: Sendable {
    /// How many unacknowledged records a client may have.
    let queueLimit: Int
    /// The maximum size of a record in bytes: key, value and headers. Topics can have a limit of their own.
    let recordLimit: Int
    /// Kafka's `offset.metadata.max.bytes`.
    static let metadataLimit = 4_096

    var topics: [String: TopicModel] = [:]
    var groups: [String: GroupModel] = [:]
    /// All clients by number. Closed and crashed ones stay, so that each number is used once.
    var clients: [ClientModel] = []
    var faults = FaultPlan()
    /// Planned crashes of clients that have not connected yet, by client id.
    var plannedCrashes: [String: PlannedCrash] = [:]

    init(queueLimit: Int, recordLimit: Int) {
        self.queueLimit = queueLimit
        self.recordLimit = recordLimit
    }

    func partition(_ partition: TopicPartition) throws(LogError) -> PartitionModel {
        guard let model = topics[partition.topic]?[partition.partition] else { throw .unknown(partition.topic, partition.partition) }
        return model
    }

    // MARK: Topics

    mutating func createTopics(_ specifications: [TopicSpecification]) throws(LogError) {
        var refusal: LogError?
        var created: Set<String> = []
        for specification in specifications {
            if specification.partitions < 1 {
                refusal = refusal ?? LogError(.invalidConfiguration, "\(specification.name) needs at least one partition")
            } else if let existing = topics[specification.name] {
                guard existing.partitions.count != Int(specification.partitions) else { continue }
                refusal =
                    refusal
                    ?? LogError(.topicAlreadyExists, "\(specification.name) exists with \(existing.partitions.count) partitions")
            } else {
                topics[specification.name] = TopicModel(specification)
                created.insert(specification.name)
            }
        }
        // With a broker, subscribers find new topics with their next metadata request. Here they are notified immediately.
        for (id, group) in groups.sorted(by: { $0.key < $1.key })
        where group.members.contains(where: { !created.isDisjoint(with: $0.topics) }) {
            rebalance(id)
        }
        if let refusal { throw refusal }
    }

    // MARK: Writing

    /// Writes at most `limit` of a client's queued records, in order, and acknowledges each.
    mutating func flush(_ number: Int, atMost limit: Int = .max, now: Int64) {
        var left = limit
        while left > 0, let (record, token) = clients[number].queue.popFirst() {
            left -= 1
            clients[number].events.append(.delivered(write(record, token: token, by: number, now: now)))
        }
    }

    private mutating func write(_ record: Record, token: UInt64, by number: Int, now: Int64) -> Delivery {
        let partition = partition(of: record, by: number)
        func refused(_ error: LogError) -> Delivery {
            Delivery(token: token, topic: record.topic, partition: partition, offset: nil, error: error)
        }
        guard let topic = topics[record.topic], topic[partition] != nil else { return refused(.unknown(record.topic, partition)) }
        let limit = topic.recordLimit ?? recordLimit
        guard record.size <= limit else {
            return refused(LogError(.recordTooLarge, "\(record.size) bytes; \(record.topic) accepts \(limit)"))
        }
        if let error = clients[number].broken { return refused(error) }
        let fault = faults.next(for: record.topic)
        if case .refused(let error) = fault {
            if error.disposition == .fatal { clients[number].broken = error }
            return refused(error)
        }
        var offset = append(record, to: partition, now: now)
        if case .acknowledgementLost = fault { offset = nil }
        return Delivery(token: token, topic: record.topic, partition: partition, offset: offset)
    }

    /// Writes a record to an existing partition and returns its offset.
    mutating func append(_ record: Record, to partition: Int32, now: Int64) -> Int64? {
        topics[record.topic]?.partitions[Int(partition)].append(record, partition: partition, timestamp: now)
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
