import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The unreadable records of a history, and their dead letters.
struct DeadLetterBook: Sendable {
    private var unreadable: Set<String> = []
    private var buried: Set<String> = []
    private var batches: [(place: TopicPartition, offset: Int64)] = []
    private var forged: Set<String> = []
    /// Tickets of the work of sessions that the operator has forgotten. If a copy of a request opens such a session
    /// again, each step gets another ticket.
    private var forgotten: Set<Ticket> = []
    /// Places that the journal lists as open input and whose records the log has lost since. The log may have other
    /// records there.
    private var replaced: Set<String> = []

    /// The unreadable records without a dead letter, as topic, partition and offset.
    var missing: [String] { unreadable.subtracting(buried).sorted() }

    mutating func insert(unreadable record: ConsumedRecord) { unreadable.insert(place(record)) }

    /// Records an unreadable batch by its last offset.
    mutating func insert(unreadable place: TopicPartition, _ offset: Int64) {
        unreadable.insert("\(place.topic) \(place.partition) \(offset)")
        batches.append((place, offset))
    }

    /// Removes the unreadable batches that a topic lost with its tail. The log may have other batches at their offsets.
    mutating func loseBatches(_ place: TopicPartition, from end: Int64) {
        for batch in batches where batch.place == place && batch.offset >= end {
            unreadable.remove("\(place.topic) \(place.partition) \(batch.offset)")
        }
        batches.removeAll { $0.place == place && $0.offset >= end }
    }

    /// Removes a record that its topic lost before it was decided on.
    mutating func lose(_ record: ConsumedRecord) { unreadable.remove(place(record)) }

    /// Excuses missing dead letters of input that an earlier version has decided on. An earlier version does not name
    /// open input.
    mutating func excuse(_ offsets: Set<Int64>, of topic: String, _ partition: Int32) {
        for offset in offsets { buried.insert("\(topic) \(partition) \(offset)") }
    }

    mutating func insert(forged record: ConsumedRecord) { forged.insert(place(record)) }

    /// Records the tickets of a session that the operator has forgotten.
    mutating func forget(_ tickets: Set<Ticket>) { forgotten.formUnion(tickets) }

    /// Records the loss of a record that the journal lists as open input.
    mutating func recordLostOpenInput(_ record: ConsumedRecord) { replaced.insert(place(record)) }

    /// Records a dead letter.
    ///
    /// - Returns: `true` if the record of the letter may be refused although a worker wrote it.
    mutating func insert(letter: ConsumedRecord) -> Bool {
        let place = ["topic", "partition", "offset"].map { name in
            letter.headers.first { $0.name == "intents-error-\(name)" }?.text ?? ""
        }.joined(separator: " ")
        buried.insert(place)
        if let letter = ReadDeadLetter(letter), let range = letter.range {
            let original = letter.original
            for offset in original.offset...max(original.offset, range.last) {
                buried.insert("\(original.topic) \(original.partition) \(offset)")
            }
        }
        return forged.contains(place) || replaced.contains(place)
            || OutcomeEvent.ticket(letter).map(forgotten.contains) ?? false
    }

    private func place(_ record: ConsumedRecord) -> String { "\(record.topic) \(record.partition) \(record.offset)" }
}

extension SimulationBooks.Ledger {
    mutating func recordDeadLetter(_ record: ConsumedRecord) {
        report[.deadLetters] += 1
        let mayBeRefused = deadLetters.insert(letter: record)
        let isRefusal =
            record.header("intents-error-reason")?.elementsEqual(RejectionReason.unauthorized.rawValue.utf8) == true
        if isRefusal, !mayBeRefused {
            violated(.forgedOutcome, "\(record.topicPartition) \(record.offset): a worker's own outcome was refused")
        }
    }

    /// Reads a record that some process also reads.
    ///
    /// - Returns: `nil` if the record can't be read.
    mutating func reading<Event>(_ record: ConsumedRecord, _ read: (ConsumedRecord) throws(EventError) -> Event)
        -> Event?
    {
        do throws(EventError) { return try read(record) } catch {
            if error.isDeadLetter { deadLetters.insert(unreadable: record) }
            return nil
        }
    }
}
