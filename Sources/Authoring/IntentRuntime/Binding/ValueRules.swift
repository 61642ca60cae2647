import IntentKit

/// The rules of a declaration for one value: the value of a parameter, or each value of a list.
final class ValueRules<Item: ParameterValue>: Sendable {
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
        return .answer(.unsupported(reason: "noMatch", dialog: noMatch(words, options, locale)))
    }

    /// The known options to offer without a given value.
    func offered() async throws -> [Item] {
        if let provider { return try await provider.offered().items }
        if let entities { return try await entities.suggestions().items }
        return known ?? []
    }

    /// `true` if a query or the type has other values than those that are offered.
    var hasOtherValues: Bool { provider == nil && (entities.map { !$0.isComplete } ?? (known == nil)) }

    /// The options to offer after a plain question did not help; empty if there are none.
    func alternatives(in locale: String?) async throws -> [ParameterOption] {
        let sections = try await provider?.offered()
        let values = if let sections { sections.items } else { try await offered() }
        return values.count < 2 ? [] : options(values, sections, locale)
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

    /// - Parameter options: The known values, which the person is offered instead.
    func noMatch(_ words: String, _ options: [Item], _ locale: String?) -> LocalizedText {
        let title = title.text(in: locale)
        let problem = isSecret ? BuiltInText.cantBeThat(title) : BuiltInText.cantBe(title, Self.shortened(words))
        if options.count < 2 { return problem }
        return "\(problem) \(prompts.choice ?? prompts.value ?? BuiltInText.whichOneWouldYouLike)"
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
            case 1: return .confirmationRequired(JSON(values[0]), dialog: dialog ?? confirmation(values[0], locale))
            default:
                return .disambiguation(
                    options(values, sections, locale),
                    dialog: dialog ?? (prompts.choice ?? prompts.value)?.text(in: locale))
            }
        case .confirmationRequired(let value):
            return .confirmationRequired(JSON(value), dialog: dialog ?? confirmation(value, locale))
        case .unsupported(let reason): return .unsupported(reason: reason, dialog: dialog)
        }
    }

    /// The question whether the person means a value, with the value in words.
    private func confirmation(_ value: Item, _ locale: String?) -> String? {
        if let prompt = prompts.confirmation { return prompt.text(in: locale) }
        let text = value.displayText(in: locale).onOneLine
        return isSecret ? nil : BuiltInText.confirmValue(title.text(in: locale), text).text(in: locale)
    }

    private func options(_ values: [Item], _ sections: ItemCollection<Item>?, _ locale: String?) -> [ParameterOption] {
        ParameterOption.list(values, in: locale) { sections?.title(of: values[$0]) }
    }
}

// Reads values one by one: the values of a list, and entities.
extension ValueRules {
    /// Reads one given value, if the type itself can convert it.
    ///
    /// - Parameter field: The path of the value in the request, for messages.
    /// - Returns: `nil` for `null`.
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func item(_ view: JSONView, _ origin: ParameterState.Origin, field: String) throws(IntentFailure) -> Given? {
        var item = Given(origin: origin, json: view.json)
        if view.isNull { return nil }
        // Values for the parameter's own converters are converted later.
        if origin == .given, !conversion.isImmediate { return item }
        switch view.kind {
        case .null: return nil
        case .string where entities != nil: item.reading = view.string.map { .text($0) } ?? .open
        case .string:
            item.reading = conversion.read(view).map { .value($0) } ?? .text(view.string ?? view.json.description)
        case .number where entities != nil: item.reading = .text(view.json.description)
        case .object where entities != nil && (view["id"] != nil || (view["where"] != nil && entities?.filter != nil)):
            break
        case let kind:
            guard entities == nil else { throw wrongKind(kind, field) }
            if let value = conversion.read(view) {
                item.reading = .value(value)
            } else if kind == Item.jsonKind {
                item.reading = .text(view.json.description)
            } else {
                throw wrongKind(kind, field)
            }
        }
        return item
    }

    func wrongKind(_ kind: JSONView.Kind, _ field: String) -> IntentFailure {
        let message = "\(field) has to be \(typeDescription), not JSON of kind \(kind.rawValue)"
        return IntentFailure(.reject, reason: .invalid, message: message, field: field)
    }

