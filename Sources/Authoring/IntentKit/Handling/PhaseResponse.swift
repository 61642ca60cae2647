/// What a handler's `confirm` or `handle` returns: SiriKit's `INIntentResponse`, with a type for each phase, so that a code of the other phase does not
/// compile.
///
/// ```swift
/// func confirm(_ ride: RequestRide, context: Context) async throws -> ConfirmResponse {
///     let quote = try await fleet.quote(for: ride)
///     return .ready(dialog: "It costs \(quote.fare).", validFor: .seconds(120))
/// }
///
/// func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse {
///     let booked = try await fleet.book(ride, key: context.idempotencyKey)
///     return .success(dialog: "\(booked.driver) will be there soon.").returning(booked)
/// }
/// ```
/// Dialogs are in the language of the request, if there is a translation.
public struct PhaseResponse<Returning: ResponsePhase>: Sendable {
    package var base: IntentResponse
    var dialog: LocalizedText?
    var supporting: LocalizedText?
    var items: [any ParameterValue] = []
    var returned: (any ResponseValues)?
    var proposals: [Proposal] = []
    var asks: AskedChoice?

    init(
        _ code: ResponseCode, _ dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil,
        validFor: Duration? = nil
    ) {
        base = IntentResponse(code, userActivity: activity, values: values.isEmpty ? [:] : values.mapValues { JSON($0) })
        base.validFor = validFor
        self.dialog = dialog
    }

    /// Wraps a response that has its texts already.
    package init(_ response: IntentResponse) { base = response }

    /// A value that the intent could be handled with instead of the requested one.
    struct Proposal: Sendable {
        let name: @Sendable (_ intent: any Intent) -> ObjectIdentifier?
        let value: JSON
    }

    struct AskedChoice: Sendable {
        var dialog: LocalizedText?
        var remembers: [String: String]
    }

    public var code: ResponseCode { base.code }
}

/// A phase of a handler, as the type of its response.
public protocol ResponsePhase {}
/// `confirm`.
public enum ConfirmPhase: ResponsePhase {}
/// `handle`.
public enum HandlePhase: ResponsePhase {}
/// A response that ends either phase.
public enum AnyPhase: ResponsePhase {}

/// What `confirm` returns.
public typealias ConfirmResponse = PhaseResponse<ConfirmPhase>
/// What `handle` returns.
public typealias HandleResponse = PhaseResponse<HandlePhase>
/// A response that ends confirm or handle when it is thrown, for code that both phases use:
///
/// ```swift
/// func check(_ ride: RequestRide) throws(FailureResponse) {
///     guard serves(ride.dropOff) else { throw .failure("failureNoServiceInArea", dialog: "No car goes to \(ride.dropOff).") }
/// }
/// ```
/// An error of your own has one as a ``CustomAppIntentErrorConvertible``.
public typealias FailureResponse = PhaseResponse<AnyPhase>

extension PhaseResponse: Error where Returning == AnyPhase {}
extension PhaseResponse: CustomAppIntentErrorConvertible where Returning == AnyPhase {
    public var intentResponse: FailureResponse { self }
}

extension PhaseResponse where Returning == ConfirmPhase {
    /// Everything is ready to handle the intent.
    public static var ready: Self { Self(.ready) }

    /// Ready, with what the person should know before they accept.
    ///
    /// - Parameters:
    ///   - values: What is known of the result so far, by name, such as a fare.
    ///   - activity: What the app gets if the person has to continue there. Defaults to the intent's name and parameters.
    ///   - validFor: How long the response is valid, such as a fare; more than 0. If the person accepts later than that, the intent is confirmed
    ///     again.
    public static func ready(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil, validFor: Duration? = nil
    ) -> Self {
        Self(.ready, dialog, values: values, activity: activity, validFor: validFor)
    }

    /// The same as `ready`: SiriKit's handlers may respond so when they confirm.
    public static var success: Self { Self(.success) }

    /// The same as `ready`: SiriKit's handlers may respond so when they confirm.
    public static func success(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil, validFor: Duration? = nil
    ) -> Self {
        Self(.success, dialog, values: values, activity: activity, validFor: validFor)
    }

