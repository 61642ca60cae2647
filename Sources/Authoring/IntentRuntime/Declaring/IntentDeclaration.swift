public import IntentKit

/// An intent that is declared as a value at run time, not as a Swift type: in a definition file, or by a program.
///
/// ```swift
/// var reserve = IntentDeclaration("ReserveRestaurant", title: "Reserve a table")
/// reserve.parameters = [
///     ParameterDeclaration("restaurant", .string, title: "Restaurant", prompt: "Which restaurant?"),
///     ParameterDeclaration("seats", .int, title: "Seats", defaults: [.constant(.number(2))]),
/// ]
/// reserve.summary = .text("Table for {seats} at {restaurant}")
/// reserve.confirmation = .always
/// reserve.fulfilment = restaurants
/// let registry = try IntentRegistry([RideExtension()], declared: [reserve])
/// ```
/// A declared intent has the same phases, rules and wire forms as an ``Intent`` in Swift.
///
/// Two declarations are equal if their contents are equal. Fulfilments are not compared.
public struct IntentDeclaration: Sendable, Equatable {
    /// The condition under which the person is asked before the intent is handled. The confirm phase may ask in any
    /// case.
    public enum Confirmation: Sendable, Hashable {
        case always, never
        /// The person is asked if this condition is met.
        case when(DeclaredCondition)
    }

    /// An ``ItemChoice`` with translations.
    public struct Choice: Sendable, Hashable {
        /// The question for the person. Defaults to the pipeline's own words.
        public var dialog: LocalizedText?
        /// The members of the chosen item's value that the session remembers: the name of each member, by its memory
        /// key.
        public var remembers: [String: String]

        public init(dialog: LocalizedText? = nil, remembers: [String: String] = [:]) {
            self.dialog = dialog
            self.remembers = remembers
        }
    }

    /// The intent's name in events: a letter, and up to 79 letters, digits, `_`, `-` and `.`.
    public var name: String
    public var title: LocalizedText
    /// A description of the intent's effect, in a sentence or two.
    public var description: LocalizedText?
    /// The parameters: at most 100, with different names. They are resolved in this order, but each after the
    /// parameters in its ``ParameterDeclaration/after``.
    public var parameters: [ParameterDeclaration] = []
    /// The intent in a sentence. Defaults to the intent's title.
    public var summary: SummaryDeclaration?
    public var confirmation: Confirmation = .never
    /// The intent's effect in a word, for the buttons of its confirmation.
    public var confirmationActionName: ConfirmationActionName = .continue
    public var authenticationPolicy: IntentAuthenticationPolicy = .alwaysAllowed
    /// The sign-in for a person whom the policy asks to sign in.
    public var signIn = SignIn()
    /// The meaning of `continueInApp` from confirm.
    public var continueInAppAtConfirm: ContinueInAppAtConfirm = .opensApp
    /// The effect, timeouts, retries and limits of the intent.
    public var policy = IntentPolicy()
    /// The choice that the person is offered whenever handle succeeds with items and without an
    /// ``IntentResponse/choice`` of its own; `nil` for none.
    public var choice: Choice?
    /// The names of the intents that the fulfilment may open with ``IntentResponse/opensIntent``; at most 100. A
    /// response that opens another intent is a failure.
    public var opens: [String] = []
    /// The phases among confirm and handle that call the fulfilment. Without confirm, the intent is ready as soon as it
    /// is resolved. Handle always calls the fulfilment.
    public var phases: Set<Phase> = [.handle]
    /// The source of the declaration, for messages, such as `rides.intents.yaml`.
    public var source: String?
    private var fulfiller = Fulfiller()

    public init(_ name: String, title: LocalizedText, fulfilment: (any IntentFulfilment)? = nil) {
        self.name = name
        self.title = title
        fulfiller.value = fulfilment
    }

    /// The fulfilment that confirms and handles the intent. With `nil`, the parameters can be resolved, and later
    /// phases are rejected.
    public var fulfilment: (any IntentFulfilment)? {
        get { fulfiller.value }
        set { fulfiller.value = newValue }
    }

    /// Excludes the fulfilment from the comparison of declarations.
    private struct Fulfiller: Sendable, Equatable {
        var value: (any IntentFulfilment)?
        static func == (a: Fulfiller, b: Fulfiller) -> Bool { true }
    }
}
