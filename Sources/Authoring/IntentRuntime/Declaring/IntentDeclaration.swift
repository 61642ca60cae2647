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
/// It goes through the same phases, rules and wire forms as an ``Intent`` in Swift.
///
/// Two declarations are equal if their contents are; their fulfilments are not compared.
public struct IntentDeclaration: Sendable, Equatable {
    /// Whether the person is asked before the intent is handled. Its confirm phase may ask in any case.
    public enum Confirmation: Sendable, Hashable {
        case always, never
        /// If this condition is met.
        case when(DeclaredCondition)
    }

    /// An ``ItemChoice`` with translations.
    public struct Choice: Sendable, Hashable {
        /// What the person is asked. Defaults to the pipeline's own words.
        public var dialog: LocalizedText?
        /// What the session remembers of the chosen item: members of its value, by the keys under which they are remembered.
        public var remembers: [String: String]

        public init(dialog: LocalizedText? = nil, remembers: [String: String] = [:]) {
            self.dialog = dialog
            self.remembers = remembers
        }
    }

    /// The intent's name in events: a letter, and up to 79 letters, digits, `_`, `-` and `.`.
    public var name: String
    public var title: LocalizedText
    /// What it does, in a sentence or two.
    public var description: LocalizedText?
    /// In the order in which they are resolved; at most 100, with different names.
    public var parameters: [ParameterDeclaration] = []
    /// The intent in a sentence. Defaults to its title.
    public var summary: SummaryDeclaration?
    public var confirmation: Confirmation = .never
    /// What it does, in a word, for the buttons of its confirmation.
    public var confirmationActionName: ConfirmationActionName = .continue
    public var authenticationPolicy: IntentAuthenticationPolicy = .alwaysAllowed
    /// Where a person signs in whom the policy asks to.
    public var signIn = SignIn()
    /// The meaning of `continueInApp` from confirm.
    public var continueInAppAtConfirm: ContinueInAppAtConfirm = .opensApp
    /// Its effect, timeouts, retries and limits.
    public var policy = IntentPolicy()
    /// If set, the person is asked which item they mean whenever handle succeeds with items and without an ``IntentResponse/choice`` of its own.
    public var choice: Choice?
    /// The names of the intents that its fulfilment may open with ``IntentResponse/opensIntent``; at most 100. A response that opens another one is a failure.
    public var opens: [String] = []
    /// The phases of confirm and handle that call the fulfilment. Without confirm, the intent is ready as soon as it is resolved. Handle always calls
    /// it.
    public var phases: Set<Phase> = [.handle]
    /// Where it is declared, for messages: `rides.intents.yaml`.
    public var source: String?
    private var fulfiller = Fulfiller()

    public init(_ name: String, title: LocalizedText, fulfilment: (any IntentFulfilment)? = nil) {
        self.name = name
        self.title = title
        fulfiller.value = fulfilment
    }

    /// Confirms and handles the intent. With `nil`, the parameters can be resolved, and later phases are rejected.
    public var fulfilment: (any IntentFulfilment)? {
        get { fulfiller.value }
        set { fulfiller.value = newValue }
    }

    /// Keeps the fulfilment out of the comparison of declarations.
    private struct Fulfiller: Sendable, Equatable {
        var value: (any IntentFulfilment)?
        static func == (a: Fulfiller, b: Fulfiller) -> Bool { true }
    }
}