    /// Ready once the person has accepted, whatever the intent's policy is. The parameters are those of `ready`.
    public static func userConfirmationRequired(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil, validFor: Duration? = nil
    ) -> Self {
        Self(.userConfirmationRequired, dialog, values: values, activity: activity, validFor: validFor)
    }
}

extension PhaseResponse where Returning == HandlePhase {
    /// Done.
    public static var success: Self { Self(.success) }

    /// Done.
    ///
    /// - Parameters:
    ///   - values: What the intent results in, by name; part of the completion event. ``returning(_:)`` takes a type of your own instead.
    ///   - items: What was found, for the person to look through and choose from.
    ///   - opensIntent: The intent to continue with, as a request of its own.
    public static func success(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], items: [any ParameterValue] = [],
        opensIntent: (any Intent)? = nil, activity: UserActivity? = nil
    ) -> Self {
        var response = Self(.success, dialog, values: values, activity: activity)
        response.items = items
        if let opensIntent { response.base.opensIntent = OpenedIntent(opensIntent) }
        return response
    }

    /// Done for some of the elements of a list, and not for the others. The request has succeeded; it is not done again.
    ///
    /// - Parameters:
    ///   - results: The outcome of each element: at most ``ElementResult/maximumCount``.
    ///   - dialog: What the person is told: which of them it was not done for.
    public static func partialSuccess(
        results: [ElementResult], dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:]
    ) -> Self {
        var response = Self(.partialSuccess, dialog, values: values)
        response.base.results = results
        return response
    }

    /// Under way; exactly one more outcome follows from elsewhere. A handler that can wait calls ``Context/report(fraction:dialog:)`` instead and
    /// finally returns `success`.
    public static func inProgress(dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:]) -> Self {
        Self(.inProgress, dialog, values: values)
    }

    /// Asks the person which of the items they mean, before the request completes. Only with items.
    ///
    /// The request completes with success whatever they answer, because the intent has been handled by then.
    ///
    /// - Parameters:
    ///   - dialog: Defaults to the pipeline's own words.
    ///   - remembers: What the session remembers of the chosen item: members of its value, by the keys of a ``ParameterMemory``.
    public func askingWhichItem(_ dialog: LocalizedText? = nil, remembers: [String: String] = [:]) -> Self {
        var response = self
        response.asks = AskedChoice(dialog: dialog, remembers: remembers)
        return response
    }

    /// What is remembered from now on, under the key of a ``ParameterMemory``.
    ///
    /// - Parameter scope: `.session`, or `.person` for all sessions of the person who owns this one, if they are authenticated.
    public func remembering(_ value: some ParameterValue, as key: String, for scope: MemoryScope = .session) -> Self {
        var response = self
        switch scope {
        case .session: response.base.remembered[key] = JSON(value)
        case .person: response.base.rememberedForPerson[key] = JSON(value)
        }
        return response
    }
}

extension PhaseResponse {
    /// The intent has failed.
    ///
    /// - Parameters:
    ///   - code: `.failure`, or one of the intent's own. A code that begins with `failureRequiringAppLaunch` brings the app to the foreground.
    ///   - activity: What the app gets if it comes to the foreground. Defaults to the intent's name and parameters.
    public static func failure(
        _ code: ResponseCode = .failure, dialog: LocalizedText? = nil, activity: UserActivity? = nil
    ) -> Self {
        Self(code, dialog, activity: activity)
    }

    /// The person continues in the app, in the foreground.
    public static func continueInApp(_ activity: UserActivity? = nil, dialog: LocalizedText? = nil) -> Self {
        Self(.continueInApp, dialog, activity: activity)
    }

    /// The app's own workers handle it in the background; the person stays where they are.
    public static var handleInApp: Self { Self(.handleInApp) }

    /// The app's own workers handle it in the background; the person stays where they are.
    public static func handleInApp(_ activity: UserActivity? = nil, dialog: LocalizedText? = nil) -> Self {
        Self(.handleInApp, dialog, activity: activity)
    }
}
