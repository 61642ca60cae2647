import Conversation
import Foundation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog

/// The operator's client: reads any topic from any offset, and writes operators' events. Must be used by one thread
/// only.
final class OperatorClient {
    let topics: Topics
    private let client: any LogClient
    private let log: KafkaLog
    private var encoder = EventEncoder(source: "/intents/operator")
    private var unacknowledged = 0
    private var failure: LogError?
    private var existing: [String: Int32] = [:]

    /// `true` if the client should decrypt but has no keys.
    private let lacksKeys: Bool

    /// - Parameters:
    ///   - defaults: Properties that the options override.
    ///   - isPlain: `true` reads records unchanged, encrypted or not.
    init(_ options: KafkaOptions, defaults: [String: String] = [:], isPlain: Bool = false) throws {
        topics = options.topics
        log = try options.log(defaults: defaults)
        let encryption = isPlain ? nil : try options.encryption()
        lacksKeys = !isPlain && encryption == nil
        client = encryption.client(try log.connect(ClientConfiguration(clientID: "intents")))
    }

    /// Returns the partition count of each topic of the pipeline.
    func partitions() async throws -> Int32 { try TopicCheck.check(try await log.topics(), topics, as: [.operator]) }

    /// Reads all records that are in a partition now, oldest first.
    ///
    /// - Parameters:
    ///   - range: The offsets to read. Defaults to all.
    ///   - body: Returns `false` to stop. Must not send.
    /// - Throws: ``RecordLog/LogError/Code/timedOut`` if no record arrives for 30 s.
    func scan(_ partition: TopicPartition, _ range: Range<Int64>? = nil, _ body: (ConsumedRecord) throws -> Bool) throws
    {
        let there = try client.range(of: partition)
        let wanted = range.map { $0.clamped(to: there) } ?? there
        guard !wanted.isEmpty else { return }
        try client.read(partition, from: .offset(wanted.lowerBound))
        defer { try? client.stopReading(partition) }
        try poll(patience: .seconds(30), "no record of \(partition) arrived") { event in
            switch event {
            case .read(let record) where record.topicPartition == partition && record.offset >= wanted.lowerBound:
                try requireKeys(for: record)
                guard record.offset < wanted.upperBound, try body(record) else { return true }
                return record.offset + 1 >= wanted.upperBound
            case .readEnd(partition, let next): return next >= wanted.upperBound
            case .unreadable(let batch) where batch.partition == partition:
                // Sessions can't be restored from a journal with missing records.
                if partition.topic == topics.sessions { throw LogError(.other, batch.description) }
                complain("Passed over: \(batch).")
                return batch.offsets.upperBound >= wanted.upperBound
            default: return nil
            }
        }
    }

    /// Throws for an encrypted record without keys: the record must not look like a damaged session.
    private func requireKeys(for record: ConsumedRecord) throws {
        guard lacksKeys, record.topic == topics.sessions || record.topic == topics.memory,
            record.header(EncryptedValue.header) != nil
        else { return }
        throw LogError(
            .invalidConfiguration,
            "\(record.topic) is encrypted: use --encryption-key-file, with the keys that the coordinators have")
    }

    func committed(by group: String, _ partitions: [TopicPartition]) async throws -> [TopicPartition: CommittedOffset] {
        try await log.committed(by: group, partitions)
    }

    func range(of partition: TopicPartition) throws -> Range<Int64> { try client.range(of: partition) }

    /// Reads new records until `body` returns `true`.
    ///
    /// - Returns: `false` if `body` did not return `true` in time.
    func follow(
        _ partition: TopicPartition, from offset: Int64, within time: Duration, _ body: (ConsumedRecord) -> Bool
    ) throws -> Bool {
        try client.read(partition, from: .offset(offset))
        defer { try? client.stopReading(partition) }
        let deadline = ContinuousClock.now.advanced(by: time)
        while ContinuousClock.now < deadline {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(100)) {
                if case .read(let record) = event, record.topicPartition == partition {
                    if record.offset >= offset, body(record) { return true }
                } else {
                    try handleEvent(event)
                }
            }
        }
        return false
    }

    /// Sends an event through the person's channel.
    func send(
        _ event: SessionEvent, session: Identifier, partition: Int32? = nil, token: String? = nil,
        secret: String? = nil,
        from principal: Principal? = nil
    ) throws {
        let id = UUID().uuidString.lowercased()
        guard
            let record = encoder.record(
                event, session: session, id: Identifier(id), topics: topics, to: topics.answers, partition: partition,
                token: token,
                secret: secret, from: principal, at: .now)
        else { return }
        try send(record)
        try flush()
    }

    /// Returns the token of a handoff's newest offer in the results, if the topic still has the offer.
    func offeredToken(of handoff: Identifier, session: Identifier, partition: Int32) throws -> String? {
        var token: String?
        let key = Bytes(session.utf8)
        try scan(TopicPartition(topics.results, partition)) { record in
            if record.key == key, let result = try? ReceivedResult(record), result.offeredHandoff == handoff {
                token = result.data["token"]?.string
            }
            return true
        }
        return token
    }

    /// Sends a record. Call ``flush(timeout:)`` afterwards.
    func send(_ record: Record) throws {
        while true {
            do {
                try client.send(record, token: 1)
                unacknowledged += 1
                return
            } catch {
                guard error.code == .queueFull else { throw error }
                for event in try client.poll(maximum: 1_000, timeout: .milliseconds(10)) { try handleEvent(event) }
            }
        }
    }

    /// Waits until all sent records are acknowledged.
    func flush(timeout: Duration = .seconds(30)) throws {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while unacknowledged > 0 {
            guard ContinuousClock.now < deadline else {
                throw LogError(
                    .timedOut, "\(unacknowledged) records were not acknowledged within \(timeout): is Kafka running?")
            }
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) { try handleEvent(event) }
        }
        if let failure { throw failure }
    }

    func close() { try? client.close(timeout: .seconds(5)) }

    /// Polls until an event completes the operation.
    ///
    /// - Parameter handle: Returns `true` if the operation is complete, or `nil` if the event is unrelated.
    private func poll(patience: Duration, _ what: String, _ handle: (LogEvent) throws -> Bool?) throws {
        var deadline = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < deadline {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(100)) {
                switch try handle(event) {
                case true?: return
                case false?: deadline = ContinuousClock.now.advanced(by: patience)
                case nil: try handleEvent(event)
                }
            }
        }
        throw LogError(.timedOut, "\(what) within \(patience): is Kafka running?")
    }

    private func handleEvent(_ event: LogEvent) throws {
        switch event {
        case .delivered(let delivery):
            unacknowledged -= 1
            if let error = delivery.error { failure = error }
        case .outOfRange(let position): throw position.error
        case .failed(let error) where error.disposition != .retry: throw error
        default: break
        }
    }
}
