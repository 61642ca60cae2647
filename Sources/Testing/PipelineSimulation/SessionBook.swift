import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The results of one session, as the person receives them.
struct SessionBook: Sendable {
    struct OpenPrompt: Sendable {
        var id: String
        var request: String
        var kind: Prompt.Kind
        var parameter: String?
        /// `true` if the prompt is about one element of a list.
        var isElement = false
        var options: [String]
        /// The time at which the prompt was issued, by its coordinator's clock.
        var asked: Instant
        /// The sentence that the person agrees to; `nil` unless the prompt is the intent's own confirmation.
        var summary: String?
        /// `true` if the prompt is the intent's own confirmation without a summary.
        var isWithoutWords = false
        var isAnswered = false
        /// `true` if the person and another have to agree.
        var needsOthers = false
        /// `true` if the approver has let the deputy agree, or has tried to.
        var isDelegated = false
        /// The agreements that were said: `true` for that of another one, who is the approver or the deputy.
        var consents: Set<Bool> = []
    }

    /// The state of one offer to an app.
    struct Offer: Sendable {
        /// The newest token.
        var token: String?
        /// Earlier tokens.
        var older: [String] = []
        /// The claimants that have presented one of the tokens.
        var shown: Set<String> = []
        var claimant: String?
    }

    /// The number of the last result.
    var sequence = 0
    /// The contents of the results by sequence number.
    var contents: [Int: Set<Bytes>] = [:]
    /// The contents of results from before the session was forgotten.
    var older: [Int: Set<Bytes>] = [:]
    /// Results that arrived before an earlier result. The earlier result must still arrive.
    var early: [Int: (result: ReceivedResult, record: ConsumedRecord)] = [:]
    /// The numbers of earlier results that need not arrive, because an operator has restored an older state of the
    /// session.
    var mayMiss: Set<Int> = []
    var forgotten = 0
    /// The timestamp of the last journal record that forgot the session.
    var forgottenAt: Int64 = 0
    /// `true` if the session's newest journal record is that of an open session.
    var isOpen = false
    /// The number of times that the journal has deleted the session. After each deletion, the session may accept a
    /// request that it accepted before.
    var tombstones = 0
    var reopened = 0
    /// All prompts, the newest last.
    var prompts: [OpenPrompt] = []
    /// All handoffs, the newest last.
    var handoffs: [String] = []
    var offers: [String: Offer] = [:]
    /// Requests in the order in which they were sent.
    var requests: [String] = []

    /// Returns whether a record is the session's next result and not newer than the record that forgot the session. The
    /// books read the journal before the results.
    func isNextOfForgottenSession(_ number: Int, _ record: ConsumedRecord) -> Bool {
        number == sequence + 1 && record.timestamp <= forgottenAt
    }

    /// Advances the sequence over results before this number that need not arrive.
    mutating func advancePastMissing(before number: Int) {
        while sequence + 1 < number, mayMiss.contains(sequence + 1) { sequence += 1 }
    }
}

