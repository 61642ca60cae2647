import Foundation
import IntentEvents
import IntentKit
import PipelineTestKit
import SampleDomains
import Testing

/// The messages domain with its own address book and mailbox.
struct Messaging: DomainFixture {
    /// A directory that records its searches.
    struct Contacts: ContactDirectory {
        let book: AddressBook
        let names = Recorder<String>()

        func contacts(named name: String) -> [Contact] {
            names.record(name)
            return book.contacts(named: name)
        }
        func contact(withIdentifier identifier: String) -> Contact? { book.contact(withIdentifier: identifier) }
        func groups() -> [MessageGroup] { book.groups() }
    }

    let contacts: Contacts
    /// A mailbox that sends messages on 2026-01-06 at 09:00 UTC.
    let mailbox = Mailbox(SampleStore()) { Date(timeIntervalSince1970: 1_767_690_000) }
    let served: MessageExtension

    init(_ book: AddressBook = .sample) {
        contacts = Contacts(book: book)
        served = MessageExtension(contacts: contacts, mailbox: mailbox)
    }

    /// The names that were searched for so far.
    var searches: [String] { contacts.names.all }

    func messages() throws -> [Message] { try mailbox.messages() }

    /// Returns the result for the recipients of a message.
    func recipients(_ said: String) async throws -> ParameterResolution {
        try await resolve("recipients", of: "SendMessage", [.said("recipients", said)])
    }

    /// Plays a conversation about a message.
    func play(_ said: KeyValuePairs<String, String>, _ answers: String...) async throws
        -> TestConversation
    {
        var talk = try await conversation()
        try await talk.request("SendMessage", said)
        for answer in answers { try await talk.answer(answer) }
        return talk
    }
}

@Suite("Resolving the recipients of a message") struct RecipientTests {
    private func recipient(_ person: Person, for principal: Principal? = nil) async throws -> ParameterResolution {
        let given = ParameterState(name: "recipients", value: .array([JSON(person)]))
        return try await Messaging().resolve("recipients", of: "SendMessage", [given], for: principal)
    }

    @Test(
        "a person who can't be reached is refused with SiriKit's reason",
        arguments: [
            ("Ben Fox", "noAccount"), ("Lea Grau", "offline"), ("Tom Hill", "messagingServiceNotEnabledForRecipient"),
            ("Ken Ito", "noValidHandle"), ("Eva Jung", "requiringInAppAuthentication"), ("Zoe", "noMatch"),
        ])
    func refused(_ name: String, _ reason: String) async throws {
        #expect(try await recipient(Person(displayName: name)).reason == reason)
    }

    @Test func `a hidden contact is found by an authenticated person`() async throws {
        #expect(try await recipient(Person(displayName: "Eva"), for: Principal(.appUser, "ann")).value != nil)
    }

    @Test func `a requested handle or label must exist`() async throws {
        #expect(try await recipient(Person(displayName: "Mia", handle: "+1 555")).reason == "requestedHandleInvalid")
        #expect(try await recipient(Person(displayName: "Mia", handleLabel: "pager")).reason == "noHandleForLabel")
        let list = try await recipient(Person(displayName: "Mum", handleLabel: "Work")).value
        #expect(list?.view.elements[0]["handle"]?.string == "mia@example.com")
    }

    @Test func `a person with several handles leads to a choice of handles`() async throws {
        let messaging = Messaging()
        let talk = try await messaging.play(["recipients": "Mia", "content": "Hi"], "c-ekman#2", "yes")
        #expect(
            try talk.lines == [
                "offers recipients: Mia Ekman | Mia Ekman", "confirms: Send “Hi” to Mia Ekman?",
                "success success: Sent to Mia Ekman.",
            ])
        let sent = try #require(try talk.work(.handle).first?["recipients"])
        #expect(sent.view.elements[0]["handle"]?.string == "mia@example.com" && messaging.searches == ["Mia"])
    }

    @Test func `more than five people with a name are not offered, but their whole name is asked for`() async throws {
        let sams = AddressBook((1...6).map { Contact("\($0)", "Sam \($0)") })
        let dialog = "There are 6 people called Sam. What is the whole name?"
        #expect(try await Messaging(sams).recipients("Sam") == .needsValue(dialog: dialog))
    }

    @Test func `recipients are required only without a group`() async throws {
        func resolve(_ parameter: String, _ group: String?) async throws -> ParameterResolution {
            let states = group.map { [ParameterState.said("speakableGroupName", $0)] } ?? []
            return try await Messaging().resolve(parameter, of: "SendMessage", states)
        }
        #expect(try await resolve("recipients", nil) == .needsValue(dialog: "Who should get it?"))
        #expect(try await resolve("recipients", "climbing") == .notRequired)
        #expect(try await resolve("speakableGroupName", "chess").reason == "noMatch")
    }
}

