public import IntentKit

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message that was sent or received (SiriKit: `INMessage`).
///
/// Events contain the message's identifier and members. In each phase, ``MessageQuery`` finds the message by its
/// identifier.
public struct Message: AppEntity, Codable {
    /// A sender or recipient, with their name at the time of the message.
    public struct Correspondent: Sendable, Hashable, Codable {
        public var identifier: String
        public var name: String

        public init(_ identifier: String, _ name: String) { (self.identifier, self.name) = (identifier, name) }
    }

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Message"
    public static let defaultQuery = MessageQuery()

    public let id: String
    /// `nil` for a message that the user sent.
    public var sender: Correspondent?
    public var recipients: [Correspondent] = []
    public var group: Correspondent?
    /// `nil` for a voice message.
    public var content: String?
    public var dateSent: Date
    public var isRead = false
    public var isFlagged = false
    public var isPlayed = false

    public var isAudio: Bool { content == nil }

    public func has(_ attribute: MessageAttribute) -> Bool {
        switch attribute {
        case .read: isRead
        case .unread: !isRead
        case .flagged: isFlagged
        case .unflagged: !isFlagged
        case .played: isPlayed
        }
    }

    /// Sets an attribute.
    ///
    /// - Returns: `false` if the message can't have the attribute: a text can't be played.
    mutating func set(_ attribute: MessageAttribute) -> Bool {
        switch attribute {
        case .read: isRead = true
        case .unread: isRead = false
        case .flagged: isFlagged = true
        case .unflagged: isFlagged = false
        case .played where isAudio: (isRead, isPlayed) = (true, true)
        case .played: return false
        }
        return true
    }

    public var displayRepresentation: DisplayRepresentation {
        let others = recipients.isEmpty ? group?.name ?? "" : recipients.map(\.name).joined(separator: ", ")
        return DisplayRepresentation(
            title: LocalizedText(content ?? "Voice message"),
            subtitle: LocalizedText(sender.map { "from \($0.name)" } ?? "to \(others)"))
    }

    public func encodeMembers(to writer: inout JSONWriter) {
        writer.member("sender", ifPresent: sender?.name)
        if !recipients.isEmpty { writer.member("recipients", .array(recipients.map { .string($0.name) })) }
        writer.member("group", ifPresent: group?.name)
        writer.member("dateSent", JSON(dateSent))
        writer.member("attributes", .array(MessageAttribute.allCases.filter(has).map { .string($0.rawValue) }))
    }
}
