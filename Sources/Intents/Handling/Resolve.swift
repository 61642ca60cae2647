/// How one parameter is resolved: SiriKit's `resolveDropOffLocation(for:with:)` and its like.
///
/// ```swift
/// Resolve(\.$dropOff) { place, ride in
///     guard let place else { return .needsValue() }
///     return await map.serves(place) ? .success(place) : .unsupported(reason: "outsideServiceArea")
/// }
/// ```
/// The closure gets the value, or `nil` if there is none, and the intent with what is known of the other parameters (read those as
/// `ride.$pickup.value`: a required one may be open). A default, the range and the options have been applied before.
///
/// A list is resolved value by value with `each`, which is SiriKit's `resolveRecipients(for:with:)`. The results are merged in the order of
/// the list; `.notRequired()` drops a value, and of several questions one is asked at a time, about that value alone:
/// ```swift
/// Resolve(each: \.$recipients) { person, message in
///     let found = await contacts.named(person.displayName)
///     return found.count == 1 ? .success(found[0]) : .disambiguation(found)
/// }
/// ```
/// `whenEmpty` says what becomes of a list in which nothing is left, or that was never mentioned; without it such a list is asked for if the
/// parameter is required:
/// ```swift
/// Resolve(each: \.$recipients, after: \.$group) { person, message in … } whenEmpty: { message, _ in
///     message.$group.value == nil ? .needsValue("Who shall get it?") : .notRequired()
/// }
/// ```
/// A parameter that depends on others names them. It is resolved after them, not while one of them is still open, and again when one changes:
/// ```swift
/// Resolve(\.$price, after: \.$ride) { price, request in … }
/// ```
public struct Resolve<IntentType: Intent, Value: ParameterType>: Resolution, ResolutionStep {
    typealias Whole = @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>
    typealias Each = @Sendable (Value.Base.ListItem, IntentType, Context) async throws -> ResolutionResult<Value.Base.ListItem>

    /// What is resolved of a list without values.
    public typealias WhenEmpty = @Sendable (IntentType, Context) async throws -> ResolutionResult<Value.Base>

    enum Body {
        case whole(Whole)
        case each(Each, whenEmpty: WhenEmpty?)
    }

    let keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable
    let body: Body
    private let others: [@Sendable (IntentType) -> ObjectIdentifier]

    public init<each Other: ParameterType>(
        _ keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        after others: repeat any KeyPath<IntentType, Parameter<each Other>> & Sendable,
        resolve: @escaping @Sendable (Value.Base?, IntentType) async throws -> ResolutionResult<Value.Base>
    ) {
        self.keyPath = keyPath
        body = .whole { value, intent, _ in try await resolve(value, intent) }
        self.others = Self.identities(repeat each others)
    }

    /// The same with the ``Context``, for the session's attributes or the locale.
    public init<each Other: ParameterType>(
        _ keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        after others: repeat any KeyPath<IntentType, Parameter<each Other>> & Sendable,
        resolve: @escaping @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>
    ) {
        self.keyPath = keyPath
        body = .whole(resolve)
        self.others = Self.identities(repeat each others)
    }

    /// Resolves a list value by value.
    public init<each Other: ParameterType>(
        each keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        after others: repeat any KeyPath<IntentType, Parameter<each Other>> & Sendable,
        resolve: @escaping @Sendable (Value.Base.ListItem, IntentType) async throws -> ResolutionResult<Value.Base.ListItem>,
        whenEmpty: WhenEmpty? = nil
    ) where Value.Base: Collection {
        self.keyPath = keyPath
        body = .each({ value, intent, _ in try await resolve(value, intent) }, whenEmpty: whenEmpty)
        self.others = Self.identities(repeat each others)
    }

    /// Resolves a list value by value, with the ``Context``.
    public init<each Other: ParameterType>(
        each keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        after others: repeat any KeyPath<IntentType, Parameter<each Other>> & Sendable,
        resolve: @escaping @Sendable (Value.Base.ListItem, IntentType, Context) async throws -> ResolutionResult<Value.Base.ListItem>,
        whenEmpty: WhenEmpty? = nil
    ) where Value.Base: Collection {
        self.keyPath = keyPath
        body = .each(resolve, whenEmpty: whenEmpty)
        self.others = Self.identities(repeat each others)
    }

    public var steps: ResolutionSteps<IntentType> { ResolutionSteps(all: [self]) }

    var hasDependencies: Bool { !others.isEmpty }
    func identity(in intent: IntentType) -> ObjectIdentifier { intent[keyPath: keyPath].identity }
    func dependencies(in intent: IntentType) -> [ObjectIdentifier] { others.map { $0(intent) } }

    private static func identities<each Other: ParameterType>(
        _ keyPaths: repeat any KeyPath<IntentType, Parameter<each Other>> & Sendable
    ) -> [@Sendable (IntentType) -> ObjectIdentifier] {
        var identities: [@Sendable (IntentType) -> ObjectIdentifier] = []
        repeat identities.append(identity(at: each keyPaths))
        return identities
    }

    private static func identity<Other: ParameterType>(
        at keyPath: any KeyPath<IntentType, Parameter<Other>> & Sendable
    ) -> @Sendable (IntentType) -> ObjectIdentifier {
        { $0[keyPath: keyPath].identity }
    }
}
