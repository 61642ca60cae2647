public import IntentKit

/// Describes a parameter, with the properties that are known without a request.
public struct ParameterCatalogEntry: Sendable, Hashable {
    public var name: String
    public var title: String
    public var description: String?
    public var type: TypeDescription
    /// `true` if the value is not optional. A required parameter with a default is not asked for.
    public var isRequired: Bool
    public var defaultValue: Default?
    /// The range of the value, or of each value of a list.
    public var range: Range?
    /// The number of values that a list may have.
    public var size: ClosedRange<Int>?
    public var options: Options
    /// The questions to the person, by purpose.
    public var prompts: [Detail] = []
    /// The key and the scope in which the value is remembered; `nil` if the value is not remembered.
    public var memory: Memory?
    /// Other properties of the declaration, in its own words: `sensitivity: secret`.
    public var details: [Detail] = []

    public struct TypeDescription: Sendable, Hashable {
        /// The Swift type's name, without its module's name.
        public var name: String
        /// A description such as "a whole number".
        public var description: String
        /// The JSON Schema of the type's wire form.
        public var schema: JSON
    }

    public struct Default: Sendable, Hashable {
        /// The default in wire form; `nil` if it is only known when the intent is resolved.
        public var value: JSON?
        public var text: String
    }

    /// The permitted values from minimum to maximum, both included.
    public struct Range: Sendable, Hashable {
        public var minimum: JSON
        public var maximum: JSON
        public var text: String
    }

    /// The source of the permitted values.
    public enum Options: Sendable, Hashable {
        /// The value may be any value of its type.
        case any
        /// The cases of an ``AppEnum``, or other values that are fixed in code.
        case known([Option])
        /// A provider of this type supplies the values when the parameter is resolved.
        case provided(by: String)
    }

    public struct Option: Sendable, Hashable {
        public var id: String
        public var title: String
        public var subtitle: String?
        public var synonyms: [String] = []
    }

    public struct Memory: Sendable, Hashable {
        public var key: String
        public var scope: MemoryScope
    }

    public struct Detail: Sendable, Hashable {
        public var name: String
        public var value: String
    }
}

extension ParameterBinding {
    func describe(in locale: String?) -> ParameterCatalogEntry {
        var description = ParameterCatalogEntry(
            name: name, title: title(in: locale), description: definition.description?.text(in: locale),
            type: type(in: locale),
            isRequired: isRequired, defaultValue: definition.default.map { Self.describe($0, in: locale) },
            options: options(in: locale))
        if let range = definition.range {
            let text = "\(range.lowerBound.displayText(in: locale)) to \(range.upperBound.displayText(in: locale))"
            description.range = .init(minimum: JSON(range.lowerBound), maximum: JSON(range.upperBound), text: text)
        }
        let prompts = definition.prompts
        for (name, prompt) in [
            ("value", prompts.value), ("choice", prompts.choice), ("confirmation", prompts.confirmation),
        ] {
            if let prompt { description.prompts.append(.init(name: name, value: prompt.text(in: locale))) }
        }
        description.size = size
        description.memory = memoryKey.map { .init(key: $0, scope: facts.memoryScope) }
        description.details = details
        return description
    }

    private func type(in locale: String?) -> ParameterCatalogEntry.TypeDescription {
        guard let form = definition.form else {
            return .init(
                name: String(describing: Base.self),
                description: BuiltInText.typeDescription(Base.typeDescription).text(in: locale),
                schema: Base.jsonSchema)
        }
        let item = BuiltInText.typeDescription(form.typeDescription).text(in: locale)
        guard Base.listForm != nil else { return .init(name: form.typeName, description: item, schema: form.schema) }
        let schema = JSON.object(["type": .string("array"), "items": form.schema])
        return .init(name: "Array<\(form.typeName)>", description: "a list, each element \(item)", schema: schema)
    }

    private static func describe(_ default: ParameterDefault<Base>, in locale: String?) -> ParameterCatalogEntry.Default
    {
        let texts = `default`.sources.map { source in
            switch source {
            case .constant(let value): value.displayText(in: locale)
            case .attribute(let name): "attribute '\(name)'"
            case .remembered: "what was said last"
            }
        }
        let isKnown = `default`.sources.count == 1
        return .init(
            value: isKnown ? `default`.constant.map { JSON($0) } : nil, text: texts.joined(separator: ", else "))
    }

    private var size: ClosedRange<Int>? { definition.size?.bounds }

    /// The properties that differ from their defaults.
    private var details: [ParameterCatalogEntry.Detail] {
        var details: [ParameterCatalogEntry.Detail] = []
        if definition.sensitivity != .private {
            details.append(.init(name: "sensitivity", value: definition.sensitivity.rawValue))
        }
        if let memoryKey {
            details.append(
                .init(
                    name: facts.memoryScope == .person ? "remembered for the person as" : "remembered as",
                    value: memoryKey)
            )
        }
        if !noneWords.isEmpty {
            details.append(.init(name: "gone without when said", value: noneWords.sorted().joined(separator: ", ")))
        }
        if let bounds = size {
            let text =
                bounds.lowerBound == bounds.upperBound
                ? "\(bounds.lowerBound)"
                : bounds.upperBound == .max
                    ? "at least \(bounds.lowerBound)" : "\(bounds.lowerBound) to \(bounds.upperBound)"
            details.append(.init(name: "size", value: text))
        }
        if let input = definition.inputOptions {
            details.append(.init(name: "keyboard", value: input.keyboardType.rawValue))
            details.append(.init(name: "capitalization", value: input.capitalizationType.rawValue))
            if input.multiline { details.append(.init(name: "multiline", value: "yes")) }
        }
        return details
    }

    private func options(in locale: String?) -> ParameterCatalogEntry.Options {
        if let catalogue = definition.form?.catalogue { return .provided(by: catalogue) }
        if let provider = definition.options, definition.form?.known == nil {
            return .provided(by: String(describing: Swift.type(of: provider)))
        }
        guard let known = definition.form?.known ?? Base.ListItem.knownValues else { return .any }
        return .known(
            known.map { value in
                let shown = value.displayRepresentation
                return .init(
                    id: value.optionID, title: shown.title.text(in: locale), subtitle: shown.subtitle?.text(in: locale),
                    synonyms: shown.synonyms.map { $0.text(in: locale) })
            })
    }
}