    /// Applies the parameter's own converters, and the type's asynchronous converters, to the given value.
    private func convert(_ item: inout Given, field: String, _ context: Context) async throws {
        guard item.origin == .given, let json = item.json, item.value == nil, !conversion.isImmediate else { return }
        let view = json.view
        switch try await conversion.convert(view, context: context) {
        case .value(let value): item.reading = .value(value)
        case .notSupported(let reason, let dialog):
            let refusal = UnsupportedValue(reason: reason, dialog: dialog)
            item.reading = .refused(refusal, text: view.string ?? json.description)
        case .noConversion:
            if entities == nil, view.kind != .string, view.kind != Item.jsonKind { throw wrongKind(view.kind, field) }
            if entities == nil || view.kind != .object { item.reading = .text(view.string ?? json.description) }
        }
    }

    /// Converts the remaining values, and finds all entities with given identifiers in one query.
    func lookUp(_ items: inout [Given], field: String, _ context: Context) async throws {
        if !conversion.isImmediate {
            for index in items.indices { try await convert(&items[index], field: field, context) }
        }
        guard let entities else { return }
        let ids = items.map { $0.value == nil && !$0.isRefused ? identifier(of: $0) : nil }
        let wanted = ids.compactMap(\.self)
        if wanted.isEmpty { return }
        let found = try await entities.find(wanted)
        for index in items.indices {
            if let id = ids[index], let entity = found[id] { items[index].reading = .value(entity) }
        }
    }

    /// Searches for an entity that was not named by its identifier.
    ///
    /// - Returns: Several entities if the value is ambiguous; the pipeline then asks the person.
    private func search(_ item: Given, field: String, _ locale: String?) async throws -> [Item] {
        guard let entities else { return [] }
        if let text = item.text { return try await entities.search(text, locale) }
        guard let view = item.json?.view, view["id"] == nil, let filter = entities.filter else { return [] }
        return try await filter(view, field)
    }

    /// Applies all rules except a `Resolve` to one value.
    ///
    /// - Parameter said: The value, if it was read or found.
    func narrow(_ item: Given, said: Item?, options: [Item]?, field: String, _ locale: String?) async throws
        -> Narrowed
    {
        if case .refused(let refusal, _) = item.reading {
            return .answer(.unsupported(reason: refusal.reason, dialog: refusal.dialog.map { LocalizedText($0) }))
        }
        if let said { return narrow(said, nil, options: options, locale) }
        guard entities != nil else { return narrow(nil, item.text ?? "", options: options, locale) }
        if let options, let text = item.text { return narrow(nil, text, options: options, locale) }
        let found = try await search(item, field: field, locale)
        switch found.count {
        case 0:
            let dialog =
                item.text.map { noMatch($0, [], locale) } ?? notFound(item.json?.view["title"]?.string, locale)
            return .answer(.unsupported(reason: "noMatch", dialog: dialog))
        case 1: return narrow(found[0], nil, options: options, locale)
        default: return .answer(.disambiguation(found))
        }
    }

    private func identifier(of item: Given) -> String? {
        if let text = item.text { return text }
        guard let id = item.json?.view["id"] else { return nil }
        return id.string ?? id.json.description
    }
}

// Reads the person's words where the type alone does not read them, or reads them doubtfully.
extension ValueRules {
    /// The largest difference in likelihood between values that the person has to choose from.
    private static var close: Double { 0.15 }

    /// The value that the registry's reader understands, or a question about the value.
    ///
    /// - Parameters:
    ///   - given: The given value, with the values that were offered for it.
    ///   - said: The value that the type has read; `nil` if the type could not read it.
    /// - Returns: `nil` if there is no reader, the value is not text, or the reader finds no words of this kind.
    func interpretation(of given: Given, _ said: Item?, options: [Item]?, _ context: Context) -> Heard? {
        guard needsReader(for: given, isRead: said != nil, context), let reader = context.scope.spokenValues,
            let spokenKind,
            let words = given.json?.view.string
        else {
            return nil
        }
        if said == nil, let options, case .value = narrow(nil, words, options: options, context.locale) { return nil }
        var speech = SpeechContext(
            locale: given.said?.language ?? context.locale, timeZone: context.timeZone, now: context.now)
        speech.offered = given.said?.offered.compactMap(\.spokenText) ?? []
        let values = values(of: reader.candidates(for: words, as: spokenKind, in: speech), options)
        guard let best = values.first else { return nil }
        let rivals = values.filter { $0.confidence > best.confidence - Self.close }
        let reading = (interpreted: JSON(best.value), confidence: best.confidence)
        if rivals.count > 1 { return Heard(meaning: .answer(.disambiguation(rivals.map(\.value))), reading: reading) }
        if best.confidence >= ParameterState.Provenance.sufficientConfidence {
            return Heard(meaning: .value(best.value), reading: reading)
        }
        return Heard(meaning: .answer(.confirmationRequired(best.value)), reading: reading)
    }

