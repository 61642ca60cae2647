import Conversation
import IntentModel
import PipelineTestKit
import Testing

/// The place of a step in the source.
typealias Line = SourceLocation

/// A step of a conversation: an event, some time that passes, or a look at the state.
struct Step: Sendable {
    enum Kind { case event, look, alternative }

    let line: Line
    var kind = Kind.event
    /// The name of a variant, and the steps of which each makes a dialogue of its own.
    private(set) var name: String?
    private(set) var variants: [Step] = []
    private let action: @Sendable (Talk) -> [String]

    init(_ line: Line, _ kind: Kind = .event, _ action: @escaping @Sendable (Talk) -> [String]) {
        (self.line, self.kind, self.action) = (line, kind, action)
    }

    func play(on talk: Talk) -> [String] { action(talk) }

    /// One of several steps: each makes a dialogue of its own.
    static func either(_ steps: Step..., at line: Line = #_sourceLocation) -> Step { oneOf(steps, at: line) }

    /// One step for each stage: a dialogue of its own if there are several.
    static func each(_ stages: [StageName], at line: Line, _ step: (StageName) -> Step) -> Step {
        let steps = stages.map { stage in
            var step = step(stage)
            step.name = "\(stage)"
            return step
        }
        return steps.count == 1 ? steps[0] : oneOf(steps, at: line)
    }

    private static func oneOf(_ steps: [Step], at line: Line) -> Step {
        var step = Step(line) { steps[0].play(on: $0) }
        step.variants = steps
        return step
    }

    /// Another step in place of the last event, from the state before it.
    static func or(_ step: Step, at line: Line = #_sourceLocation) -> Step {
        precondition(step.variants.isEmpty, "only the first variant would be played")
        return Step(line, .alternative) { step.play(on: $0) }
    }

    /// An event.
    static func event(
        _ event: SessionEvent, from principal: Principal? = nil, at line: Line = #_sourceLocation
    ) -> Step { Step(line) { $0.receive(event, from: principal, at: line) } }

    private static func event(at line: Line, _ event: @escaping @Sendable (Talk) -> SessionEvent) -> Step {
        Step(line) { $0.receive(event($0), at: line) }
    }

    /// Plays the shortest path to a stage: to each of several stages in a dialogue of its own.
    ///
    /// - Parameter policy: The intent's policy.
    static func at(
        _ stages: StageName..., id: Identifier = "r", knowing parameters: Values = [:], deadline: Double? = nil,
        intent policy: IntentPolicy? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        each(stages, at: line) { stage in
            let request = Step.request(id, parameters, deadline: deadline, at: line)
            let ready = [request, .resolver(policy: policy, at: line)]
            let path: [Step] =
                switch stage {
                case .queued, .ended: []
                case .resolving: [request]
                case .awaitingAnswer: [request, .resolver(["dropOff": .missing], policy: policy, at: line)]
                case .confirming: ready
                case .awaitingConfirmation: ready + [.confirmer(asking: .plain, at: line)]
                case .handling: ready + [.confirmer(at: line)]
                case .inProgress: ready + [.confirmer(at: line), .progress(nil, at: line)]
                case .handedOff: ready + [.confirmer(.continueInApp, at: line)]
                }
            return Step(line) { talk in
                let effects = path.reduce([]) { $1.play(on: talk) }
                talk.opening = talk.session.active?.phase
                return effects
            }
        }
    }

    /// Plays some steps as one, which has the effects of the last.
    static func steps(_ steps: Step..., at line: Line = #_sourceLocation) -> Step {
        precondition(steps.allSatisfy(\.variants.isEmpty), "only the first variant would be played")
        return Step(line) { talk in steps.reduce([]) { $1.play(on: talk) } }
    }

    // MARK: The person's side

    static func request(
        _ id: Identifier = "r", _ parameters: Values = [:], whenBusy: IntentRequest.WhenBusy = .queue,
        deadline: Double? = nil, from principal: Principal? = nil, at line: Line = #_sourceLocation,
        with members: @escaping @Sendable (inout IntentRequest) -> Void = { _ in }
    ) -> Step {
        Step(line) { talk in
            var request = IntentRequest(
                id: id, intent: "Book", parameters: states(parameters), whenBusy: whenBusy,
                deadline: deadline.map { talk.now.advanced(by: duration($0)) }, principal: principal)
            members(&request)
            return talk.receive(.requested(request), from: principal, at: line)
        }
    }

    /// Answers the open prompt, or an earlier one of the session, counted from 1.
    static func answer(
        _ action: Answer.Action, _ value: JSON? = nil, option: String? = nil, changing: Values = [:],
        prompt: Int? = nil, from principal: Principal? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let prompt = prompt.map { talk.ledger.prompts[$0 - 1] } ?? talk.prompt?.id ?? "no prompt is open"
            let answer = Answer(
                prompt: prompt, action: action, value: value, option: option, parameters: states(changing))
            return talk.receive(.answered(answer), from: principal, at: line)
        }
    }

