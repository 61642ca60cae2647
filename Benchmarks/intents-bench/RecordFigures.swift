import Foundation
import IntentEvents
import IntentModel
import RecordLog

/// The number of records that an intent has caused on one topic, and their size.
struct RecordFigures: Sendable {
    /// The topic's name without the prefix.
    var name: String
    var perIntent: Double
    /// The mean length of key, value and headers (names and values) of the newest records.
    var bytes: Double

    var text: String { String(format: "%@ %.2f of %.0f bytes", name, perIntent, bytes) }
    var json: JSON { .object(["perIntent": .number(perIntent), "bytes": .number(bytes)]) }
}

/// Counts and measures the records of a pipeline's topics.
struct RecordCount {
    let client: any LogClient
    let topics: Topics
    let partitions: Int32
    /// The ends of all partitions when the count began.
    private var start: [TopicPartition: Int64] = [:]
    /// The number of newest records of a partition that are measured.
    private static let sample: Int64 = 200

    init(client: any LogClient, topics: Topics, partitions: Int32) throws {
        self.client = client
        self.topics = topics
        self.partitions = partitions
        for topic in topics.all {
            for partition in places(of: topic) { start[partition] = try client.range(of: partition).upperBound }
        }
    }

    private func places(of topic: String) -> [TopicPartition] { (0..<partitions).map { TopicPartition(topic, $0) } }

    /// The figures of the topics that records were written to since the count began.
    func figures(intents: Int) throws -> [RecordFigures] {
        try topics.all.compactMap { topic in
            let ranges = try places(of: topic).map { ($0, try client.range(of: $0)) }
            let count = ranges.reduce(0) { $0 + $1.1.upperBound - start[$1.0, default: 0] }
            guard count > 0 else { return nil }
            return RecordFigures(
                name: String(topic.dropFirst(topics.prefix.count + 1)),
                perIntent: Double(count) / Double(max(intents, 1)),
                bytes: try meanBytes(ranges))
        }
    }

    private func meanBytes(_ ranges: [(TopicPartition, Range<Int64>)]) throws -> Double {
        var unread: Set<TopicPartition> = []
        for (partition, range) in ranges where !range.isEmpty {
            try client.read(partition, from: .offset(max(range.lowerBound, range.upperBound - Self.sample)))
            unread.insert(partition)
        }
        var (count, bytes) = (0, 0)
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        while !unread.isEmpty, ContinuousClock.now < deadline {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(100)) {
                switch event {
                case .read(let record):
                    count += 1
                    bytes += record.length
                case .readEnd(let partition, _):
                    try client.stopReading(partition)
                    unread.remove(partition)
                default: break
                }
            }
        }
        return Double(bytes) / Double(max(count, 1))
    }
}

extension ConsumedRecord {
    /// The bytes of the record's key, value and headers.
    fileprivate var length: Int {
        (key?.count ?? 0) + (value?.count ?? 0) + headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    }
}
