/// Whether the person is asked before an intent is handled. Within an intent it is written `ConfirmationPolicy`.
///
/// A confirm phase that answers `userConfirmationRequired` asks in any case.
public struct IntentConfirmationPolicy<Subject: Intent>: Sendable {
    private let rule: @Sendable (Subject) -> Bool

    public static var always: Self { Self { _ in true } }
    public static var never: Self { Self { _ in false } }

    /// `static let confirmation: ConfirmationPolicy = .onlyIf { ride in ride.partySize > 4 }`
    ///
    /// The intent has been resolved, so its required parameters may be read.
    public static func onlyIf(_ condition: @escaping @Sendable (Subject) -> Bool) -> Self { Self(rule: condition) }

    private init(rule: @escaping @Sendable (Subject) -> Bool) { self.rule = rule }

    func asks(about intent: Subject) -> Bool { rule(intent) }
}
