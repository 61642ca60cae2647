public import IntentKit

/// An attribute of a message (SiriKit: `INMessageAttribute`).
public enum MessageAttribute: String, AppEnum {
    case read, unread, flagged, unflagged, played

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Attribute"
    public static let caseDisplayRepresentations: [MessageAttribute: DisplayRepresentation] = [
        .read: "Read", .unread: DisplayRepresentation(title: "Unread", synonyms: ["new", "not read"]),
        .flagged: DisplayRepresentation(title: "Flagged", synonyms: ["marked", "starred"]),
        .unflagged: DisplayRepresentation(title: "Unflagged", synonyms: ["not flagged"]),
        .played: DisplayRepresentation(title: "Played", synonyms: ["listened to"]),
    ]
}

/// The kind of an outgoing message (SiriKit: `INOutgoingMessageType`).
public enum OutgoingMessageType: String, AppEnum {
    case outgoingMessageText, outgoingMessageAudio

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Kind of message"
    public static let caseDisplayRepresentations: [OutgoingMessageType: DisplayRepresentation] = [
        .outgoingMessageText: DisplayRepresentation(title: "Text", synonyms: ["text message"]),
        .outgoingMessageAudio: DisplayRepresentation(
            title: "Voice message", synonyms: ["audio", "voice", "audio message"]),
    ]
}
