/// One of the options of a choice.
public struct ParameterOption: Sendable, Hashable {
    /// The id by which an answer names it; unique among the options of one prompt.
    public var id: String
    public var title: String
    public var subtitle: String?
    /// The parameter's value if this option is chosen.
    public var value: JSON

    public init(id: String, title: String, subtitle: String? = nil, value: JSON) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.value = value
    }
}
