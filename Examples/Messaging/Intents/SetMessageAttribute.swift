public import IntentKit

/// Marks messages as read, flagged and so on (SiriKit: `INSetMessageAttributeIntent`).
public struct SetMessageAttribute: Intent {
    public static let title: LocalizedText = "Mark messages"

    @Parameter(title: "Messages", size: .atMost(20), requestValueDialog: "Which messages?")
    public var identifiers: [Message]

    @Parameter(title: "Attribute", requestValueDialog: "What should they be marked as?")
    public var attribute: MessageAttribute

    public static let parameters = Parameters<Self>(\.$identifiers, \.$attribute)
    public static var parameterSummary: some ParameterSummary { Summary("Mark \(\.$identifiers) as \(\.$attribute)") }

    public init() {}
}
