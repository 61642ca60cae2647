import IntentEvents
import RecordLog

// The first record of an input shows whether it is the log that was read before. A log that ends right before that record shows nothing until more is written,
// so where no record has come for a while, the owner looks where the input ends.
extension Coordinator {
    func lookAtInputs(of partition: OwnedPartition) throws(LogError) {
        for input in partition.journal.unchecked where partition.lookedAt.insert(input).inserted {
            try client.read(TopicPartition(input.topic(topics), partition.number), from: partition.journal[input].checkpoint)
        }
    }

    func stopLooking(at input: JournalInput, _ partition: OwnedPartition) throws(LogError) {
        guard partition.lookedAt.remove(input) != nil else { return }
        try client.stopReading(TopicPartition(input.topic(topics), partition.number))
    }

    func stopLooking(_ partition: OwnedPartition) throws(LogError) {
        for input in JournalInput.allCases { try stopLooking(at: input, partition) }
    }
}
