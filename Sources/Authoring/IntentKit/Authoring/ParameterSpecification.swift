/// The declaration of a `@Parameter`, shared by every copy of its intent.
///
/// For a list, the range, options, input options and lookups apply to each value of the list.
@usableFromInline package final class ParameterSpecification<Value: ParameterValue>: Sendable {
    @usableFromInline package typealias Item = Value.ListItem

    let reader: ValueReader<Value>
    package let title: LocalizedText
    package let description: LocalizedText?
    package let prompts: ParameterPrompts
    package let `default`: ParameterDefault<Value>?
    package let range: ParameterRange<Item>?
    package let size: ParameterSize<Value>?
    package let inputOptions: ParameterInputOptions<Item>?
    package let options: (any DynamicOptionsProvider<Item>)?
    package let sensitivity: ParameterSensitivity
    package let memory: ParameterMemory
    /// The words with which a person says "none in particular", folded.
    package let noneWords: Set<String>
    package let converters: ConverterSpecification
    /// The form of the values if the declaration is made at run time and the Swift type does not define the form; `nil`
    /// for Swift types.
    package let form: ValueForm<Item>?

    @usableFromInline package init(
        title: LocalizedText, description: LocalizedText?, prompts: ParameterPrompts, default: ParameterDefault<Value>?,
        options: (any DynamicOptionsProvider<Item>)?, traits: ParameterTrait<Value>.Traits,
        converters: ConverterSpecification, form: ValueForm<Item>? = nil
    ) {
        self.title = title
        self.description = description
        self.prompts = prompts
        self.default = `default`
        self.options = options
        self.converters = converters
        self.form = form
        reader = traits.reader ?? ValueReader(range: traits.range)
        range = traits.range
        size = traits.size
        inputOptions = traits.inputOptions
        sensitivity = traits.sensitivity
        memory = traits.memory.scope == .none && `default`?.isRemembered == true ? .intent : traits.memory
        noneWords = Set(traits.noneWords.map { TextFolding.fold($0) })
    }

    package var isSecret: Bool { sensitivity == .secret }
    /// The lookup of the values, if they are entities.
    package var entities: EntityForm<Item>? { Item.entityForm(options) }
    /// The provider of the options, unless the provider is a query for entities.
    package var provider: (any DynamicOptionsProvider<Item>)? { options is any EntityQuery ? nil : options }
    /// The values, if they are known without a provider.
    package var known: [Item]? { form?.known ?? Item.knownValues }

    /// Returns the values that the person may be offered, if such values are known.
    package func offered() async throws -> [Item] {
        if let provider { return try await provider.offered().items }
        if let entities { return try await entities.suggestions().items }
        return known ?? []
    }

    package func memoryKey(intent: String, parameter: String) -> String? {
        isSecret ? nil : memory.key(intent: intent, parameter: parameter)
    }
}

/// The questions to the person about a parameter, for resolutions without a dialog of their own.
@usableFromInline package struct ParameterPrompts: Sendable {
    package enum Kind: Sendable { case value, choice, confirmation }

    /// The question for a value.
    package let value: LocalizedText?
    /// The question for one of several values.
    package let choice: LocalizedText?
    /// The question whether the person means a value.
    package let confirmation: LocalizedText?

    @usableFromInline package init(value: LocalizedText?, choice: LocalizedText?, confirmation: LocalizedText?) {
        self.value = value
        self.choice = choice
        self.confirmation = confirmation
    }
}

/// A closed range of values, type-erased so that the type of the values need not be comparable.
@usableFromInline package struct ParameterRange<Value: ParameterValue>: Sendable {
    @usableFromInline package let lowerBound: Value
    @usableFromInline package let upperBound: Value
    @usableFromInline let side: @Sendable (Value) -> Int

    @inlinable package init(_ range: ClosedRange<Value>) where Value: Comparable {
        lowerBound = range.lowerBound
        upperBound = range.upperBound
        side = { value in value < range.lowerBound ? -1 : value > range.upperBound ? 1 : 0 }
    }

    /// Returns SiriKit's reason (as in `INPlayMediaPlaybackSpeedUnsupportedReason`), or `nil` for a value inside the
    /// range.
    @inlinable package func violation(by value: Value) -> String? {
        switch side(value) {
        case -1: "belowMinimum"
        case 1: "aboveMaximum"
        default: nil
        }
    }
}

