import Conversation
import IntentEvents
import IntentModel

/// The state of an open session in one line.
struct SessionSummary {
    let found: FoundSession
    private var session: Session { found.session }

    /// The stage of the active request, or `idle`.
    var stage: String { session.active?.stage.name.rawValue ?? "idle" }

    /// The event or party that the session waits for.
    var waitsFor: String {
        guard let active = session.active else { return session.ending == nil ? "a request" : "its end" }
        if active.isCancelling { return "the handler to stop" }
        if active.retryAt != nil { return "another try" }
        switch active.stage {
        case .resolving: return "a resolver"
        case .confirming: return "a confirmer"
        case .handling, .inProgress: return active.run.isInApp ? "an app's handler" : "a handler"
        case .awaitingConfirmation(let prompt):
            guard let waiting = prompt.waiting, let approval = prompt.approval else {
                return "the person: confirmation"
            }
            return "others: \(waiting.consents.count) of \(approval.count) have agreed"
        case .awaitingAnswer(let prompt): return "the person: \(prompt.parameter ?? prompt.question?.id ?? "an answer")"
        case .handedOff(let id):
            let claimant = session.handoffs.first { $0.id == id }?.claimant?.name
            return claimant.map { "the app of \($0)" } ?? "an app"
        }
    }

    /// The time at which the wait ends at the latest.
    var until: Instant? {
        session.active.map { $0.prompt?.expires ?? min($0.stageEnds, $0.retryAt ?? $0.stageEnds) }
    }

    /// The head of a table of sessions.
    static let head = ["session", "stage", "intent", "waits for", "since", "queued"]

    /// The session as a row of a table.
    func row(at now: Instant) -> [String] {
        [
            session.id.text, stage, session.active?.request.intent.text ?? "-", waitsFor, age(at: now),
            "\(session.queued.count)",
        ]
    }

    /// The session in a sentence.
    func text(at now: Instant) -> String {
        let intent = session.active.map { ", \($0.request.intent)" } ?? ""
        return "\(session.id), \(stage)\(intent): waits for \(waitsFor), since \(age(at: now)).".printable
    }

    private func age(at now: Instant) -> String {
        let seconds = max(0, now.milliseconds(since: session.updated)) / 1_000
        return seconds < 120 ? "\(seconds) s" : seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
    }

    /// The session as JSON, without values of parameters.
    var json: JSON { .make { write(&$0, more: nil) } }

    /// Writes the JSON object.
    ///
    /// - Parameter more: Writes further members.
    func write(_ writer: inout JSONWriter, more: ((inout JSONWriter) -> Void)?) {
        writer.beginObject()
        writer.member("session", session.id)
        writer.member("partition", Int(found.partition))
        writer.member("stage", stage)
        writer.member("intent", ifPresent: session.active?.request.intent)
        writer.member("request", ifPresent: session.active?.request.id)
        writer.member("waitsFor", waitsFor)
        writer.member("since", session.updated.description)
        writer.member("until", ifPresent: until?.description)
        writer.member("queued", session.queued.count)
        writer.member("suspended", session.suspended.count)
        writer.member("handoffs", session.handoffs.count)
        writer.member("results", session.sequence)
        if session.ending != nil { writer.member("ending", true) }
        more?(&writer)
        writer.endObject()
    }
}
