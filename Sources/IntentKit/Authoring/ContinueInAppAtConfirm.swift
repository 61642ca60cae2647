/// What `continueInApp` means when confirm answers it. SiriKit says both things of it, so each intent says which.
public enum ContinueInAppAtConfirm: String, Sendable, Hashable, CaseIterable {
    /// The person goes on in the app, which handles the intent: as with `handleInApp` and as after handle. The default.
    case opensApp
    /// The request has failed, and the app is offered: what the documentation of `INStartCallIntent` says. The code becomes
    /// `failureRequiringAppLaunch`.
    case isFailure
}
