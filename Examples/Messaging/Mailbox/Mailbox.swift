import IntentKit

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The messages of the sample's one user: the newest 200.
///
/// The messages are stored in the ``SampleStore``, because searching and setting attributes may run in another process
/// than sending.
public struct Mailbox: Sendable {
    private let store: SampleStore
    private let now: @Sendable () -> Date
    private static let capacity = 200

    /// - Parameter now: The current time, used as the time of sending. Tests pass their own.
    public init(_ store: SampleStore, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.store, self.now) = (store, now)
    }

    /// All messages, the newest first.
    public func messages() throws -> [Message] {
        try store.read("messages", in: "mailbox", as: [Message].self) ?? Self.received
    }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - content: `nil` for a voice message.
    ///   - key: The idempotency key. A call with the same key returns the message that was sent before and sends
    ///     nothing.
    func send(
        _ content: String?, to recipients: [Message.Correspondent], in group: Message.Correspondent?, key: Identifier
    ) throws -> Message {
        try change { messages in
            let identifier: Identifier = "m-\(key)"
            if let sent = messages.first(where: { Identifier($0.id) == identifier }) { return sent }
            let message = Message(
                id: identifier.text, recipients: recipients, group: group, content: content, dateSent: now(),
                isRead: true)
            messages.insert(message, at: 0)
            messages = Array(messages.prefix(Self.capacity))
            return message
        }
    }

    /// The result of setting an attribute.
    enum Change { case done, notFound, notSet }

    /// Sets an attribute of all the messages, or changes none of them.
    func set(_ attribute: MessageAttribute, of identifiers: [String]) throws -> Change {
        try change { messages in
            var changed = messages
            for identifier in identifiers {
                guard let index = changed.firstIndex(where: { $0.id == identifier }) else { return .notFound }
                guard changed[index].set(attribute) else { return .notSet }
            }
            messages = changed
            return .done
        }
    }

    private func change<Result>(_ body: (inout [Message]) throws -> Result) throws -> Result {
        try store.update("messages", in: "mailbox", as: [Message].self) { document in
            var messages = document ?? Self.received
            let result = try body(&messages)
            document = messages
            return result
        }
    }

    /// The contents of a new mailbox.
    private static let received: [Message] = {
        func received(_ id: String, _ sender: Message.Correspondent, _ content: String?, _ seconds: TimeInterval)
            -> Message
        {
            // Seconds after 2026-01-05T08:00:00Z.
            Message(
                id: id, sender: sender, content: content, dateSent: Date(timeIntervalSince1970: 1_767_600_000 + seconds)
            )
        }
        let (mia, john) = (
            Message.Correspondent("c-ekman", "Mia Ekman"), Message.Correspondent("c-adler", "John Adler")
        )
        return [
            received("in-4", john, nil, 10_800), received("in-3", mia, "Don't forget the keys", 7_200),
            received("in-2", john, "Are you coming to climb on Friday?", 3_600),
            received("in-1", mia, "Dinner at eight?", 0),
        ]
    }()
}
