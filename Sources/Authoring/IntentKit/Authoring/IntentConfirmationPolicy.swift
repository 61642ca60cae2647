/// The condition under which the person is asked before an intent is handled. Within an intent, write
/// `ConfirmationPolicy`.
///
/// Both the resolver and the confirmer evaluate the policy, and the person is asked if either result is `true`. If
/// confirm returns `userConfirmationRequired`, the person is asked in any case.
public struct IntentConfirmationPolicy<Subject: Intent>: Sendable {
    private let rule: @Sendable (Subject) -> Bool
    /// The policy without the values of an intent.
    package let kind: IntentConfirmationKind

    public static var always: Self { Self(.always) { _ in true } }
    public static var never: Self { Self(.never) { _ in false } }

    /// Creates a policy that depends on the intent:
    /// `static let confirmation: ConfirmationPolicy = .onlyIf { $0.partySize > 4 }`
    ///
    /// The intent has been resolved, so the condition may read required parameters.
    public static func onlyIf(_ condition: @escaping @Sendable (Subject) -> Bool) -> Self { Self(.depends, condition) }

    private init(_ kind: IntentConfirmationKind, _ rule: @escaping @Sendable (Subject) -> Bool) {
        self.kind = kind
        self.rule = rule
    }

    package func asks(about intent: Subject) -> Bool { rule(intent) }

    /// The policy of an intent with an approval: others can only agree to what they are asked about.
    package func asking(for approval: Approval?) -> Self { approval != nil && kind == .never ? .always : self }
}

/// The declared condition under which the person is asked before an intent is handled. The confirm phase may ask in any
/// case.
public enum IntentConfirmationKind: String, Sendable, Hashable {
    case always, never
    /// The person is asked depending on the values of the intent.
    case depends
}

/// The meaning of `continueInApp` from confirm. SiriKit documents both meanings, so each intent chooses one.
public enum ContinueInAppAtConfirm: String, Sendable, Hashable, CaseIterable {
    /// The person continues in the app, which handles the intent, as with `handleInApp` and as after handle. The
    /// default.
    case opensApp
    /// The request fails, and the app is offered, as the documentation of `INStartCallIntent` describes. The code is
    /// replaced by `failureRequiringAppLaunch`.
    case isFailure
}
