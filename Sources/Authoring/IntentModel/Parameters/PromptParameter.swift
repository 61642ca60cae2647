/// A parameter of the intent that a prompt shows beside the parameter it asks for, so that a surface can show the whole
/// intent, or a form.
public struct PromptParameter: Sendable, Hashable {
    public var name: String
    /// The parameter's name for people.
    public var title: String?
    /// The value in words, in the language of the request; `nil` without a value and for a secret.
    public var text: String?
    /// The value in wire form; `nil` without a value and for a secret.
    public var value: JSON?
    /// The source of the value, if the person did not give it. Filled in when the prompt is sent.
    public var source: ParameterState.Provenance.Source?
    /// The reason for a remembered value, in words and in the language of the request. Filled in when the prompt is
    /// sent.
    public var reason: String?
    /// `true` if the parameter has to be asked for. An answer may already give its value.
    public var isMissing: Bool
    /// The values that a missing parameter may have; see ``ResolvedParameter/declaration``.
    public var declaration: JSON?
    /// The first of the options of a missing parameter, if it has options.
    public var options: [ParameterOption] = []
    /// `true` if there are more values than the options.
    public var omitsOptions = false

    public init(
        name: String, title: String? = nil, text: String? = nil, value: JSON? = nil, isMissing: Bool = false,
        declaration: JSON? = nil
    ) {
        self.name = name
        self.title = title
        self.text = text
        self.value = value
        self.isMissing = isMissing
        self.declaration = declaration
    }
}
