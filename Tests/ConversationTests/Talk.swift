import Conversation
import IntentModel
import Testing

/// A conversation played line by line on its own clock. The effects of each event are returned as lines, such as
/// `prompt value dropOff`. After every event, a ``Ledger`` checks the rules that hold for all conversations.
final class Talk {
    static let start = Instant(milliseconds: 1_700_000_000_000)

    var session = Session(id: "s", updated: Talk.start)
    var now = Talk.start
    /// The policy of the session. A long phase is announced only in tests of announcements.
    var policy: SessionPolicy = {
        var policy = SessionPolicy()
        policy.announceAfter = nil
        return policy
    }()
    var ledger = Ledger()
    private var randomness = Randomness(seed: 1)
    /// The tickets that were sent, by request and step.
    private var tickets: [String: Ticket] = [:]
    /// The effects of the last event.
    private(set) var decision = Decision.changed([])
    var effects: [Effect] { decision.effects }

    @discardableResult
    func receive(
        _ event: SessionEvent, from principal: Principal? = nil, isNamed: Bool = false,
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let before = session
        decision = session.receive(
            event, from: principal, isNamed: isNamed, at: now, policy: policy, randomness: &randomness)
        for case .work(let work) in effects {
            tickets["\(work.request).\(work.step)"] = work.item?.ticket ?? tickets["\(work.request).\(work.step)"]
        }
        for problem in ledger.note(event, before: before, decision, after: session) {
            Issue.record("\(problem), after \(event)", sourceLocation: location)
        }
        return decision.lines
    }

    // MARK: The person's side

    @discardableResult
    func request(
        _ id: Identifier = "r", _ parameters: KeyValuePairs<String, String> = [:],
        whenBusy: IntentRequest.WhenBusy = .queue,
        deadline: Duration? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let values = parameters.map { ParameterState(name: $0, value: .string($1)) }
        let due = deadline.map { now.advanced(by: $0) }
        return receive(
            .requested(IntentRequest(id: id, intent: "Book", parameters: values, whenBusy: whenBusy, deadline: due)),
            location)
    }

    /// Answers the open prompt, or another one.
    @discardableResult
    func answer(
        _ action: Answer.Action, _ value: String? = nil, option: String? = nil,
        changing: KeyValuePairs<String, String> = [:],
        prompt: Identifier? = nil, _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let changes = changing.map { ParameterState(name: $0, value: .string($1)) }
        let answer = Answer(
            prompt: prompt ?? self.prompt?.id ?? "no prompt is open", action: action, value: value.map { .string($0) },
            option: option,
            parameters: changes)
        return receive(.answered(answer), location)
    }

    @discardableResult
    func correct(
        _ parameter: String, _ value: String, of request: Identifier? = nil,
        _ location: SourceLocation = #_sourceLocation
    )
        -> [String]
    {
        receive(.corrected(Correction(request: request, parameter: parameter, value: .string(value))), location)
    }

    @discardableResult
    func cancel(_ request: Identifier? = nil, _ location: SourceLocation = #_sourceLocation) -> [String] {
        receive(.cancelled(request: request), location)
    }

    @discardableResult
    func claim(
        _ handoff: Identifier? = nil, by claimant: Identifier = "phone", proof: String? = "of the phone",
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        receive(.handoffClaimed(handoff: handoff ?? self.handoff, claimant: Claimant(claimant, proof: proof)), location)
    }

    @discardableResult
    func complete(
        _ handoff: Identifier? = nil, by claimant: Identifier = "phone", proof: String? = "of the phone",
        with code: ResponseCode = .success,
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        receive(
            .handoffCompleted(
                handoff: handoff ?? self.handoff, claimant: Claimant(claimant, proof: proof),
                response: IntentResponse(code)),
            location)
    }

    @discardableResult
    func giveBack(
        _ handoff: Identifier? = nil, by claimant: Identifier = "phone", proof: String? = "of the phone",
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        receive(
            .handoffReturned(handoff: handoff ?? self.handoff, claimant: Claimant(claimant, proof: proof)), location)
    }

    // MARK: The workers' side

    /// Reports a worker's outcome of the dispatched work, of an older step, or of another request.
    @discardableResult
    func worker(
        _ content: Outcome.Content, phase: Phase? = nil, step: Int? = nil, request: Identifier? = nil,
        policy: IntentPolicy? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let active = session.active
        let (request, step) = (request ?? active?.request.id ?? "none", step ?? active?.step ?? 0)
        var outcome = Outcome(
            request: request, step: step, phase: phase ?? active?.phase ?? .resolve, content: content,
            ticket: ticket(request, step))
        outcome.policy = policy
        outcome.claim = active?.permit
        return receive(.outcome(outcome), location)
    }

