import IntentKit

/// The step in which the fulfilment resolves a parameter, in wire form, once the parameter's declaration accepts the
/// value.
struct FulfilmentStep<IntentType: Intent>: ResolutionStep {
    typealias Ask = @Sendable (IntentType, Context) async throws -> ParameterResolution

    let parameter: ObjectIdentifier
    let after: [ObjectIdentifier]
    let ask: Ask

    init(parameter: ObjectIdentifier, after: [ObjectIdentifier], ask: @escaping Ask) {
        self.parameter = parameter
        self.after = after
        self.ask = ask
    }

    var hasDependencies: Bool { !after.isEmpty }
    func identity(in intent: IntentType) -> ObjectIdentifier { parameter }
    func dependencies(in intent: IntentType) -> [ObjectIdentifier] { after }
}

extension IntentBinding {
    /// Resolves a parameter by the declaration's own rules, and then by the fulfilment. An earlier resolution stays
    /// valid as long as its dependencies don't change.
    func resolve(
        _ index: Int, by step: FulfilmentStep<Subject>, _ intent: inout Subject, _ given: Given,
        _ context: Context
    ) async throws -> BindingResolution {
        let binding = bindings[index]
        let own = try await binding.resolve(&intent, given: given, step: nil, context: context)
        let isSaid = given.json != nil
        var said: JSON?
        switch own.resolution {
        case .success(let json): said = json
        case .notRequired: if given.origin == .notRequired { return own }
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported: if isSaid { return own }
        }
        if said != nil, given.origin == .resolved { return own }
        if said == nil { binding.clear(&intent) }
        let isAgreed = given.origin == .chosen || given.origin == .confirmed
        let answer = FulfilmentAnswer(definition: self, index: index, context: context)
        return BindingResolution(
            try await answer.check(try await step.ask(intent, context), &intent, agreed: isAgreed ? said : nil))
    }
}

/// Checks a fulfilment's resolution against the declaration, and converts it to the form of a resolver's own
/// resolutions.
private struct FulfilmentAnswer<Subject: Intent> {
    let definition: IntentBinding<Subject>
    let index: Int
    let context: Context

    private var binding: any AnyParameterBinding<Subject> { definition.bindings[index] }
    private var locale: String? { context.locale }

    /// - Parameter agreed: The value that the person has chosen or confirmed. The person is not asked about it again.
    func check(_ answer: ParameterResolution, _ intent: inout Subject, agreed: JSON?) async throws
        -> ParameterResolution
    {
        switch answer {
        case .success(let json): return .success(try await resolved(json, &intent))
        case .notRequired:
            guard binding.omitValue(in: &intent) else {
                throw wrong("'notRequired', but it is required: declare it with 'required: false'")
            }
            return .notRequired
        case .needsValue(let dialog):
            binding.clear(&intent)
            return .needsValue(dialog: dialog ?? binding.prompt(.value, in: locale))
        case .unsupported(let reason, let dialog):
            binding.clear(&intent)
            return .unsupported(reason: reason, dialog: dialog)
        case .confirmationRequired(let json, let dialog):
            let value = try await resolved(json, &intent)
            if value == agreed { return .success(value) }
            return .confirmationRequired(
                value, dialog: dialog ?? binding.confirmationDialog(in: intent, locale: locale))
        case .disambiguation(var options, let dialog):
            var scratch = intent
            for index in options.indices {
                options[index].value = try await resolved(options[index].value, &scratch)
                if options[index].value == agreed {
                    intent = scratch
                    return .success(options[index].value)
                }
            }
            if Set(options.map(\.id)).count < options.count { throw wrong("options of which two have the same id") }
            switch options.count {
            case 0:
                binding.clear(&intent)
                return .unsupported(reason: "noMatch", dialog: dialog)
            case 1:
                return .confirmationRequired(
                    options[0].value, dialog: dialog ?? binding.confirmationDialog(in: scratch, locale: locale))
            default: return .disambiguation(options, dialog: dialog ?? binding.prompt(.choice, in: locale))
            }
        }
    }

    /// Resolves a value by the declaration's rules and stores it in the intent.
    private func resolved(_ json: JSON, _ intent: inout Subject) async throws -> JSON {
        var scratch = intent
        binding.clear(&scratch)
        let state = ParameterState(name: binding.name, value: json)
        guard var given = try? binding.decode(state, into: &scratch, isResolving: true) else { throw wrongValue() }
        try await binding.lookUp(&scratch, &given, isResolving: true, context)
        let resolution = try await binding.resolve(&scratch, given: given, step: nil, context: context).resolution
        guard case .success(let value) = resolution else { throw wrongValue() }
        intent = scratch
        return value
    }

    private func wrongValue() -> IntentFailure { wrong("a value that its declaration does not allow") }

    private func wrong(_ what: String) -> IntentFailure {
        let message = "the fulfilment of \(definition.name) resolved '\(binding.name)' to \(what)"
        return IntentFailure(
            .failure(.failure), reason: .unexpected, message: message, field: "parameters.\(binding.name)")
    }
}