    static func correct(
        _ parameter: String, _ value: JSON, of request: Identifier? = nil, at line: Line = #_sourceLocation
    ) -> Step { .event(.corrected(Correction(request: request, parameter: parameter, value: value)), at: line) }

    static func cancel(_ request: Identifier? = nil, at line: Line = #_sourceLocation) -> Step {
        .event(.cancelled(request: request), at: line)
    }

    static func claim(
        by app: Identifier = "phone", proof: String? = "of the phone", at line: Line = #_sourceLocation
    ) -> Step { event(at: line) { .handoffClaimed(handoff: $0.handoff, claimant: Claimant(app, proof: proof)) } }

    static func complete(
        by app: Identifier = "phone", proof: String? = "of the phone", with code: ResponseCode = .success,
        at line: Line = #_sourceLocation
    ) -> Step {
        let claimant = Claimant(app, proof: proof)
        return event(at: line) {
            .handoffCompleted(handoff: $0.handoff, claimant: claimant, response: IntentResponse(code))
        }
    }

    /// Returns the handoff, so that it is offered again.
    static func release(
        by app: Identifier = "phone", proof: String? = "of the phone", at line: Line = #_sourceLocation
    ) -> Step { event(at: line) { .handoffReturned(handoff: $0.handoff, claimant: Claimant(app, proof: proof)) } }

    // MARK: The workers' side

    /// Reports a worker's outcome of the dispatched work, of an older step, or of another request.
    static func worker(
        _ content: Outcome.Content, phase: Phase? = nil, step: Int? = nil, request: Identifier? = nil,
        policy: IntentPolicy? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let active = talk.session.active
            let (request, step) = (request ?? active?.request.id ?? "none", step ?? active?.step ?? 0)
            var outcome = Outcome(
                request: request, step: step, phase: phase ?? active?.phase ?? .resolve, content: content,
                ticket: talk.ticket(request, step))
            outcome.policy = policy
            outcome.claim = active?.permit
            return talk.receive(.outcome(outcome), at: line)
        }
    }

    static func resolver(
        _ parameters: KeyValuePairs<String, ParameterResolution> = [:], offering options: [ParameterOption] = [],
        hiding secret: String? = nil, asking: ConfirmationRequest? = nil, policy: IntentPolicy? = nil,
        at line: Line = #_sourceLocation
    ) -> Step {
        let resolved = parameters.map { name, resolution in
            var parameter = ResolvedParameter(name: name, resolution: resolution, isSecret: name == secret)
            parameter.options = options
            return parameter
        }
        return .worker(.finished(.resolved(resolved, confirmation: asking)), phase: .resolve, policy: policy, at: line)
    }

    /// Reports a resolver's outcome with all members of the parameters.
    static func resolved(_ parameters: ResolvedParameter..., at line: Line = #_sourceLocation) -> Step {
        .worker(.finished(.resolved(parameters)), phase: .resolve, at: line)
    }

    static func confirmer(
        _ code: ResponseCode = .ready, asking: ConfirmationRequest? = nil, activity: UserActivity? = nil,
        at line: Line = #_sourceLocation, with members: @Sendable (inout IntentResponse) -> Void = { _ in }
    ) -> Step {
        var response = IntentResponse(code, userActivity: activity)
        members(&response)
        return .worker(.finished(.responded(response, confirmation: asking)), phase: .confirm, at: line)
    }

    static func handler(
        _ code: ResponseCode = .success, activity: UserActivity? = nil, at line: Line = #_sourceLocation,
        with members: @Sendable (inout IntentResponse) -> Void = { _ in }
    ) -> Step {
        var response = IntentResponse(code, userActivity: activity)
        members(&response)
        return .worker(.finished(.responded(response)), phase: .handle, at: line)
    }

    static func fails(
        _ disposition: IntentFailure.Disposition, _ reason: RejectionReason = .internal,
        at line: Line = #_sourceLocation, with members: @Sendable (inout IntentFailure) -> Void = { _ in }
    ) -> Step {
        var failure = IntentFailure(disposition, reason: reason, message: "as the test wants it")
        members(&failure)
        return .worker(.finished(.failed(failure)), at: line)
    }

    /// Reports that the worker is busy, and asks for another attempt.
    static func busy(_ seconds: Double = 0, at line: Line = #_sourceLocation) -> Step {
        .fails(.retry(after: duration(seconds)), .busy, at: line)
    }

    static func progress(_ fraction: Double?, _ dialog: String? = nil, at line: Line = #_sourceLocation) -> Step {
        .worker(.progressed(fraction: fraction, dialog: dialog), at: line)
    }

    /// Reports a question of the running phase to the person.
    static func asks(
        _ id: String = "q", _ kind: PhaseQuestion.Kind = .value, about parameter: String? = nil,
        recorded: [String: JSON] = [:], at line: Line = #_sourceLocation
    ) -> Step {
        let question = PhaseQuestion(id: id, kind: kind, parameter: parameter, recorded: recorded)
        return .worker(.finished(.asked(question)), at: line)
    }

    /// Reports the claim of an at-most-once handler's worker for a permit.
    static func starts(_ claim: String, step: Int? = nil, at line: Line = #_sourceLocation) -> Step {
        Step(line) {
            let request: Identifier? = $0.session.active == nil ? "r" : nil
            return Step.worker(.starting(claim: claim), phase: .handle, step: step, request: request, at: line)
                .play(on: $0)
        }
    }

    /// Reports an outcome that can't be read.
    static func garbage(at line: Line = #_sourceLocation) -> Step {
        event(at: line) { .unreadableOutcome(Rejection(.unparseable, "garbage"), $0.session.active?.ticket) }
    }

    /// Reports that the log refuses the work of the active request, or of an earlier step.
    static func workRefused(earlier steps: Int = 0, at line: Line = #_sourceLocation) -> Step {
        event(at: line) {
            let step = ($0.session.active?.step ?? 0) - steps
            return .workRefused(request: "r", step: step, Rejection(.internal, "refused"))
        }
    }

    // MARK: Time

    /// Lets seconds pass without an event.
    static func passes(_ seconds: Double, at line: Line = #_sourceLocation) -> Step {
        Step(line) {
            $0.passes(duration(seconds))
            return []
        }
    }

    /// Lets seconds pass, then fires the timer once.
    static func wait(_ seconds: Double, at line: Line = #_sourceLocation) -> Step {
        .steps(.passes(seconds, at: line), .event(.timer, at: line), at: line)
    }

    /// Lets the time of a policy pass, but a millisecond, fires the timer, and fires the timer again after the
    /// millisecond.
    static func wait(
        _ timeout: any KeyPath<SessionPolicy, Duration> & Sendable, at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) {
            $0.passes($0.policy[keyPath: timeout] - .milliseconds(1))
            let early = $0.receive(.timer, at: line)
            $0.passes(.milliseconds(1))
            return early + $0.receive(.timer, at: line)
        }
    }

    /// Lets time pass until the next timer, then fires the timer once.
    static func timer(at line: Line = #_sourceLocation) -> Step {
        event(at: line) {
            $0.now = max($0.now, $0.session.nextTimer($0.policy))
            return .timer
        }
    }

    // MARK: Looks

    /// A part of the state in words.
    static func the<Value>(_ part: any KeyPath<Talk, Value> & Sendable, at line: Line = #_sourceLocation) -> Step {
        Step(line, .look) { [words($0[keyPath: part])] }
    }

    /// A parameter of the active request in words.
    static func known(_ name: String, at line: Line = #_sourceLocation) -> Step {
        Step(line, .look) { [$0.known(name) ?? "none"] }
    }

    /// Changes the policy of the session.
    static func policy(
        at line: Line = #_sourceLocation, _ change: @escaping @Sendable (inout SessionPolicy) -> Void
    ) -> Step {
        Step(line) {
            change(&$0.policy)
            return []
        }
    }
}

