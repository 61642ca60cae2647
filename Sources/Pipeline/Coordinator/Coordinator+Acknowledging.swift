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
        case .openInput: try told(Token.group(delivery.token), partition)
        }
        try perform(partition)
    }

    private func refused(_ delivery: Delivery, _ error: LogError, _ kind: Token.Kind, _ partition: OwnedPartition?) throws(LogError) {
        if kind == .openInput {
            guard let partition else { return }
            if try !isDeadLetter(Token.group(delivery.token), refused: error, partition) { throw fatal(delivery, error) }
            return try perform(partition)
        }
        if !Rule.refusedRecordsEndTheProcess.holds { return }
        // An effect must not be sent without its journal record, and no journalled effect may be lost. The next owner repeats both.
        throw fatal(delivery, error)
    }

    private func fatal(_ delivery: Delivery, _ error: LogError) -> LogError {
        LogError(error.code, "a record for \(delivery.topic) could not be written: \(error.message)", disposition: .fatal)
    }
}
