import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

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
        let talk = try await messaging.play([:], "John Brandt and Anna Costa", "See you at eight", "yes")
        #expect(
            try talk.lines == [
                "asks recipients: Who should get it?", "asks content: What should it say?",
                "confirms: Send “See you at eight” to John Brandt, Anna Costa?",
                "success success: Sent to John Brandt, Anna Costa.",
            ])
    }

    @Test func `the identifier of a sent message finds it again, and marks it`() async throws {
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
        let talk = try await messaging.play(["speakableGroupName": "climbing", "content": "Friday?"], "yes")
        #expect(
            try talk.lines == ["confirms: Send “Friday?” to Climbing club?", "success success: Sent to Climbing club."])
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
        let response = try await messaging.confirm(
            "SendMessage", message(), attributes: ["messageService": "unavailable"])
        #expect(response.code == .failureMessageServiceNotAvailable)
    }

    @Test func `messages are found by sender, recipient, group, attribute, time and words`() async throws {
        try await send(key: "1")
        try await messaging.handle(
            "SendMessage", .said(["speakableGroupName": "g-choir", "content": "Sing!"]), key: "2")
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
        var talk = try await messaging.conversation()
        try await talk.request("SetMessageAttribute", ["identifiers": "Mia", "attribute": "read"])
        try await talk.answer("in-1")
        #expect(
            try talk.lines == [
                "offers identifiers: Don't forget the keys | Dinner at eight?", "success success: It is read.",
            ])
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
