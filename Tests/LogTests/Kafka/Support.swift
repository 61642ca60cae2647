import DevBroker
import RDKafkaLog
import RecordLog
import Synchronization
import Testing

extension Tag {
    /// A test that needs a broker.
    @Tag static var broker: Self
}

/// The broker and the clients of one test. The clients are closed when the test ends.
final class KafkaScene {
    /// The properties that make joins quick. Kafka accepts no smaller session timeout.
    static let quick = ["session.timeout.ms": "6000", "heartbeat.interval.ms": "500"]
    private static let shared: Result<DevelopmentBroker, any Error> = Result { try DevelopmentBroker() }
    private static let counter = Atomic<Int>(0)

    let broker: DevelopmentBroker
    private var clients: [any LogClient] = []

    /// - Parameter topics: The topics of a new broker; `nil` for the broker that the tests of this target share, because
    ///   each broker needs threads and a port.
    init(topics: [String: Int32]? = nil) throws {
        broker = try topics.map { try DevelopmentBroker(topics: $0) } ?? Self.shared.get()
    }

    deinit {
        for client in clients { do { try client.close(timeout: .seconds(5)) } catch { Issue.record(error) } }
    }

    func log(
        _ properties: [String: String] = [:], requestTimeout: Duration = .seconds(10),
        _ log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> KafkaLog {
        let properties = Self.quick.merging(properties) { $1 }
        return KafkaLog(
            KafkaConfiguration(
                bootstrapServers: broker.bootstrapServers, properties: properties, requestTimeout: requestTimeout
            ) { _, facility, line in log("\(facility) \(line)") })
    }

    /// Connects a client.
    ///
    /// - Parameter topic: The topic of the group "<topic>-g", of which the client is a member.
    func connect(
        _ name: String = "client", _ properties: [String: String] = [:], subscribing topic: String? = nil,
        gapless: Set<String> = []
    ) throws -> any LogClient {
        let group = topic.map { (id: "\($0)-g", topics: [$0]) }
        let client = try log(properties).connect(
            ClientConfiguration(clientID: name, group: group, gaplessTopics: gapless))
        clients.append(client)
        return client
    }

    /// Connects a member of a topic's group, and answers its first assignment.
    func join(
        _ topic: String = "t", _ properties: [String: String] = [:], at start: StartOffset = .beginning,
        gapless: Set<String> = []
    ) async throws -> any LogClient {
        let client = try connect("member", properties, subscribing: topic, gapless: gapless)
        let assigned = try await client.poll("assignment") { !$0.assigned.isEmpty }.assigned
        try client.assign(Dictionary(uniqueKeysWithValues: assigned.map { ($0, start) }))
        return client
    }

    /// Creates a topic with a unique name, and returns its first partition.
    ///
    /// - Parameter count: The number of one-byte records that are written to each partition.
    func topic(partitions: Int32 = 1, filled count: Int = 0) async throws -> TopicPartition {
        let topic = "topic-\(Self.counter.add(1, ordering: .relaxed).newValue)"
        try broker.createTopic(topic, partitions: partitions)
        if count > 0 {
            let places = (0..<count * Int(partitions)).map { TopicPartition(topic, Int32($0) % partitions) }
            try await connect("fill").write(places.map { $0.record([1]) })
        }
        return TopicPartition(topic, 0)
    }
}

/// The first partition of the topic "t", which most tests with their own broker use.
let t0 = TopicPartition("t", 0)

/// A record of one byte in the first partition of a topic.
func record(_ number: Int = 0, in topic: String = "t") -> Record {
    TopicPartition(topic, 0).record([UInt8(number & 255)])
}

/// The error that an expected condition did not become true in time.
struct Missing: Error, CustomStringConvertible {
    var description: String
    init(_ what: String) { description = "missing: \(what)" }
}

func eventually(_ what: String, within timeout: Duration = .seconds(90), _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + timeout
    while !(try condition()) {
        if ContinuousClock.now > deadline { throw Missing(what) }
        await Task.yield()
    }
}

extension LogClient {
    /// Polls until the received events satisfy a condition.
    @discardableResult
    func poll(
        _ what: String, within timeout: Duration = .seconds(90), until enough: ([LogEvent]) throws -> Bool
    ) async throws -> [LogEvent] {
        let deadline = ContinuousClock.now + timeout
        var events: [LogEvent] = []
        while !(try enough(events)) {
            if ContinuousClock.now > deadline { throw Missing("\(what), after \(events.suffix(5))") }
            events += try poll(maximum: 1000, timeout: .milliseconds(10))
            await Task.yield()
        }
        return events
    }

    /// Sends records, and waits for all acknowledgements. Tokens count from 0.
    @discardableResult
    func write(_ records: [Record]) async throws -> [Delivery] {
        for (token, record) in records.enumerated() { try send(record, token: UInt64(token)) }
        return try await poll("delivery") { $0.deliveries.count >= records.count }.deliveries
    }

    /// Sends records of one byte to the first partition of "t". The numbers are the values and the tokens.
    func send(_ numbers: ClosedRange<Int>) throws {
        for number in numbers { try send(record(number), token: UInt64(number)) }
    }

    /// Polls once, and answers the group.
    ///
    /// - Returns: The number of partitions that this poll has assigned; 0 after a revocation, `nil` without a change.
    func serve() throws -> Int? {
        var owned: Int?
        for event in try poll(maximum: 100, timeout: .milliseconds(10)) {
            if case .assigned(let partitions) = event {
                owned = partitions.count
                try assign([:])
            } else if case .revoked = event {
                owned = 0
                try release()
            }
        }
        return owned
    }
}

/// Serves members until each owns one partition.
func shareAll(_ members: [any LogClient]) async throws {
    var owned = members.map { _ in 0 }
    try await eventually("a partition for each") {
        for (index, member) in members.enumerated() { owned[index] = try member.serve() ?? owned[index] }
        return owned.allSatisfy { $0 == 1 }
    }
}

extension [LogEvent] {
    var deliveries: [Delivery] { compactMap { if case .delivered(let delivery) = $0 { delivery } else { nil } } }
    var records: [ConsumedRecord] { compactMap { if case .record(let record) = $0 { record } else { nil } } }
    var reads: [ConsumedRecord] { compactMap { if case .read(let record) = $0 { record } else { nil } } }
    var ends: [Int64] { compactMap { if case .readEnd(_, let next) = $0 { next } else { nil } } }
    var failures: [LogError] { compactMap { if case .failed(let error) = $0 { error } else { nil } } }
    var missing: [OutOfRange] { compactMap { if case .outOfRange(let position) = $0 { position } else { nil } } }
    var unreadable: [UnreadableRange] { compactMap { if case .unreadable(let range) = $0 { range } else { nil } } }
    var committedOffsets: [Result<[TopicPartition: CommittedOffset], LogError>] {
        compactMap { if case .committedOffsets(let answer) = $0 { answer } else { nil } }
    }
    var commits: [LogError?] { compactMap { if case .committed(let error) = $0 { .some(error) } else { nil } } }
    var assigned: [TopicPartition] {
        compactMap { if case .assigned(let partitions) = $0 { partitions } else { nil } }.flatMap { $0 }
    }
    var revoked: [TopicPartition] {
        compactMap { if case .revoked(let partitions, _) = $0 { partitions } else { nil } }.flatMap { $0 }
    }
}

/// Lines collected from other threads.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
