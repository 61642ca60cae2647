/// How one parameter is resolved, in this order: default, conversion, range, options, the handler's own ``Resolve``; and without one of
/// those, the type's own rule.
extension TypedBinding {
    typealias Base = Value.Base

    func resolveAtOnce(_ intent: inout Subject, given: GivenParameter, context: Context) throws -> ParameterResolution? {
        if definition.options != nil { return nil }
        let said = intent[keyPath: keyPath].value
        if said == nil, given.text == nil {
            if given.origin == .notRequired || (!Value.isRequired && definition.default == nil) { return .notRequired }
        } else if let said, definition.range == nil {
            return .success(JSON(said))
        }
        switch narrow(said, given.text, options: nil, context) {
        case .answer(let answer): return try conclude(answer, &intent, said: said, context)
        case .value(let value): return try conclude(byType(value, options: Base.knownValues, context), &intent, said: said, context)
        }
    }

    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> ParameterResolution {
        let said = intent[keyPath: keyPath].value
        if said == nil, given.text == nil, given.origin == .notRequired { return .notRequired }
        let step = step as? Resolve<Subject, Value>
        var options: [Base]?
        if let provider = definition.options, step == nil || said != nil || given.text != nil { options = try await provider.results() }

        switch narrow(said, given.text, options: options, context) {
        case .answer(let answer): return try conclude(answer, &intent, said: said, context)
        case .value(let value):
            guard let step else {
                return try conclude(byType(value, options: options ?? Base.knownValues, context), &intent, said: said, context)
            }
            if value != said { intent[keyPath: keyPath].value = value }
            let result = try await step.body(value, intent, context)
            return try conclude(settle(result, said: said, given.origin), &intent, said: value, context)
        }
    }

    private enum Narrowed {
        case value(Base?)
        case answer(ResolutionResult<Base>)
    }

    /// Applies default, conversion, range and options to what was said.
    ///
    /// - Parameter options: What the parameter's provider offers, if it has one.
    private func narrow(_ said: Base?, _ text: String?, options: [Base]?, _ context: Context) -> Narrowed {
        if said == nil, text == nil { return .value(definition.default?.value) }
        if let said, let range = definition.range, let reason = range.violation(by: said) {
            let title = title(in: context.locale)
            return .answer(
                .unsupported(reason: reason, dialog: "\(title) can be \(range.text), not \(said.displayText(in: context.locale))."))
        }
        if let options { return match(said, text, among: options, context) }
        if let text {
            guard let known = Base.knownValues else { return .answer(invalid(text)) }
            return match(nil, text, among: known, context)
        }
        return .value(said)
    }

    private func invalid(_ text: String) -> ResolutionResult<Base> {
        .unsupported(reason: "invalidValue", dialog: "'\(shortened(text))' is not \(Base.typeDescription).")
    }

    /// Finds what was said among the options: by identifier, else by title or synonym.
    private func match(_ said: Base?, _ text: String?, among options: [Base], _ context: Context) -> Narrowed {
        if let id = said?.optionID ?? text, let option = options.first(where: { $0.optionID == id }) { return .value(option) }
        let words = text ?? said?.displayText ?? ""
        let folded = TextFolding.fold(words)
        let named = options.filter {
            TextFolding.fold($0.optionID) == folded || $0.displayRepresentation.isNamed(folded, locale: context.locale)
        }
        switch named.count {
        case 1: return .value(named[0])
        case 2...: return .answer(.disambiguation(named))
        default: break
        }
        let title = title(in: context.locale)
        if (2...Self.fewOptions).contains(options.count) {
            let prompt = definition.prompt?.text(in: context.locale) ?? "Which one would you like?"
            return .answer(.disambiguation(options, dialog: "\(title) can't be '\(shortened(words))'. \(prompt)"))
        }
        return .answer(.unsupported(reason: "noMatch", dialog: "\(title) can't be '\(shortened(words))'."))
    }

    /// What happens to a parameter that has no `Resolve`.
    private func byType(_ value: Base?, options: @autoclosure () -> [Base]?, _ context: Context) -> ResolutionResult<Base> {
        if let value { return .success(value) }
        guard Value.isRequired else { return .notRequired() }
        let options = options() ?? []
        switch options.count {
        case 1: return .success(options[0])
        case 2...Self.fewOptions: return .disambiguation(options, dialog: definition.prompt?.text(in: context.locale))
        default: return .needsValue()
        }
    }

    /// Keeps a resolver that always asks from asking for ever: what the person has chosen or said yes to counts as answered.
    private func settle(_ result: ResolutionResult<Base>, said: Base?, _ origin: ParameterState.Origin?) -> ResolutionResult<Base> {
        guard let said, origin == .chosen || origin == .confirmed || origin == .resolved else { return result }
        switch result.kind {
        case .confirmationRequired(let value) where value == said: return .success(value)
        case .disambiguation(let values) where values.contains(said): return .success(said)
        default: return result
        }
    }

    /// Puts the result into wire form and the intent into the state that goes with it.
    ///
    /// - Parameter said: What is in the intent now.
    private func conclude(
        _ result: ResolutionResult<Base>, _ intent: inout Subject, said: Base?, _ context: Context
    ) throws(IntentFailure) -> ParameterResolution {
        switch result.kind {
        case .success(let value):
            if value != said { intent[keyPath: keyPath].value = value }
            return .success(JSON(value))
        case .notRequired:
            if Value.isRequired, intent[keyPath: keyPath].value == nil, definition.default == nil {
                let message = "'\(name)' was resolved as not required, but its type is not optional: declare it as \(Base.self)?"
                throw IntentFailure(.failure(.failure), reason: .unexpected, message: message, field: "parameters.\(name)")
            }
            return .notRequired
        case .needsValue:
            intent[keyPath: keyPath].value = nil
            return .needsValue(dialog: result.dialog ?? definition.prompt?.text(in: context.locale))
        case .disambiguation(let values):
            switch values.count {
            case 0:
                intent[keyPath: keyPath].value = nil
                return .unsupported(reason: "noMatch", dialog: result.dialog)
            case 1: return .confirmationRequired(JSON(values[0]), dialog: result.dialog)
            default: return .disambiguation(options(values, context.locale), dialog: result.dialog)
            }
        case .confirmationRequired(let value): return .confirmationRequired(JSON(value), dialog: result.dialog)
        case .unsupported(let reason):
            intent[keyPath: keyPath].value = nil
            return .unsupported(reason: reason, dialog: result.dialog)
        }
    }

    /// Values with the same identifier get a number behind it, so that an answer can name each.
    func options(_ values: [Base], _ locale: String?) -> [ParameterOption] {
        var seen: [String: Int] = [:]
        return values.map { value in
            let id = value.optionID
            let count = seen[id, default: 0] + 1
            seen[id] = count
            let shown = value.displayRepresentation
            return ParameterOption(
                id: count == 1 ? id : "\(id)#\(count)", title: shown.title.text(in: locale), subtitle: shown.subtitle?.text(in: locale),
                value: JSON(value))
        }
    }

    private func shortened(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }

    /// More than about five are too many to choose from (Apple's advice for `disambiguation`).
    static var fewOptions: Int { 5 }
}
