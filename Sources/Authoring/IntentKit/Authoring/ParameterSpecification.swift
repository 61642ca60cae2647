/// The declaration of a `@Parameter`, shared by every copy of its intent.
///
/// For a list, the range, options, input options and lookups apply to each value of the list.
package final class ParameterSpecification<Value: ParameterValue>: Sendable {
    package typealias Item = Value.ListItem

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

    package init(
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
package struct ParameterPrompts: Sendable {
    package enum Kind: Sendable { case value, choice, confirmation }

    /// The question for a value.
    package let value: LocalizedText?
    /// The question for one of several values.
    package let choice: LocalizedText?
    /// The question whether the person means a value.
    package let confirmation: LocalizedText?

    package init(value: LocalizedText?, choice: LocalizedText?, confirmation: LocalizedText?) {
        self.value = value
        self.choice = choice
        self.confirmation = confirmation
    }
}

/// A closed range of values, type-erased so that the type of the values need not be comparable.
package struct ParameterRange<Value: ParameterValue>: Sendable {
    package let lowerBound: Value
    package let upperBound: Value
    private let side: @Sendable (Value) -> Int

    package init(_ range: ClosedRange<Value>) where Value: Comparable {
        lowerBound = range.lowerBound
        upperBound = range.upperBound
        side = { value in value < range.lowerBound ? -1 : value > range.upperBound ? 1 : 0 }
    }

    /// Returns SiriKit's reason (as in `INPlayMediaPlaybackSpeedUnsupportedReason`), or `nil` for a value inside the
    /// range.
    package func violation(by value: Value) -> String? {
        switch side(value) {
        case -1: "belowMinimum"
        case 1: "aboveMaximum"
        default: nil
        }
    }
}
