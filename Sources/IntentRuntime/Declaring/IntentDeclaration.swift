public import IntentKit

/// An intent that is declared as a value at run time, not as a Swift type: one of a definition file, or one that a program has put together.
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
/// Two declarations are equal if they say the same; who fulfils them is not compared.
public struct IntentDeclaration: Sendable, Equatable {
    /// Whether the person is asked before the intent is handled. Its confirm phase may ask in any case.
    public enum Confirmation: Sendable, Hashable {
        case always, never
        /// If this is so.
        case when(DeclaredCondition)
    }

    /// An ``ItemChoice`` in as many languages as there are translations.
    public struct Choice: Sendable, Hashable {
        /// What the person is asked; the pipeline's own words unless given.
        public var dialog: LocalizedText?
        /// What the session remembers of the chosen item: members of its value, by the keys that they are remembered as.
        public var remembers: [String: String]

        public init(dialog: LocalizedText? = nil, remembers: [String: String] = [:]) {
            self.dialog = dialog
            self.remembers = remembers
        }
    }

    /// What it is called in events: a letter, and up to 79 letters, digits, `_`, `-` and `.`.
    public var name: String
    public var title: LocalizedText
    /// What it does, in a sentence or two.
    public var description: LocalizedText?
    /// In the order in which they are resolved; at most 100, no two of the same name.
    public var parameters: [ParameterDeclaration] = []
    /// The intent in a sentence; its title unless given.
    public var summary: SummaryDeclaration?
    public var confirmation: Confirmation = .never
    public var authenticationPolicy: IntentAuthenticationPolicy = .alwaysAllowed
    /// What confirm's `continueInApp` means.
    public var continueInAppAtConfirm: ContinueInAppAtConfirm = .opensApp
    /// Its effect, its times, tries and limits.
    public var policy = IntentPolicy()
    /// The person is asked which item they mean whenever handle succeeds with items and has no ``IntentResponse/choice`` of its own.
    public var choice: Choice?
    /// Which of confirm and handle its fulfilment is asked for. Without confirm the intent is ready as soon as it is resolved. Handle is asked for in
    /// any case.
    public var phases: Set<Phase> = [.handle]
    /// Where it is declared, for messages: `rides.intents.yaml`.
    public var source: String?
    private var fulfiller = Fulfiller()

    public init(_ name: String, title: LocalizedText, fulfilment: (any IntentFulfilment)? = nil) {
        self.name = name
        self.title = title
        fulfiller.value = fulfilment
    }

    /// Who confirms and handles it. `nil` for a declaration that is only looked at: its parameters can be resolved, and what comes after that is
    /// rejected.
    public var fulfilment: (any IntentFulfilment)? {
        get { fulfiller.value }
        set { fulfiller.value = newValue }
    }

    /// Keeps who fulfils a declaration out of its comparison.
    private struct Fulfiller: Sendable, Equatable {
        var value: (any IntentFulfilment)?
        static func == (a: Fulfiller, b: Fulfiller) -> Bool { true }
    }
}
