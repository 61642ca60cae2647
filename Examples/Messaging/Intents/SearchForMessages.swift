public import IntentKit

/// Finds messages (SiriKit: `INSearchForMessagesIntent`). Parameters without a value don't restrict the search.
public struct SearchForMessages: Intent {
    public static let title: LocalizedText = "Search for messages"

    @Parameter(title: "Recipients", description: "Messages to one of them", requestValueDialog: "To whom?")
    public var recipients: [Person]?

    @Parameter(title: "Senders", description: "Messages from one of them", requestValueDialog: "From whom?")
    public var senders: [Person]?

    @Parameter(title: "Attributes", description: "Messages that have all of these")
    public var attributes: Set<MessageAttribute>?

    @Parameter(title: "Time", description: "Messages sent in it")
    public var dateTimeRange: DateRange?

    @Parameter(title: "Groups", description: "Messages in one of them")
    public var speakableGroupNames: [MessageGroup]?

    @Parameter(title: "Words", description: "Messages with all of these words")
    public var searchTerms: [String]?

    public static let parameters = Parameters<Self>(
        \.$recipients, \.$senders, \.$attributes, \.$dateTimeRange, \.$speakableGroupNames, \.$searchTerms)

    public init() {}
}
