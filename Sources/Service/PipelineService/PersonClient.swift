package import Conversation
import Foundation
package import IntentEvents
package import IntentModel
import RDKafkaLog
package import RecordLog

/// A client of the person's side: writes events to `intents.requests` and `intents.answers`, and reads
/// `intents.results`. Must be used by one thread only.
package final class PersonClient {
    package let topics: Topics
    package let client: any LogClient
    private let log: KafkaLog
    private var encoder: EventEncoder
    /// The secret of this client's handoff claims.
    private let claimSecret = PersonClient.newID()
    /// The identity of the person; `nil` if the person is not authenticated. With a principal, requests are written to
    /// `intents.answers` instead of `intents.requests`.
    package var principal: Principal?
    private var unacknowledged = 0
    private var failure: LogError?
    private var ends: [Int32: Bool] = [:]
    private var received: [ReceivedResult] = []
    private var filter = SequenceFilter()
    /// The number of gaps in the sequences of results.
    package private(set) var gaps = 0
    /// The number of skipped copies of results.
    package private(set) var copies = 0
    /// The tokens of offered handoffs that this client has not claimed, by session and handoff. At 10,000 tokens, the
    /// next offer discards all of them.
    private var tokens: [Identifier: String] = [:]
    /// The number of outcomes that each worker process has written since ``followOutcomes()``.
    package private(set) var workers: [String: Int] = [:]

    /// - Parameters:
    ///   - principal: The identity of the person, if the person is authenticated.
    ///   - isReadOnly: `true` if the client only follows results and has only the right to read.
    package init(
        _ options: KafkaOptions, name: String = "intents", principal: Principal? = nil, isReadOnly: Bool = false
    ) throws {
        self.principal = principal
        topics = options.topics
        log = try options.log()
        var configuration = ClientConfiguration(clientID: name)
        configuration.isReadOnly = isReadOnly
        client = try options.encryption().client(try log.connect(configuration))
        encoder = EventEncoder(source: "/intents/\(name)")
    }

    package static func newID() -> String { UUID().uuidString.lowercased() }

    /// Starts reading all partitions of the results.
    package func follow(fromBeginning: Bool) async throws {
        let partitions = try await partitionCount()
        for partition in 0..<partitions {
            ends[partition] = false
            let results = TopicPartition(topics.results, partition)
            // The end is looked up now, so that no result is missed that is written after this call.
            try client.read(
                results, from: fromBeginning ? .beginning : .offset(try client.range(of: results).upperBound))
        }
    }

    /// Starts counting outcomes by worker.
    package func followOutcomes() async throws {
        for partition in 0..<(try await partitionCount()) {
            let outcomes = TopicPartition(topics.outcomes, partition)
            try client.read(outcomes, from: .offset(try client.range(of: outcomes).upperBound))
        }
    }

    /// `true` after the results of every followed partition have been read to their end once.
    package var isAtEnd: Bool { ends.values.allSatisfy { $0 } }

    package func partitionCount() async throws -> Int32 {
        let existing = try await log.topics()
        guard let results = existing.first(where: { $0.name == topics.results }) else {
            throw LogError(
                .unknownTopicOrPartition,
                "the topic \(topics.results) does not exist: run '\(PipelineProgram.tool) topics apply', or '\(PipelineProgram.tool) dev'"
            )
        }
        return results.partitions
    }

    package func send(
        _ event: SessionEvent, session: Identifier, id: Identifier = Identifier(PersonClient.newID()),
        partition: Int32? = nil, token: String? = nil, secret: String? = nil
    ) throws {
        var token = token
        if token == nil, case .handoffClaimed(let handoff, _) = event {
            token = tokens.removeValue(forKey: "\(session)/\(handoff)")
        }
        guard
            let record = encoder.record(
                event, session: session, id: id, topics: topics, to: topic(for: event), partition: partition,
                token: token,
                secret: secret ?? claimSecret, from: principal, at: .now)
        else { return }
        try send(record)
    }

    private func topic(for event: SessionEvent) -> String {
        if principal == nil, case .requested = event { return topics.requests }
        return topics.answers
    }

    package func send(_ record: Record) throws {
        while true {
            do {
                try client.send(record, token: 1)
                unacknowledged += 1
                return
            } catch {
                guard error.code == .queueFull else { throw error }
                try poll(.milliseconds(10))
            }
        }
    }

    /// Waits until all sent records are acknowledged.
    ///
    /// - Throws: `LogError` if Kafka has refused a record, or does not acknowledge all records in time.
    package func flush(timeout: Duration = .seconds(30)) throws {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while unacknowledged > 0 {
            guard ContinuousClock.now < deadline else {
                throw LogError(
                    .timedOut, "\(unacknowledged) records were not acknowledged within \(timeout): is Kafka running?")
            }
            try poll(.milliseconds(50))
        }
        if let failure { throw failure }
    }

    /// Returns the new results, without copies. If there are none, waits for events of Kafka for at most `timeout`; the
    /// array may still be empty.
    package func results(timeout: Duration) throws -> [ReceivedResult] {
        if received.isEmpty { try poll(timeout) }
        defer { received.removeAll() }
        return received
    }

    private func poll(_ timeout: Duration) throws {
        for event in try client.poll(maximum: 1_000, timeout: timeout) {
            switch event {
            case .delivered(let delivery):
                unacknowledged -= 1
                if let error = delivery.error { failure = error }
            case .read(let record) where record.topic == topics.outcomes:
                let source = record.headers.first { $0.name == "ce_source" }?.text ?? ""
                workers[source.split(separator: "/").last.map(String.init) ?? "", default: 0] += 1
            case .read(let record):
                guard let result = try? ReceivedResult(record) else { continue }
                if acceptIfNew(result) {
                    storeOfferedToken(of: result)
                    received.append(result)
                }
            case .readEnd(let partition, _) where partition.topic == topics.results: ends[partition.partition] = true
            case .outOfRange(let position): complain("\(position)")
            case .unreadable(let batch): complain("\(batch)")
            case .failed(let error) where error.disposition != .retry: complain("\(error)")
            default: break
            }
        }
    }

    private func storeOfferedToken(of result: ReceivedResult) {
        guard let handoff = result.offeredHandoff, let session = result.session,
            let token = result.data["token"]?.string
        else { return }
        if tokens.count >= 10_000 { tokens.removeAll() }
        tokens["\(session)/\(handoff)"] = token
    }

    private func acceptIfNew(_ result: ReceivedResult) -> Bool {
        switch filter.judge(result) {
        case .new: return true
        case .copy:
            copies += 1
            return false
        case .gap:
            gaps += 1
            return true
        }
    }

    package func close() { try? client.close(timeout: .seconds(5)) }
}