extension SimulationBooks.Ledger {
    mutating func recordResult(_ record: ConsumedRecord) {
        guard let result = try? ReceivedResult(record), let bytes = record.value else {
            return violated(.twoContents, "a result that can't be read")
        }
        checkForgotten(result)
        guard let session = result.session, let sequence = result.sequence else {
            report[.rejections] += 1
            if let session = result.session, let event = result.data["event"]?.string {
                requests["\(session)/\(event)"]?.isRefused = true
                if result.data["reason"]?.string == "busy" { requests["\(session)/\(event)"]?.isOverload = true }
            }
            return
        }
        if Self.hasSecret(bytes) { violated(.secretDisclosed, "\(session): result \(sequence) has a secret in it") }
        // A copy has the timestamp of its original. A session that was opened again may write the same content later.
        let value = bytes + Bytes("@\(record.timestamp)".utf8)
        var book = sessions[session.text] ?? SessionBook()
        defer { sessions[session.text] = book }
        let isCopy = book.contents[sequence]?.contains(value) == true || book.older[sequence]?.contains(value) == true
        if isCopy {
            report[.copies] += 1
            if !consumeCopyPermission(for: sequence, session.text) {
                violated(.unexplainedCopy, "\(session): result \(sequence) was written twice")
            }
            return
        }
        book.advancePastMissing(before: sequence)
        if sequence > 1, book.reopened < book.forgotten, mayComeEarly, !book.isNextOfForgottenSession(sequence, record)
        {
            // The session was opened again, and the first of its new results has failed.
            storeEarlyResult(sequence, result, record, value, &book)
            return
        } else if sequence == book.sequence + 1 {
            book.sequence = sequence
        } else if sequence == 1, book.reopened < book.forgotten {
            book.reopened += 1
            book.sequence = 1
            book.older.merge(book.contents) { $0.union($1) }
            book.contents = [:]
            for id in book.offers.keys { book.offers[id]?.claimant = nil }
        } else if mayComeEarly {
            storeEarlyResult(sequence, result, record, value, &book)
            return
        } else if book.mayMiss.remove(sequence) != nil {
            book.contents[sequence, default: []].insert(value)
            report[.results] += 1
            return recordContent(result, record, session.text, &book)
        } else if sequence <= book.sequence {
            return violated(.twoContents, "\(session): result \(sequence) had another content before")
        } else {
            violated(.sequenceGap, "\(session): result \(sequence) after \(book.sequence)")
            book.sequence = sequence
        }
        book.contents[sequence, default: []].insert(value)
        report[.results] += 1
        recordContent(result, record, session.text, &book)
        recordStoredEarlyResults(session.text, &book)
    }

    /// Counts stored early results that are now in order.
    private mutating func recordStoredEarlyResults(_ session: String, _ book: inout SessionBook) {
        while !book.early.isEmpty, book.early[book.sequence + 1] != nil || book.mayMiss.contains(book.sequence + 1) {
            book.sequence += 1
            guard let early = book.early.removeValue(forKey: book.sequence) else { continue }
            report[.results] += 1
            recordContent(early.result, early.record, session, &book)
        }
    }

    /// Records that the operator has restored an older state of the session. The session's next results follow the
    /// number `lastSent`.
    ///
    /// - Parameter known: The number of the last result in the restored state.
    mutating func restore(_ session: String, lastSent: Int, known: Int) {
        guard var book = sessions[session] else { return }
        if let last = book.early.keys.max() {
            book.mayMiss.formUnion(
                (book.sequence..<max(lastSent, last)).map { $0 + 1 }.filter { book.early[$0] == nil })
            recordStoredEarlyResults(session, &book)
        } else if book.reopened < book.forgotten, known < lastSent {
            // No result was written since the session was opened again, so the results that the operator found are from
            // before.
            book.mayMiss.formUnion(known + 1...lastSent)
        }
        sessions[session] = book
    }

    /// Stores a result that arrived before an earlier, failed result. The successor sends the earlier result, and
    /// persons accept it as new.
    private mutating func storeEarlyResult(
        _ sequence: Int, _ result: ReceivedResult, _ record: ConsumedRecord, _ value: Bytes, _ book: inout SessionBook
    ) {
        if survey != nil { report.coverage.count(.fault, "a result before an earlier one") }
        book.contents[sequence, default: []].insert(value)
        book.early[sequence] = (result, record)
    }

    /// Returns whether the bytes contain ``SimulatedHandlers/secretMark``. Every result is searched, so the search
    /// compares the mark's last byte first, which is rare.
    static func hasSecret(_ bytes: Bytes) -> Bool {
        let mark = Array(SimulatedHandlers.secretMark.utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            var end = mark.count - 1
            while end < bytes.count {
                if bytes[end] == mark[mark.count - 1],
                    mark.indices.allSatisfy({ bytes[end - mark.count + 1 + $0] == mark[$0] })
                {
                    return true
                }
                end += 1
            }
            return false
        }
    }

