/// One parameter of one intent type with its name, ready to be read, resolved and written without knowing its value's type.
protocol ParameterBinding<Subject>: Sendable {
    associatedtype Subject: Intent
    var name: String { get }
    var identity: ObjectIdentifier { get }
    func title(in locale: String?) -> String

    /// Puts the value that the JSON says into the intent.
    ///
    /// - Returns: The text, if it is one that the type can't make a value of.
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func decode(_ json: JSON, into intent: inout Subject) throws(IntentFailure) -> String?
    /// Fills in the default; `false` if the parameter is required and still has no value.
    func complete(_ intent: inout Subject) -> Bool
    /// Resolves a parameter without a ``Resolve``; `nil` if that means to wait for its options. Waiting costs microseconds even if it is short.
    func resolveAtOnce(_ intent: inout Subject, given: GivenParameter, context: Context) throws -> ParameterResolution?
    /// Resolves the parameter and leaves in the intent what came of it.
    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> ParameterResolution

    /// What a person may be offered who was asked plainly and did not help; empty if nobody knows.
    func alternatives(_ context: Context) async throws -> [ParameterOption]

    func value(in intent: Subject) -> (any ParameterValue)?
    func json(in intent: Subject) -> JSON?
    /// How the value stands in a sentence, or the title if there is none.
    func text(in intent: Subject, locale: String?) -> String
}

/// What is known of a parameter before it is resolved, beside its decoded value.
struct GivenParameter {
    /// `nil` if the invocation does not mention it.
    var origin: ParameterState.Origin?
    /// The text that came, if the type can't make a value of it.
    var text: String?
}

struct TypedBinding<Subject: Intent, Value: ParameterType>: ParameterBinding {
    let name: String
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    let definition: ParameterDefinition<Value.Base>

    var identity: ObjectIdentifier { ObjectIdentifier(definition) }
    func title(in locale: String?) -> String { definition.title.text(in: locale) }

    func decode(_ json: JSON, into intent: inout Subject) throws(IntentFailure) -> String? {
        let view = json.view
        switch view.kind {
        case .null: return nil
        case .string:
            guard let text = view.string else { return nil }
            guard let value = Value.Base(text: text) else { return text }
            intent[keyPath: keyPath].value = value
            return nil
        case Value.Base.jsonKind:
            guard let value = Value.Base(json: view) else { return json.description }
            intent[keyPath: keyPath].value = value
            return nil
        case let kind:
            let message = "parameters.\(name) has to be \(Value.Base.typeDescription), not JSON of kind \(kind.rawValue)"
            throw IntentFailure(.reject, reason: .invalid, message: message, field: "parameters.\(name)")
        }
    }

    func complete(_ intent: inout Subject) -> Bool {
        if intent[keyPath: keyPath].value == nil {
            guard let value = definition.default?.value else { return !Value.isRequired }
            intent[keyPath: keyPath].value = value
        }
        return true
    }

    func value(in intent: Subject) -> (any ParameterValue)? { intent[keyPath: keyPath].value }
    func json(in intent: Subject) -> JSON? { intent[keyPath: keyPath].value.map { JSON($0) } }

    func text(in intent: Subject, locale: String?) -> String {
        guard let value = intent[keyPath: keyPath].value else { return title(in: locale) }
        return value.displayText(in: locale)
    }
}
