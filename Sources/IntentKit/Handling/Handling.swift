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
