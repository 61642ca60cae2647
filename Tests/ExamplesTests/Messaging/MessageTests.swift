import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

@Suite("Sending, finding and marking messages")
struct MessageTests {
    private let mia = Person(displayName: "Mia Ekman", handle: "mia@example.com", customIdentifier: "c-ekman")

    private func message(_ content: String = "Hello") -> [ParameterState] {
        [ParameterState(name: "recipients", value: .array([JSON(mia)]), origin: .resolved), .said("content", content)]
    }

    private func found(_ messaging: MessagingFixture, _ parameters: [ParameterState]) async throws -> [String] {
        try await messaging.registry.respond(.handle, "SearchForMessages", parameters).items.map(\.id)
    }

    @Test("missing parts of a message are asked for one by one")
    func asked() async throws {
        var talk = try await MessagingFixture().conversation()
        try await talk.request("SendMessage")
        try await talk.say("John Brandt and Anna Costa")
        try await talk.say("See you at eight")
        try await talk.say("yes")
        let lines = try talk.lines
        #expect(
            lines == [
                "asks recipients: Who should get it?", "asks content: What should it say?",
                "confirms: Send “See you at eight” to John Brandt, Anna Costa?",
                "success success: Sent to John Brandt, Anna Costa.",
            ])
    }

    @Test("the identifier of a sent message finds it again, and marks it")
    func identifiers() async throws {
        let messaging = try MessagingFixture()
        let sent = try await messaging.registry.respond(
            .handle, "SendMessage", message("Bring the rope"), idempotencyKey: "s/r7")
        let identifier = try #require(sent.values["sentMessages"]?.view.elements.first?["id"]?.string)
        #expect(try await found(messaging, [.said("searchTerms", "rope")]) == [identifier])
        let marked = try await messaging.registry.respond(
            .handle, "SetMessageAttribute", [.said("identifiers", identifier), .said("attribute", "flagged")])
        #expect(marked.code == .success)
        #expect(try await found(messaging, [.said("attributes", "flagged")]) == [identifier])
    }

    @Test("a message that is handled twice under one key is sent once")
    func once() async throws {
        let messaging = try MessagingFixture()
        let before = try messaging.mailbox.messages().count
        for _ in 0..<2 {
            #expect(try await messaging.registry.respond(.handle, "SendMessage", message()).code == .success)
        }
        #expect(try messaging.mailbox.messages().count == before + 1)
        _ = try await messaging.registry.respond(.handle, "SendMessage", message(), idempotencyKey: "another")
        #expect(try messaging.mailbox.messages().count == before + 2)
    }

    @Test("a message can go to a group instead of people")
    func group() async throws {
        let messaging = try MessagingFixture()
        var talk = try await messaging.conversation()
        try await talk.request("SendMessage", ["speakableGroupName": "climbing", "content": "Friday?"])
        try await talk.say("yes")
        let lines = try talk.lines
        #expect(lines == ["confirms: Send “Friday?” to Climbing club?", "success success: Sent to Climbing club."])
        #expect(try messaging.mailbox.messages().first?.group?.identifier == "g-climb")
        #expect(messaging.contacts.searches.isEmpty)
    }

    @Test("a voice message needs a recording, which the app makes")
    func audio() async throws {
        let messaging = try MessagingFixture()
        let recipients = ParameterState(name: "recipients", value: .array([JSON(mia)]), origin: .resolved)
        let kind = ParameterState.said("outgoingMessageType", "voice message")
        #expect(
            try await messaging.registry.resolve("content", of: "SendMessage", [recipients, kind]).resolution
                == .notRequired)
        let refused = try await messaging.registry.respond(.confirm, "SendMessage", [recipients, kind])
        #expect(refused.code == .failureRequiringAppLaunch)
        #expect(refused.userActivity?.activityType == "com.example.messages.record")
        let file = ParameterState.said("audioMessageFile", "https://example.com/hello.m4a")
        #expect(try await messaging.registry.respond(.confirm, "SendMessage", [recipients, kind, file]).code == .ready)
        _ = try await messaging.registry.respond(.handle, "SendMessage", [recipients, kind, file])
        #expect(try messaging.mailbox.messages().first?.isAudio == true)
    }

    @Test("the person is not asked if the service is unavailable")
    func unavailable() async throws {
        let response = try await MessagingFixture().registry.respond(
            .confirm, "SendMessage", message(), attributes: ["messageService": .string("unavailable")])
        #expect(response.code == .failureMessageServiceNotAvailable)
    }

    @Test("messages are found by sender, recipient, group, attribute, time and words")
    func search() async throws {
        let messaging = try MessagingFixture()
        _ = try await messaging.registry.respond(.handle, "SendMessage", message(), idempotencyKey: "1")
        let group = [ParameterState.said("speakableGroupName", "g-choir"), .said("content", "Sing!")]
        _ = try await messaging.registry.respond(.handle, "SendMessage", group, idempotencyKey: "2")
        let sender = ParameterState(name: "senders", value: .array([JSON(mia)]), origin: .resolved)
        #expect(try await found(messaging, [sender]) == ["in-3", "in-1"])
        let recipient = ParameterState(name: "recipients", value: .array([JSON(mia)]), origin: .resolved)
        #expect(try await found(messaging, [recipient]) == ["m-1"])
        #expect(try await found(messaging, [.said("speakableGroupNames", "g-choir")]) == ["m-2"])
        #expect(try await found(messaging, [.said("attributes", "unread")]) == ["in-4", "in-3", "in-2", "in-1"])
        let morning = ParameterState.said("dateTimeRange", "2026-01-05T08:30:00Z/PT1H")
        #expect(try await found(messaging, [morning]) == ["in-2"])
        #expect(try await found(messaging, [.said("searchTerms", "keys"), sender]) == ["in-3"])
        #expect(
            try await messaging.registry.respond(.handle, "SearchForMessages", [.said("searchTerms", "opera")]).code
                == .success)
    }

    @Test("too many messages are not read out")
    func tooMany() async throws {
        let messaging = try MessagingFixture()
        for number in 0..<20 {
            _ = try await messaging.registry.respond(.handle, "SendMessage", message(), idempotencyKey: "\(number)")
        }
        #expect(
            try await messaging.registry.respond(.handle, "SearchForMessages", []).code == .failureMessageTooManyResults
        )
    }

    @Test("the mailbox keeps the newest 200")
    func bounded() async throws {
        let messaging = try MessagingFixture()
        for number in 0..<205 { _ = try messaging.mailbox.send("\(number)", to: [], in: nil, key: "\(number)") }
        let messages = try messaging.mailbox.messages()
        #expect(messages.count == 200 && messages.first?.id == "m-204")
    }

    @Test("messages can be named by their words, or chosen")
    func marking() async throws {
        let messaging = try MessagingFixture()
        var talk = try await messaging.conversation()
        try await talk.request("SetMessageAttribute", ["identifiers": "Mia", "attribute": "read"])
        try await talk.say("in-1")
        let lines = try talk.lines
        #expect(
            lines == ["offers identifiers: Don't forget the keys | Dinner at eight?", "success success: It is read."])
        #expect(try messaging.mailbox.messages().filter(\.isRead).map(\.id) == ["in-1"])
    }

    @Test("a text can't be marked as played, and several messages are marked all or none")
    func notSet() async throws {
        let messaging = try MessagingFixture()
        let played = try await messaging.registry.respond(
            .handle, "SetMessageAttribute", [.said("identifiers", "in-4"), .said("attribute", "played")])
        #expect(played.code == .success)
        let both = ParameterState(name: "identifiers", value: .array([.string("in-4"), .string("in-3")]))
        #expect(
            try await messaging.registry.respond(.handle, "SetMessageAttribute", [both, .said("attribute", "played")])
                .code
                == .failureMessageAttributeNotSet)
        #expect(try messaging.mailbox.messages().filter(\.isPlayed).map(\.id) == ["in-4"])
    }

    @Test("a message that was removed before the change is not found")
    func gone() async throws {
        let messaging = try MessagingFixture()
        var change = SetMessageAttribute()
        change.attribute = .read
        change.identifiers = [
            Message(id: "in-9", content: "?", dateSent: try #require(try messaging.mailbox.messages().first).dateSent)
        ]
        let context = Context(InvocationContext(session: "s", request: "r"), phase: .handle)
        let handler = MyMessageHandler(contacts: messaging.contacts, mailbox: messaging.mailbox)
        let response = try await handler.handle(change, context: context)
        #expect(response.code == .failureMessageNotFound)
    }

    @Test("one handler type serves three intents")
    func oneHandler() {
        #expect(
            MessageExtension().intents.map { $0.name } == ["SendMessage", "SearchForMessages", "SetMessageAttribute"])
    }
}
