/// An intent that does itself what it says: App Intents' protocol of the same name.
///
/// ```swift
/// struct CountSheep: AppIntent {
///     static let title: LocalizedText = "Count sheep"
///
///     @Parameter(title: "Until", range: 1...1000) var limit: Int
///     @Dependency var meadow: Meadow
///     static let parameters = Parameters<Self>(\.$limit)
///
///     func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
///         let count = min(await meadow.sheep, limit)
///         return .result(value: count, dialog: "\(count) sheep")
///     }
/// }
/// ```
/// It needs no handler: list it in ``IntentExtension/intents``. Its parameters are resolved as they are declared, confirm is `ready`, and
/// handle performs it. A handler that an extension returns for it all the same takes precedence.
///
/// `perform()` may ask for what it finds it needs (`try await $limit.requestValue("How many?")`). Then it runs again from the top when the person has answered, in
/// whatever process takes it up; ``Context``'s `once` keeps what must not be done again.
public protocol AppIntent: Intent {
    associatedtype PerformResult: IntentResult

    /// Where it may run. Unless you say otherwise: in the background.
    static var supportedModes: IntentModes { get }

    /// Does it. May be called again with the same ``Context/idempotencyKey`` after a crash.
    func perform() async throws -> PerformResult
}

extension AppIntent {
    public static var supportedModes: IntentModes { .background }
}

extension AppIntent {
    /// Where and for whom it is being performed. Outside of a phase, as when a test calls `perform()` itself: nobody's.
    public var context: Context { Context.current ?? Context(InvocationContext(session: "", request: ""), phase: .handle) }
}

/// Handles an ``AppIntent`` by performing it.
package struct PerformHandling<IntentType: AppIntent>: IntentHandling {
    package init() {}

    package func handle(_ intent: IntentType, context: Context) async throws -> IntentResponse {
        let modes = IntentType.supportedModes
        if modes.contains(.foreground(.immediate)), !context.isInApp { return .continueInApp() }
        var response = try await intent.perform().response
        if modes.contains(.foreground(.deferred)), response.code == .success { response.code = .continueInApp }
        return response
    }
}

/// Where an ``AppIntent`` may run: App Intents' type of the same name.
///
/// In the background a worker performs it. In the foreground the person goes on in the app, which gets the intent with a user activity.
public struct IntentModes: OptionSet, Sendable, Hashable {
    /// When the app comes forward.
    public enum ForegroundMode: Int, Sendable, Hashable, CaseIterable {
        /// At once: `perform()` is not called, the app does it.
        case immediate = 1
        /// When `perform()` calls `continueInForeground`; if it doesn't, not at all.
        case dynamic
        /// When `perform()` has returned: its value and dialog go along, and the app finishes it.
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

/// What ``Context`` offers, as it is written in `perform()`.
extension AppIntent {
    /// See ``Context/requestConfirmation(dialog:)``.
    public func requestConfirmation(dialog: String? = nil) async throws {
        _ = try PhaseScope.asking(about: "the person")
        try await context.requestConfirmation(dialog: dialog)
    }

    /// See ``Context/requestChoice(between:dialog:)->Value``.
    public func requestChoice<Value: ParameterValue>(between values: [Value], dialog: String? = nil) async throws -> Value {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: values, dialog: dialog)
    }

    /// See ``Context/requestChoice(between:dialog:)->IntentChoiceOption``.
    public func requestChoice(between options: [IntentChoiceOption], dialog: String? = nil) async throws -> IntentChoiceOption {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: options, dialog: dialog)
    }

    /// Has the person go on in the app, which gets the intent with its values as they are: `perform()` ends here. Only for intents whose
    /// ``supportedModes`` include the foreground.
    ///
    /// - Parameters:
    ///   - dialog: What the person is told, or asked.
    ///   - alwaysConfirm: Whether the person is asked before; `false` if a yes has just been said.
    /// - Throws: Always: the end of the run, ``IntentDeclinedError`` if the person says no, or an ``IntentFailure`` if the app may not come
    ///   forward.
    public func continueInForeground(_ dialog: String? = nil, alwaysConfirm: Bool = true) async throws {
        let scope = try PhaseScope.asking(about: "the app")
        guard Self.supportedModes.includesForeground else {
            let message = "\(Self.name) can't continue in the foreground: add .foreground(.dynamic) to its supportedModes"
            throw scope.end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
        try scope.continueInForeground(ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm), id: "foreground#1")
    }

    /// The same as an error to throw, and for any ``supportedModes``.
    public func needsToContinueInForegroundError(_ dialog: String? = nil, alwaysConfirm: Bool = true) -> ContinueInForegroundError {
        ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm)
    }
}
