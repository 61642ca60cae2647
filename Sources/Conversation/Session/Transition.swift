import IntentModel

/// One call of ``Session/receive(_:from:isNamed:at:policy:randomness:)``: an event, and what it leads to.
struct Transition {
    /// The session that decides; a blank one before it is put here.
    var session: Session
    let now: Instant
    let policy: SessionPolicy
    var randomness: Randomness
    var effects: [Effect] = []
    /// Why the event changes nothing.
    private(set) var ignored: Ignored?
    /// The session is over.
    var isForgotten = false

    init(now: Instant, policy: SessionPolicy, randomness: Randomness) {
        session = Session(id: "", updated: now)
        self.now = now
        self.policy = policy
        self.randomness = randomness
    }

    /// Decides on the event. The session is unchanged if it is ignored.
    mutating func decide(on event: SessionEvent, from principal: Principal?, isNamed: Bool) -> Decision {
        let step = session.openStep
        let opener = session.isBlank ? (session.owner, session.isOwnerNamed) : nil
        if opener != nil { (session.owner, session.isOwnerNamed) = (principal, principal != nil && isNamed) }
        receive(event, from: principal, isNamed: isNamed)
        if let ignored {
            if let opener { (session.owner, session.isOwnerNamed) = opener }
            return .ignored(ignored)
        }
        session.updated = max(now, session.updated)
        keepTimes(since: step)
        return isForgotten ? .forgotten : .changed(effects)
    }

    private mutating func receive(_ event: SessionEvent, from principal: Principal?, isNamed: Bool) {
        if let refusal = refusal(of: event, from: principal, isNamed: isNamed) { return reject(refusal) }
        switch event {
        case .requested(let request): requested(request, isNamed: isNamed)
        case .answered(let said):
            let isFromAgent = isNamed || said.isFromAgent  // rule: onlyAnswersSpeakForThePerson
            guard let answer = read(said, isFromAgent: isFromAgent) else { return }
            if isFromAgent, let refusal = refusal(ofAgreement: answer) { return reject(refusal) }
            answered(answer, from: isFromAgent ? nil : principal, isFromAgent: isFromAgent)
        case .unserved(let request, let why): unserved(request, why)
        case .optionsRequested(let request): optionsRequested(request)
        case .corrected(let correction): corrected(correction)
        case .cancelled(let request): cancelled(request)
        case .handoffClaimed(let handoff, let claimant): claimed(handoff, by: claimant)
        case .handoffCompleted(let handoff, let claimant, let response):
            handoffCompleted(handoff, by: claimant, response)
        case .forgotten(let forgetting): forget(forgetting)
        case .memoryChanged(let news): memoryChanged(news)
        case .changeRefused(let number, let rejection): changeRefused(number, rejection)
        case .ended(let reason): endSession(reason)
        case .handoffReturned(let handoff, let claimant): handoffReturned(handoff, by: claimant)
        case .updatesStarted(let request): updatesStarted(request)
        case .updatesStopped(let request): updatesStopped(request)
        case .undoRequested(let undo): undoRequested(undo, from: isNamed ? nil : principal)
        case .outcome(let outcome): answeredByWorker(outcome)
        case .unreadableOutcome(let rejection, let ticket): unreadable(rejection, ticket)
        case .workRefused(let request, let step, let rejection): workRefused(request, step, rejection)
        case .refused(let rejection): reject(rejection)
        case .timer: timePassed()
        }
    }

    /// Says whether a step has dealt with what it was given.
    enum Handled { case handled, notMine }

    /// Says whether something may go on. If it is refused, the refusal has been told.
    enum Verdict { case accepted, refused }

    /// - Parameter trace: defaults to that of the active request, if the result is about it.
    mutating func tell(_ body: SessionResult.Body, about request: Identifier?, trace: TraceContext? = nil) {
        session.sequence += 1
        let trace = trace ?? (request == session.active?.request.id ? session.active?.request.trace : nil)
        effects.append(.result(SessionResult(sequence: session.sequence, request: request, body: body, trace: trace)))
    }

    /// Ignores the event. Nothing may be changed before.
    mutating func ignore(_ why: Ignored) { ignored = why }

    mutating func reject(_ rejection: Rejection, about request: Identifier? = nil) {
        tell(.rejected(rejection), about: request)
    }
}
