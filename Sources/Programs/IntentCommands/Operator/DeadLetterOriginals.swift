import IntentEvents
import RecordLog

/// The result of comparing a dead letter with the record at the place that it names.
enum DeadLetterOriginal: Sendable, Hashable {
    /// The place has the record that the letter contains.
    case same
    /// The place has another record: everyone who may write dead letters can write any letter.
    case different
    /// The place has no record: the topic's retention or compaction has removed it, or it never existed.
    case missing
}

extension OperatorClient {
    /// Compares dead letters with the records at the places that they name.
    ///
    /// - Parameter partitions: The partition count of each topic.
    /// - Returns: The result for each letter, in the order of the letters.
    func originals(of letters: [ReadDeadLetter], partitions: Int32) throws -> [DeadLetterOriginal] {
        var found = [DeadLetterOriginal](repeating: .missing, count: letters.count)
        let places = Dictionary(grouping: letters.indices) { letters[$0].original.topicPartition }
        for (place, indices) in places where topics.all.contains(place.topic) && place.partition < partitions {
            let wanted = Dictionary(grouping: indices) { letters[$0].original.offset }
            for range in Self.ranges(of: wanted.keys.sorted()) {
                try scan(place, range) { record in
                    for index in wanted[record.offset] ?? [] {
                        found[index] = letters[index].holds(record) ? .same : .different
                    }
                    return true
                }
            }
        }
        return found
    }

    /// Returns ranges that cover these offsets. Offsets near each other share a range; records between distant offsets
    /// are not read.
    ///
    /// - Parameter offsets: The offsets in ascending order.
    private static func ranges(of offsets: [Int64]) -> [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        // No record has the largest offset, because its successor needs an offset too.
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
