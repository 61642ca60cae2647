/// Whether the person is asked before an intent is handled. Within an intent it is written `ConfirmationPolicy`.
///
/// It is evaluated by the resolver and by the confirmer, and the person is asked if either says so. If confirm returns `userConfirmationRequired`,
/// the person is asked in any case.
public struct IntentConfirmationPolicy<Subject: Intent>: Sendable {
    private let rule: @Sendable (Subject) -> Bool
    /// The policy as far as it is known without an intent.
    package let kind: IntentConfirmationKind

    public static var always: Self { Self(.always) { _ in true } }
    public static var never: Self { Self(.never) { _ in false } }

    /// `static let confirmation: ConfirmationPolicy = .onlyIf { ride in ride.partySize > 4 }`
    ///
    /// The intent has been resolved, so the condition may read its required parameters.
    public static func onlyIf(_ condition: @escaping @Sendable (Subject) -> Bool) -> Self { Self(.depends, condition) }

    private init(_ kind: IntentConfirmationKind, _ rule: @escaping @Sendable (Subject) -> Bool) {
        self.kind = kind
        self.rule = rule
    }

    package func asks(about intent: Subject) -> Bool { rule(intent) }
}

/// Whether the person is asked before an intent is handled, according to its declaration. The confirm phase may ask in any case.
public enum IntentConfirmationKind: String, Sendable, Hashable {
    case always, never
    /// It depends on the intent's values.
    case depends
}

/// The meaning of `continueInApp` from confirm. SiriKit documents both meanings, so each intent chooses one.
public enum ContinueInAppAtConfirm: String, Sendable, Hashable, CaseIterable {
    /// The person continues in the app, which handles the intent: as with `handleInApp`, and as after handle. The default.
    case opensApp
    /// The request fails, and the app is offered, as in the documentation of `INStartCallIntent`. The code is replaced by
    /// `failureRequiringAppLaunch`.
    case isFailure
}
