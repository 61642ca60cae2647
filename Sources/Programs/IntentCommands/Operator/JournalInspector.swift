import IntentEvents
import IntentModel
import Pipeline
import RecordLog

extension OperatorClient {
    /// Reads a partition of the journal to its end.
    func check(_ partition: Int32) throws -> JournalCheck {
        var check = JournalCheck(partition: partition, topics: topics)
        try scan(TopicPartition(topics.sessions, partition)) { record in
            check.apply(record)
            return true
        }
        return check
    }

    /// Returns the coordinators' committed positions of a partition.
    func committed(_ partition: Int32) async throws -> GroupPositions {
        let places = JournalInput.allCases.map { TopicPartition($0.topic(topics), partition) }
        return GroupPositions(
            try await committed(by: Coordinator.group(topics).id, places), partition: partition, topics: topics)
    }

    /// Searches the results that the partition's next owner would check for results that are missing in the journal.
    func readResults(_ check: inout JournalCheck, before end: Int64) throws {
        let place = TopicPartition(topics.results, check.partition)
        let start = max(check.resultsNext, try range(of: place).lowerBound)
        guard start < end else { return }
        try scan(place, start..<end) { record in
            check.apply(result: record)
            return true
        }
    }

    /// Returns the present range of an input, and its record before an offset.
    func input(_ input: JournalInput, _ partition: Int32, before offset: Int64) throws -> InputLog {
        let place = TopicPartition(input.topic(topics), partition)
        var before: ConsumedRecord?
        if offset > 0 {
            try scan(place, offset - 1..<offset) { record in
                before = record
                return false
            }
        }
        return InputLog(input, range: try range(of: place), before: before)
    }

    /// Returns the three inputs of a partition, each with the record before its position.
    func inputs(_ check: JournalCheck) throws -> [InputLog] {
        try JournalInput.allCases.map { try input($0, check.partition, before: check.replay.position(of: $0).next) }
    }

    /// Returns the number of a session's last result from an offset on; 0 if the topic has none. A forgotten session
    /// counts from 1 again.
    func lastResult(of session: Identifier, _ partition: Int32, from start: Int64) throws -> Int {
        var (last, timestamp) = (0, Int64.min)
        let key = Array(session.utf8)
        try scan(TopicPartition(topics.results, partition), start..<(.max)) { record in
            guard record.key == key, let sequence = (try? ReceivedResult(record))?.sequence else { return true }
            if sequence > last || sequence == 1 && record.timestamp > timestamp {
                (last, timestamp) = (sequence, record.timestamp)
            }
            return true
        }
        return last
    }
}
