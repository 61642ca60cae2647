import IntentModel
import RecordLog

// The log has taken a record, or refused it.
extension Coordinator {
    func acknowledged(_ delivery: Delivery) throws(LogError) {
        let kind = Token.kind(delivery.token)
        let partition = byOwnership[Token.ownership(delivery.token)]
        if let error = delivery.error { return try refused(delivery, error, kind, partition) }
        // Released or lost since.
        guard let partition else { return }
        switch kind {
        case .untracked: return
        case .journal: partition.journal.acknowledged(at: delivery.offset)
        case .work: partition.journal.acknowledgedWork(Token.group(delivery.token))
        case .result: partition.journal.acknowledgedResult(Token.group(delivery.token), at: delivery.offset)
        case .memory: remembered(Token.group(delivery.token), partition)
        case .openInput: try told(Token.group(delivery.token), partition)
        }
        try perform(partition)
    }

    private func refused(_ delivery: Delivery, _ error: LogError, _ kind: Token.Kind, _ partition: OwnedPartition?) throws(LogError) {
        if kind == .openInput {
            let number = Token.group(delivery.token)
            guard let partition, let input = partition.input.open[number] else { return }
            if let letter = input.letter {
                try refused(letter, number, error, partition)
                return try perform(partition)
            }
            // A rejection is a result like any other.
        }
        if !Rule.refusedRecordsEndTheProcess.holds { return }
        // An effect must not be sent without its journal record, and no journalled effect may be lost. The next owner repeats both.
        throw LogError(error.code, "a record for \(delivery.topic) could not be written: \(error.message)", disposition: .fatal)
    }
}
