import Conversation
import IntentEvents
import Pipeline
import RecordLog

/// The place of a journal record that no coordinator wrote.
struct ForeignPlace: Sendable, Hashable {
    var partition: Int32
    var offset: Int64

    init(_ record: ConsumedRecord) {
        partition = record.partition
        offset = record.offset
    }
}

// Losses that are allowed: input that a topic lost before it was decided on, and losses that an operator has seen.
extension SimulationBooks.Ledger {
    /// Records the loss of an input record that was not decided on.
    mutating func lose(_ record: ConsumedRecord, of input: JournalInput) {
        deadLetters.lose(record)
        if input != .outcomes {
            guard let event = try? RequestEvent(record), case .requested(let request) = event.event else { return }
            requests["\(event.session)/\(request.id)", default: RequestBook()].lost += 1
        } else if let event = try? OutcomeEvent(record) {
            lostOutcomes.insert("\(event.session)/\(event.outcome.request) \(event.outcome.step)")
        }
    }

    /// Records that the operator has forgotten a session, because no other repair was possible. The session's requests
    /// get no completion.
    mutating func loseRequests(of session: String) {
        for (key, request) in requests where key.hasPrefix("\(session)/") && request.completions.isEmpty {
            requests[key]?.lost = request.copies
            requests[key]?.opened = 0
        }
        guard var book = sessions[session] else { return }
        // Early results belong to the forgotten session.
        book.early = [:]
        book.older.merge(book.contents) { $0.union($1) }
        book.contents = [:]
        sessions[session] = book
    }

    /// `true` if a result may arrive before an earlier one of its session, because a result has failed while later ones
    /// were in flight.
    var mayComeEarly: Bool { mayFail.values.contains(where: \.hasStopped) }
}
