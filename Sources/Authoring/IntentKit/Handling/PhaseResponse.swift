/// The response of a handler's `confirm` or `handle`: SiriKit's `INIntentResponse`. Each phase has its own type, so
/// that a code of the other phase does not compile.
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
        _ code: ResponseCode, _ dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:],
        activity: UserActivity? = nil,
        validFor: Duration? = nil
    ) {
        base = IntentResponse(
            code, userActivity: activity, values: values.isEmpty ? [:] : values.mapValues { JSON($0) })
        base.validFor = validFor
        self.dialog = dialog
    }

    /// Creates a response from one whose texts are already in the language of the request.
    package init(_ response: IntentResponse) { base = response }

    /// A value with which the intent could be handled instead of the requested value.
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

/// A phase of a handler, which distinguishes the types of its responses.
public protocol ResponsePhase {}
/// The phase of `confirm`.
public enum ConfirmPhase: ResponsePhase {}
/// The phase of `handle`.
public enum HandlePhase: ResponsePhase {}
/// Either phase, for responses that end both.
public enum AnyPhase: ResponsePhase {}

/// The response of `confirm`.
public typealias ConfirmResponse = PhaseResponse<ConfirmPhase>
/// The response of `handle`.
public typealias HandleResponse = PhaseResponse<HandlePhase>
/// A response that ends confirm or handle when thrown, for code that both phases use:
///
/// ```swift
/// func check(_ ride: RequestRide) throws(FailureResponse) {
///     guard serves(ride.dropOff) else {
///         throw .failure("failureNoServiceInArea", dialog: "No car goes to \(ride.dropOff).")
///     }
/// }
/// ```
/// To give an error of your own such a response, conform it to ``CustomAppIntentErrorConvertible``.
public typealias FailureResponse = PhaseResponse<AnyPhase>

extension PhaseResponse: Error where Returning == AnyPhase {}
extension PhaseResponse: CustomAppIntentErrorConvertible where Returning == AnyPhase {
    public var intentResponse: FailureResponse { self }
}

extension PhaseResponse where Returning == ConfirmPhase {
    /// The response for an intent that is ready to be handled.
    public static var ready: Self { Self(.ready) }

    /// Returns the response for an intent that is ready to be handled, with information for the person's decision.
    ///
    /// - Parameters:
    ///   - values: The known parts of the result, by name, such as a fare.
    ///   - activity: The activity that the app receives if the person has to continue there, also if handle says so
    ///     without an activity. Defaults to the name and the parameters of the intent.
    ///   - validFor: The time for which the response is valid, such as a fare; more than 0. If the person accepts
    ///     later, the intent is confirmed again.
    public static func ready(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil,
        validFor: Duration? = nil
    ) -> Self {
        Self(.ready, dialog, values: values, activity: activity, validFor: validFor)
    }

    /// A response equivalent to `ready`, because SiriKit's handlers may confirm with `success`.
    public static var success: Self { Self(.success) }

    /// Returns a response equivalent to `ready`, because SiriKit's handlers may confirm with `success`.
    public static func success(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil,
        validFor: Duration? = nil
    ) -> Self {
        Self(.success, dialog, values: values, activity: activity, validFor: validFor)
    }

    /// Returns the response for an intent that is ready once the person has accepted, whatever the policy of the
    /// intent. The parameters have the same meaning as in `ready`.
    public static func userConfirmationRequired(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil,
        validFor: Duration? = nil
    ) -> Self {
        Self(.userConfirmationRequired, dialog, values: values, activity: activity, validFor: validFor)
    }
}

extension PhaseResponse where Returning == ConfirmPhase {
    /// Requires an approval for these values, instead of that of the intent's policy:
    /// `return .ready.requiring(Approval(by: [.principal(costCentre.owner)]))`. The confirmation is asked for in any case.
    public func requiring(_ approval: Approval) -> Self {
        var response = self
        response.base.approval = approval
        return response
    }
}

extension PhaseResponse where Returning == HandlePhase {
    /// The response for an intent that has been handled.
    public static var success: Self { Self(.success) }

    /// Returns the response for an intent that has been handled.
    ///
    /// - Parameters:
    ///   - values: The results of the intent, by name; part of the completion event. For a type of your own, use
    ///     ``returning(_:)``.
    ///   - items: The items that were found, for the person to look through and choose from.
    ///   - opensIntent: The intent to continue with, as a separate request.
    public static func success(
        dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:], items: [any ParameterValue] = [],
        opensIntent: (any Intent)? = nil, activity: UserActivity? = nil
    ) -> Self {
        var response = Self(.success, dialog, values: values, activity: activity)
        response.items = items
        if let opensIntent { response.base.opensIntent = OpenedIntent(opensIntent) }
        return response
    }

    /// Returns the response for an intent that has been handled for some elements of a list, but not for all. The
    /// request has succeeded and is not handled again.
    ///
    /// - Parameters:
    ///   - results: The outcome of each element, for at most ``ElementResult/maximumCount`` elements.
    ///   - dialog: The text for the person, which should name the elements that were not handled.
    public static func partialSuccess(
        results: [ElementResult], dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:]
    ) -> Self {
        var response = Self(.partialSuccess, dialog, values: values)
        response.base.results = results
        return response
    }

    /// Returns the response for an intent that is being handled; exactly one more outcome follows from elsewhere. A
    /// handler that can wait calls ``Context/report(fraction:dialog:)`` instead and finally returns `success`.
    public static func inProgress(dialog: LocalizedText? = nil, values: [String: any ParameterValue] = [:]) -> Self {
        Self(.inProgress, dialog, values: values)
    }

    /// Asks the person which of the items they mean, before the request completes. Requires items.
    ///
    /// The request completes with success whatever the person answers, because the intent has already been handled.
    ///
    /// - Parameters:
    ///   - dialog: The question. Defaults to the pipeline's own text.
    ///   - remembers: The members of the chosen item's value that the session remembers, by the keys of a
    ///     ``ParameterMemory``.
    public func askingWhichItem(_ dialog: LocalizedText? = nil, remembers: [String: String] = [:]) -> Self {
        var response = self
        response.asks = AskedChoice(dialog: dialog, remembers: remembers)
        return response
    }

    /// Remembers a value from now on, under the key of a ``ParameterMemory``.
    ///
    /// - Parameter scope: The scope: `.session`, or `.person` for all sessions of the person who owns this session, if
    ///   the person is authenticated.
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
    /// Returns the response for an intent that has failed.
    ///
    /// - Parameters:
    ///   - code: `.failure`, or a code of the intent's own. A code that begins with `failureRequiringAppLaunch` brings
    ///     the app to the foreground.
    ///   - activity: The activity that the app receives if it comes to the foreground. Defaults to confirm's, or else
    ///     to the name and the parameters of the intent.
    public static func failure(
        _ code: ResponseCode = .failure, dialog: LocalizedText? = nil, activity: UserActivity? = nil
    ) -> Self {
        Self(code, dialog, activity: activity)
    }

    /// Returns the response for an intent that the person continues in the app, in the foreground.
    public static func continueInApp(_ activity: UserActivity? = nil, dialog: LocalizedText? = nil) -> Self {
        Self(.continueInApp, dialog, activity: activity)
    }

    /// The response for an intent that the app's own workers handle in the background; the person stays where they are.
    public static var handleInApp: Self { Self(.handleInApp) }

    /// Returns the response for an intent that the app's own workers handle in the background; the person stays where
    /// they are.
    public static func handleInApp(_ activity: UserActivity? = nil, dialog: LocalizedText? = nil) -> Self {
        Self(.handleInApp, dialog, activity: activity)
    }
}
