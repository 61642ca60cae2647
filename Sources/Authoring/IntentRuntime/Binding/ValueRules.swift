import IntentKit

/// The rules of a declaration for one value: the value of a parameter, or each value of a list.
struct ValueRules<Item: ParameterValue>: Sendable {
    let title: LocalizedText
    let prompts: ParameterPrompts
    let range: ParameterRange<Item>?
    /// The provider of the permitted values, unless it is a query for entities.
    let provider: (any DynamicOptionsProvider<Item>)?
    let entities: EntityForm<Item>?
    let conversion: ParameterConversion<Item>
    /// The permitted values, if they are fixed in code.
    let known: [Item]?
    /// A description of a valid value, for messages.
    let typeDescription: String
    let isSecret: Bool
    /// The kind of value that a person's words express; `nil` if only the type reads them.
    let spokenKind: SpokenKind?

    /// - Parameter definition: The specification of a parameter whose value is an `Item`, or a list of items.
    init<Value: ParameterValue>(_ definition: ParameterSpecification<Value>) {
        let options = definition.options as? any DynamicOptionsProvider<Item>
        title = definition.title
        prompts = definition.prompts
        range = definition.range as? ParameterRange<Item>
        let form = definition.form as? ValueForm<Item>
        known = form?.known ?? Item.knownValues
        typeDescription = form?.typeDescription ?? Item.typeDescription
        entities = Item.entityForm(options)
        provider = options is any EntityQuery ? nil : options
        conversion =
            form?.read.map { ParameterConversion(reading: $0) }
            ?? ParameterConversion(converters: definition.converters)
        isSecret = definition.isSecret
        spokenKind = form == nil ? Item.spokenKind : nil
    }

    /// A value to continue with, or a result to report instead.
    enum Narrowed {
        case value(Item)
        case answer(ResolutionResult<Item>)
    }

    /// Applies range and options to the given value.
    ///
    /// - Parameters:
    ///   - said: The value; `nil` if the type can't convert the words.
    ///   - options: The provider's options, if there is a provider.
    func narrow(_ said: Item?, _ text: String?, options: [Item]?, _ locale: String?) -> Narrowed {
        if let said, let range, let reason = range.violation(by: said) {
            let title = title.text(in: locale)
            let (least, most) = (range.lowerBound.displayText(in: locale), range.upperBound.displayText(in: locale))
            let dialog =
                isSecret
                ? BuiltInText.range(title, from: least, to: most)
                : BuiltInText.outsideRange(title, from: least, to: most, said: said.displayText(in: locale))
            return .answer(.unsupported(reason: reason, dialog: dialog))
        }
        if let options { return match(said, text, among: options, locale) }
        if let said { return .value(said) }
        if let known { return match(nil, text, among: known, locale) }
        let dialog =
            isSecret
            ? BuiltInText.hasToBe(title.text(in: locale), typeDescription)
            : BuiltInText.isNot(Self.shortened(text ?? ""), typeDescription)
        return .answer(.unsupported(reason: "invalidValue", dialog: dialog))
    }

    /// Finds the given value among the options: by identifier, or else by title or synonym.
    private func match(_ said: Item?, _ text: String?, among options: [Item], _ locale: String?) -> Narrowed {
        if let id = said?.optionID ?? text, let option = options.first(where: { $0.optionID == id }) {
            return .value(option)
        }
        let words = text ?? said?.displayText ?? ""
        let folded = TextFolding.fold(words)
        let named = options.filter {
            TextFolding.fold($0.optionID) == folded || $0.displayRepresentation.isNamed(folded, locale: locale)
        }
        switch named.count {
        case 1: return .value(named[0])
        case 2...: return .answer(.disambiguation(named))
        default: break
        }
        let dialog = noMatch(words, locale)
        if options.count >= 2 {
            let prompt = prompts.choice ?? prompts.value ?? BuiltInText.whichOneWouldYouLike
            return .answer(.disambiguation(options, dialog: "\(dialog) \(prompt)"))
        }
        return .answer(.unsupported(reason: "noMatch", dialog: dialog))
    }

