import Conversation
import IntentEvents
import IntentModel

/// The step of a request before a decision, as far as those who watch need it: a copy of the whole request would cost more than all they do.
struct ObservedStep {
    let request: Identifier
    let step: Int
    let intent: Identifier
    let phase: Phase?
    /// What the person was asked.
    let prompt: Prompt.Kind?
    let isInApp: Bool
    let isRetrying: Bool
    let times: RequestTimes
    let trace: TraceContext?

    /// Whether nothing but the person, or an app, could go on.
    var waitsForPerson: Bool { phase == nil }
}

// These change nothing. A function that is not mutating would be called on a copy of the request.
extension ActiveRequest {
    mutating func observed() -> ObservedStep {
        let phase = stage.phase
        return ObservedStep(
            request: request.id, step: step, intent: request.intent, phase: phase,
            prompt: phase == nil ? stage.prompt?.kind : nil, isInApp: isInApp, isRetrying: retryAt != nil, times: times,
            trace: request.trace)
    }

    /// How it has gone on from a step. `nil` if it is another request.
    mutating func progress(since before: ObservedStep) -> StepProgress? {
        guard request.id == before.request else { return nil }
        return StepProgress(
            isSameStep: step == before.step && (stage.phase == nil) == before.waitsForPerson,
            isRetrying: retryAt != nil,
            asks: stage.prompt?.question != nil)
    }
}

/// Where a request is after a decision.
struct StepProgress {
    let isSameStep: Bool
    let isRetrying: Bool
    /// A phase asks the person something.
    let asks: Bool
}

// Those who watch are told what a decision has ended.
extension Coordinator {
    /// - Parameters:
    ///   - before: the request that was active before the decision.
    ///   - traced: that request, if its trace is recorded.
    ///   - effects: those of the decision, if a prompt or a completion is among them.
    func observe(
        _ event: SessionEvent, _ before: ObservedStep?, traced: Box<ActiveRequest>?,
        _ entry: SessionEntry,
        _ effects: [Effect],
        _ partition: OwnedPartition
    ) {
        var completed: Completion.Status?
        for index in effects.indices {
            // Work is not copied to see that it is none.
            guard case .result(let result) = effects[index] else { continue }
            switch result.body {
            case .prompted(let prompt): observers.metrics?.prompted(prompt.kind)
            case .completed(let completion):
                let step = before.flatMap { $0.request == result.request ? $0 : nil }
                if step != nil { completed = completion.status }
                observers.metrics?.completed(completion, step, followers.catalogue, at: now)
                if step != nil, let traced = traced?.value {
                    observers.tracing?.completed(
                        completion, traced, in: entry.journaled.session.id, partition: partition.number, at: now)
                }
            default: continue
            }
        }
        guard let before else { return }
        let progress = entry.journaled.session.active?.progress(since: before)
        if let progress, progress.isSameStep {
            guard !before.isRetrying, progress.isRetrying, let reason = event.failure else { return }
            observers.metrics?.retried(before, reason)
            return
        }
        let isInterrupted = completed == nil && progress == nil
        let step =
            isInterrupted ? .interrupted : EndedStep(of: before, by: event, completed, asks: progress?.asks == true)
        observers.metrics?.ended(step, before, followers.catalogue, at: now)
        if let traced = traced?.value {
            observers.tracing?.ended(traced, step, in: entry.journaled.session.id, at: now)
        }
    }
}

/// How a phase, or the wait for the person, has ended.
enum EndedStep: String {
    /// A phase has done what it does, whatever it has found.
    case success
    /// A phase asks the person something.
    case asked
    case failure
    /// A phase is tried again.
    case retry
    /// The person has answered.
    case answered
    /// The person was asked something else, and is asked again afterwards.
    case interrupted
    case timedOut
    /// The request was cancelled or replaced, or one of its values was corrected.
    case cancelled

    /// A small number, each its own.
    var index: Int {
        switch self {
        case .success: 0
        case .asked: 1
        case .failure: 2
        case .retry: 3
        case .answered: 4
        case .interrupted: 5
        case .timedOut: 6
        case .cancelled: 7
        }
    }

    /// - Parameters:
    ///   - completed: how the request has ended, if it has.
    ///   - asks: the phase asks the person something.
    init(of before: ObservedStep, by event: SessionEvent, _ completed: Completion.Status?, asks: Bool) {
        // What an outcome says is not looked at: to take it out would copy it.
        switch event {
        case _ where before.isRetrying: self = .retry
        case .outcome:
            switch completed {
            case nil: self = asks ? .asked : .success
            case .success, .deferredToApp: self = .success
            case .cancelled: self = .cancelled
            case .failure, .timedOut, .unsupported: self = .failure
            }
        case .answered, .handoffCompleted: self = .answered
        case .unreadableOutcome, .workRefused: self = .failure
        case .timer: self = .timedOut
        default: self = .cancelled
        }
    }

    init(_ content: Outcome.Content) {
        switch content {
        case .finished(.resolved), .progressed, .starting, .updated, .updatesEnded: self = .success
        case .finished(.responded(let response, _)): self = response.code.isFailure ? .failure : .success
        case .finished(.asked): self = .asked
        case .finished(.failed): self = .failure
        case .cancelled: self = .cancelled
        }
    }
}

extension SessionEvent {
    /// Why a worker could not do a phase.
    fileprivate var failure: RejectionReason? {
        guard case .outcome(let outcome) = self, case .finished(.failed(let failure)) = outcome.content else {
            return nil
        }
        return failure.reason
    }
}
