import Conversation
import Dispatch
package import IntentEvents
import IntentModel
package import RecordLog
import Synchronization

/// Reads what a ``Gateway`` does not keep: older results, and the records that dead letters hold. One after the other, with a client of its own.
package final class ResultArchive: Sendable {
    /// What one reading returns at most.
    package static let maximumEvents = 10_000
    private static let maximumWaiting = 64
    private static let patience: Duration = .seconds(10)

    private let client: any LogClient
    private let topics: Topics
    private let queue = DispatchQueue(label: "result-archive")
    private let waiting = Mutex(0)

    /// - Parameter client: one without a group.
    package init(client: any LogClient, topics: Topics) {
        (self.client, self.topics) = (client, topics)
    }

    /// The results of a session, or of all sessions, in a part of a partition.
    ///
    /// - Returns: At most ``maximumEvents``, oldest first.
    /// - Throws: ``GatewayProblem`` if too many read already, or Kafka does not answer.
    package func results(of session: String?, in partition: Int32, _ range: Range<Int64>) async throws -> [TimelineEvent] {
        let key = session.map { Bytes($0.utf8) }
        var filter = SequenceFilter(maximumSessions: 10_000)
        return try await onQueue { [topics] archive in
            var events: [TimelineEvent] = []
            try archive.scan(TopicPartition(topics.results, partition), range) { record in
                guard key == nil || record.key == key, let result = try? ReceivedResult(record), filter.judge(result) != .copy else {
                    return true
                }
                events.append(TimelineEvent(result, source: record.headers.first { $0.name == "ce_source" }?.text))
                return events.count < Self.maximumEvents
            }
            return events
        }
    }

    /// The record at a place; `nil` if the log has none there.
    func record(at place: TopicPartition, _ offset: Int64) async throws -> ConsumedRecord? {
        guard offset < .max else { return nil }
        return try await onQueue { archive in
            var found: ConsumedRecord?
            try archive.scan(place, offset..<offset + 1) { record in
                found = record
                return false
            }
            return found
        }
    }

    package func close(timeout: Duration) throws(LogError) { try client.close(timeout: timeout) }

    private func onQueue<Value: Sendable>(_ body: sending @escaping (ResultArchive) throws -> Value) async throws -> Value {
        let isFull = waiting.withLock { waiting in
            if waiting >= Self.maximumWaiting { return true }
            waiting += 1
            return false
        }
        if isFull { throw GatewayProblem(.busy, "too many read older results: try again in a second") }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            let work = UncheckedWork(body)
            queue.async {
                continuation.resume(
                    with: Result {
                        do { return try work.body(self) } catch let error as LogError {
                            throw GatewayProblem(error.code == .unauthorized ? .unauthorized : .busy, error.message)
                        }
                    })
            }
        }
    }

    /// Reads the records of a range that are there now.
    ///
    /// - Parameter body: Returns `false` to stop.
    private func scan(_ place: TopicPartition, _ wanted: Range<Int64>, _ body: (ConsumedRecord) -> Bool) throws(LogError) {
        let there = wanted.clamped(to: try client.range(of: place))
        if there.isEmpty { return }
        try client.read(place, from: .offset(there.lowerBound))
        defer { try? client.stopReading(place) }
        var isReading = true
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while isReading {
            guard ContinuousClock.now < deadline else {
                throw LogError(.timedOut, "\(place) was not read within \(Self.patience): is Kafka running?")
            }
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(100)) where isReading {
                switch event {
                case .read(let record) where record.topicPartition == place && record.offset >= there.lowerBound:
                    isReading = record.offset < there.upperBound && body(record) && record.offset + 1 < there.upperBound
                case .readEnd(place, let next): isReading = next < there.upperBound
                case .failed(let error) where error.disposition != .retry: throw error
                default: break
                }
            }
        }
    }
}

/// Passes a closure to the queue that alone runs it.
private struct UncheckedWork<Value>: @unchecked Sendable {
    let body: (ResultArchive) throws -> Value
    init(_ body: @escaping (ResultArchive) throws -> Value) { self.body = body }
}