    /// The known options to offer without a given value.
    func offered() async throws -> [Item] {
        if let provider { return try await provider.offered().items }
        if let entities { return try await entities.suggestions().items }
        return known ?? []
    }

    /// The result for a parameter that has no value and no `Resolve`.
    ///
    /// - Parameter isComplete: `true` if no other values are possible. A single option is then used without a question.
    func withoutValue(isRequired: Bool, options: [Item], isComplete: Bool = true, _ locale: String?)
        -> ResolutionResult<Item>
    {
        guard isRequired else { return .notRequired() }
        switch options.count {
        case 0: return .needsValue()
        case 1: return isComplete ? .success(options[0]) : .confirmationRequired(options[0])
        default: return .disambiguation(options, dialog: prompts.choice ?? prompts.value)
        }
    }

    func noMatch(_ words: String, _ locale: String?) -> LocalizedText {
        let title = title.text(in: locale)
        return isSecret ? BuiltInText.cantBeThat(title) : BuiltInText.cantBe(title, Self.shortened(words))
    }

    func notFound(_ words: String?, _ locale: String?) -> LocalizedText {
        let title = title.text(in: locale)
        guard let words, !isSecret else { return BuiltInText.isGone(title) }
        return BuiltInText.isGone(title, Self.shortened(words))
    }

    private static func shortened(_ text: String) -> String {
        let text = text.onOneLine
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}

extension ValueRules {
    /// Prevents a `Resolve` that always asks from asking endlessly: a value that the person has chosen or confirmed
    /// counts as answered.
    func acceptingAgreedValue(_ result: ResolutionResult<Item>, said: Item?, _ origin: ParameterState.Origin?)
        -> ResolutionResult<Item>
    {
        guard let said, origin == .chosen || origin == .confirmed || origin == .resolved else { return result }
        switch result.kind {
        case .confirmationRequired(let value) where value == said: return .success(value)
        case .disambiguation(let values) where values.contains(said): return .success(said)
        default: return result
        }
    }

    /// Converts a result to wire form.
    ///
    /// - Parameter sections: The options by section, if they have sections.
    func wire(_ result: ResolutionResult<Item>, sections: ItemCollection<Item>? = nil, _ locale: String?)
        -> BindingResolution
    {
        BindingResolution(
            resolution(result, sections: sections, locale), supporting: result.supporting?.text(in: locale))
    }

    private func resolution(_ result: ResolutionResult<Item>, sections: ItemCollection<Item>?, _ locale: String?)
        -> ParameterResolution
    {
        let dialog = result.dialog?.text(in: locale)
        switch result.kind {
        case .success(let value): return .success(JSON(value))
        case .notRequired: return .notRequired
        case .needsValue: return .needsValue(dialog: dialog ?? prompts.value?.text(in: locale))
        case .disambiguation(let values):
            switch values.count {
            case 0: return .unsupported(reason: "noMatch", dialog: dialog)
            case 1: return .confirmationRequired(JSON(values[0]), dialog: dialog ?? confirmation(locale))
            default:
                return .disambiguation(
                    options(values, sections, locale),
                    dialog: dialog ?? (prompts.choice ?? prompts.value)?.text(in: locale))
            }
        case .confirmationRequired(let value):
            return .confirmationRequired(JSON(value), dialog: dialog ?? confirmation(locale))
        case .unsupported(let reason): return .unsupported(reason: reason, dialog: dialog)
        }
    }

    private func confirmation(_ locale: String?) -> String? { prompts.confirmation?.text(in: locale) }

    private func options(_ values: [Item], _ sections: ItemCollection<Item>?, _ locale: String?) -> [ParameterOption] {
        ParameterOption.list(values, in: locale) { sections?.title(of: values[$0]) }
    }
}
