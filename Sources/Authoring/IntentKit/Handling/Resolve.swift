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

/// The result of a ``Resolve``: one of SiriKit's six resolution results (`INIntentResolutionResult`).
///
/// `success` and `notRequired` continue; every other result asks the person. Without a `dialog`, the coordinator uses a
/// text of its own.
public struct ResolutionResult<Value: ParameterValue>: Sendable {
    package enum Kind: Sendable {
        case success(Value)
        case notRequired
        case needsValue
        case disambiguation([Value])
        case confirmationRequired(Value)
        case unsupported(reason: String)
    }

    package let kind: Kind
    package let dialog: LocalizedText?
    package private(set) var supporting: LocalizedText?

    private init(_ kind: Kind, dialog: LocalizedText? = nil) {
        self.kind = kind
        self.dialog = dialog
    }

    /// Adds the text that the person reads next to the options, if the dialog contains all information for speech: App
    /// Intents' `IntentDialog(full:supporting:)`.
    public func supporting(_ text: LocalizedText) -> Self {
        var result = self
        result.supporting = text
        return result
    }

    /// Continues with this value, which may have more detail than the given value: add identifiers and coordinates,
    /// which are retained until handle.
    public static func success(_ value: Value) -> Self { Self(.success(value)) }

    /// Continues without a value, even if the request gave one. Valid for optional parameters and for parameters with a
    /// default.
    public static func notRequired() -> Self { Self(.notRequired) }

    /// Asks for a value. The dialog defaults to the parameter's prompt.
    public static func needsValue(_ dialog: LocalizedText? = nil) -> Self { Self(.needsValue, dialog: dialog) }

    /// Asks which of these values the person means. A single value is a question with yes or no; without values the
    /// result is `unsupported` with the reason `noMatch`. The person is not asked again about a value that they have
    /// already chosen.
    public static func disambiguation(_ values: [Value], dialog: LocalizedText? = nil) -> Self {
        Self(.disambiguation(values), dialog: dialog)
    }

    /// Asks whether the person means this value. The person is not asked again about a value that they have already
    /// confirmed.
    public static func confirmationRequired(_ value: Value, dialog: LocalizedText? = nil) -> Self {
        Self(.confirmationRequired(value), dialog: dialog)
    }

    /// Rejects the value and asks the person for another value, with the reason.
    ///
    /// - Parameter reason: The reason for programs, such as `outsideServiceArea`.
    public static func unsupported(reason: String = "unsupported", dialog: LocalizedText? = nil) -> Self {
        Self(.unsupported(reason: reason), dialog: dialog)
    }

    /// Rejects the value for a typed reason and asks the person for another value.
    ///
    /// - Parameter dialog: The text for the person. Defaults to the dialog of the reason.
    public static func unsupported(reason: some UnsupportedReason, dialog: LocalizedText? = nil) -> Self {
        Self(.unsupported(reason: reason.rawValue), dialog: dialog ?? reason.dialog)
    }
}

/// The reasons for which the value of a parameter can be rejected, as a type for each parameter: SiriKit's
/// `INSendPaymentCurrencyAmountUnsupportedReason` and the like.
///
/// ```swift
/// enum SendPaymentCurrencyAmountUnsupportedReason: String, UnsupportedReason {
///     case amountBelowMinimum, amountAboveMaximum, currencyUnsupported
/// }
/// return .unsupported(reason: SendPaymentCurrencyAmountUnsupportedReason.currencyUnsupported)
/// ```
/// In events, a reason is its raw value.
public protocol UnsupportedReason: RawRepresentable, Sendable where RawValue == String {
    /// The text for the person; with `nil`, the default, the coordinator uses its own text.
    var dialog: LocalizedText? { get }
}

extension UnsupportedReason {
    public var dialog: LocalizedText? { nil }
}

extension ResolutionResult where Value == Bool {
    @available(*, unavailable, message: "yes or no is no choice: use confirmationRequired")
    public static func disambiguation(_ values: [Bool], dialog: LocalizedText? = nil) -> Self {
        Self(.disambiguation(values), dialog: dialog)
    }
}