    /// The reader's interpretation of words.
    struct Heard {
        let meaning: Narrowed
        let reading: (interpreted: JSON, confidence: Double)
    }

    /// Tells how words fit such a value, without a query.
    func fit(of words: String, _ speech: SpeechContext, _ reader: (any SpokenValueReading)?) -> WordsFit {
        if entities != nil || provider != nil || !conversion.isImmediate { return .byName }
        if let known {
            if case .value = narrow(nil, words, options: known, speech.locale) { return .byType }
            return .none
        }
        // The type takes any three letters for the code of a currency: "nur 20".
        let isCode = spokenKind == .currencyAmount && reader != nil
        let isRead = !isCode && conversion.read(JSON.string(words).view) != nil
        guard let spokenKind else { return isRead ? Item.self == String.self ? .freeText : .byName : .none }
        let candidates = isRead ? [] : reader?.candidates(for: words, as: spokenKind, in: speech) ?? []
        if !isRead, values(of: candidates, nil).isEmpty { return .none }
        // A yes or a no may be about anything, and "Monday" is a day rather than a stretch of time or a recurrence.
        let others: [SpokenKind] =
            switch spokenKind {
            case .dateRange, .recurrence: [.dateTime, .date, .time]
            case .measurement: [.duration]
            default: []
            }
        let isOther = others.contains { reader?.candidates(for: words, as: $0, in: speech).isEmpty == false }
        return spokenKind == .yesNo || isOther ? .byName : .byType
    }

    /// The names of the first values that a query or a provider offers, folded; empty without one, and if it fails.
    func optionNames(in locale: String?) async -> Set<String> {
        guard entities != nil || provider != nil, let values = try? await offered() else { return [] }
        var names: Set<String> = []
        for value in values.prefix(Self.maximumNamedOptions) {
            let shown = value.displayRepresentation
            for text in [shown.title] + shown.synonyms { names.insert(TextFolding.fold(text.text(in: locale))) }
        }
        return names
    }

    private static var maximumNamedOptions: Int { 500 }

    /// `true` if the reader is needed: the value is text that the type does not read, or reads doubtfully.
    func needsReader(for given: Given, isRead: Bool, _ context: Context) -> Bool {
        guard context.scope.spokenValues != nil, spokenKind != nil, let words = given.json?.view.string else {
            return false
        }
        return !isRead || given.said?.offered.isEmpty == false || isDoubtful(words, context.locale)
    }

    /// `true` if the type may have misread the words: in German, "1.500" is 1500.
    private func isDoubtful(_ words: String, _ locale: String?) -> Bool {
        guard locale != nil else { return false }
        return switch spokenKind {
        case .number, .wholeNumber, .currencyAmount, .measurement:
            words.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        case .dateTime, .date, .time, .yesNo, .duration, .dateRange, .recurrence, nil: false
        }
    }

    /// The candidates as values, without duplicates. If the declaration allows some of the values, only the allowed
    /// ones.
    private func values(of candidates: [SpokenCandidate], _ options: [Item]?) -> [(value: Item, confidence: Double)] {
        var values: [(value: Item, confidence: Double)] = []
        for candidate in candidates {
            guard let value = Item(text: candidate.text), !values.contains(where: { $0.value == value }) else {
                continue
            }
            values.append((value, candidate.confidence))
        }
        let allowed = values.filter { value, _ in
            range?.violation(by: value) == nil && options?.contains { $0.optionID == value.optionID } != false
        }
        return allowed.isEmpty ? values : allowed
    }
}

extension JSON {
    /// A value in the form of a ``SpokenCandidate``'s text; `nil` if words never stand for such a value.
    var spokenText: String? {
        switch view.kind {
        case .string: return view.string
        case .number: return description
        case .object:
            guard let amount = view["amount"]?.string, let code = view["currencyCode"]?.string else { return nil }
            return "\(amount) \(code)"
        case .null, .bool, .array: return nil
        }
    }
}
