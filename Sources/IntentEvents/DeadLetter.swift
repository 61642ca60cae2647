public import Conversation
import IntentModel
public import RecordLog

/// An unreadable record as it is written to `intents.dead-letters`: with its key, value and headers, and the reason in further headers.
public enum DeadLetter {
    /// - Parameters:
    ///   - stage: who gave up: `coordinator`, `resolver`, `confirmer`, `handler`.
    ///   - attempt: how often it was tried.
    public static func record(_ original: ConsumedRecord, _ rejection: Rejection, stage: String, attempt: Int = 1, topics: Topics) -> Record
    {
        let error = [
            RecordHeader("intents-error-topic", original.topic),
            RecordHeader("intents-error-partition", String(original.partition)),
            RecordHeader("intents-error-offset", String(original.offset)),
            RecordHeader("intents-error-stage", stage),
            RecordHeader("intents-error-reason", rejection.reason.rawValue),
            RecordHeader("intents-error-message", rejection.message),
            RecordHeader("intents-error-attempt", String(attempt)),
        ]
        return Record(
            topic: topics.deadLetters, partition: original.partition, key: original.key, value: original.value,
            headers: original.headers + error)
    }
}
