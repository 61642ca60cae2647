import RecordLog

/// A log with one topic of two partitions, and a group that shares it.
struct Scenario {
    let log = InMemoryLog(clock: { 1_700_000_000_000 })
    let topic = "t"
    let p0 = TopicPartition("t", 0)
    let p1 = TopicPartition("t", 1)

    init() async throws {
        try await log.createTopics([TopicSpecification(name: topic, partitions: 2)])
    }

    func client(_ name: String) -> InMemoryClient { log.client(ClientConfiguration(clientID: name)) }
    func member(_ name: String) -> InMemoryClient {
        log.client(ClientConfiguration(clientID: name, group: ("g", [topic])))
    }

    /// A single member that owns both partitions.
    func owner(_ name: String) throws -> InMemoryClient {
        let member = member(name)
        _ = try member.told()
        try member.assign([:])
        return member
    }

    /// Two members that own one partition each: the first has `p0`.
    func owners(_ first: String, _ second: String) throws -> (InMemoryClient, InMemoryClient) {
        let (a, b) = (try owner(first), member(second))
        _ = try a.told()
        try a.release()
        for member in [a, b] {
            _ = try member.told()
            try member.assign([:])
        }
        return (a, b)
    }

    func record(_ value: String, key: String? = nil, _ partition: Int32 = 0) -> Record {
        Record(topic: topic, partition: partition, key: key.map { Bytes($0.utf8) }, value: Bytes(value.utf8))
    }

    /// The values of a partition, as text.
    func values(_ partition: TopicPartition) -> [String?] {
        log.records(in: partition).map { $0.value.map { String(decoding: $0, as: UTF8.self) } }
    }
}

extension InMemoryClient {
    /// Polls once. Returns each event as a line.
    func told(_ maximum: Int = 100) throws -> [String] {
        try poll(maximum: maximum, timeout: .seconds(1)).map(\.line)
    }
}

extension LogEvent {
    var line: String {
        switch self {
        case .record(let record): "record \(record.topicPartition)@\(record.offset)"
        case .read(let record): "read \(record.topicPartition)@\(record.offset)"
        case .readEnd(let partition, let next): "end \(partition)@\(next)"
        case .delivered(let delivery):
            "delivered \(delivery.token) "
                + (delivery.error?.code.rawValue ?? delivery.offset.map { "@\($0)" } ?? "somewhere")
        case .assigned(let partitions): (["assigned"] + partitions.map(\.description)).joined(separator: " ")
        case .revoked(let partitions, let lost):
            ([lost ? "lost" : "revoked"] + partitions.map(\.description)).joined(separator: " ")
        case .committedOffsets(let answer): "committed offsets \(answer)"
        case .committed(let error): "committed" + (error.map { " " + $0.code.rawValue } ?? "")
        case .outOfRange(let position):
            "outOfRange \(position.partition)@\(position.requested) \(position.side?.text ?? "somewhere"), at \(position.continuingAt ?? -1)"
        case .unreadable(let range): "unreadable \(range.offsets) of \(range.partition)"
        case .failed(let error): "failed " + error.code.rawValue
        }
    }
}

extension OutOfRange.Side {
    fileprivate var text: String {
        switch self {
        case .beforeBeginning: "before the beginning"
        case .afterEnd: "after the end"
        }
    }
}
