/// An action that a person can request, with its parameters: SiriKit's `INIntent`, declared as App Intents declares an
/// `AppIntent`.
///
/// ```swift
/// struct RequestRide: Intent {
///     static let title: LocalizedText = "Request a ride"
///     static let confirmation: ConfirmationPolicy = .always
///
///     @Parameter(title: "Pickup") var pickup: Place?
///     @Parameter(title: "Drop-off", requestValueDialog: "Where are you going?") var dropOff: Place
///
///     static let parameters = Parameters<Self>(\.$pickup, \.$dropOff)
///     static var parameterSummary: some ParameterSummary { Summary("Ride to \(\.$dropOff)") }
/// }
/// ```
/// Intents are values: copying one never shares state.
public protocol Intent: Sendable {
    /// The name of the intent in events. Defaults to the type's name; set a name before you rename a type.
    static var name: String { get }
    static var title: LocalizedText { get }
    /// A description of the intent in a sentence or two, for readers of the catalogue.
    static var description: LocalizedText? { get }
    /// All parameters of the intent, in the order in which they are resolved.
    static var parameters: Parameters<Self> { get }
    /// The condition under which the person is asked before the intent is handled. Defaults to never.
    static var confirmation: IntentConfirmationPolicy<Self> { get }
    /// A word for the action of the intent, which labels the buttons of its confirmation. Defaults to `continue`.
    static var confirmationActionName: ConfirmationActionName { get }
    /// The requirement on the authentication of a person who uses the intent. Defaults to none.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// The sign-in for a person whose authentication does not meet ``authenticationPolicy``. Defaults to an empty
    /// ``SignIn``, which leaves the place to the person's side.
    static var signIn: SignIn { get }
    /// The meaning of `continueInApp` from confirm. Defaults to ``ContinueInAppAtConfirm/opensApp``: the app takes
    /// over.
    static var continueInAppAtConfirm: ContinueInAppAtConfirm { get }

    /// The number of times that the handle phase may be called for one request. By default, until an outcome arrives.
    static var effect: IntentEffect { get }
    /// The timeouts, retries and limits that differ from the coordinator's.
    static var policy: IntentPolicy { get }

    associatedtype SummaryContent: ParameterSummary
    /// The intent in a sentence. Defaults to the title.
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }

    init()
}

extension Intent {
    public typealias ConfirmationPolicy = IntentConfirmationPolicy<Self>
    public typealias Summary = IntentParameterSummary<Self>
    public typealias When = ParameterSummaryWhen<Self>
    public typealias Switch = ParameterSummarySwitch<Self>
    public typealias Case<Value: ParameterValue> = ParameterSummaryCase<Self, Value>
    public typealias DefaultCase = ParameterSummaryDefaultCase<Self>

    public static var name: String { String(describing: Self.self) }
    public static var description: LocalizedText? { nil }
    public static var parameters: Parameters<Self> { Parameters() }
    public static var confirmation: IntentConfirmationPolicy<Self> { .never }
    public static var confirmationActionName: ConfirmationActionName { .continue }
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
    public static var signIn: SignIn { SignIn() }
    public static var continueInAppAtConfirm: ContinueInAppAtConfirm { .opensApp }
    public static var effect: IntentEffect { .atLeastOnce }
    public static var policy: IntentPolicy { IntentPolicy() }
    public static var parameterSummary: IntentParameterSummary<Self> { IntentParameterSummary(title) }
}

extension OpenedIntent {
    /// Creates an opened intent from an intent and its values.
    ///
    /// Reads the intent by reflection (some microseconds), because the process that opens the intent may not serve it.
    public init(_ intent: some Intent) {
        self.init(intent: Identifier(type(of: intent).name))
        for child in Mirror(reflecting: intent).children {
            guard let parameter = child.value as? any AnyParameter, let label = child.label else { continue }
            // Without the default, because the opened intent applies its own default.
            parameters[String(label.drop { $0 == "_" })] = parameter.json
        }
    }
}
