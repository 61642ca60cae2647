/// Whether the person is asked before an intent is handled. Within an intent it is written `ConfirmationPolicy`.
///
/// A confirm phase that answers `userConfirmationRequired` asks in any case.
public struct IntentConfirmationPolicy<Subject: Intent>: Sendable {
    private let rule: @Sendable (Subject) -> Bool
    /// What is known of it without an intent.
    package let kind: IntentConfirmationKind

    public static var always: Self { Self(.always) { _ in true } }
    public static var never: Self { Self(.never) { _ in false } }

    /// `static let confirmation: ConfirmationPolicy = .onlyIf { ride in ride.partySize > 4 }`
    ///
    /// The intent has been resolved, so its required parameters may be read.
    public static func onlyIf(_ condition: @escaping @Sendable (Subject) -> Bool) -> Self { Self(.depends, condition) }

    private init(_ kind: IntentConfirmationKind, _ rule: @escaping @Sendable (Subject) -> Bool) {
        self.kind = kind
        self.rule = rule
    }

    package func asks(about intent: Subject) -> Bool { rule(intent) }
}

/// Whether the person is asked before an intent is handled, as far as its declaration tells. The confirm phase may ask in any case.
public enum IntentConfirmationKind: String, Sendable, Hashable {
    case always, never
    /// It depends on the intent's values.
    case depends
}

/// What `continueInApp` means when confirm answers it. SiriKit says both things of it, so each intent says which.
public enum ContinueInAppAtConfirm: String, Sendable, Hashable, CaseIterable {
    /// The person goes on in the app, which handles the intent: as with `handleInApp` and as after handle. The default.
    case opensApp
    /// The request has failed, and the app is offered: what the documentation of `INStartCallIntent` says. The code becomes
    /// `failureRequiringAppLaunch`.
    case isFailure
}
