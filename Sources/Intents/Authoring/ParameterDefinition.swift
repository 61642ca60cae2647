/// What a `@Parameter` declares, shared by every copy of the intent that declares it.
///
/// A list's range, options, input options and lookups are about each of its values.
final class ParameterDefinition<Value: ParameterValue>: Sendable {
    typealias Item = Value.ListItem

    let title: LocalizedText
    let description: LocalizedText?
    let prompts: ParameterPrompts
    let `default`: ParameterDefault<Value>?
    let range: ParameterRange<Item>?
    let size: ParameterSize<Value>?
    let inputOptions: ParameterInputOptions<Item>?
    let options: (any DynamicOptionsProvider<Item>)?
    let sensitivity: ParameterSensitivity
    let memory: ParameterMemory
    /// What a person says who wants none, folded.
    let noneWords: Set<String>
    let resolvers: ResolverSpecification
    /// What only a declaration made at run time knows of the values; `nil` for types that say it all themselves.
    let form: ValueForm<Item>?

    init(
        title: LocalizedText, description: LocalizedText?, prompts: ParameterPrompts, default: ParameterDefault<Value>?,
        range: ParameterRange<Item>?, size: ParameterSize<Value>?, inputOptions: ParameterInputOptions<Item>?,
        options: (any DynamicOptionsProvider<Item>)?, sensitivity: ParameterSensitivity, memory: ParameterMemory,
        noneWords: [String] = [], resolvers: ResolverSpecification, form: ValueForm<Item>? = nil
    ) {
        self.noneWords = Set(noneWords.map { TextFolding.fold($0) })
        self.title = title
        self.description = description
        self.prompts = prompts
        self.default = `default`
        self.range = range
        self.size = size
        self.inputOptions = inputOptions
        self.options = options
        self.sensitivity = sensitivity
        self.resolvers = resolvers
        self.form = form
        self.memory = memory.scope == .none && `default`?.isRemembered == true ? .intent : memory
    }

    var isSecret: Bool { sensitivity == .secret }

    func memoryKey(intent: String, parameter: String) -> String? {
        isSecret ? nil : memory.key(intent: intent, parameter: parameter)
    }
}

/// What the person is asked about a parameter, if a resolution doesn't say so itself.
struct ParameterPrompts: Sendable {
    enum Kind: Sendable { case value, choice, confirmation }

    /// There has to be a value.
    let value: LocalizedText?
    /// One of several has to be meant.
    let choice: LocalizedText?
    /// Is this what is meant?
    let confirmation: LocalizedText?
}
