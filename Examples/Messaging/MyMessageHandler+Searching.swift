import IntentKit

extension MyMessageHandler {
    /// The largest number of results that can be read out.
    private static var mostResults: Int { 20 }

    func handle(_ search: SearchForMessages, context: Context) async throws -> HandleResponse {
        let found = try mailbox.messages().filter { search.finds($0) }
        if found.isEmpty { return .success(dialog: "There are no such messages.", values: ["count": 0]) }
        guard found.count <= Self.mostResults else {
            return .failure(
                .failureMessageTooManyResults, dialog: "That are \(found.count) messages. Say from whom, or when.")
        }
        let dialog: LocalizedText = found.count == 1 ? "There is one message." : "There are \(found.count) messages."
        return .success(dialog: dialog, values: ["count": found.count], items: found)
    }

    func handle(_ change: SetMessageAttribute, context: Context) async throws -> HandleResponse {
        let attribute = change.attribute.displayText.lowercased()
        switch try mailbox.set(change.attribute, of: change.identifiers.map(\.id)) {
        case .done:
            return .success(dialog: change.identifiers.count == 1 ? "It is \(attribute)." : "They are \(attribute).")
        case .notFound: return .failure(.failureMessageNotFound, dialog: "That message is gone.")
        case .notSet: return .failure(.failureMessageAttributeNotSet, dialog: "A text can't be marked as \(attribute).")
        }
    }
}

extension SearchForMessages {
    /// `true` if a message matches all the criteria.
    fileprivate func finds(_ message: Message) -> Bool {
        if let senders, !senders.contains(where: { $0.customIdentifier == message.sender?.identifier }) { return false }
        if let recipients {
            let wanted = Set(recipients.compactMap(\.customIdentifier))
            if wanted.isDisjoint(with: message.recipients.map(\.identifier)) { return false }
        }
        if let speakableGroupNames, !speakableGroupNames.contains(where: { $0.id == message.group?.identifier }) {
            return false
        }
        if let attributes, !attributes.allSatisfy(message.has) { return false }
        if let dateTimeRange, !dateTimeRange.contains(message.dateSent) { return false }
        return searchTerms?.allSatisfy(message.mentions) ?? true
    }
}
