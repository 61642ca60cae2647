public import IntentKit

/// The messages domain for a worker: `IntentRegistry([MessageExtension()])`.
public struct MessageExtension: IntentExtension {
    private let contacts: any ContactDirectory
    private let mailbox: Mailbox

    public init(contacts: any ContactDirectory = AddressBook.sample, mailbox: Mailbox = Mailbox(SampleStore.shared())) {
        self.contacts = contacts
        self.mailbox = mailbox
    }

    public var handlers: [any IntentHandling] { MyMessageHandler(contacts: contacts, mailbox: mailbox) }

    /// Provides the dependencies of the queries that find groups and messages.
    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(contacts as any ContactDirectory)
        manager.add(mailbox)
    }
}
