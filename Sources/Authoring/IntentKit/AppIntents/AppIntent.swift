/// An intent that performs itself: App Intents' protocol of the same name.
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
/// It needs no handler: list it in ``IntentExtension/intents``. Its parameters are resolved by their declarations, confirm is `ready`, and handle
/// performs it. If an extension returns a handler for it, that handler takes precedence.
///
/// `perform()` may ask for a value that it needs (`try await $limit.requestValue("How many?")`). When the person has answered, it runs again from the
/// start, in any of the role's processes; ``Context``'s `once` keeps the results of what must not be done again.
public protocol AppIntent: Intent {
    associatedtype PerformResult: IntentResult

    /// Where it may run. Defaults to the background.
    static var supportedModes: IntentModes { get }

    /// Carries out the intent. May be called again with the same ``Context/idempotencyKey`` after a crash.
    func perform() async throws -> PerformResult
}

extension AppIntent {
    public static var supportedModes: IntentModes { .background }
}

extension AppIntent {
    /// The context of the call. Outside of a phase, as when a test calls `perform()` itself, it has an empty session and request.
    public var context: Context { Context.current ?? Context(InvocationContext(session: "", request: ""), phase: .handle) }
}

/// Handles an ``AppIntent`` by performing it.
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

/// Where an ``AppIntent`` may run: App Intents' type of the same name.
///
/// In the background a worker performs it. In the foreground the person continues in the app, which gets the intent with a user activity.
public struct IntentModes: OptionSet, Sendable, Hashable {
    /// When the app comes to the foreground.
    public enum ForegroundMode: Int, Sendable, Hashable, CaseIterable {
        /// At once: the app performs the intent, and `perform()` is not called.
        case immediate = 1
        /// Only when `perform()` calls `continueInForeground`.
        case dynamic
        /// When `perform()` has returned: the app gets its value and dialog, and finishes the intent.
        case deferred
    }

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let background = IntentModes(rawValue: 1)
    /// The same as `.foreground(.immediate)`.
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
    public func requestChoice<Value: ParameterValue>(between values: [Value], dialog: LocalizedText? = nil) async throws -> Value {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: values, dialog: dialog)
    }

    /// See ``Context/requestChoice(between:dialog:)->IntentChoiceOption``.
    public func requestChoice(between options: [IntentChoiceOption], dialog: LocalizedText? = nil) async throws -> IntentChoiceOption {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: options, dialog: dialog)
    }

    /// Continues in the app, which gets the intent with its current values: `perform()` ends here. Only for intents whose ``supportedModes`` include
    /// the foreground.
    ///
    /// - Parameters:
    ///   - dialog: What the person is told, or asked.
    ///   - alwaysConfirm: Whether the person is asked first; `false` if they have just accepted.
    /// - Throws: Always: the end of the run, ``IntentDeclinedError`` if the person declines, or an ``IntentFailure`` if the app may not come to the
    ///   foreground.
    public func continueInForeground(_ dialog: LocalizedText? = nil, alwaysConfirm: Bool = true) async throws {
        let scope = try PhaseScope.asking(about: "the app")
        guard Self.supportedModes.includesForeground else {
            let message = "\(Self.name) can't continue in the foreground: add .foreground(.dynamic) to its supportedModes"
            throw scope.end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
        try scope.continueInForeground(ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm), id: "foreground#1")
    }

    /// An error to throw instead, for any ``supportedModes``.
    public func needsToContinueInForegroundError(_ dialog: LocalizedText? = nil, alwaysConfirm: Bool = true) -> ContinueInForegroundError {
        ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm)
    }
}
