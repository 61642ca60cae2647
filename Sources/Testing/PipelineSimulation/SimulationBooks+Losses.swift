import Conversation
import IntentEvents
import Pipeline
import RecordLog

/// Where a record of the journal is that no coordinator wrote.
struct ForeignPlace: Sendable, Hashable {
    var partition: Int32
    var offset: Int64

    init(_ record: ConsumedRecord) {
        partition = record.partition
        offset = record.offset
    }
}

// What may be lost: what a topic has lost before it was decided on, and what the operator was told of.
extension SimulationBooks.Ledger {
    /// An input has lost a record that was not decided on.
    mutating func lose(_ record: ConsumedRecord, of input: JournalInput) {
        deadLetters.lose(record)
        if input != .outcomes {
            guard let event = try? RequestEvent(record), case .requested(let request) = event.event else { return }
            requests["\(event.session)/\(request.id)", default: RequestBook()].lost += 1
        } else if let event = try? OutcomeEvent(record) {
            lostOutcomes.insert("\(event.session)/\(event.outcome.request) \(event.outcome.step)")
        }
    }

    /// The operator has forgotten a session, as it was the only thing to do: its requests get no completion.
    mutating func loseRequests(of session: String) {
        for (key, request) in requests where key.hasPrefix("\(session)/") && request.completions.isEmpty {
            requests[key]?.lost = request.copies
            requests[key]?.opened = 0
        }
        guard var book = sessions[session] else { return }
        // What came early belongs to what is forgotten.
        book.early = [:]
        book.older.merge(book.contents) { $0.union($1) }
        book.contents = [:]
        sessions[session] = book
    }

    /// Whether a result may come before an earlier one of its session: one has failed, and others were under way.
    var mayComeEarly: Bool { mayFail.values.contains(where: \.hasStopped) }
}
