import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The results of one session, as the person gets them.
struct SessionBook: Sendable {
    struct OpenPrompt: Sendable {
        var id: String
        var request: String
        var kind: Prompt.Kind
        var parameter: String?
        var options: [String]
        var isAnswered = false
    }

    /// The state of one offer to an app.
    struct Offer: Sendable {
        /// The newest token.
        var token: String?
        /// Earlier tokens.
        var older: [String] = []
        /// The claimants that have shown one of the tokens.
        var shown: Set<String> = []
        var claimant: String?
    }

    /// The number of the last result.
    var sequence = 0
    /// The contents by sequence number, and those from before the session was forgotten.
    var contents: [Int: Set<Bytes>] = [:]
    var older: [Int: Set<Bytes>] = [:]
    var forgotten = 0
    var reopened = 0
    /// All prompts, the newest last.
    var prompts: [OpenPrompt] = []
    /// All handoffs, the newest last.
    var handoffs: [String] = []
    var offers: [String: Offer] = [:]
    /// Requests in the order in which they were sent.
    var requests: [String] = []
}

extension SimulationBooks.Ledger {
    mutating func takeResult(_ record: ConsumedRecord) {
        guard let result = try? ReceivedResult(record), let bytes = record.value else {
            return violated(.twoContents, "a result that can't be read")
        }
        guard let session = result.session, let sequence = result.sequence else {
            report.rejections += 1
            return
        }
        // A copy has the timestamp of its original. A session that is opened again may write the same content later.
        let value = bytes + Bytes("@\(record.timestamp)".utf8)
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
            for id in book.offers.keys { book.offers[id]?.claimant = nil }
        } else if isKnown || wasKnown {
            report.copies += 1
            if !mayCopy { violated(.unexplainedCopy, "\(session): result \(sequence) was written twice") }
            return
        } else if sequence <= book.sequence {
            return violated(.twoContents, "\(session): result \(sequence) had another content before")
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
            var offer = book.offers[handoff] ?? SessionBook.Offer()
            if let token = offer.token { offer.older.append(token) }
            offer.token = result.data["token"]?.string
            offer.claimant = nil
            book.offers[handoff] = offer
        } else if let status = result.status {
            report.completions[status, default: 0] += 1
            requests[key, default: RequestBook()].completions.append(status)
            if requests[key]?.completions.count ?? 0 > 1 + book.forgotten {
                violated(.completedTwice, "\(key) was completed as \(requests[key]?.completions ?? [])")
            }
            if status == .failure { checkFailure(key, reason: result.data["error"]?["reason"]?.string) }
        } else if result.type == .handoffClaimed, let handoff = result.data["handoff"]?.string {
            noteClaim(handoff, by: result.data["claimant"]?.string ?? "", key, &book)
        } else if result.type == .answeredLate {
            noteLateAnswer(key, book)
        } else if result.type == .updated || result.type == .updatesEnded {
            noteUpdate(key, isLast: result.type == .updatesEnded)
        } else if result.type == .rejected {
            report.rejections += 1
            if let event = result.data["event"]?.string { requests["\(session)/\(event)"]?.rejections += 1 }
        }
    }

    private mutating func noteClaim(_ handoff: String, by claimant: String, _ key: String, _ book: inout SessionBook) {
        let offer = book.offers[handoff] ?? SessionBook.Offer()
        if let other = offer.claimant { violated(.claimedTwice, "\(key): '\(handoff)' is claimed by \(other), and \(claimant) got it too") }
        if offer.token != nil, !offer.shown.contains(claimant) {
            violated(.claimedTwice, "\(key): \(claimant) got '\(handoff)' without its token")
        }
        book.offers[handoff, default: SessionBook.Offer()].claimant = claimant
    }

    private mutating func noteLateAnswer(_ key: String, _ book: SessionBook) {
        requests[key, default: RequestBook()].lateAnswers += 1
        report.lateAnswers += 1
        let request = requests[key] ?? RequestBook()
        if request.completions.isEmpty || request.completions.allSatisfy({ $0 == .success }) || handlers.effects[key] == nil {
            violated(.unfoundedLateAnswer, "\(key) has a late outcome, after \(request.completions) and \(handlers.effects[key] ?? [])")
        }
        if request.lateAnswers > 1 + book.forgotten { violated(.unfoundedLateAnswer, "\(key) has more than one late outcome") }
    }

    private mutating func noteUpdate(_ key: String, isLast: Bool) {
        let request = requests[key] ?? RequestBook()
        if !request.completions.contains(.success) || request.updatesEnded >= request.updatesWanted {
            violated(.updateAfterEnd, "\(key): an unexpected update, after \(request.updatesEnded) ends")
        }
        if isLast { requests[key, default: RequestBook()].updatesEnded += 1 } else { report.updates += 1 }
    }

    /// Checks that a once-only request which took effect is not reported as a plain failure: its outcome must be reported as unknown.
    private mutating func checkFailure(_ key: String, reason: String?) {
        let isOnce = requests[key]?.intent == SimulatedHandlers.once
        guard isOnce, handlers.effects[key] != nil, requests[key]?.completions.count == 1, requests[key]?.isHandedOff == false,
            reason != "outcomeUnknown"
        else { return }
        violated(.effectUntold, "\(key) failed with '\(reason ?? "no reason")', but it took effect")
    }

    /// Checks the requests at the end of the history.
    mutating func checkRequests() {
        for (key, request) in requests.sorted(by: { $0.key < $1.key }) where request.copies > 0 {
            let answers = request.completions.count + request.rejections
            if answers == 0 { violated(.lostRequest, "\(key) was neither completed nor rejected") }
            if answers > request.copies {
                violated(.completedTwice, "\(key) was sent \(request.copies) times and has \(answers) completions and rejections")
            }
            let effects = handlers.effects[key] ?? []
            if request.completions == [.success], !request.isHandedOff, effects.isEmpty {
                violated(.effectMissing, "\(key) was completed with success, but has no effect")
            }
        }
    }
}
