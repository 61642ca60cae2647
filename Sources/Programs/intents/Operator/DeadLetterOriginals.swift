import IntentEvents
import RecordLog

/// What is at the place that a dead letter names.
enum DeadLetterOriginal: Sendable, Hashable {
    /// The record that the letter holds.
    case same
    /// Another record: who may write dead letters can write any.
    case different
    /// None: the topic's retention or compaction has removed it, or it never existed.
    case gone
}

extension OperatorClient {
    /// Reads the records at the places that letters name, and compares them with what the letters hold.
    ///
    /// - Parameter partitions: How many partitions each topic has.
    /// - Returns: what was found for each of the letters, in their order.
    func originals(of letters: [ReadDeadLetter], partitions: Int32) throws -> [DeadLetterOriginal] {
        var found = [DeadLetterOriginal](repeating: .gone, count: letters.count)
        let places = Dictionary(grouping: letters.indices) { letters[$0].original.topicPartition }
        for (place, indices) in places where topics.all.contains(place.topic) && place.partition < partitions {
            let wanted = Dictionary(grouping: indices) { letters[$0].original.offset }
            for range in Self.ranges(of: wanted.keys.sorted()) {
                try scan(place, range) { record in
                    for index in wanted[record.offset] ?? [] { found[index] = letters[index].holds(record) ? .same : .different }
                    return true
                }
            }
        }
        return found
    }

    /// Ranges that cover these offsets: those that are near each other are read in one go, and nothing is read between those that are far apart.
    ///
    /// - Parameter offsets: ascending.
    private static func ranges(of offsets: [Int64]) -> [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        // No record has the largest offset, since the next one has to have one too.
        for offset in offsets where offset < .max {
            if let last = ranges.last, offset - last.upperBound < 1_000 {
                ranges[ranges.count - 1] = last.lowerBound..<offset + 1
            } else {
                ranges.append(offset..<offset + 1)
            }
        }
        return ranges
    }
}