    /// The ticket that the worker of a step got.
    func ticket(_ request: Identifier = "r", _ step: Int) -> Ticket? { tickets["\(request).\(step)"] }

    @discardableResult
    func resolver(
        _ parameters: KeyValuePairs<String, ParameterResolution> = [:], offering options: [ParameterOption] = [],
        policy: IntentPolicy? = nil, _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        let resolved = parameters.map { name, resolution in
            var parameter = ResolvedParameter(name: name, resolution: resolution)
            parameter.options = options
            return parameter
        }
        return worker(.finished(.resolved(resolved)), phase: .resolve, policy: policy, location)
    }

    @discardableResult
    func confirmer(
        _ code: ResponseCode = .ready, asking: ConfirmationRequest? = nil, activity: UserActivity? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        worker(
            .finished(.responded(IntentResponse(code, userActivity: activity), confirmation: asking)), phase: .confirm,
            location)
    }

    @discardableResult
    func handler(
        _ code: ResponseCode = .success, activity: UserActivity? = nil, _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        worker(
            .finished(.responded(IntentResponse(code, userActivity: activity), confirmation: nil)), phase: .handle,
            location)
    }

    @discardableResult
    func fails(
        _ disposition: IntentFailure.Disposition, _ reason: RejectionReason = .internal,
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        worker(
            .finished(.failed(IntentFailure(disposition, reason: reason, message: "as the test wants it"))), location)
    }

