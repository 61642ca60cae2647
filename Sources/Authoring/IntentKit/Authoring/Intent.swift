/// Something a person can ask for, with its parameters: SiriKit's `INIntent`, declared as App Intents declares an `AppIntent`.
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
    /// The intent's name in events. Defaults to the type's name; set it before you rename a type.
    static var name: String { get }
    static var title: LocalizedText { get }
    /// What it does, in a sentence or two, for readers of the catalogue.
    static var description: LocalizedText? { get }
    /// Every `@Parameter`, in the order in which they are resolved.
    static var parameters: Parameters<Self> { get }
    /// Whether the person is asked before the intent is handled. Defaults to never.
    static var confirmation: IntentConfirmationPolicy<Self> { get }
    /// What it does, in a word, for the buttons of its confirmation. Defaults to `continue`.
    static var confirmationActionName: ConfirmationActionName { get }
    /// Who may use the intent. Defaults to anyone.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// Where a person signs in whom ``authenticationPolicy`` asks to. Defaults to nothing: their side knows.
    static var signIn: SignIn { get }
    /// The meaning of `continueInApp` from confirm. By default, the app takes over.
    static var continueInAppAtConfirm: ContinueInAppAtConfirm { get }

    /// How often the handle phase may be called for one request. By default, until an outcome arrives.
    static var effect: IntentEffect { get }
    /// Timeouts, retries and limits that differ from the coordinator's.
    static var policy: IntentPolicy { get }

    associatedtype SummaryContent: ParameterSummary
    /// The intent in a sentence. Defaults to its title.
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
    /// Reads the intent by reflection (some microseconds), because the process that opens it need not serve it.
    public init(_ intent: some Intent) {
        self.init(intent: Identifier(type(of: intent).name))
        for child in Mirror(reflecting: intent).children {
            guard let parameter = child.value as? any WrittenParameter, let label = child.label else { continue }
            parameters[String(label.drop { $0 == "_" })] = parameter.writtenValue
        }
    }
}

/// Lets reflection over an intent encode its parameters without knowing their types.
protocol WrittenParameter {
    var writtenValue: JSON? { get }
}

extension Parameter: WrittenParameter {
    /// The given value, without the default: the opened intent applies its own.
    var writtenValue: JSON? { value.map { JSON($0) } }
}