@Suite("Two Johns") struct TwoJohnsTests {
    private let favourite = Messaging(
        AddressBook([Contact("j1", "John Adler", isFavourite: true), Contact("j2", "John Brandt")]))
    private let equal = Messaging(
        AddressBook([Contact("j1", "John Adler"), Contact("j2", "John Brandt"), Contact("m", "Mia Ekman")]))
    private let said: KeyValuePairs = ["recipients": "John", "content": "On my way"]

    @Test func `two favourites are as equal as none`() async throws {
        let both = AddressBook([Contact("1", "John A", isFavourite: true), Contact("2", "John B", isFavourite: true)])
        #expect(try await Messaging(both).recipients("John").options.count == 2)
        #expect(try await equal.recipients("John").options.map(\.id) == ["j1", "j2"])
    }

    @Test func `a whole conversation: the favourite is confirmed, with a single search`() async throws {
        let talk = try await favourite.play(said, "yes", "yes")
        #expect(
            try talk.lines == [
                "checks recipients: Do you mean John Adler?", "confirms: Send “On my way” to John Adler?",
                "success success: Sent to John Adler.",
            ])
        #expect(try talk.results[0].data["value"]?["identifier"]?.string == "j1" && favourite.searches == ["John"])
        #expect(try favourite.messages().first?.recipients.map(\.identifier) == ["j1"])
    }

    @Test func `a whole conversation: one of two equal Johns is chosen, with a single search`() async throws {
        let talk = try await equal.play(said, "j2", "yes")
        #expect(
            try talk.lines == [
                "offers recipients: John Adler | John Brandt", "confirms: Send “On my way” to John Brandt?",
                "success success: Sent to John Brandt.",
            ])
        let recipients = try #require(try talk.work(.handle).first?["recipients"])
        #expect(recipients.view.elements.map { $0["identifier"]?.string } == ["j2"] && equal.searches == ["John"])
    }

    @Test func `a whole conversation: declining the favourite asks for another recipient`() async throws {
        #expect(
            try await favourite.play(said, "no", "John Brandt", "yes").lines == [
                "checks recipients: Do you mean John Adler?", "asks recipients: Recipients: what else?",
                "confirms: Send “On my way” to John Brandt?", "success success: Sent to John Brandt.",
            ])
    }
}

@Suite("A message that reaches some of its recipients") struct PartialSuccessTests {
    private func sent(to recipients: String) async throws -> TestConversation {
        try await Messaging().play(["recipients": recipients, "content": "Hi"], "yes")
    }

    @Test func `has succeeded, and the completion says what came of each`() async throws {
        let talk = try await sent(to: "John Brandt, Anna Costa and Noa Kern")
        #expect(try talk.lines.last == "success partialSuccess: Sent to 2 of 3.")
        let results = try talk.last?.data["results"]?.elements ?? []
        #expect(
            results.map { "\($0["title"]?.string ?? "") \($0["code"]?.string ?? "")" } == [
                "John Brandt success", "Anna Costa success", "Noa Kern failureInboxFull",
            ])
        #expect(results.last?["dialog"]?.string == "The inbox is full.")
    }

    @Test func `has failed if it reached none`() async throws {
        #expect(try await sent(to: "Noa Kern").lines.last == "failure failureInboxFull: No inbox has room for it.")
    }

    @Test func `has plainly succeeded if it reached all`() async throws {
        let talk = try await sent(to: "John Brandt")
        #expect(try talk.lines.last == "success success: Sent to John Brandt." && talk.last?.data["results"] == nil)
    }
}
