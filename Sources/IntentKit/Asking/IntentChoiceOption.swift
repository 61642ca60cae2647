/// One of several ways to go on, for ``Context/requestChoice(between:dialog:)->IntentChoiceOption``: App Intents' type of the same name.
public struct IntentChoiceOption: Sendable, Hashable {
    public enum Style: String, Sendable, Hashable {
        case `default`
        /// It does away with something: whoever shows it should set it apart.
        case destructive
        /// Choosing it is saying no: the request throws ``IntentDeclinedError``.
        case cancel
    }

    /// What the person chooses by; unique among the options of one request.
    public var title: LocalizedText
    public var subtitle: LocalizedText?
    public var style: Style

    public init(title: LocalizedText, subtitle: LocalizedText? = nil, style: Style = .default) {
        self.title = title
        self.subtitle = subtitle
        self.style = style
    }

    public static let cancel = IntentChoiceOption(title: "Cancel", style: .cancel)
    public static func cancel(title: LocalizedText) -> IntentChoiceOption { IntentChoiceOption(title: title, style: .cancel) }
}
