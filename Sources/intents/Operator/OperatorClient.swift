import Conversation
import Foundation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog

/// The operator's side of the pipeline: reads any topic from wherever, and writes what operators may. For one thread.
final class OperatorClient {
    let topics: Topics
    private let client: any LogClient
    private let log: KafkaLog
    private var encoder = EventEncoder(source: "/intents/operator")
    private var unacknowledged = 0
    private var failure: LogError?
    private var existing: [String: Int32] = [:]

    init(_ options: KafkaOptions) throws {
        topics = options.topics
        log = try options.log(defaults: PipelineDefaults.tool)
        client = try log.connect(ClientConfiguration(clientID: "intents"))
    }

    /// How many partitions each topic of the pipeline has.
    func partitions() async throws -> Int32 { try TopicCheck.check(try await log.topics(), topics) }

    /// Everything that stands in a partition now, oldest first.
    ///
    /// - Parameters:
    ///   - range: which offsets, of those that are there.
    ///   - body: `false` ends it. It may not send.
    /// - Throws: ``RecordLog/LogError/Code/timedOut`` if nothing comes for 30 s.
    func scan(_ partition: TopicPartition, _ range: Range<Int64>? = nil, _ body: (ConsumedRecord) throws -> Bool) throws {
        let there = try client.range(of: partition)
        let wanted = range.map { $0.clamped(to: there) } ?? there
        guard !wanted.isEmpty else { return }
        try client.read(partition, from: .offset(wanted.lowerBound))
        defer { try? client.stopReading(partition) }
        try poll(patience: .seconds(30), "nothing came of \(partition)") { event in
            switch event {
            case .read(let record) where record.topicPartition == partition && record.offset >= wanted.lowerBound:
                guard record.offset < wanted.upperBound, try body(record) else { return true }
                return record.offset + 1 >= wanted.upperBound
            case .readEnd(partition, let next): return next >= wanted.upperBound
            default: return nil
            }
        }
    }

    func range(of partition: TopicPartition) throws -> Range<Int64> { try client.range(of: partition) }

    /// Reads on as the log grows, until `body` says that it has seen enough.
    ///
    /// - Returns: `false` if that did not come in time.
    func follow(_ partition: TopicPartition, from offset: Int64, within time: Duration, _ body: (ConsumedRecord) -> Bool) throws -> Bool {
        try client.read(partition, from: .offset(offset))
        defer { try? client.stopReading(partition) }
        let deadline = ContinuousClock.now.advanced(by: time)
        while ContinuousClock.now < deadline {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(100)) {
                if case .read(let record) = event, record.topicPartition == partition {
                    if record.offset >= offset, body(record) { return true }
                } else {
                    try note(event)
                }
            }
        }
        return false
    }

    func send(_ event: SessionEvent, session: String, partition: Int32? = nil, token: String? = nil) throws {
        let id = UUID().uuidString.lowercased()
        guard
            let record = encoder.record(
                event, session: session, id: id, topics: topics, partition: partition, token: token, at: .now)
        else { return }
        try send(record)
        try flush()
    }

    /// The token of a handoff's newest offer that the results still have.
    func offeredToken(of handoff: String, session: String, partition: Int32) throws -> String? {
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

    /// To be followed by ``flush(timeout:)``.
    func send(_ record: Record) throws {
        while true {
            do {
                try client.send(record, token: 1)
                unacknowledged += 1
                return
            } catch {
                guard error.code == .queueFull else { throw error }
                for event in try client.poll(maximum: 1_000, timeout: .milliseconds(10)) { try note(event) }
            }
        }
    }

    /// Waits until everything sent stands in the log.
    func flush(timeout: Duration = .seconds(30)) throws {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while unacknowledged > 0 {
            guard ContinuousClock.now < deadline else {
                throw LogError(.timedOut, "\(unacknowledged) records were not acknowledged in \(timeout): is Kafka there?")
            }
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) { try note(event) }
        }
        if let failure { throw failure }
    }

    func close() { try? client.close(timeout: .seconds(5)) }

    /// - Parameter take: whether that was all; `nil` if the event is none of its.
    private func poll(patience: Duration, _ what: String, _ take: (LogEvent) throws -> Bool?) throws {
        var deadline = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < deadline {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(100)) {
                switch try take(event) {
                case true?: return
                case false?: deadline = ContinuousClock.now.advanced(by: patience)
                case nil: try note(event)
                }
            }
        }
        throw LogError(.timedOut, "\(what) in \(patience): is Kafka there?")
    }

    private func note(_ event: LogEvent) throws {
        switch event {
        case .delivered(let delivery):
            unacknowledged -= 1
            if let error = delivery.error { failure = error }
        case .failed(let error) where error.disposition != .retry: throw error
        default: break
        }
    }
}

extension String {
    /// Fit for a terminal: what came from outside can't move the cursor, nor begin a line.
    var printable: String { String(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0) }) }
}