/// The form of values that a declaration made at run time defines instead of their Swift type: the cases of an
/// enumeration, the kind of an entity.
@usableFromInline package struct ValueForm<Item: ParameterValue>: Sendable {
    /// The type's name in the catalogue.
    package var typeName: String
    /// A description of a valid value, for messages.
    package var typeDescription: String
    /// The JSON Schema of the wire form.
    package var schema: JSON
    /// The permitted values.
    package var known: [Item]?
    /// A reader that replaces the reading of values by type.
    package var read: (@Sendable (JSONView) -> Item?)?
    /// The source of the values, for the catalogue.
    package var catalogue: String?

    package init(
        typeName: String, typeDescription: String, schema: JSON, known: [Item]? = nil,
        read: (@Sendable (JSONView) -> Item?)? = nil,
        catalogue: String? = nil
    ) {
        self.typeName = typeName
        self.typeDescription = typeDescription
        self.schema = schema
        self.known = known
        self.read = read
        self.catalogue = catalogue
    }

    /// Creates the form of a Swift type of which only some values are permitted.
    package init(options: [Item]) {
        self.init(
            typeName: String(describing: Item.self), typeDescription: Item.typeDescription, schema: Item.jsonSchema,
            known: options)
    }
}

/// The default of a parameter: the value if the request gives none.
///
/// ```swift
/// @Parameter(
///     title: "Pickup", default: .first(.attribute("location"), .remembered, .constant(home)), .memory(.session))
/// var pickup: Place?
/// ```
/// A value from an attribute or from memory counts only if the type can read the value and the value is inside the
/// range of the parameter.
public struct ParameterDefault<Value: ParameterValue>: Sendable {
    package enum Source: Sendable {
        case constant(Value)
        case attribute(String)
        case remembered
    }

    package let sources: [Source]
    /// The first constant, which is available without a request.
    package let constant: Value?

    package init(_ sources: [Source]) {
        self.sources = sources
        constant = sources.lazy.compactMap { if case .constant(let value) = $0 { value } else { nil } }.first
    }

    /// Returns a default with a fixed value.
    public static func constant(_ value: Value) -> Self { Self([.constant(value)]) }

    /// Returns a default that is the request's attribute with this name (``Context/attributes``), if the request has
    /// one.
    public static func attribute(_ name: String) -> Self { Self([.attribute(name)]) }

    /// The last remembered value, of the session or of the person, as the parameter's ``ParameterMemory`` defines.
    /// Without a ``ParameterMemory``, the session remembers the value for this parameter of this intent.
    public static var remembered: Self { Self([.remembered]) }

    /// Returns the first of these defaults that has a value.
    public static func first(_ defaults: Self...) -> Self { Self(defaults.flatMap(\.sources)) }

    var isRemembered: Bool { sources.contains { if case .remembered = $0 { true } else { false } } }

    /// A default: a value, or JSON that has to be read.
    package enum Candidate {
        case value(Value)
        case json(JSON)
    }

    /// Returns the defaults that have a value, in order.
    ///
    /// - Parameter isOptional: `true` if the person may have chosen no value. If the memory holds that choice, no
    ///   default after the memory applies.
    package func candidates(_ context: Context, memoryKey: String?, isOptional: Bool) -> [Candidate] {
        var candidates: [Candidate] = []
        for source in sources {
            switch source {
            case .constant(let value): candidates.append(.value(value))
            case .attribute(let name): if let value = context.attributes[name] { candidates.append(.json(value)) }
            case .remembered:
                guard let memoryKey, let value = context.memory[memoryKey] else { continue }
                if value != .null { candidates.append(.json(value)) } else if isOptional { return candidates }
            }
        }
        return candidates
    }
}
