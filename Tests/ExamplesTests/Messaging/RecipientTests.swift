import IntentKit
import PipelineTestKit
import SampleDomains
import Testing

@Suite("Resolving the recipients of a message")
struct RecipientTests {
    private func recipient(_ person: Person, for principal: Principal? = nil) async throws -> ParameterResolution {
        let given = ParameterState(name: "recipients", value: .array([JSON(person)]))
        return try await MessagingFixture().registry.resolve(
            "recipients", of: "SendMessage", [given], principal: principal
        ).resolution
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

    @Test("a hidden contact is found by an authenticated person")
    func hidden() async throws {
        let known = try await recipient(Person(displayName: "Eva"), for: Principal(.appUser, "ann"))
        guard case .success = known else {
            Issue.record("\(known)")
            return
        }
    }

    @Test("a requested handle or label must exist")
    func handles() async throws {
        #expect(try await recipient(Person(displayName: "Mia", handle: "+1 555")).reason == "requestedHandleInvalid")
        #expect(try await recipient(Person(displayName: "Mia", handleLabel: "pager")).reason == "noHandleForLabel")
        guard case .success(let list) = try await recipient(Person(displayName: "Mum", handleLabel: "Work")) else {
            Issue.record("not found")
            return
        }
        #expect(list.view.elements[0]["handle"]?.string == "mia@example.com")
    }

    @Test("a person with several handles leads to a choice of handles")
    func handleChoice() async throws {
        let messaging = try MessagingFixture()
        var talk = try await messaging.conversation()
        try await talk.request("SendMessage", ["recipients": "Mia", "content": "Hi"])
        try await talk.say("c-ekman#2")
        try await talk.say("yes")
        let lines = try talk.lines
        #expect(
            lines == [
                "offers recipients: Mia Ekman | Mia Ekman", "confirms: Send “Hi” to Mia Ekman?",
                "success success: Sent to Mia Ekman.",
            ])
        let sent = try #require(try talk.work(.handle).first?["recipients"])
        #expect(sent.view.elements[0]["handle"]?.string == "mia@example.com")
        #expect(messaging.contacts.searches == ["Mia"])
    }

    @Test("more than five people with a name are not offered, but their whole name is asked for")
    func many() async throws {
        let sams = (1...6).map { Contact("\($0)", "Sam \($0)") }
        let asked = try await MessagingFixture(AddressBook(sams)).registry.resolve(
            "recipients", of: "SendMessage", [.said("recipients", "Sam")])
        #expect(asked.resolution == .needsValue(dialog: "There are 6 people called Sam. What is the whole name?"))
    }

    @Test("recipients are required only without a group")
    func groups() async throws {
        let messaging = try MessagingFixture()
        #expect(
            try await messaging.registry.resolve("recipients", of: "SendMessage", []).resolution
                == .needsValue(dialog: "Who should get it?"))
        let group = ParameterState.said("speakableGroupName", "climbing")
        #expect(
            try await messaging.registry.resolve("recipients", of: "SendMessage", [group]).resolution == .notRequired)
        #expect(
            try await messaging.registry.resolve(
                "speakableGroupName", of: "SendMessage", [.said("speakableGroupName", "chess")]
            ).resolution
                .reason == "noMatch")
    }
}
