import Conversation
import IntentEvents
import IntentModel
import Logging
import MessageAuthentication
import RecordLog

/// A record that can't be read, until its dead letter is in the log.
struct UnreadableRecord {
    /// How often a dead letter is sent before it is given up.
    static let maximumAttempts = 5

    let record: ConsumedRecord
    let error: EventError
    private var attempt = 1
    private var isTooLarge = false

    init(_ record: ConsumedRecord, _ error: EventError) {
        self.record = record
        self.error = error
    }

    /// The dead letter to send.
    ///
    /// - Parameter stage: the role that can't read the record.
    func letter(stage: String, topics: Topics) -> Record {
        guard isTooLarge else { return DeadLetter.record(record, error.rejection, stage: stage, attempt: attempt, topics: topics) }
        let sha256 = Hexadecimal.encode(SHA256.hash(record.value ?? []))
        return DeadLetter.excerpt(of: record, error.rejection, sha256: sha256, stage: stage, attempt: attempt, topics: topics)
    }

    /// Whether to send another dead letter after the log has refused one.
    ///
    /// - Throws: The refusal, if the client can't write any more. No other refusal ends the process, because its successor would read the same record
    ///   and end in the same way.
    mutating func isSentAgain(after refusal: LogError) throws(LogError) -> Bool {
        if refusal.disposition == .fatal || refusal.code == .closed { throw refusal }
        guard attempt < Self.maximumAttempts else { return false }
        attempt += 1
        if refusal.code == .recordTooLarge {
            defer { isTooLarge = true }
            return !isTooLarge
        }
        return refusal.disposition == .retry
    }

    /// What a log line says of it.
    ///
    /// - Parameter refusal: why the log does not take its dead letter.
    func metadata(_ refusal: LogError? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "topic": "\(record.topic)", "partition": "\(record.partition)", "offset": "\(record.offset)",
            "reason": "\(error.rejection.reason.rawValue)",
        ]
        if let refusal { metadata["refusal"] = "\(refusal)" }
        return metadata
    }
}