    private mutating func recordContent(
        _ result: ReceivedResult, _ record: ConsumedRecord, _ session: String, _ book: inout SessionBook
    ) {
        let key = "\(session)/\(result.request ?? "")"
        if let id = result.prompt, let kind = result.promptKind {
            report[.prompts] += 1
            var prompt = SessionBook.OpenPrompt(
                id: id.text, request: result.request?.text ?? "", kind: kind,
                parameter: result.data["parameter"]?.string,
                isElement: result.data["element"] != nil,
                options: (result.data["options"]?.elements ?? []).compactMap { $0["id"]?.string },
                asked: Instant(milliseconds: record.timestamp))
            if result.data["dialog"]?.string != SimulatedHandlers.sure {
                prompt.summary = result.data["summary"]?.string
                prompt.isWithoutWords = kind == .confirmIntent && prompt.summary == nil
            }
            prompt.needsOthers = result.data["approval"] != nil
            if result.data["items"]?.bool == true { requests[key, default: RequestBook()].choice.isOffered = true }
            book.prompts.append(prompt)
        } else if let handoff = result.offeredHandoff?.text {
            book.handoffs.append(handoff)
            requests[key, default: RequestBook()].isHandedOff = true
            checkOffer(handoff, of: key, code: result.data["activity"]?["interaction"]?["code"]?.string)
            var offer = book.offers[handoff] ?? SessionBook.Offer()
            if let token = offer.token { offer.older.append(token) }
            offer.token = result.data["token"]?.string
            offer.claimant = nil
            book.offers[handoff] = offer
        } else if let status = result.status {
            report.completions[status, default: 0] += 1
            requests[key, default: RequestBook()].completions.append(status)
            if requests[key]?.completions.count ?? 0 > 1 + book.tombstones {
                violated(.completedTwice, "\(key) was completed as \(requests[key]?.completions ?? [])")
            }
            if permitted.contains(key), result.data["error"]?["reason"]?.string != "outcomeUnknown" {
                violated(.effectUnreported, "\(key) was permitted, no worker had it, and it ended with \(status)")
            }
            if let steps = requests[key]?.steps, let last = steps.permitted.max(), steps.outcomes[last] == nil,
                last == steps.offsets.values.flatMap(\.keys).max(), status == .timedOut
            {
                violated(
                    .effectUnreported,
                    "\(key) was permitted at step \(last), nothing more was heard, and it ended with \(status)")
            }
            if status == .failure { checkFailure(key, reason: result.data["error"]?["reason"]?.string) }
            checkChoice(key, status, chosen: result.data["chosen"]?.string)
            if let id = result.data["opens"]?["request"]?.string {
                recordOpened("\(session)/\(id)", by: key, result.data, &book)
            }
        } else if result.type == .promptReminded {
            let prompt = book.prompts.lastIndex { $0.id == result.data["prompt"]?.string }
            // The others may answer it now.
            if let prompt { book.prompts[prompt].isAnswered = false }
        } else if result.type == .handoffClaimed, let handoff = result.data["handoff"]?.string {
            recordClaim(handoff, by: result.data["claimant"]?.string ?? "", key, &book)
        } else if result.type == .answeredLate {
            recordLateAnswer(key, book)
        } else if result.type == .updated || result.type == .updatesEnded {
            recordUpdate(key, isLast: result.type == .updatesEnded)
        } else if result.type == .rejected {
            report[.rejections] += 1
            if let event = result.data["event"]?.string { requests["\(session)/\(event)"]?.rejections += 1 }
        }
    }

    /// Records a request that another request has opened. An opened request must end like any other.
    private mutating func recordOpened(
        _ opened: String, by key: String, _ completion: JSONView, _ book: inout SessionBook
    ) {
        requests[opened, default: RequestBook()].opened += 1
        requests[opened]?.intent = completion["opens"]?["intent"]?.string ?? ""
        book.requests.append(opened.split(separator: "/", maxSplits: 1).last.map(String.init) ?? "")
        report[.opened] += 1
        if requests[key]?.completions.last != .success {
            violated(.wrongChoice, "\(key) did not succeed, and opened '\(opened)'")
        }
    }

    /// Checks the end of a request that has offered items. The request has been handled, so nothing can turn it into a
    /// failure.
    private mutating func checkChoice(_ key: String, _ status: Completion.Status, chosen: String?) {
        if chosen != nil { report[.choices] += 1 }
        guard let request = requests[key], request.choice.isOffered || chosen != nil, request.completions.count == 1
        else {
            return
        }
        if status != .success { violated(.wrongChoice, "\(key) had offered items, and ended with \(status)") }
        if let chosen, !request.choice.named.contains(chosen) {
            violated(.wrongChoice, "\(key) has '\(chosen)' chosen, which the person did not name")
        }
    }

