import IntentModel

/// When a request and its open step began: for those who measure how long requests take. No decision depends on it.
///
/// They are journaled, because the coordinator that ends a request may not be the one that began it.
public struct RequestTimes: Sendable, Hashable {
    /// When the session began to work on the request; 0 if an earlier version did, which did not write it down.
    public var began: Instant
    /// When its open step began: a work item, a prompt or a handoff.
    public var step: Instant
    /// How many milliseconds it has waited for the person or for an app, in the steps before.
    public var waited = 0

    public init(began: Instant) {
        self.began = began
        step = began
    }
}

extension RequestTimes {
    /// How many milliseconds the pipeline has worked on the request, without the time of the person and of apps; `nil` if that is not known.
    ///
    /// - Parameter waits: whether it waits for them now.
    public func working(at now: Instant, waits: Bool) -> Int64? {
        guard began.milliseconds > 0 else { return nil }
        let waiting = waits ? max(0, now.milliseconds(since: step)) : 0
        return max(
            0, now.milliseconds(since: began).subtractingSaturating(Int64(waited)).subtractingSaturating(waiting))
    }

    /// How many milliseconds the open step has taken; `nil` if that is not known.
    public func inStep(at now: Instant) -> Int64? {
        began.milliseconds > 0 ? max(0, now.milliseconds(since: step)) : nil
    }
}

extension ActiveRequest {
    /// Whether nothing but the person, or an app, can go on with it.
    public var waitsForPerson: Bool { stage.phase == nil }
}

/// The open step of the active request, as an event finds it.
struct OpenStep {
    /// `nil` if no request is active.
    let request: Identifier?
    let step: Int?
    let waitsForPerson: Bool?
}

extension Session {
    var openStep: OpenStep {
        OpenStep(
            request: active?.request.id, step: active?.step,
            waitsForPerson: active.map { _ in active?.stage.phase == nil })
    }
}

extension Transition {
    /// Another step of the active request begins, or it goes on after an interruption.
    ///
    /// - Parameter before: The open step before the event.
    mutating func keepTimes(since before: OpenStep) {
        guard before.step != nil, let since = session.active?.times.step, since < now else { return }
        let isSame = session.active?.request.id == before.request
        let waited = isSame ? before.waitsForPerson == true : true
        if isSame, session.active?.step == before.step, session.active?.waitsForPerson == waited { return }
        if waited { session.active?.times.waited.addSaturating(Int(now.milliseconds(since: since))) }
        session.active?.times.step = now
    }
}
