/// A parameter of the intent, as a prompt shows it beside the one that is asked for: so that a surface can show the whole intent, or a form.
public struct PromptParameter: Sendable, Hashable {
    public var name: String
    /// The parameter's name for people.
    public var title: String?
    /// The value in words, in the language of the request; `nil` without a value and for a secret.
    public var text: String?
    /// The value in wire form; `nil` without a value and for a secret.
    public var value: JSON?
    /// Where the value comes from, if the person did not give it. It is filled in when the prompt is told.
    public var source: ParameterState.Provenance.Source?
    /// Why it has a value that is remembered, in words and in the language of the request. It is filled in when the prompt is told.
    public var reason: String?
    /// Whether it has to be asked for. An answer may give its value already.
    public var isMissing: Bool
    /// What values it may have, if it is missing; see ``ResolvedParameter/declaration``.
    public var declaration: JSON?
    /// The first of the options to choose from, if it is missing and has some.
    public var options: [ParameterOption] = []
    /// Whether there are more values than the options.
    public var omitsOptions = false

    public init(
        name: String, title: String? = nil, text: String? = nil, value: JSON? = nil, isMissing: Bool = false, declaration: JSON? = nil
    ) {
        self.name = name
        self.title = title
        self.text = text
        self.value = value
        self.isMissing = isMissing
        self.declaration = declaration
    }
}
