import Conversation
import IntentEvents
import Logging
import RecordLog

// The first record of an input shows whether it is the log that was read before. A log that ends right before that record shows nothing until more is written,
// so where no record has come for a while, the owner looks where the input ends. It also looks where the log has records that do not arrive: if the last stable
// offset is below the end, another producer has an open transaction.
extension Coordinator {
    func lookAtInputs(of partition: OwnedPartition) throws(LogError) {
        for input in partition.journal.unchecked where partition.lookedAt.insert(input).inserted {
            try client.read(
                TopicPartition(input.topic(topics), partition.number), from: partition.journal[input].checkpoint)
        }
        guard partition.input.isStarted, !partition.input.isPaused, !partition.input.isHeld else { return }
        for input in JournalInput.allCases {
            let place = TopicPartition(input.topic(topics), partition.number)
            let (next, end) = (partition.journal[input].next, client.knownEnd(of: place))
            guard partition.stalls[input, default: InputStall()].needsLook(next: next, end: end),
                partition.lookedAt.insert(input).inserted
            else { continue }
            try client.read(place, from: .end)
        }
    }

    /// An input was looked at, and ends here for readers.
    func found(stable: Int64, of place: TopicPartition, _ input: JournalInput, _ partition: OwnedPartition) {
        guard let end = client.knownEnd(of: place),
            partition.stalls[input]?.found(stable: stable, end: end, at: now) == true
        else {
            return
        }
        logger.error(
            """
            a producer has an open transaction: its records, and all that others wrote after them, are not read until it ends. 'kafka-transactions.sh \
            describe-producers' names the producer, 'kafka-transactions.sh abort' ends its transaction
            """,
            metadata: [
                "topic": "\(place.topic)", "partition": "\(place.partition)", "offset": "\(stable)", "end": "\(end)",
            ])
    }

    /// The times since when open transactions have withheld records of inputs.
    var withheldSince: [TopicPartition: Instant] {
        var withheld: [TopicPartition: Instant] = [:]
        for partition in inOrder where partition.isActive {
            for (input, stall) in partition.stalls {
                if let open = stall.open {
                    withheld[TopicPartition(input.topic(topics), partition.number)] = open.since
                }
            }
        }
        return withheld
    }

    func stopLooking(at input: JournalInput, _ partition: OwnedPartition) throws(LogError) {
        guard partition.lookedAt.remove(input) != nil else { return }
        try client.stopReading(TopicPartition(input.topic(topics), partition.number))
    }

    func stopLooking(_ partition: OwnedPartition) throws(LogError) {
        for input in JournalInput.allCases { try stopLooking(at: input, partition) }
    }
}
