/// An intent that performs itself, without a handler: App Intents' protocol of the same name.
///
/// ```swift
/// struct CountSheep: AppIntent {
///     static let title: LocalizedText = "Count sheep"
///
///     @Parameter(title: "Until", .inclusiveRange(1...1000)) var limit: Int
///     @Dependency var meadow: Meadow
///     static let parameters = Parameters<Self>(\.$limit)
///
///     func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
///         let count = min(await meadow.sheep, limit)
///         return .result(value: count, dialog: "\(count) sheep")
///     }
/// }
/// ```
/// List the intent in ``IntentExtension/handlers`` or ``IntentExtension/intents``. Its parameters are resolved by their
/// declarations, confirm is `ready`, and handle calls ``perform()``. If an extension returns a handler for the intent,
/// that handler takes precedence.
///
/// `perform()` may ask for a value (`try await $limit.requestValue("How many?")`). When the person has answered,
/// `perform()` runs again from the start, in any of the role's processes. Use ``Context``'s `once` for steps that must
/// not be repeated.
public protocol AppIntent: Intent {
    associatedtype PerformResult: IntentResult

    /// The modes in which the intent may run. Defaults to the background.
    static var supportedModes: IntentModes { get }

    /// Carries out the intent. Called again with the same ``Context/idempotencyKey`` after a crash.
    func perform() async throws -> PerformResult
}

extension AppIntent {
    public static var supportedModes: IntentModes { .background }
}

extension AppIntent {
    /// The context of the call. Outside a phase, such as in a test that calls `perform()` itself, the context has an
    /// empty session and request.
    public var context: Context {
        Context.current ?? Context(InvocationContext(session: "", request: ""), phase: .handle)
    }
}

/// The handling of an ``AppIntent``, which calls its `perform()`.
package struct PerformHandling<IntentType: AppIntent>: IntentHandling {
    package init() {}

    package func handle(_ intent: IntentType, context: Context) async throws -> HandleResponse {
        let modes = IntentType.supportedModes
        if modes.contains(.foreground(.immediate)), !context.isInApp { return .continueInApp() }
        var response = try await intent.perform().response
        if modes.contains(.foreground(.deferred)), response.code == .success { response.base.code = .continueInApp }
        return response
    }
}

/// The modes in which an ``AppIntent`` may run: App Intents' type of the same name.
///
/// In the background, a worker performs the intent. In the foreground, the person continues in the app, which receives
/// the intent with a user activity.
public struct IntentModes: OptionSet, Sendable, Hashable {
    /// The time at which the app comes to the foreground.
    public enum ForegroundMode: Int, Sendable, Hashable, CaseIterable {
        /// The app comes to the foreground at once and performs the intent; `perform()` is not called.
        case immediate = 1
        /// The app comes to the foreground only when `perform()` calls `continueInForeground`.
        case dynamic
        /// The app comes to the foreground when `perform()` has returned. The app receives the value and the dialog,
        /// and finishes the intent.
        case deferred
    }

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let background = IntentModes(rawValue: 1)
    /// The app in the foreground, at once: `.foreground(.immediate)`.
    public static let foreground = foreground(.immediate)
    public static func foreground(_ mode: ForegroundMode) -> IntentModes { IntentModes(rawValue: 1 << mode.rawValue) }

    var includesForeground: Bool { ForegroundMode.allCases.contains { contains(.foreground($0)) } }
}

/// The questions of ``Context``, for use in `perform()`.
extension AppIntent {
    /// See ``Context/requestConfirmation(conditions:actionName:dialog:)``.
    public func requestConfirmation(
        conditions: ConfirmationConditions = [], actionName: ConfirmationActionName? = nil, dialog: LocalizedText? = nil
    ) async throws {
        _ = try PhaseScope.asking(about: "the person")
        try await context.requestConfirmation(conditions: conditions, actionName: actionName, dialog: dialog)
    }

    /// See ``Context/requestChoice(between:dialog:)->Value``.
    public func requestChoice<Value: ParameterValue>(between values: [Value], dialog: LocalizedText? = nil) async throws
        -> Value
    {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: values, dialog: dialog)
    }

    /// See ``Context/requestChoice(between:dialog:)->IntentChoiceOption``.
    public func requestChoice(between options: [IntentChoiceOption], dialog: LocalizedText? = nil) async throws
        -> IntentChoiceOption
    {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: options, dialog: dialog)
    }

    /// Ends `perform()` and continues in the app, which receives the intent with its current values. Available to
    /// intents whose ``supportedModes`` include the foreground.
    ///
    /// - Parameters:
    ///   - dialog: The text with which the person is informed or asked.
    ///   - alwaysConfirm: `true` if the person is asked first; pass `false` if they have just accepted.
    /// - Throws: Always. An error that ends the run; ``IntentDeclinedError`` if the person declines; an
    ///   ``IntentFailure`` if the app may not come to the foreground.
    public func continueInForeground(_ dialog: LocalizedText? = nil, alwaysConfirm: Bool = true) async throws {
        let scope = try PhaseScope.asking(about: "the app")
        guard Self.supportedModes.includesForeground else {
            let message =
                "\(Self.name) can't continue in the foreground: add .foreground(.dynamic) to its supportedModes"
            throw scope.end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
        try scope.continueInForeground(
            ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm), id: "foreground#1")
    }

    /// Returns an error that continues in the app when it is thrown, for any ``supportedModes``.
    public func needsToContinueInForegroundError(_ dialog: LocalizedText? = nil, alwaysConfirm: Bool = true)
        -> ContinueInForegroundError
    {
        ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm)
    }
}
