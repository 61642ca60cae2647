public import IntentKit
import SampleData

/// The messages domain for a worker: `IntentRegistry([MessageExtension()])`.
public struct MessageExtension: IntentExtension {
    public let intents: [any Intent.Type] = [SendMessage.self, SearchForMessages.self, SetMessageAttribute.self]

    public init() {}

    public func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is SendMessage,
            is SearchForMessages,
            is SetMessageAttribute:
            MyMessageHandler()
        default: nil
        }
    }

    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(AddressBook.sample as any ContactDirectory)
        manager.add(Mailbox(SampleStore.shared()))
    }
}
