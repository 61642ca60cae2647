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
