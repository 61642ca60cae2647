import DevBroker
import RDKafkaLog
import RecordLog
import Synchronization
import Testing

/// The broker that the tests of this target share, because each broker needs threads and a port.
enum Support {
    /// The properties that make joins quick. Kafka accepts no smaller session timeout.
    static let quick = ["session.timeout.ms": "6000", "heartbeat.interval.ms": "500"]
    static let broker: Result<DevelopmentBroker, any Error> = Result { try DevelopmentBroker() }
    private static let counter = Atomic<Int>(0)

    static func log(_ properties: [String: String] = [:], on broker: DevelopmentBroker? = nil) throws -> KafkaLog {
        let servers = try (broker ?? Self.broker.get()).bootstrapServers
        return KafkaLog(
            KafkaConfiguration(bootstrapServers: servers, properties: quick.merging(properties) { $1 }) { _, _, _ in })
    }

    static func eventually(_ what: String, within timeout: Duration, _ condition: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + timeout
        while !(try condition()) {
            if ContinuousClock.now > deadline { throw Missing(description: "\(what) did not come") }
            await Task.yield()
        }
    }

    /// Creates a topic with a unique name, and returns the name.
    static func topic(_ name: String, partitions: Int32 = 1, on broker: DevelopmentBroker? = nil) throws -> String {
        let name = "\(name)-\(counter.add(1, ordering: .relaxed).newValue)"
        try (broker ?? Self.broker.get()).createTopic(name, partitions: partitions)
        return name
    }
}

struct Missing: Error, CustomStringConvertible {
    var description: String
}

extension LogClient {
    /// Polls until the received events satisfy a condition.
    @discardableResult
    func poll(
        _ what: String, within timeout: Duration = .seconds(20), until enough: ([LogEvent]) throws -> Bool
    ) async throws -> [LogEvent] {
        let deadline = ContinuousClock.now + timeout
        var events: [LogEvent] = []
        while !(try enough(events)) {
            if ContinuousClock.now > deadline {
                throw Missing(description: "\(what) did not come: \(events.suffix(5))")
            }
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

    /// Joins the group, and answers the first assignment with `start` for every partition.
    @discardableResult
    func join(at start: StartOffset? = .beginning) async throws -> [TopicPartition] {
        let assigned = try await poll("assignment") { !$0.assigned.isEmpty }.assigned
        try assign(start.map { start in Dictionary(uniqueKeysWithValues: assigned.map { ($0, start) }) } ?? [:])
        return assigned
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
