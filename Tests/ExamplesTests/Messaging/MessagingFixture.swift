import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A directory that counts its searches.
final class CountingContacts: ContactDirectory {
    private let book: AddressBook
    private let names = Recorder<String>()

    init(_ book: AddressBook) { self.book = book }

    var searches: [String] { names.all }

    func contacts(named name: String) -> [Contact] {
        names.record(name)
        return book.contacts(named: name)
    }
    func contact(withIdentifier identifier: String) -> Contact? { book.contact(withIdentifier: identifier) }
    func groups() -> [MessageGroup] { book.groups() }
}

/// The messages domain with its own address book and mailbox for each test.
struct MessagingFixture {
    let contacts: CountingContacts
    let mailbox: Mailbox
    let served: MessageExtension
    let registry: IntentRegistry

    /// Creates the domain.
    ///
    /// - Parameter now: The time at which messages are sent; defaults to 2026-01-06T09:00:00Z.
    init(_ book: AddressBook = .sample, now: Date = Date(timeIntervalSince1970: 1_767_690_000)) throws {
        let (contacts, mailbox) = (CountingContacts(book), Mailbox(SampleStore()) { now })
        (self.contacts, self.mailbox) = (contacts, mailbox)
        served = MessageExtension(contacts: contacts, mailbox: mailbox)
        registry = try IntentRegistry([served], dependencies: AppDependencyManager())
    }

    /// A conversation with a pipeline that serves the domain.
    func conversation() async throws -> TestConversation {
        try await TestConversation(with: [served])
    }
}
