import PipelineTestKit
import RecordLog
import Synchronization

extension String {
    /// Whether a process of this name is a coordinator.
    var isCoordinator: Bool { ["c1", "c2", "c3"].contains(self) }
}

/// Hides all earlier results from its coordinator.
final class BlindToResults: ForwardingClient, @unchecked Sendable {
    override func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        try super.read(partition, from: partition.topic.hasSuffix(".results") ? .end : start)
    }
}

/// Reports that each journal record directly follows the one before, and hides the records of other owners.
final class BlindToFences: ForwardingClient, @unchecked Sendable {
    private var owner = ""
    private var isFenced: Set<Int32> = []
    private var next: [Int32: Int64] = [:]

    override func send(_ record: Record, token: UInt64) throws(LogError) {
        if record.topic.hasSuffix(".sessions"), let stamp = record.headers.first?.text {
            owner = stamp.split(separator: " ").first { $0.hasPrefix("owner=") }.map { "\($0)" } ?? owner
        }
        try super.send(record, token: token)
    }

    override func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        if partition.topic.hasSuffix(".sessions"), start == .beginning { isFenced.remove(partition.partition) }
        try super.read(partition, from: start)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        var told: [LogEvent] = []
        for event in try super.poll(maximum: maximum, timeout: timeout) {
            switch event {
            case .read(let record) where record.topic.hasSuffix(".sessions"):
                let isOwn = record.headers.first?.text?.contains(owner) == true
                if isFenced.contains(record.partition), !isOwn { continue }
                if isOwn, record.key?.first == UInt8(ascii: "$"), record.value != nil, !isFenced.contains(record.partition) {
                    isFenced.insert(record.partition)
                    next[record.partition] = record.offset + 1
                }
                told.append(event)
            case .delivered(var delivery) where delivery.topic.hasSuffix(".sessions") && isFenced.contains(delivery.partition):
                delivery.offset = next[delivery.partition]
                next[delivery.partition, default: 0] += 1
                told.append(.delivered(delivery))
            default: told.append(event)
            }
        }
        return told
    }
}

/// Acknowledges journal records as soon as they are sent.
final class Hasty: ForwardingClient, @unchecked Sendable {
    private var early: [Delivery] = []
    private var expected: [Int32: Int64] = [:]

    override func send(_ record: Record, token: UInt64) throws(LogError) {
        try super.send(record, token: token)
        guard record.topic.hasSuffix(".sessions"), let partition = record.partition else { return }
        let end = (try? inner.range(of: TopicPartition(record.topic, partition)).upperBound) ?? 0
        let offset = max(end, expected[partition] ?? 0)
        expected[partition] = offset + 1
        early.append(Delivery(token: token, topic: record.topic, partition: partition, offset: offset))
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        guard early.isEmpty else {
            defer { early = [] }
            return early.map { .delivered($0) }
        }
        return try super.poll(maximum: maximum, timeout: timeout).filter { event in
            if case .delivered(let delivery) = event, delivery.topic.hasSuffix(".sessions"), delivery.error == nil { return false }
            return true
        }
    }
}

/// Commits all records as finished.
final class CommitsAhead: ForwardingClient, @unchecked Sendable {
    override func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) {
        var all: [TopicPartition: CommittedOffset] = [:]
        for partition in offsets.keys { all[partition] = CommittedOffset(offset: try range(of: partition).upperBound) }
        try super.commit(all)
    }
}
