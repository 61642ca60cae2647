import Testing

@testable import RecordLog

/// A log with one topic of two partitions, "t", and a client of the log.
struct Scenario: InScenario {
    let log = InMemoryLog(clock: { 1_700_000_000_000 })
    let client: InMemoryClient
    var scenario: Scenario { self }

    init() {
        log.addTopic("t", partitions: 2)
        client = log.client(ClientConfiguration(clientID: "client"))
    }
}

/// A suite whose tests each have a ``Scenario`` of their own.
protocol InScenario {
    var scenario: Scenario { get }
}

extension InScenario {
    var log: InMemoryLog { scenario.log }
    var client: InMemoryClient { scenario.client }
    var p0: TopicPartition { TopicPartition("t", 0) }
    var p1: TopicPartition { TopicPartition("t", 1) }
    /// The values of the first partition, as text.
    var values: [String?] { values(p0) }

    func values(_ partition: TopicPartition) -> [String?] {
        log.records(in: partition).map { $0.value.map { String(decoding: $0, as: UTF8.self) } }
    }

    func connect(_ name: String) -> InMemoryClient { log.client(ClientConfiguration(clientID: name)) }
    func gapless(_ topic: String) -> InMemoryClient {
        log.client(ClientConfiguration(clientID: "gapless", gaplessTopics: [topic]))
    }
    func member(_ id: String) -> InMemoryClient { log.client(ClientConfiguration(clientID: id, group: ("g", ["t"]))) }

    /// A single member that owns both partitions.
    func owner(_ name: String) throws -> InMemoryClient {
        let member = member(name)
        _ = try member.events()
        try member.assign([:])
        return member
    }

    /// Two members that own one partition each: the first has `p0`.
    func owners(_ first: String, _ second: String) throws -> (InMemoryClient, InMemoryClient) {
        let (a, b) = (try owner(first), member(second))
        _ = try a.events()
        try a.release()
        for member in [a, b] {
            _ = try member.events()
            try member.assign([:])
        }
        return (a, b)
    }

    func record(_ value: String?, key: String? = nil, _ partition: Int32 = 0) -> Record {
        Record(topic: "t", partition: partition, key: key.map { Bytes($0.utf8) }, value: value.map { Bytes($0.utf8) })
    }

    /// Appends records to the first partition. The value of each record is its place.
    func fill(_ count: Int) throws { for place in 0..<count { try log.append(record("\(place)")) } }

    /// Appends records with these keys to the first partition. The value of each record is its place.
    func append(_ keys: String...) throws {
        for (place, key) in keys.enumerated() { try log.append(record("\(place)", key: key)) }
    }
}

extension InMemoryLog {
    /// Creates a topic without a suspension.
    func addTopic(_ name: String, partitions: Int32 = 1, _ configuration: [String: String] = [:]) {
        let topic = TopicSpecification(name: name, partitions: partitions, configuration: configuration)
        locked { model in do { try model.createTopics([topic]) } catch { Issue.record(error) } }
    }
}

extension InMemoryClient {
    /// Polls once. Returns each event as a line.
    func events(_ maximum: Int = 100) throws -> [String] { try poll(maximum: maximum, timeout: .zero).map(\.line) }

    // The events of the next poll after one call.

    func events(sending numbers: ClosedRange<Int>) throws -> [String] {
        try send(numbers)
        return try events()
    }
    func events(sending record: Record, token: UInt64) throws -> [String] {
        try send(record, token: token)
        return try events()
    }
    func events(reading partition: TopicPartition, from start: StartOffset = .beginning, _ maximum: Int = 100) throws
        -> [String]
    {
        try read(partition, from: start)
        return try events(maximum)
    }
    func events(committing offset: Int64) throws -> [String] {
        try commit([TopicPartition("t", 0): CommittedOffset(offset: offset)])
        return try events()
    }
    func eventsAfterAssign() throws -> [String] {
        try assign([:])
        return try events()
    }
    func eventsAfterRelease() throws -> [String] {
        try release()
        return try events()
    }

    /// Sends records with these numbers as values and tokens to the first partition.
    func send(_ numbers: ClosedRange<Int>) throws {
        for number in numbers {
            try send(Record(topic: "t", partition: 0, key: nil, value: Bytes("\(number)".utf8)), token: UInt64(number))
        }
    }
}

extension LogEvent {
    fileprivate var line: String {
        func line(_ event: String, _ partitions: [TopicPartition]) -> String {
            ([event] + partitions.map(\.description)).joined(separator: " ")
        }
        return switch self {
        case .record(let record): "record \(record.topicPartition)@\(record.offset)"
        case .read(let record): "read \(record.topicPartition)@\(record.offset)"
        case .readEnd(let partition, let next): "end \(partition)@\(next)"
        case .delivered(let delivery):
            "delivered \(delivery.token) " + (delivery.error?.code.rawValue ?? delivery.offset.map { "@\($0)" } ?? "@?")
        case .assigned(let partitions): line("assigned", partitions)
        case .revoked(let partitions, let lost): line(lost ? "lost" : "revoked", partitions)
        case .committedOffsets(let answer): "committed offsets \(answer)"
        case .committed(let error): "committed" + (error.map { " " + $0.code.rawValue } ?? "")
        case .outOfRange(let position):
            "outOfRange \(position.partition)@\(position.requested) \(position.side == .afterEnd ? "above" : "below"), "
                + "at \(position.continuingAt ?? -1)"
        case .unreadable(let range): "unreadable \(range.offsets) of \(range.partition)"
        case .failed(let error): "failed " + error.code.rawValue
        }
    }
}
