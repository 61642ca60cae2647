import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("Two Johns")
struct TwoJohnsTests {
    private static let favourite = AddressBook([
        Contact("j1", "John Adler", isFavourite: true), Contact("j2", "John Brandt"),
    ])
    private static let equal = AddressBook([
        Contact("j1", "John Adler"), Contact("j2", "John Brandt"), Contact("m", "Mia Ekman"),
    ])

    @Test("one favourite among two leads to a confirmation")
    func confirmation() async throws {
        let asked = try await MessagingFixture(Self.favourite).registry.resolve(
            "recipients", of: "SendMessage", [.said("recipients", "John"), .said("content", "Hi")])
        guard case .confirmationRequired(let john, let dialog) = asked.resolution else {
            Issue.record("\(asked.resolution)")
            return
        }
        #expect(john.view["identifier"]?.string == "j1")
        #expect(dialog == "Do you mean John Adler?")
    }

    @Test("two equal Johns lead to a choice")
    func choice() async throws {
        let asked = try await MessagingFixture(Self.equal).registry.resolve(
            "recipients", of: "SendMessage", [.said("recipients", "John"), .said("content", "Hi")])
        #expect(asked.resolution.options.map(\.id) == ["j1", "j2"])
        let both = try MessagingFixture(
            AddressBook([Contact("1", "John A", isFavourite: true), Contact("2", "John B", isFavourite: true)]))
        let found = try await both.registry.resolve("recipients", of: "SendMessage", [.said("recipients", "John")])
        #expect(found.resolution.options.count == 2)
    }

    @Test("the chosen identifier reaches the next resolve, which does not search again")
    func identifier() async throws {
        let messaging = try MessagingFixture(Self.equal)
        let asked = try await messaging.registry.resolve(
            "recipients", of: "SendMessage", [.said("recipients", "John and Mia"), .said("content", "Hi")])
        #expect(messaging.contacts.searches == ["John", "Mia"])
        let element = try #require(asked.element)
        #expect(element.origins == [.given, .resolved])
        var chosen = ParameterState(
            name: "recipients", value: .array([asked.resolution.options[1].value, element.list[1]]))
        chosen.elements = [.chosen, .resolved]
        let found = try await messaging.registry.resolve(
            "recipients", of: "SendMessage", [chosen, .said("content", "Hi")])
        guard case .success(let people) = found.resolution else {
            Issue.record("\(found.resolution)")
            return
        }
        #expect(people.view.elements.map { $0["identifier"]?.string } == ["j2", "m"])
        #expect(messaging.contacts.searches == ["John", "Mia"])
    }

    @Test("a whole conversation: the favourite is confirmed, with a single search")
    func favouriteConversation() async throws {
        let messaging = try MessagingFixture(Self.favourite)
        var talk = try await messaging.conversation()
        try await talk.request("SendMessage", ["recipients": "John", "content": "On my way"])
        try await talk.say("yes")
        try await talk.say("yes")
        let lines = try talk.lines
        #expect(
            lines == [
                "checks recipients: Do you mean John Adler?", "confirms: Send “On my way” to John Adler?",
                "success success: Sent to John Adler.",
            ])
        #expect(messaging.contacts.searches == ["John"])
        #expect(try messaging.mailbox.messages().first?.recipients.map(\.identifier) == ["j1"])
    }

    @Test("a whole conversation: one of two equal Johns is chosen, with a single search")
    func choiceConversation() async throws {
        let messaging = try MessagingFixture(Self.equal)
        var talk = try await messaging.conversation()
        try await talk.request("SendMessage", ["recipients": "John", "content": "On my way"])
        try await talk.say("j2")
        try await talk.say("yes")
        let lines = try talk.lines
        #expect(
            lines == [
                "offers recipients: John Adler | John Brandt", "confirms: Send “On my way” to John Brandt?",
                "success success: Sent to John Brandt.",
            ])
        #expect(messaging.contacts.searches == ["John"])
        let recipients = try #require(try talk.work(.handle).first?["recipients"])
        #expect(recipients.view.elements.map { $0["identifier"]?.string } == ["j2"])
    }

    @Test("a whole conversation: declining the favourite asks for another recipient")
    func notTheFavourite() async throws {
        let messaging = try MessagingFixture(Self.favourite)
        var talk = try await messaging.conversation()
        try await talk.request("SendMessage", ["recipients": "John", "content": "On my way"])
        try await talk.say("no")
        try await talk.say("John Brandt")
        try await talk.say("yes")
        let lines = try talk.lines
        #expect(
            lines == [
                "checks recipients: Do you mean John Adler?", "asks recipients: Recipients: what else?",
                "confirms: Send “On my way” to John Brandt?", "success success: Sent to John Brandt.",
            ])
    }
}
