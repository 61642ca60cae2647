/// A handler of one intent: the equivalent of SiriKit's handling protocols (`INRequestRideIntentHandling` and the
/// like).
///
/// Only ``handle(_:context:)`` is required. A parameter without a ``Resolve`` is resolved by its declaration, and
/// confirm defaults to `ready`.
public protocol IntentHandling<IntentType>: IntentHandler {
    associatedtype IntentType: Intent
    associatedtype ResolutionContent: Resolution<IntentType>

    /// The resolution of parameters that need more than their declaration. The order is not significant.
    @ResolutionBuilder<IntentType> var resolution: ResolutionContent { get }

    /// Checks that the intent can be handled and that the service is available. This is the last check before
    /// ``handle(_:context:)``.
    ///
    /// - Returns: `ready` (or `success`) to continue, `userConfirmationRequired` to ask the person whatever the policy
    ///   is, a failure, or `continueInApp`/`handleInApp` to leave the intent to the app.
    func confirm(_ intent: IntentType, context: Context) async throws -> ConfirmResponse

    /// Carries out the intent. Called again with the same ``Context/idempotencyKey`` after a crash.
    func handle(_ intent: IntentType, context: Context) async throws -> HandleResponse
}

extension IntentHandling {
    public var handlings: [any IntentHandling] { [self] }
    public var resolution: NoResolution<IntentType> { NoResolution() }
    public func confirm(_ intent: IntentType, context: Context) async throws -> ConfirmResponse { .ready }
}

/// A handler of one or more intents. SiriKit's `handler(for:)` returns `Any`; App Intents has no handlers.
///
/// A type that handles one intent conforms to ``IntentHandling``. A type that handles several intents lists them, each
/// with its methods:
///
/// ```swift
/// struct MyMessageHandler: IntentHandler {
///     let mailbox: Mailbox
///
///     var handlings: [any IntentHandling] {
///         Handling(SendMessage.self, confirm: confirm, handle: handle) {
///             Resolve(\.$recipient) { person, message in … }
///         }
///         Handling(SearchForMessages.self, handle: handle)
///         Handling(SetMessageAttribute.self, handle: handle)
///     }
///
///     func confirm(_ message: SendMessage, context: Context) async throws -> ConfirmResponse { … }
///     func handle(_ message: SendMessage, context: Context) async throws -> HandleResponse { … }
///     func handle(_ search: SearchForMessages, context: Context) async throws -> HandleResponse { … }
///     func handle(_ change: SetMessageAttribute, context: Context) async throws -> HandleResponse { … }
/// }
/// ```
/// A Swift type can conform to a protocol only once, so a type can't be an ``IntentHandling`` of three intents; the
/// list replaces SiriKit's three conformances. Overloaded methods are distinguished by the type of the intent.
public protocol IntentHandler: Sendable {
    /// The handlings of this handler: one entry for each intent. The only entry of an ``IntentHandling`` is itself.
    @HandlingBuilder var handlings: [any IntentHandling] { get }
}

/// Builds ``IntentExtension/handlers`` and ``IntentHandler/handlings`` from a block of handlers.
@resultBuilder
public enum HandlingBuilder {
    public static func buildExpression(_ handling: any IntentHandling) -> [any IntentHandling] { [handling] }
    public static func buildExpression(_ handlings: [any IntentHandling]) -> [any IntentHandling] { handlings }
    /// Adds a handler of several intents.
    public static func buildExpression(_ handler: any IntentHandler) -> [any IntentHandling] { handler.handlings }
    /// Adds an intent that performs itself.
    public static func buildExpression<Performed: AppIntent>(_ intent: Performed.Type) -> [any IntentHandling] {
        [PerformHandling<Performed>()]
    }
    public static func buildOptional(_ handlings: [any IntentHandling]?) -> [any IntentHandling] { handlings ?? [] }
    public static func buildEither(first handlings: [any IntentHandling]) -> [any IntentHandling] { handlings }
    public static func buildEither(second handlings: [any IntentHandling]) -> [any IntentHandling] { handlings }
    public static func buildBlock(_ handlings: [any IntentHandling]...) -> [any IntentHandling] {
        handlings.flatMap { $0 }
    }
}

/// The handling of one intent by a handler of several intents: an entry of ``IntentHandler/handlings``.
///
/// ```swift
/// Handling(SendMessage.self, confirm: confirm, handle: handle) {
///     Resolve(\.$recipient) { person, message in … }
/// }
/// ```
public struct Handling<IntentType: Intent, ResolutionContent: Resolution<IntentType>>: IntentHandling {
    /// The last check before the intent is handled, as a method or a closure.
    public typealias Confirm = @Sendable (IntentType, Context) async throws -> ConfirmResponse
    /// The effect of the intent, as a method or a closure.
    public typealias Handle = @Sendable (IntentType, Context) async throws -> HandleResponse

    private let content: @Sendable () -> ResolutionContent
    private let confirmation: Confirm?
    private let handler: Handle

    /// - Parameters:
    ///   - intent: The intent's type.
    ///   - confirm: The last check before the intent is handled. Defaults to `ready`.
    ///   - handle: Carries out the intent.
    ///   - resolution: The resolution of parameters that need more than their declaration. Called only in the resolve
    ///     phase.
    public init(
        _ intent: IntentType.Type, confirm: Confirm? = nil, handle: @escaping Handle,
        @ResolutionBuilder<IntentType> resolution: @escaping @Sendable () -> ResolutionContent
    ) {
        content = resolution
        confirmation = confirm
        handler = handle
    }

    // `return` disables the result builder, which would use the content as a step of its own.
    public var resolution: ResolutionContent { return content() }

    public func confirm(_ intent: IntentType, context: Context) async throws -> ConfirmResponse {
        try await confirmation?(intent, context) ?? .ready
    }

    public func handle(_ intent: IntentType, context: Context) async throws -> HandleResponse {
        try await handler(intent, context)
    }
}

extension Handling where ResolutionContent == NoResolution<IntentType> {
    /// Creates a handling whose parameters are resolved by their declarations.
    public init(_ intent: IntentType.Type, confirm: Confirm? = nil, handle: @escaping Handle) {
        content = { NoResolution() }
        confirmation = confirm
        handler = handle
    }
}
