import RecordLog

/// The places up to which a gateway has read.
struct FollowedTopics: Sendable {
    /// `true` once all partitions are open.
    var isOpen = false
    /// The offset after the last result that was read, by partition.
    var nextResults: [Int32: Int64] = [:]
    /// The partitions that were not yet read to the end that they had at the start.
    var behind: Set<TopicPartition> = []
    /// The partitions with a batch that could not be read.
    var unreadable: Set<TopicPartition> = []

    /// `true` if every partition was read to the end that it had at the start.
    var isReady: Bool { isOpen && behind.isEmpty }

    /// Returns the offsets of results after a place that were read and may be missing in a session.
    func results(after place: LogPosition) -> Range<Int64>? {
        let next = nextResults[place.partition] ?? 0
        return next > place.offset + 1 ? place.offset + 1..<next : nil
    }
}
