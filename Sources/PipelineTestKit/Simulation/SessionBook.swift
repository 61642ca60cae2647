import Conversation
import IntentEvents
import Intents
import RecordLog

/// What a person has been told in one session.
struct SessionBook: Sendable {
    struct OpenPrompt: Sendable {
        var id: String
        var request: String
        var kind: Prompt.Kind
        var parameter: String?
        var options: [String]
    }

    /// The number of the last result.
    var sequence = 0
    /// Every number with what it said; and that of the times before the session was forgotten.
    var contents: [Int: Set<Bytes>] = [:]
    var older: [Int: Set<Bytes>] = [:]
    var forgotten = 0
    var reopened = 0
    /// All prompts, the newest last.
    var prompts: [OpenPrompt] = []
    /// All handoffs, the newest last.
    var handoffs: [String] = []
    /// Requests in the order in which they were sent.
    var requests: [String] = []
}

extension SimulationBooks.Ledger {
    mutating func takeResult(_ record: ConsumedRecord) {
        guard let result = try? ReceivedResult(record), let value = record.value else {
            return violated(.twoContents, "a result that can't be read")
        }
        guard let session = result.session, let sequence = result.sequence else {
            report.rejections += 1
            return
        }
        var book = sessions[session] ?? SessionBook()
        defer { sessions[session] = book }
        let isKnown = book.contents[sequence]?.contains(value) == true
        let wasKnown = mayCopy && book.older[sequence]?.contains(value) == true
        if sequence == book.sequence + 1, !wasKnown {
            book.sequence = sequence
        } else if sequence == 1, book.reopened < book.forgotten, !(mayCopy && isKnown), !wasKnown {
            book.reopened += 1
            book.sequence = 1
            book.older.merge(book.contents) { $0.union($1) }
            book.contents = [:]
        } else if isKnown || wasKnown {
            report.copies += 1
            if !mayCopy { violated(.unexplainedCopy, "\(session): result \(sequence) stands twice") }
            return
        } else if sequence <= book.sequence {
            return violated(.twoContents, "\(session): result \(sequence) was something else before")
        } else {
            violated(.sequenceGap, "\(session): result \(sequence) after \(book.sequence)")
            book.sequence = sequence
        }
        book.contents[sequence, default: []].insert(value)
        report.results += 1
        note(result, session, &book)
    }

    private mutating func note(_ result: ReceivedResult, _ session: String, _ book: inout SessionBook) {
        let key = "\(session)/\(result.request ?? "")"
        if let id = result.prompt, let kind = result.promptKind {
            report.prompts += 1
            book.prompts.append(
                .init(
                    id: id, request: result.request ?? "", kind: kind, parameter: result.data["parameter"]?.string,
                    options: (result.data["options"]?.elements ?? []).compactMap { $0["id"]?.string }))
        } else if let handoff = result.offeredHandoff {
            book.handoffs.append(handoff)
            requests[key, default: RequestBook()].isHandedOff = true
        } else if let status = result.status {
            report.completions[status, default: 0] += 1
            requests[key, default: RequestBook()].completions.append(status)
            if requests[key]?.completions.count ?? 0 > 1 + book.forgotten {
                violated(.completedTwice, "\(key) was completed as \(requests[key]?.completions ?? [])")
            }
        } else if result.type == .rejected {
            report.rejections += 1
            if let event = result.data["event"]?.string { requests["\(session)/\(event)"]?.rejections += 1 }
        }
    }

    /// Looks at the requests when nothing more will come.
    mutating func checkRequests() {
        for (key, request) in requests.sorted(by: { $0.key < $1.key }) where request.copies > 0 {
            let answers = request.completions.count + request.rejections
            if answers == 0 { violated(.lostRequest, "\(key) was neither completed nor refused") }
            if answers > request.copies {
                violated(.completedTwice, "\(key) was sent \(request.copies) times and answered \(answers) times")
            }
            let effects = handlers.effects[key] ?? []
            if request.completions == [.success], !request.isHandedOff, effects.isEmpty {
                violated(.effectMissing, "\(key) was completed with success, and nothing was done")
            }
        }
    }
}