typealias Values = KeyValuePairs<String, JSON>

private func states(_ values: Values) -> [ParameterState] { values.map { ParameterState(name: $0, value: $1) } }

func duration(_ seconds: Double) -> Duration { .milliseconds(Int64((seconds * 1_000).rounded())) }

// MARK: The fixed values of the dialogues

enum Station {
    static let north = ParameterOption(id: "n", title: "Station North", value: "station-north")
    static let south = ParameterOption(id: "s", title: "Station South", value: "station-south")
}

extension ParameterResolution {
    static let which = ParameterResolution.disambiguation([Station.north, Station.south], dialog: nil)
    static let isItNorth = ParameterResolution.confirmationRequired(Station.north.value, dialog: nil)
    static let missing = ParameterResolution.needsValue(dialog: nil)
    static let notThere = ParameterResolution.unsupported(reason: "outsideServiceArea", dialog: nil)
    static let noMatch = ParameterResolution.unsupported(reason: "noMatch", dialog: nil)
}

extension Outcome.Content {
    static let resolved = Outcome.Content.finished(.resolved([]))
    static let ready = Outcome.Content.finished(.responded(IntentResponse(.ready)))
    static let success = Outcome.Content.finished(.responded(IntentResponse(.success)))
}

extension ConfirmationRequest {
    static let plain = ConfirmationRequest()
}

extension IntentPolicy {
    static let once = IntentPolicy(effect: .atMostOnce)
}

extension JSON {
    static func long(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }
}

extension Principal {
    static let ann = Principal(.appUser, "ann")
}
