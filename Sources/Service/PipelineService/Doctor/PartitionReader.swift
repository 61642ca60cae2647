import Conversation
import IntentEvents
package import RecordLog

/// Reads partitions from the log with a client that never writes. Must be used by one thread only.
package final class PartitionReader {
    private let client: any LogClient
    /// The time to wait for the next record.
    private let patience: Duration

    package init(_ log: any LogCluster, _ encryption: ClientEncryption?, patience: Duration) throws(LogError) {
        var configuration = ClientConfiguration(clientID: "intents-doctor")
        configuration.isReadOnly = true
        client = encryption.client(try log.connect(configuration))
        self.patience = patience
    }

    package func close() { try? client.close(timeout: .seconds(2)) }

    package func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> {
        try client.range(of: partition)
    }

    /// Reads the records that a partition has now, oldest first.
    ///
    /// - Parameter last: The number of offsets to read at the end; `nil` for all.
    /// - Throws: ``RecordLog/LogError/Code/timedOut`` if no record arrives in time. ``RecordLog/LogError/Code/other``,
    ///   after the last record, if a batch between the records can't be read.
    package func read(_ partition: TopicPartition, last: Int64? = nil, _ body: (ConsumedRecord) -> Void)
        throws(LogError)
    {
        let there = try client.range(of: partition)
        let start = last.map { max(there.lowerBound, there.upperBound - $0) } ?? there.lowerBound
        if start >= there.upperBound { return }
        try client.read(partition, from: .offset(start))
        var unreadable: UnreadableRange?
        defer { try? client.stopReading(partition) }
        try poll("no record of \(partition) arrived") { event in
            switch event {
            case .read(let record) where record.topicPartition == partition && record.offset >= start:
                if record.offset < there.upperBound { body(record) }
                return record.offset + 1 >= there.upperBound
            case .readEnd(partition, _): return true
            case .unreadable(let batch) where batch.partition == partition:
                unreadable = unreadable ?? batch
                return batch.offsets.upperBound >= there.upperBound
            default: return nil
            }
        }
        if let unreadable { throw LogError(.other, unreadable.description) }
    }

    /// Opens a partition at its end.
    package func open(_ partition: TopicPartition) throws(LogError) { try client.read(partition, from: .end) }

    /// Waits until the broker permits reading an opened partition, and closes the partition.
    package func awaitOpening(of partition: TopicPartition) throws(LogError) {
        defer { try? client.stopReading(partition) }
        try poll("the broker did not answer for \(partition)") { event in
            switch event {
            case .read(let record) where record.topicPartition == partition: true
            case .readEnd(partition, _): true
            default: nil
            }
        }
    }

    /// Returns the offsets that no reader gets, for partitions whose last stable offset does not move: another producer
    /// has an open transaction in them.
    ///
    /// - Parameter duration: The time for which the offset must not move. There is no wait if no partition has an open
    ///   transaction.
    /// - Throws: ``RecordLog/LogError/Code/timedOut`` if the broker does not answer for a partition in time.
    package func withheld(in partitions: [TopicPartition], for duration: Duration) throws(LogError) -> [TopicPartition:
        Range<Int64>]
    {
        for partition in partitions { try open(partition) }
        defer { for partition in partitions { try? client.stopReading(partition) } }
        var unanswered = Set(partitions)
        var withheld: [TopicPartition: Range<Int64>] = [:]
        if unanswered.isEmpty { return [:] }
        try poll("the broker did not answer for a partition") { event in
            guard case .readEnd(let partition, let stable) = event, unanswered.remove(partition) != nil else {
                return nil
            }
            if let end = client.knownEnd(of: partition), stable < end { withheld[partition] = stable..<end }
            return unanswered.isEmpty
        }
        let end = ContinuousClock.now.advanced(by: duration)
        while !withheld.isEmpty, ContinuousClock.now < end {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                switch event {
                case .read(let record): withheld[record.topicPartition] = nil
                case .readEnd(let partition, _): withheld[partition] = nil
                default: break
                }
            }
        }
        return withheld
    }

    /// Polls until an event completes the operation.
    ///
    /// - Parameter handle: Returns `true` if the operation is complete, or `nil` if the event is unrelated.
    private func poll(_ what: String, _ handle: (LogEvent) -> Bool?) throws(LogError) {
        var deadline = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < deadline {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                switch handle(event) {
                case true?: return
                case false?: deadline = ContinuousClock.now.advanced(by: patience)
                case nil:
                    if case .failed(let error) = event, error.disposition != .retry { throw error }
                    if case .outOfRange(let position) = event { throw position.error }
                }
            }
        }
        throw LogError(.timedOut, "\(what) within \(patience)", disposition: .retry)
    }
}
