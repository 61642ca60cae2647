public import IntentModel

/// A request that a session is working on.
///
/// What holds in one stage only is in the stage's payload. The rest outlives a stage, grouped by where it comes from.
public struct ActiveRequest: Sendable, Hashable {
    /// The request as it was accepted, without its parameters: those are in ``parameters``.
    public var request: IntentRequest
    /// What is known of the parameters.
    public var parameters: [ParameterState]
    public var stage: Stage
    /// The number of the open work item or prompt. It grows by one with each.
    public var step: Int
    /// The ticket of the dispatched work, which its outcomes have to have. `nil` if an earlier version dispatched it: then none is needed.
    public var ticket: Ticket?
    /// When the stage ends by itself, or when the person is reminded of its prompt.
    public var stageEnds: Instant
    public var times: RequestTimes
    public var run = PhaseRun()
    public var asking = Asking()
    public var traits = IntentTraits()
    public var confirmed = Confirmed()
    /// What the handler reported, and what the request ends with unless it goes on: while the person is asked which of the items they mean (without
    /// the items, which are the prompt's options), or whether other values will do than those that it has failed with. It is kept if a parameter is
    /// corrected while the prompt is interrupted.
    @Boxed public var result: IntentResponse? = nil
    /// Which workers get the work of the request that ``result`` opens.
    public var openedRoute: IntentRoute?
    /// With it: what is remembered for the person for that intent.
    public var openedMemory: [RememberedValue] = []
    /// How often the request went on after it was handled. Each time is another call, and no repeat of the one before.
    public var redone = 0

    public init(
        request: IntentRequest, parameters: [ParameterState], stage: Stage = .resolving(Working()), step: Int = 0,
        began: Instant
    ) {
        self.request = request
        self.parameters = parameters
        self.stage = stage
        self.step = step
        stageEnds = began
        times = RequestTimes(began: began)
    }
}

// What the stage says.
extension ActiveRequest {
    /// The phase that is with its workers, if one is.
    public var phase: Phase? { stage.phase }

    /// The open prompt.
    public var prompt: Prompt? { stage.prompt }

    /// The claim of the handler that may be called.
    public var permit: String? { stage.permit }

    /// When the phase is tried again.
    public var retryAt: Instant? { stage.retryAt }

    /// When the person is told that the phase takes longer.
    public var announceAt: Instant? { stage.announceAt }

    /// Why the running handler was told to stop, if it was.
    public var cancelReason: CancellationReason? { stage.cancelReason }

    public var isCancelling: Bool { stage.isCancelling }

    /// What the intent asks of this conversation, as far as a resolver has said.
    public var policy: IntentPolicy? { traits.policy }

    /// Whether the app's workers handle it: because its extension's have said so, or because only an app supports it.
    public var isInApp: Bool { run.isInApp || request.route?.isInApp == true }

    /// `true` if a resolver has yet to accept its parameters.
    var isBeingResolved: Bool {
        switch stage {
        case .resolving: true
        case .awaitingAnswer(let prompt): (prompt.question?.phase ?? .resolve) == .resolve
        case .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff: false
        }
    }

    /// Whether the handle phase was dispatched already: what it was given can't be changed any more.
    var isBeingHandled: Bool {
        switch stage {
        case .resolving, .confirming: false
        case .awaitingAnswer(let prompt), .awaitingConfirmation(let prompt):
            prompt.question?.phase == .handle || result?.code.isFailure == false
        case .handling, .inProgress, .handedOff: true
        }
    }
}

// What outlives a stage.
extension ActiveRequest {
    /// The phase that runs, or ran last. A phase that asks a question goes on after the answer.
    public struct PhaseRun: Sendable, Hashable {
        /// Which try it is, from 1.
        public var attempt = 1
        /// Whether the app's workers handle it.
        public var isInApp = false
        /// The progress last reported, from 0 to 1.
        public var fraction: Double?
        /// What it has asked and done so far.
        public var notes = PhaseNotes()

        public init() {}
    }

    /// What a resolver has said of the intent, apart from its values.
    public struct IntentTraits: Sendable, Hashable {
        /// A resolver has said which parameters are secret. Until then any of them may be.
        public var knowsSecrets = false
        /// The keys under which its parameters are remembered, by their names.
        public var memoryKeys: [String: String] = [:]
        /// Those of these parameters that are remembered for the person, and not only by the session.
        public var rememberedForPerson: [String] = []
        /// What the intent asks of this conversation.
        @Boxed public var policy: IntentPolicy?
        /// What the person is asked before the intent is handled, if its declaration demands that for these values.
        @Boxed public var confirmation: ConfirmationRequest?

        public init() {}

        /// Notes how a parameter is remembered.
        mutating func note(_ parameter: ResolvedParameter) {
            memoryKeys[parameter.name] = parameter.memoryKey
            let isForPerson = parameter.memoryScope == .person && parameter.memoryKey != nil
            if isForPerson == rememberedForPerson.contains(parameter.name) { return }
            if isForPerson {
                rememberedForPerson.append(parameter.name)
            } else {
                rememberedForPerson.removeAll { $0 == parameter.name }
            }
        }
    }

    /// What the confirmer has found.
    public struct Confirmed: Sendable, Hashable {
        /// What the app gets if it goes on.
        @Boxed public var activity: UserActivity?
        /// Told at the end, unless the handler finds something itself.
        public var items: [ParameterOption] = []
        /// Until when the outcome holds, while the person is asked.
        public var validUntil: Instant?
        /// The approval of the values, if it was needed and was given.
        @Boxed public var agreement: Agreement?

        public init() {}
    }

    /// `true` if others have to agree to it, or have.
    var hasApproval: Bool {
        if confirmed.$agreement.hasValue || traits.$confirmation.look({ $0.$approval.hasValue }) == true { return true }
        guard case .awaitingConfirmation(let prompt) = stage else { return false }
        return prompt.$waiting.look { $0.$approval.hasValue } == true
    }

    /// A value has changed that a resolver has resolved. The person is still asked before the intent is handled, and not with the resolver's words: they are about
    /// the old value.
    mutating func forgetWordsOfConfirmation() {
        if let known = traits.confirmation {
            traits.confirmation = ConfirmationRequest(action: known.action, approval: known.approval)
        }
    }
}
