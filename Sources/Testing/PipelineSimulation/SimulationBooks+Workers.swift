import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// The steps of one request, as the workers report them.
struct StepBook: Sendable {
    /// The offsets of each step's handle work, by topic and step.
    var offsets: [String: [Int: Set<Int64>]] = [:]
    /// The claims of each step, and the processes that made them. A session that was forgotten and opened again has the
    /// same steps with other tickets.
    var claims: [ClaimedStep: [String: String]] = [:]
    /// Claims whose work was returned before the handler was called.
    var returnedClaims: Set<String> = []
    /// Handle steps for which a once-only handler may be called.
    var permitted: Set<Int> = []
    /// Handle steps that were cancelled because the person no longer wants the request.
    var cancelled: Set<Int> = []
    /// The number of outcomes of each handle step in the log, and whether one of the outcomes was a success.
    var outcomes: [Int: (count: Int, isSuccess: Bool)] = [:]
}

struct ClaimedStep: Sendable, Hashable {
    var step: Int
    var ticket: Ticket?
}

// Reports of workers: claims of once-only handlers, and outcomes.
extension SimulationBooks.Ledger {
    mutating func recordOutcome(_ record: ConsumedRecord) {
        guard let event = reading(record, OutcomeEvent.init) else { return }
        if record.isForged {
            hasForgeries = true
            return deadLetters.insert(forged: record)
        }
        let (key, step) = ("\(event.session)/\(event.outcome.request)", event.outcome.step)
        switch event.outcome.content {
        case .starting(let claim):
            let source = record.headers.first { $0.name == "ce_source" }?.text ?? ""
            let claimed = ClaimedStep(step: step, ticket: event.outcome.ticket)
            check(claim, of: key, claimed, by: source)
            requests[key, default: RequestBook()].steps.claims[claimed, default: [:]][claim] = source
        case .finished where event.outcome.phase == .handle:
            let before = requests[key]?.steps.outcomes[step] ?? (0, false)
            let isSuccess =
                if case .finished(.responded(let response, _)) = event.outcome.content {
                    response.code == .success
                } else { false }
            requests[key, default: RequestBook()].steps.outcomes[step] = (
                before.count + 1, before.isSuccess || isSuccess
            )
            if let claim = event.outcome.claim, event.outcome.content.isNotBegun {
                requests[key]?.steps.returnedClaims.insert(claim)
            }
        default: break
        }
    }

    /// Checks a claim. Each call has a claim of its own, and a process recognises copies of the work that it has
    /// claimed. Work that the process has returned may come again.
    private mutating func check(_ claim: String, of key: String, _ claimed: ClaimedStep, by source: String) {
        let steps = requests[key]?.steps ?? StepBook()
        for (other, owner) in steps.claims[claimed] ?? [:] {
            if other == claim, owner != source {
                violated(.claimNotUnique, "\(key): \(source) and \(owner) claim step \(claimed.step) as \(claim)")
            }
            // The record that returned the work may have failed.
            if other != claim, owner == source, !steps.returnedClaims.contains(other), !hasFailed(source) {
                violated(.claimNotUnique, "\(key): \(source) claims step \(claimed.step) as \(other) and as \(claim)")
            }
        }
    }

    /// Returns whether a record of this process may have failed. A failed record arrives later or never.
    private func hasFailed(_ source: String) -> Bool { mayFail.keys.contains { source.hasSuffix("/\($0)") } }

    /// Checks that the work of a once-only handler is committed as done when the handler is called.
    ///
    /// - Parameter committed: The group's committed offset in the partition of the work.
    mutating func checkCommitted(_ key: String, _ topic: String, _ step: Int, _ committed: CommittedOffset?) {
        let offsets = requests[key]?.steps.offsets[topic]?[step] ?? []
        if !offsets.contains(where: { committed?.isDone($0) == true }) {
            violated(
                .calledUncommitted,
                "\(key): a once-only handler was called, and its work at \(offsets.sorted()) is not committed as done")
        }
    }

    /// Checks that a success that came after its request had timed out was reported.
    ///
    /// Only certain cases are checked: the request ended because of its time limit, and its last step has one outcome.
    mutating func checkLateSuccesses() {
        for (key, request) in requests.sorted(by: { $0.key < $1.key })
        where request.completions == [.timedOut] && request.lateAnswers == 0 {
            let session = sessions[String(key.prefix { $0 != "/" })] ?? SessionBook()
            guard session.forgotten == 0, session.requests.count <= 8,
                let step = request.steps.offsets.values.flatMap(\.keys).max(),
                let outcome = request.steps.outcomes[step], outcome.isSuccess, outcome.count == 1,
                !lostOutcomes.contains("\(key) \(step)")
            else { continue }
            violated(
                .lateSuccessUnreported,
                "\(key) has timed out, and succeeded later at step \(step), but that was not told")
        }
    }
}

extension Outcome.Content {
    /// `true` if a worker returns work that it has claimed and whose handler it has not called.
    fileprivate var isNotBegun: Bool {
        guard case .finished(.failed(let failure)) = self else { return false }
        return failure.reason == .busy && failure.message == Worker.notBegunMessage
    }
}

extension CommittedOffset {
    /// Returns whether the record at this offset is committed as done: it is before the position, or the commit's
    /// metadata names it.
    fileprivate func isDone(_ record: Int64) -> Bool {
        var tracker = OffsetTracker(self)
        return record < offset || !tracker.take(record)
    }
}
