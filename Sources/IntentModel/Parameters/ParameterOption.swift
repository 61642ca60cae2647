/// Something to choose from.
public struct ParameterOption: Sendable, Hashable {
    /// What an answer names; unique among the options of one prompt.
    public var id: String
    public var title: String
    public var subtitle: String?
    /// What the parameter becomes when this one is chosen.
    public var value: JSON

    public init(id: String, title: String, subtitle: String? = nil, value: JSON) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.value = value
    }
}
