import IntentKit

/// One handler for three intents: each entry defines how one of them is resolved, confirmed and handled.
struct MyMessageHandler: IntentHandler {
    let contacts: any ContactDirectory
    let mailbox: Mailbox

    var handlings: [any IntentHandling] {
        Handling(SendMessage.self, confirm: confirm, handle: handle) {
            Resolve(each: \.$recipients, after: \.$speakableGroupName) { person, _, context in
                try await recipient(person, context)
            }.whole { people, message in
                if let people { return .success(people) }
                return message.$speakableGroupName.value == nil ? .needsValue() : .notRequired()
            }
            Resolve(\.$content, after: \.$outgoingMessageType) { text, message in
                if message.$outgoingMessageType.value == .outgoingMessageAudio { return .notRequired() }
                guard let text, text.contains(where: { !$0.isWhitespace }) else { return .needsValue() }
                return .success(text)
            }
        }
        Handling(SearchForMessages.self, handle: handle) {
            Resolve(each: \.$recipients) { person, _ in try await contact(person) { .success($0.person(person)) } }
            Resolve(each: \.$senders) { person, _ in try await contact(person) { .success($0.person(person)) } }
        }
        Handling(SetMessageAttribute.self, handle: handle)
    }
}
