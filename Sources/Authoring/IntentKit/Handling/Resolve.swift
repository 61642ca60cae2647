/// The resolution of one parameter: SiriKit's `resolveDropOffLocation(for:with:)` and the like.
///
/// ```swift
/// Resolve(\.$dropOff) { place, ride in
///     guard let place else { return .needsValue() }
///     return await map.serves(place) ? .success(place) : .unsupported(reason: "outsideServiceArea")
/// }
/// ```
/// The closure receives the value, or `nil` if there is none, and the intent with the values of the other parameters so
/// far (read them as `ride.$pickup.value`, because a required parameter may have no value yet). The default, the range
/// and the options have already been applied.
///
/// A list is resolved value by value with `each`, like SiriKit's `resolveRecipients(for:with:)`. The results are merged
/// in the order of the list. `.notRequired()` removes a value. If there are several questions, the person is asked one
/// question at a time, each about its own value:
/// ```swift
/// Resolve(each: \.$recipients) { person, message in
///     let found = await contacts.named(person.displayName)
///     return found.count == 1 ? .success(found[0]) : .disambiguation(found)
/// }
/// ```
/// Rules for the whole list, such as that it must not be empty, are applied after the values; an empty list is passed
/// as `nil`:
/// ```swift
/// Resolve(each: \.$recipients) { person, message in … }
///     .whole { recipients, message in recipients.map { .success($0) } ?? .needsValue("Who is it for?") }
/// ```
/// A parameter that depends on others names them. The parameter is resolved once all of them have a value, and again
/// when one of them changes:
/// ```swift
/// Resolve(\.$price, after: \.$ride) { price, request in … }
/// ```
public struct Resolve<IntentType: Intent, Value: ParameterType>: Resolution, ResolutionStep {
    package typealias Whole = @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>
    package typealias Each =
        @Sendable (Value.Base.ListItem, IntentType, Context) async throws -> ResolutionResult<Value.Base.ListItem>

    package enum Body {
        case whole(Whole)
        case each(Each)
    }

    let keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable
    package let body: Body
    /// The rule for a list, applied once each of its values has been resolved.
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

    /// Resolves a parameter, with the ``Context`` for the request's attributes or the locale.
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
        resolve:
            @escaping @Sendable (Value.Base.ListItem, IntentType) async throws -> ResolutionResult<Value.Base.ListItem>
    ) where Value.Base: Collection {
        self.keyPath = keyPath
        body = .each { value, intent, _ in try await resolve(value, intent) }
        self.others = Self.identities(repeat each others)
    }

    /// Resolves a list value by value, with the ``Context``.
    public init<each Other: ParameterType>(
        each keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        after others: repeat any KeyPath<IntentType, Parameter<each Other>> & Sendable,
        resolve:
            @escaping @Sendable (Value.Base.ListItem, IntentType, Context) async throws -> ResolutionResult<
                Value.Base.ListItem
            >
    ) where Value.Base: Collection {
        self.keyPath = keyPath
        body = .each(resolve)
        self.others = Self.identities(repeat each others)
    }

    /// Adds a rule for the whole list, applied once each of its values has been resolved.
    ///
    /// - Parameter resolve: The rule, which receives `nil` if the list is empty. Any result except `success` is about
    ///   the whole list: the answer replaces the list.
    public func whole(
        _ resolve: @escaping @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>
    ) -> Self where Value.Base: Collection {
        var step = self
        step.conclusion = resolve
        return step
    }

    /// Adds a rule for the whole list, without the ``Context``.
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

/// The parameter resolution of a handler, built from ``Resolve``.
public protocol Resolution<IntentType>: Sendable {
    associatedtype IntentType: Intent
    var steps: ResolutionSteps<IntentType> { get }
}

/// A resolution that uses only the declarations of the parameters.
public struct NoResolution<IntentType: Intent>: Resolution {
    public init() {}
    public var steps: ResolutionSteps<IntentType> { ResolutionSteps(all: []) }
}

@resultBuilder
public enum ResolutionBuilder<IntentType: Intent> {
    public static func buildExpression<Value>(_ step: Resolve<IntentType, Value>) -> ResolutionSteps<IntentType> {
        step.steps
    }

    public static func buildBlock(_ steps: ResolutionSteps<IntentType>...) -> ResolutionSteps<IntentType> {
        if steps.count == 1 { return steps[0] }
        var all: [any ResolutionStep<IntentType>] = []
        all.reserveCapacity(steps.count)
        for index in 0..<steps.count { all += steps[index].all }
        return ResolutionSteps(all: all)
    }
}

/// The steps of a ``Resolution``, which are a resolution themselves.
public struct ResolutionSteps<IntentType: Intent>: Resolution {
    package let all: [any ResolutionStep<IntentType>]

    package init(all: [any ResolutionStep<IntentType>]) { self.all = all }

    public var steps: Self { self }
}

/// A type-erased ``Resolve``.
package protocol ResolutionStep<IntentType>: Sendable {
    associatedtype IntentType: Intent
    func identity(in intent: IntentType) -> ObjectIdentifier
    var hasDependencies: Bool { get }
    /// Returns the parameters that have to be resolved first.
    func dependencies(in intent: IntentType) -> [ObjectIdentifier]
}
