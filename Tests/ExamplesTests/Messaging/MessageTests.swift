import Foundation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

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
}

@Suite("Resolving the recipients of a message") struct RecipientTests {
    private func recipient(_ person: Person, for principal: Principal? = nil) async throws -> ParameterResolution {
        let given = ParameterState(name: "recipients", value: .array([JSON(person)]))
        return try await Messaging().resolve("recipients", of: "SendMessage", [given], for: principal)
    }

    @Test(arguments: [
        ("Ben Fox", "noAccount"), ("Lea Grau", "offline"), ("Tom Hill", "messagingServiceNotEnabledForRecipient"),
        ("Ken Ito", "noValidHandle"), ("Eva Jung", "requiringInAppAuthentication"), ("Zoe", "noMatch"),
    ])
    func `a person who can't be reached is refused with SiriKit's reason`(_ name: String, _ reason: String) async throws
    { #expect(try await recipient(Person(displayName: name)).reason == reason) }

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
        let talk = try await messaging.play("SendMessage", ["recipients": "Mia", "content": "Hi"], "c-ekman#2", "yes")
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
        let talk = try await favourite.play("SendMessage", said, "yes", "yes")
        #expect(
            try talk.lines == [
                "checks recipients: Do you mean John Adler?", "confirms: Send “On my way” to John Adler?",
                "success success: Sent to John Adler.",
            ])
        #expect(try talk.results[0].data["value"]?["identifier"]?.string == "j1" && favourite.searches == ["John"])
        #expect(try favourite.messages().first?.recipients.map(\.identifier) == ["j1"])
    }

    @Test func `a whole conversation: one of two equal Johns is chosen, with a single search`() async throws {
        let talk = try await equal.play("SendMessage", said, "j2", "yes")
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
            try await favourite.play("SendMessage", said, "no", "John Brandt", "yes").lines == [
                "checks recipients: Do you mean John Adler?", "asks recipients: Recipients: what else?",
                "confirms: Send “On my way” to John Brandt?", "success success: Sent to John Brandt.",
            ])
    }
}

@Suite("A message that reaches some of its recipients") struct PartialSuccessTests {
    private func sent(to recipients: String) async throws -> TestConversation {
        try await Messaging().play("SendMessage", ["recipients": recipients, "content": "Hi"], "yes")
    }

    @Test func `has succeeded, and the completion has a result for each recipient`() async throws {
        let talk = try await sent(to: "John Brandt, Anna Costa and Noa Kern")
        #expect(try talk.lines.last == "success partialSuccess: Sent to 2 of 3.")
        let results = try talk.last?.data["results"]?.elements ?? []
        let expected = ["John Brandt success", "Anna Costa success", "Noa Kern failureInboxFull"]
        #expect(results.map { "\($0["title"]?.string ?? "") \($0["code"]?.string ?? "")" } == expected)
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

@Suite("Sending, finding and marking messages") struct MessageTests {
    private let messaging = Messaging()
    private let mia = JSON(Person(displayName: "Mia Ekman", handle: "mia@example.com", customIdentifier: "c-ekman"))

    private func people(_ parameter: String = "recipients") -> ParameterState {
        ParameterState(name: parameter, value: .array([mia]), origin: .resolved)
    }

    private func message(_ content: String = "Hello") -> [ParameterState] { [people(), .said("content", content)] }

    private func send(key: Identifier, _ content: String = "Hello") async throws {
        #expect(try await messaging.handle("SendMessage", message(content), key: key).code == .success)
    }

    private func found(_ parameters: ParameterState...) async throws -> [String] {
        try await messaging.handle("SearchForMessages", parameters).items.map(\.id)
    }

    @Test func `missing parts of a message are asked for one by one`() async throws {
        let talk = try await messaging.play("SendMessage", [:], "John Brandt and Anna Costa", "See you at eight", "yes")
        #expect(
            try talk.lines == [
                "asks recipients: Who should get it?", "asks content: What should it say?",
                "confirms: Send “See you at eight” to John Brandt, Anna Costa?",
                "success success: Sent to John Brandt, Anna Costa.",
            ])
    }

    @Test func `the identifier of a sent message finds and marks the message`() async throws {
        let sent = try await messaging.handle("SendMessage", message("Bring the rope"), key: "s/r7")
        let identifier = try #require(sent.values["sentMessages"]?.view.elements.first?["id"]?.string)
        #expect(try await found(.said("searchTerms", "rope")) == [identifier])
        let change: [ParameterState] = .said(["identifiers": identifier, "attribute": "flagged"])
        #expect(try await messaging.handle("SetMessageAttribute", change).code == .success)
        #expect(try await found(.said("attributes", "flagged")) == [identifier])
    }

    @Test func `a message that is handled twice under one key is sent once`() async throws {
        let before = try messaging.messages().count
        for _ in 0..<2 { try await send(key: "one") }
        #expect(try messaging.messages().count == before + 1)
        try await send(key: "another")
        #expect(try messaging.messages().count == before + 2)
    }

    @Test func `a message can go to a group instead of people`() async throws {
        let talk = try await messaging.play(
            "SendMessage", ["speakableGroupName": "climbing", "content": "Now?"], "yes")
        #expect(
            try talk.lines == ["confirms: Send “Now?” to Climbing club?", "success success: Sent to Climbing club."])
        #expect(try messaging.messages().first?.group?.identifier == "g-climb" && messaging.searches.isEmpty)
    }

