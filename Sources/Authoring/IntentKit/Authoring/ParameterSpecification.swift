/// The declaration of a `@Parameter`, shared by every copy of its intent.
///
/// For a list, the range, options, input options and lookups apply to each value of the list.
@usableFromInline package final class ParameterSpecification<Value: ParameterValue>: Sendable {
    @usableFromInline package typealias Item = Value.ListItem

    let reader: ParameterReader<Value>
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
        reader = traits.reader ?? ParameterReader(range: traits.range)
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
