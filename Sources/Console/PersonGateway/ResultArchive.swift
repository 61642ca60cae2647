import Conversation
import Dispatch
package import IntentEvents
package import IntentModel
package import RecordLog
import Synchronization

/// Reads records that a ``Gateway`` does not store: older results, dead letters, and the records that dead letters
/// name. Reads run one after the other, on a client of their own.
package final class ResultArchive: Sendable {
    /// The results of one read.
    package struct Part: Sendable {
        /// The results, oldest first.
        package var events: [TimelineEvent] = []
        /// The offset after the last record that was read. If the wanted range ends later, the next read starts here.
        package var end: Int64
    }

    /// The maximum number of results of one read.
    package static let maximumEvents = 10_000
    /// The size in bytes at which a read ends. The result that reaches the size is included.
    package static let maximumBytes = 1 << 20
    /// The maximum number of records of a topic that are read to find the steps of a request.
    private static let maximumScanned = 20_000
    private static let maximumWaiting = 64

    private let client: any LogClient
    private let topics: Topics
    private let patience: Duration
    private let queue = DispatchQueue(label: "result-archive")
    private let waiting = Mutex<(count: Int, principals: Set<Principal>)>((0, []))

    /// - Parameters:
    ///   - client: A client without a consumer group.
    ///   - patience: The maximum time of one read.
    package init(client: any LogClient, topics: Topics, patience: Duration = .seconds(10)) {
        (self.client, self.topics, self.patience) = (client, topics, patience)
    }

    /// Returns the results of a session, or of all sessions, in a range of a partition.
    ///
    /// - Parameters:
    ///   - viewer: The viewer. Results that the viewer may not see are left out.
    ///   - principal: The reader, who may read one range at a time; `nil` for a reader without this limit.
    /// - Returns: At most ``maximumEvents`` results, of about ``maximumBytes`` in total.
    /// - Throws: ``GatewayProblem`` if too many reads are waiting or Kafka does not respond; `CancellationError` if the
    ///   task is cancelled.
    package func results(
        of session: Identifier?, in partition: Int32, _ range: Range<Int64>, for viewer: Viewer,
        _ principal: Principal? = nil
    ) async throws -> Part {
        let key = session.map { Bytes($0.utf8) }
        return try await onQueue(for: principal) { [topics] archive, isCancelled in
            var filter = SequenceFilter(maximumSessions: 10_000)
            var part = Part(end: range.upperBound)
            var bytes = 0
            try archive.scan(TopicPartition(topics.results, partition), range, isCancelled) { record in
                guard key == nil || record.key == key, let result = try? ReceivedResult(record),
                    filter.judge(result) != .copy
                else {
                    return true
                }
                let event = TimelineEvent(result, source: record.headers.first { $0.name == "ce_source" }?.text)
                guard let shown = viewer.view(event) else { return true }
                part.events.append(shown)
                bytes += event.bytes
                if part.events.count < Self.maximumEvents, bytes < Self.maximumBytes { return true }
                part.end = record.offset + 1
                return false
            }
            return part
        }
    }

    /// Returns the work and the outcomes of a request of a session, as the work topics and `intents.outcomes` have them.
    ///
    /// - Parameter reader: The reader, who may read one request at a time; `nil` for a reader without this limit.
    /// - Throws: ``GatewayProblem`` if too many reads are waiting, Kafka does not respond, or the console may not read
    ///   these topics.
    func steps(of request: FollowedRequest, in session: FollowedSession, for reader: Principal?, at now: Instant)
        async throws -> RequestSteps
    {
        let key = Bytes(session.id.text.utf8)
        // Clocks differ.
        let from = request.started.advanced(byMilliseconds: -10_000)
        let until = (request.ended ?? now).advanced(byMilliseconds: 10_000)
        return try await onQueue(for: reader) { [topics] archive, isCancelled in
            var steps = RequestSteps(request: request.id)
            let deadline = ContinuousClock.now.advanced(by: archive.patience)
            for topic in topics.work + [topics.outcomes] {
                let place = TopicPartition(topic, session.partition)
                let start = try archive.client.offset(of: place, since: from.milliseconds)
                // Timestamps are those of many clocks, so that a later one is not the end.
                let end = try archive.client.offset(of: place, since: until.milliseconds)
                guard start < end else { continue }
                var left = Self.maximumScanned
                try archive.scan(place, start..<end, isCancelled) { record in
                    left -= 1
                    if record.key == key { steps.apply(record, isOutcome: topic == topics.outcomes) }
                    if left > 0, ContinuousClock.now < deadline { return true }
                    steps.isCut = steps.isCut || record.offset + 1 < end
                    return false
                }
            }
            return steps
        }
    }

    /// Returns the record at an offset; `nil` if the log has no record there.
    func record(at place: TopicPartition, _ offset: Int64) async throws -> ConsumedRecord? {
        guard offset < .max else { return nil }
        return try await onQueue(for: nil) { archive, isCancelled in
            var found: ConsumedRecord?
            try archive.scan(place, offset..<offset + 1, isCancelled) { record in
                found = record
                return false
            }
            return found
        }
    }

    package func close(timeout: Duration) throws(LogError) { try client.close(timeout: timeout) }

    private func onQueue<Value: Sendable>(
        for principal: Principal?,
        _ body: @escaping @Sendable (ResultArchive, _ isCancelled: () -> Bool) throws -> Value
    ) async throws -> Value {
        try waiting.withLock { waiting throws(GatewayProblem) in
            if let principal, waiting.principals.contains(principal) {
                throw GatewayProblem(.busy, "older records are being read for you already: try again in a second")
            }
            if waiting.count >= Self.maximumWaiting {
                throw GatewayProblem(.busy, "too many read older records: try again in a second")
            }
            waiting.count += 1
            if let principal { waiting.principals.insert(principal) }
        }
        defer {
            waiting.withLock { waiting in
                waiting.count -= 1
                if let principal { waiting.principals.remove(principal) }
            }
        }
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Result {
                            do { return try body(self) { cancellation.isSet } } catch let error as LogError {
                                throw GatewayProblem(error.code == .unauthorized ? .unauthorized : .busy, error.message)
                            }
                        })
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    /// Reads those records of a range that the log has at present.
    ///
    /// - Parameter body: Returns `false` to stop.
    private func scan(
        _ place: TopicPartition, _ wanted: Range<Int64>, _ isCancelled: () -> Bool, _ body: (ConsumedRecord) -> Bool
    ) throws {
        // The reader may have disconnected while this read waited for other reads.
        if isCancelled() { throw CancellationError() }
        let there = wanted.clamped(to: try client.range(of: place))
        if there.isEmpty { return }
        try client.read(place, from: .offset(there.lowerBound))
        defer { try? client.stopReading(place) }
        var isReading = true
        let deadline = ContinuousClock.now.advanced(by: patience)
        while isReading {
            if isCancelled() { throw CancellationError() }
            guard ContinuousClock.now < deadline else {
                throw LogError(.timedOut, "\(place) was not read within \(patience): is Kafka running?")
            }
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(100)) where isReading {
                switch event {
                case .read(let record) where record.topicPartition == place && record.offset >= there.lowerBound:
                    isReading = record.offset < there.upperBound && body(record) && record.offset + 1 < there.upperBound
                case .readEnd(place, let next): isReading = next < there.upperBound
                // An unreadable batch has no records to show.
                case .unreadable(let batch) where batch.partition == place:
                    isReading = batch.offsets.upperBound < there.upperBound
                case .failed(let error) where error.disposition != .retry: throw error
                default: break
                }
            }
        }
    }
}

/// A flag that tells the queue that the task behind a read was cancelled.
private final class Cancellation: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool { flag.withLock { $0 } }
    func set() { flag.withLock { $0 = true } }
}
