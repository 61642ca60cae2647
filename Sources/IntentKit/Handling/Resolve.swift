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
/// What only the whole list can tell, such as that nobody is in it, is said after that; an empty list comes as `nil`:
/// ```swift
/// Resolve(each: \.$recipients) { person, message in … }
///     .whole { recipients, message in recipients.map { .success($0) } ?? .needsValue("Who is it for?") }
/// ```
/// A parameter that depends on others names them. It is resolved after them, not while one of them is still open, and again when one changes:
/// ```swift
/// Resolve(\.$price, after: \.$ride) { price, request in … }
/// ```
public struct Resolve<IntentType: Intent, Value: ParameterType>: Resolution, ResolutionStep {
    package typealias Whole = @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>
    package typealias Each = @Sendable (Value.Base.ListItem, IntentType, Context) async throws -> ResolutionResult<Value.Base.ListItem>

    package enum Body {
        case whole(Whole)
        case each(Each)
    }

    let keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable
    package let body: Body
    /// What is said of a list once each of its values has been resolved.
    package private(set) var conclusion: Whole?
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
        resolve: @escaping @Sendable (Value.Base.ListItem, IntentType) async throws -> ResolutionResult<Value.Base.ListItem>
    ) where Value.Base: Collection {
        self.keyPath = keyPath
        body = .each { value, intent, _ in try await resolve(value, intent) }
        self.others = Self.identities(repeat each others)
    }

    /// Resolves a list value by value, with the ``Context``.
    public init<each Other: ParameterType>(
        each keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        after others: repeat any KeyPath<IntentType, Parameter<each Other>> & Sendable,
        resolve: @escaping @Sendable (Value.Base.ListItem, IntentType, Context) async throws -> ResolutionResult<Value.Base.ListItem>
    ) where Value.Base: Collection {
        self.keyPath = keyPath
        body = .each(resolve)
        self.others = Self.identities(repeat each others)
    }

    /// Adds what is said of the whole list, once each of its values has been resolved and none is open.
    ///
    /// - Parameter resolve: Gets `nil` if no value is in it. Whatever is not `success` is about all of it: the answer takes the list's place.
    public func whole(
        _ resolve: @escaping @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>
    ) -> Self where Value.Base: Collection {
        var step = self
        step.conclusion = resolve
        return step
    }

    /// The same without the ``Context``.
    public func whole(
        _ resolve: @escaping @Sendable (Value.Base?, IntentType) async throws -> ResolutionResult<Value.Base>
    ) -> Self where Value.Base: Collection { whole { value, intent, _ in try await resolve(value, intent) } }

    public var steps: ResolutionSteps<IntentType> { ResolutionSteps(all: [self]) }

    package var hasDependencies: Bool { !others.isEmpty }
    package func identity(in intent: IntentType) -> ObjectIdentifier { intent[keyPath: keyPath].identity }
    package func dependencies(in intent: IntentType) -> [ObjectIdentifier] { others.map { $0(intent) } }

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