    /// Checks that a cancelled step is not offered to an app.
    private mutating func checkOffer(_ handoff: String, of key: String, code: String?) {
        // The handoff's id contains the step that the handoff follows: `<request>.<step>.handoff.<code>`.
        guard code == "continueInApp" || code == "handleInApp",
            let step = handoff.split(separator: ".").dropLast(2).last.flatMap({ Int($0) }),
            requests[key]?.steps.cancelled.contains(step) == true
        else { return }
        violated(
            .handledAfterCancel, "\(key): step \(step) was cancelled, and offered to an app with \(code ?? "") then")
    }

    private mutating func recordClaim(_ handoff: String, by claimant: String, _ key: String, _ book: inout SessionBook)
    {
        let offer = book.offers[handoff] ?? SessionBook.Offer()
        if let other = offer.claimant {
            violated(.claimedTwice, "\(key): '\(handoff)' is claimed by \(other), and \(claimant) got it too")
        }
        if offer.token != nil, !offer.shown.contains(claimant) {
            violated(.claimedTwice, "\(key): \(claimant) got '\(handoff)' without its token")
        }
        book.offers[handoff, default: SessionBook.Offer()].claimant = claimant
    }

    private mutating func recordLateAnswer(_ key: String, _ book: SessionBook) {
        requests[key, default: RequestBook()].lateAnswers += 1
        report[.lateAnswers] += 1
        let request = requests[key] ?? RequestBook()
        if request.completions.isEmpty || request.completions.allSatisfy({ $0 == .success })
            || handlers.effects[key] == nil
        {
            violated(
                .unfoundedLateAnswer,
                "\(key) has a late outcome, after \(request.completions) and \(handlers.effects[key] ?? [])")
        }
        if request.lateAnswers > 1 + book.tombstones {
            violated(.unfoundedLateAnswer, "\(key) has more than one late outcome")
        }
    }

    private mutating func recordUpdate(_ key: String, isLast: Bool) {
        let request = requests[key] ?? RequestBook()
        if !request.completions.contains(.success) || request.updates.ended >= request.updates.wanted {
            violated(.updateAfterEnd, "\(key): an unexpected update, after \(request.updates.ended) ends")
        }
        if isLast { requests[key, default: RequestBook()].updates.ended += 1 } else { report[.updates] += 1 }
    }

    /// Checks that a once-only request that took effect is not reported as a plain failure. Its outcome must be
    /// reported as unknown.
    private mutating func checkFailure(_ key: String, reason: String?) {
        let isOnce = requests[key]?.intent == SimulatedHandlers.once
        guard isOnce, handlers.effects[key] != nil, requests[key]?.completions.count == 1,
            requests[key]?.isHandedOff == false,
            reason != "outcomeUnknown"
        else { return }
        violated(.effectUnreported, "\(key) failed with '\(reason ?? "no reason")', but it took effect")
    }

    /// Checks the requests at the end of the history.
    mutating func checkRequests() {
        for (id, session) in sessions.sorted(by: { $0.key < $1.key }) {
            if let early = session.early.keys.min() {
                violated(.sequenceGap, "\(id): result \(early) came, and one before it never did")
            }
        }
        checkLateSuccesses()
        for (key, request) in requests.sorted(by: { $0.key < $1.key }) where request.copies + request.opened > 0 {
            let answers = request.completions.count + request.rejections
            let lost = request.lost + request.places.count(where: rejectedByOlder.contains)
            if answers == 0, !request.isRefused, request.copies + request.opened > lost {
                violated(.lostRequest, "\(key) was neither completed nor rejected")
            }
            if request.completions.count < request.opened {
                violated(.lostRequest, "\(key) was opened and has not ended")
            }
            let overloads = request.isOverload && !request.places.contains(where: rejectedByOlder.contains) ? 1 : 0
            if answers + overloads > request.copies + request.opened {
                violated(
                    .completedTwice,
                    "\(key) was sent \(request.copies) times and has \(answers) completions and rejections, beside \(overloads) for the load"
                )
            }
            let effects = handlers.effects[key] ?? []
            if request.completions == [.success], !request.isHandedOff, effects.isEmpty {
                violated(.effectMissing, "\(key) was completed with success, but has no effect")
            }
        }
    }
}
