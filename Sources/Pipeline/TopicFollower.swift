public import RecordLog
import Synchronization

/// Keeps in memory what a whole topic says. One thread drives it with ``step(timeout:)``; others may ask it.
public protocol TopicFollower: Sendable {
    /// Whether all that was written before has been read.
    var isReady: Bool { get }

    /// Takes what the log has to tell.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func step(timeout: Duration) throws(LogError) -> Bool

    func close(timeout: Duration) throws(LogError)
}

/// Reads all partitions of a topic from the beginning, and on.
final class TopicReading: Sendable {
    private struct State {
        /// Partitions that were read to their ends.
        var atEnd: Set<Int32> = []
        var isOpen = false
        /// How many batches could not be read, by partition.
        var unreadable: [Int32: Int] = [:]
    }

    private let client: any LogClient
    private let topic: String
    let partitions: Int32
    private let state = Mutex(State())

    /// - Parameters:
    ///   - client: one without a group.
    ///   - partitions: how many the topic has.
    init(_ client: any LogClient, topic: String, partitions: Int32) {
        (self.client, self.topic, self.partitions) = (client, topic, partitions)
    }

    /// The client that it needs.
    static func client(_ id: String) -> ClientConfiguration {
        var client = ClientConfiguration(clientID: id)
        client.isReadOnly = true
        client.isFollower = true
        return client
    }

    /// Whether all that was written before has been read.
    var isAtEnd: Bool { state.withLock { $0.atEnd.count == Int(partitions) } }

    /// Whether all that was written before has been read, with these events.
    func isAtEnd(after events: [LogEvent]) -> Bool {
        var ends = state.withLock { $0.atEnd }
        for case .readEnd(let place, _) in events { ends.insert(place.partition) }
        return ends.count == Int(partitions)
    }

    func poll(timeout: Duration) throws(LogError) -> [LogEvent] {
        let isNew = state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        if isNew { for number in 0..<partitions { try client.read(TopicPartition(topic, number), from: .beginning) } }
        return try client.poll(maximum: 500, timeout: timeout)
    }

    /// Takes note of the ends that were reached. Called when the records before them are taken.
    func note(_ events: [LogEvent]) {
        for case .readEnd(let place, _) in events { _ = state.withLock { $0.atEnd.insert(place.partition) } }
    }

    /// Batches that could not be read. They are passed over.
    var unreadableBatches: Int { state.withLock { $0.unreadable.values.reduce(0, +) } }

    /// Counts the batches that could not be read.
    ///
    /// - Returns: Those of them that are the first of their partitions.
    func countUnreadable(_ events: [LogEvent]) -> [UnreadableRange] {
        var first: [UnreadableRange] = []
        for case .unreadable(let batch) in events {
            let count = state.withLock { state in
                state.unreadable[batch.partition.partition, default: 0] += 1
                return state.unreadable[batch.partition.partition]
            }
            if count == 1 { first.append(batch) }
        }
        return first
    }

    func close(timeout: Duration) throws(LogError) { try client.close(timeout: timeout) }
}
