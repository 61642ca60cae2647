/// What does one intent: SiriKit's handling protocols (`INRequestRideIntentHandling` and its like) in one.
///
/// Only ``handle(_:context:)`` has to be written. A parameter without a ``Resolve`` is resolved by its declaration, and confirm answers `ready`.
public protocol IntentHandling<IntentType>: IntentHandler {
    associatedtype IntentType: Intent
    associatedtype ResolutionContent: Resolution<IntentType>

    /// How parameters are resolved that need more than their declaration says. The order here doesn't matter.
    @ResolutionBuilder<IntentType> var resolution: ResolutionContent { get }

    /// The last check before the intent is handled: can it be done, is the service there?
    ///
    /// - Returns: `ready` (or `success`) to go on, `userConfirmationRequired` to have the person asked whatever the policy is, a failure, or
    ///   `continueInApp`/`handleInApp` to leave it to the app.
    func confirm(_ intent: IntentType, context: Context) async throws -> IntentResponse

    /// Does it. May be called again with the same ``Context/idempotencyKey`` after a crash.
    func handle(_ intent: IntentType, context: Context) async throws -> IntentResponse
}

extension IntentHandling {
    public var handlings: [any IntentHandling] { [self] }
    public var resolution: NoResolution<IntentType> { NoResolution() }
    public func confirm(_ intent: IntentType, context: Context) async throws -> IntentResponse { .ready }
}

/// What an extension returns for an intent: SiriKit's `handler(for:)` returns `Any`, App Intents has no handlers.
///
/// A type that handles one intent conforms to ``IntentHandling``. One that handles several lists them, each with the methods that do it:
///
/// ```swift
/// struct MyMessageHandler: IntentHandler {
///     @Dependency var mailbox: Mailbox
///
///     var handlings: [any IntentHandling] {
///         Handling(SendMessage.self, confirm: confirm, handle: handle) {
///             Resolve(\.$recipient) { person, message in … }
///         }
///         Handling(SearchForMessages.self, handle: handle)
///         Handling(SetMessageAttribute.self, handle: handle)
///     }
///
///     func confirm(_ message: SendMessage, context: Context) async throws -> IntentResponse { … }
///     func handle(_ message: SendMessage, context: Context) async throws -> IntentResponse { … }
///     func handle(_ search: SearchForMessages, context: Context) async throws -> IntentResponse { … }
///     func handle(_ change: SetMessageAttribute, context: Context) async throws -> IntentResponse { … }
/// }
/// ```
/// A Swift type conforms to a protocol only once, so it can't be an ``IntentHandling`` of three intents; the list says what the three
/// conformances say in SiriKit. Overloaded methods are told apart by the intent's type.
public protocol IntentHandler: Sendable {
    /// One entry for each intent that it handles. An ``IntentHandling`` has one: itself.
    @HandlingBuilder var handlings: [any IntentHandling] { get }
}

/// Collects the entries of ``IntentHandler/handlings``.
@resultBuilder
public enum HandlingBuilder {
    public static func buildExpression(_ handling: any IntentHandling) -> [any IntentHandling] { [handling] }
    public static func buildExpression(_ handlings: [any IntentHandling]) -> [any IntentHandling] { handlings }
    public static func buildBlock(_ handlings: [any IntentHandling]...) -> [any IntentHandling] { handlings.flatMap { $0 } }
}

/// How one of several intents is handled: an entry of ``IntentHandler/handlings``.
///
/// ```swift
/// Handling(SendMessage.self, confirm: confirm, handle: handle) {
///     Resolve(\.$recipient) { person, message in … }
/// }
/// ```
public struct Handling<IntentType: Intent, ResolutionContent: Resolution<IntentType>>: IntentHandling {
    /// Confirm or handle, as a method or a closure.
    public typealias Step = @Sendable (IntentType, Context) async throws -> IntentResponse

    private let content: @Sendable () -> ResolutionContent
    private let confirmation: Step?
    private let handler: Step

    /// - Parameters:
    ///   - intent: The intent that it is about.
    ///   - confirm: The last check before the intent is handled. Without one it is `ready`.
    ///   - handle: Does it.
    ///   - resolution: How parameters are resolved that need more than their declaration says. Only called when they are resolved.
    public init(
        _ intent: IntentType.Type, confirm: Step? = nil, handle: @escaping Step,
        @ResolutionBuilder<IntentType> resolution: @escaping @Sendable () -> ResolutionContent
    ) {
        content = resolution
        confirmation = confirm
        handler = handle
    }

    // `return` keeps the builder away: it would take the content for a step of its own.
    public var resolution: ResolutionContent { return content() }

    public func confirm(_ intent: IntentType, context: Context) async throws -> IntentResponse {
        try await confirmation?(intent, context) ?? .ready
    }

    public func handle(_ intent: IntentType, context: Context) async throws -> IntentResponse { try await handler(intent, context) }
}

extension Handling where ResolutionContent == NoResolution<IntentType> {
    /// One whose parameters are resolved as they are declared.
    public init(_ intent: IntentType.Type, confirm: Step? = nil, handle: @escaping Step) {
        content = { NoResolution() }
        confirmation = confirm
        handler = handle
    }
}
