public import IntentModel

extension ActiveRequest {
    /// Where a request is in its life. Each case names its exits; ``StageName/exits`` is the same list for machines.
    public enum Stage: Sendable, Hashable {
        /// A resolver has the intent.
        ///
        /// Can transition to: `resolving` (again after a retry or a correction), `awaitingAnswer` (a parameter needs the person), `confirming`
        /// (all are resolved), `handedOff` (asked too often), or the end (failure, unsupported, cancelled, timed out).
        case resolving(Working)
        /// The person is asked about a parameter, to sign in, which intent they mean, or which of the items that the handler has found.
        ///
        /// Can transition to: `awaitingAnswer` (asked again after an interruption or silence, or for another value), `resolving` (answered or
        /// corrected), `confirming` or `handling` (that phase asked, and was answered), `handedOff` (asked too often), or the end (declined,
        /// cancelled, timed out).
        indirect case awaitingAnswer(Prompt)
        /// A confirmer has the intent.
        ///
        /// Can transition to: `confirming` (retry), `resolving` (correction), `awaitingConfirmation` (the person must agree, or the confirmer asks
        /// whether), `awaitingAnswer` (it asks something else), `handling` (ready), `handedOff` (`continueInApp`), or the end.
        case confirming(Working)
        /// The person is asked whether to do it.
        ///
        /// Can transition to: `awaitingConfirmation` (asked again after an interruption), `handling` (accepted, or the handler asked), `confirming` (the
        /// confirmer asked, or its outcome is no longer valid), `resolving` (corrected, or answered with changes), or the end (declined, cancelled, timed out).
        indirect case awaitingConfirmation(Prompt)
        /// A handler has the intent.
        ///
        /// Can transition to: `handling` (retry, or on to the app's workers with `handleInApp`), `inProgress`, `awaitingAnswer` or
        /// `awaitingConfirmation` (the handler asks), `handedOff` (`continueInApp`), or the end.
        case handling(Working, HandlerCall)
        /// A handler said that it takes longer.
        ///
        /// Can transition to: `inProgress` (more progress), `handling` (retry, or on to the app's workers), `awaitingAnswer` or
        /// `awaitingConfirmation` (the handler asks), `handedOff` (`continueInApp`), or the end.
        case inProgress(HandlerCall)
        /// An app may go on with it, or is doing so.
        ///
        /// Can transition to: `handedOff` (claimed), or the end (completed by the app, cancelled, timed out or deferred).
        case handedOff(handoff: Identifier)
    }

    /// A phase that is with its workers and has no outcome yet.
    public struct Working: Sendable, Hashable {
        /// When the person is told that the phase takes longer; `nil` if they have been told, or need not be.
        public var announceAt: Instant?
        /// When the phase is tried again. Nothing is dispatched until then.
        public var retryAt: Instant?

        public init(announceAt: Instant? = nil, retryAt: Instant? = nil) {
            self.announceAt = announceAt
            self.retryAt = retryAt
        }
    }

    /// A handle phase that is with its workers.
    public struct HandlerCall: Sendable, Hashable {
        /// The claim of the handler that may be called, of an ``IntentEffect/atMostOnce`` intent; `nil` until one is permitted.
        public var permit: String?
        /// Why the handler was told to stop; `nil` while it may go on.
        public var cancelReason: CancellationReason?

        public init(permit: String? = nil, cancelReason: CancellationReason? = nil) {
            self.permit = permit
            self.cancelReason = cancelReason
        }
    }
}

extension ActiveRequest.Stage {
    /// The phase that is with its workers, if one is.
    public var phase: Phase? {
        switch self {
        case .resolving: .resolve
        case .confirming: .confirm
        case .handling, .inProgress: .handle
        case .awaitingAnswer, .awaitingConfirmation, .handedOff: nil
        }
    }

    public var prompt: Prompt? {
        switch self {
        case .awaitingAnswer(let prompt), .awaitingConfirmation(let prompt): prompt
        default: nil
        }
    }

    /// The stage in which a prompt is open.
    static func asking(_ prompt: Prompt) -> Self {
        prompt.kind == .confirmIntent ? .awaitingConfirmation(prompt) : .awaitingAnswer(prompt)
    }

    /// `true` if a prompt is open. Cheaper than to copy the prompt.
    var isPrompt: Bool {
        switch self {
        case .awaitingAnswer, .awaitingConfirmation: true
        default: false
        }
    }

    /// The claim of the handler that may be called.
    var permit: String? { call?.permit }

    /// When the phase is tried again.
    var retryAt: Instant? { working?.retryAt }

    /// The time of the progress report that the phase takes longer.
    var announceAt: Instant? { working?.announceAt }

    /// Why the running handler was told to stop, if it was.
    var cancelReason: CancellationReason? { call?.cancelReason }

    var isCancelling: Bool { cancelReason != nil }

    /// The id of the handoff that an app may claim, or has claimed.
    public var handoff: Identifier? {
        if case .handedOff(let handoff) = self { handoff } else { nil }
    }

    /// Setting it changes nothing in a stage that has none.
    public var working: ActiveRequest.Working? {
        get {
            switch self {
            case .resolving(let working), .confirming(let working), .handling(let working, _): working
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .resolving: self = .resolving(newValue)
            case .confirming: self = .confirming(newValue)
            case .handling(_, let call): self = .handling(newValue, call)
            default: break
            }
        }
    }

    /// Setting it changes nothing in a stage that has none.
    public var call: ActiveRequest.HandlerCall? {
        get {
            switch self {
            case .handling(_, let call), .inProgress(let call): call
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .handling(let working, _): self = .handling(working, newValue)
            case .inProgress: self = .inProgress(newValue)
            default: break
            }
        }
    }
}