    @Test func `a voice message needs a recording, which the app makes`() async throws {
        let voice = [people(), .said("outgoingMessageType", "voice message")]
        #expect(try await messaging.resolve("content", of: "SendMessage", voice) == .notRequired)
        let refused = try await messaging.confirm("SendMessage", voice)
        #expect(refused.code == .failureRequiringAppLaunch)
        #expect(refused.userActivity?.activityType == "com.example.messages.record")
        let recorded = voice + [.said("audioMessageFile", "https://example.com/hello.m4a")]
        #expect(try await messaging.confirm("SendMessage", recorded).code == .ready)
        try await messaging.handle("SendMessage", recorded)
        #expect(try messaging.messages().first?.isAudio == true)
    }

    @Test func `the person is not asked if the service is unavailable`() async throws {
        let sent = try await messaging.confirm("SendMessage", message(), attributes: ["messageService": "unavailable"])
        #expect(sent.code == .failureMessageServiceNotAvailable)
    }

    @Test func `messages are found by sender, recipient, group, attribute, time and words`() async throws {
        try await send(key: "1")
        try await messaging.handle(
            "SendMessage", .said(["speakableGroupName": "g-choir", "content": "Sing"]), key: "2")
        #expect(try await found(people("senders")) == ["in-3", "in-1"])
        #expect(try await found(people("recipients")) == ["m-1"])
        #expect(try await found(.said("speakableGroupNames", "g-choir")) == ["m-2"])
        #expect(try await found(.said("attributes", "unread")) == ["in-4", "in-3", "in-2", "in-1"])
        #expect(try await found(.said("dateTimeRange", "2026-01-05T08:30:00Z/PT1H")) == ["in-2"])
        #expect(try await found(.said("searchTerms", "keys"), people("senders")) == ["in-3"])
        let opera = try await messaging.handle("SearchForMessages", [.said("searchTerms", "opera")])
        #expect(opera.code == .success)
    }

    @Test func `too many messages are not read out`() async throws {
        for number in 0..<20 { try await send(key: "\(number)") }
        #expect(try await messaging.handle("SearchForMessages").code == .failureMessageTooManyResults)
    }

    @Test func `the mailbox keeps the newest 200`() async throws {
        for number in 0..<205 { _ = try messaging.mailbox.send("\(number)", to: [], in: nil, key: "\(number)") }
        let messages = try messaging.messages()
        #expect(messages.count == 200 && messages.first?.id == "m-204")
    }

    @Test func `messages can be named by their words, or chosen`() async throws {
        let talk = try await messaging.play("SetMessageAttribute", ["identifiers": "Mia", "attribute": "read"], "in-1")
        let expected = ["offers identifiers: Don't forget the keys | Dinner at eight?", "success success: It is read."]
        #expect(try talk.lines == expected)
        #expect(try messaging.messages().filter(\.isRead).map(\.id) == ["in-1"])
    }

    @Test func `a text can't be marked as played, and several messages are marked all or none`() async throws {
        func play(_ identifiers: JSON) async throws -> ResponseCode {
            let messages = ParameterState(name: "identifiers", value: identifiers)
            return try await messaging.handle("SetMessageAttribute", [messages, .said("attribute", "played")]).code
        }
        #expect(try await play("in-4") == .success)
        #expect(try await play(.array(["in-4", "in-3"])) == .failureMessageAttributeNotSet)
        #expect(try messaging.messages().filter(\.isPlayed).map(\.id) == ["in-4"])
    }

    @Test func `a message that was removed before the change is not found`() async throws {
        var change = SetMessageAttribute()
        change.attribute = .read
        let sent = try #require(try messaging.messages().first).dateSent
        change.identifiers = [Message(id: "in-9", content: "?", dateSent: sent)]
        let handler = MyMessageHandler(contacts: messaging.contacts, mailbox: messaging.mailbox)
        let context = Context(InvocationContext(session: "s", request: "r"), phase: .handle)
        #expect(try await handler.handle(change, context: context).code == .failureMessageNotFound)
    }
}