    @discardableResult
    func progress(_ fraction: Double?, _ dialog: String? = nil, _ location: SourceLocation = #_sourceLocation)
        -> [String]
    {
        worker(.progressed(fraction: fraction, dialog: dialog), location)
    }

    /// Reports a resolver's outcome with all members of the parameters.
    @discardableResult
    func resolver(_ parameters: [ResolvedParameter], _ location: SourceLocation = #_sourceLocation) -> [String] {
        worker(.finished(.resolved(parameters)), phase: .resolve, location)
    }

    /// Reports a response of the running confirmer or handler with all its members.
    @discardableResult
    func responds(
        _ response: IntentResponse, asking: ConfirmationRequest? = nil, _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        worker(.finished(.responded(response, confirmation: asking)), location)
    }

    /// Reports a question of the running phase to the person.
    @discardableResult
    func asks(
        _ id: String = "q", _ kind: PhaseQuestion.Kind = .value, about parameter: String? = nil,
        recorded: [String: JSON] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) -> [String] {
        worker(.finished(.asked(PhaseQuestion(id: id, kind: kind, parameter: parameter, recorded: recorded))), location)
    }

    // MARK: Time

    /// Lets time pass, then fires the timer once.
    @discardableResult
    func wait(_ duration: Duration, _ location: SourceLocation = #_sourceLocation) -> [String] {
        now = now.advanced(by: duration)
        return receive(.timer, location)
    }

    /// Lets time pass until the next timer, then fires it once.
    @discardableResult
    func waitForTimer(_ location: SourceLocation = #_sourceLocation) -> [String] {
        now = max(now, session.nextTimer(policy))
        return receive(.timer, location)
    }

    // MARK: State

    var stage: StageName? { session.active?.stage.name }
    var prompt: Prompt? { session.active?.prompt }
    /// The last offered handoff.
    var handoff: Identifier { ledger.handoffs.last ?? "none was offered" }
    var completion: Completion? { ledger.completions.last }
    var work: Work? {
        for case .work(let work) in effects { return work }
        return nil
    }
    var cancelWork: WorkCancel? { work?.cancel }

    /// A parameter of the active request in words, such as `chosen station-north`.
    func known(_ name: String) -> String? {
        guard let state = session.active?.parameters.first(where: { $0.name == name }) else { return nil }
        let elements = state.elements.map { " [\($0.map(\.rawValue).joined(separator: " "))]" } ?? ""
        return "\(state.origin) \(state.value.map { $0.view.string ?? $0.description } ?? "-")\(elements)"
    }

    /// The answers to the questions of the phase, as its next run gets them.
    var answers: [PhaseAnswer] { work?.item?.answers ?? [] }
    /// Reports the claim of an at-most-once handler's worker for a permit.
    @discardableResult
    func starts(_ claim: String, step: Int? = nil, _ location: SourceLocation = #_sourceLocation) -> [String] {
        worker(
            .starting(claim: claim), phase: .handle, step: step, request: session.active == nil ? "r" : nil, location)
    }

    /// Plays the shortest path to a stage.
    ///
    /// - Parameter policy: The intent's policy.
    func bring(
        to stage: StageName, _ id: Identifier = "r", _ parameters: KeyValuePairs<String, String> = [:],
        deadline: Duration? = nil,
        intent policy: IntentPolicy? = nil
    ) {
        request(id, parameters, deadline: deadline)
        switch stage {
        case .queued, .ended, .resolving: break
        case .awaitingAnswer: resolver(["dropOff": .needsValue(dialog: nil)], policy: policy)
        case .confirming: resolver(policy: policy)
        case .awaitingConfirmation: confirm(asking: ConfirmationRequest(), policy)
        case .handling: confirm(asking: nil, policy)
        case .inProgress:
            confirm(asking: nil, policy)
            progress(nil)
        case .handedOff:
            resolver(policy: policy)
            confirmer(.continueInApp)
        }
    }

    private func confirm(asking: ConfirmationRequest?, _ policy: IntentPolicy?) {
        resolver(policy: policy)
        confirmer(.ready, asking: asking)
    }
}

extension Decision {
    var lines: [String] {
        switch self {
        case .ignored(let why): ["ignored \(why)"]
        case .changed(let effects): effects.map(\.line)
        case .forgotten: ["forgotten"]
        }
    }
}

extension Effect {
    var line: String {
        switch self {
        case .work(let work):
            let phase = work.isInApp ? "\(work.phase) in app" : "\(work.phase)"
            switch work {
            case .item(let item): return item.attempt == 1 ? phase : "\(phase) attempt \(item.attempt)"
            case .update: return "update"
            case .cancel: return "cancel \(phase)"
            case .permit(let permit): return "permit \(permit.claim ?? "-")"
            }
        case .result(let result): return result.line
        case .memory(let change, of: let person): return "memory \(person.id) \(change.kind.line)"
        }
    }
}

extension MemoryChange.Kind {
    var line: String {
        switch self {
        case .remember(let value): "\(value.key) \(value.value)"
        case .forget(let keys): "forget \(keys?.joined(separator: " ") ?? "all")"
        }
    }
}

extension SessionResult {
    var line: String {
        switch body {
        case .prompted(let prompt):
            "prompt \(prompt.kind)" + (prompt.parameter.map { " \($0)" } ?? "")
                + (prompt.element.map { "[\($0)]" } ?? "")
        case .optionsListed(let listed):
            "options \(listed.page.options.map(\.id).joined(separator: " "))"
                + (listed.page.next.map { ", next \($0)" } ?? "")
        case .progressed(let progress) where progress.code == .queued: "queued"
        case .progressed(let progress): "progress \(progress.fraction.map { "\($0)" } ?? "-")"
        case .handoffOffered(let handoff): "offer \(handoff.mode)"
        case .handoffClaimed(let handoff): "claimed by \(handoff.claimant?.name ?? "nobody")"
        case .completed(let completion):
            "completed \(request ?? "-"): \(completion.status) \(completion.code)"
                + (completion.opens.map { ", opens \($0.intent)" } ?? "")
        case .lateOutcome(let answer): "late \(request ?? "-"): \(answer.code)"
        case .updated(_, let update): "update \(update.phase)"
        case .updatesEnded(_, let end, let error): "updates \(end)" + (error.map { ": \($0.reason)" } ?? "")
        case .memoryForgotten(let forgotten):
            "confirmed \(forgotten.event): \(forgotten.keys?.joined(separator: " ") ?? "all"), \(forgotten.count.map { "\($0)" } ?? "-")"
        case .rejected(let rejection): "rejected \(rejection.reason)" + (rejection.field.map { " \($0)" } ?? "")
        }
    }
}

/// The fixed values of the scripts.
enum Station {
    static let north = ParameterOption(id: "n", title: "Station North", value: .string("station-north"))
    static let south = ParameterOption(id: "s", title: "Station South", value: .string("station-south"))
    static let which = ParameterResolution.disambiguation([north, south], dialog: nil)
    static let isItNorth = ParameterResolution.confirmationRequired(north.value, dialog: nil)
    static let missing = ParameterResolution.needsValue(dialog: nil)
    static let notThere = ParameterResolution.unsupported(reason: "outsideServiceArea", dialog: nil)
}
