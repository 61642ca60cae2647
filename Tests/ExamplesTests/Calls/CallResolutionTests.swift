import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("Resolving whom to call, and how")
struct CallResolutionTests {
    @Test(
        "a contact is found by name, alias, relationship and number",
        arguments: [
            ("Ines Falk", "+35320910005"), ("nessie", "+35320910005"), ("John Reed", "+35320910003"),
            ("reed", "+35320910003"),
            ("+353 20 910 005", "+35320910005"), ("+353 20 91-00-05", "+35320910005"), ("(020) 910 999", "020910999"),
        ])
    func known(_ said: String, _ number: String) async throws {
        #expect(
            try await CallsFixture().contact(.string(said))?.handles
                == (said.contains("910 005") ? ["+35320910005"] : [number]))
    }

    @Test(
        "a contact who can't be called is refused with the reason",
        arguments: [
            ("Zebedee", "noContactFound"), ("*100#", "unsupportedMmiUssd"), ("12", "invalidHandle"),
            ("12345678901234567", "invalidHandle"),
            ("the dentist", "requiringInAppAuthentication"), ("", "noContactFound"),
        ])
    func unknown(_ said: String, _ reason: String) async throws {
        #expect(
            try await CallsFixture().contact(.object(["name": .string(said.isEmpty ? "?" : said)]))?.reason == reason)
    }

    @Test("a hidden contact is found once the phone is unlocked")
    func hidden() async throws {
        let found = try await CallsFixture().contact(.string("the dentist"), for: Principal(.appUser, "ann"))
        #expect(found?.handles == ["+35320910006"])
    }

    @Test("two Johns lead to a choice, and the chosen one is not searched for again")
    func twoOfAName() async throws {
        let calls = try CallsFixture()
        let options = try await calls.contact(.string("John"))?.options ?? []
        #expect(options.map(\.title) == ["John Reed", "John Marsh"])
        #expect(calls.searched == ["John"])
        var state = ParameterState(name: "contacts", value: .array([try #require(options.last).value]))
        state.elements = [.chosen]
        #expect(try await calls.resolve([state])["contacts"]?.resolution.handles == ["+35320910004"])
        #expect(calls.searched == ["John"])
    }

    @Test("two numbers lead to a choice if the label was not given")
    func twoNumbers() async throws {
        let calls = try CallsFixture()
        let mother = try await calls.contact(.string("my mother"))
        #expect(mother?.options.map(\.subtitle) == ["+35320910001", "+35320910002"])
        #expect(Set(mother?.options.map(\.id) ?? []).count == 2)
        let mobile = JSON.object(["name": .string("mother"), "handleLabel": .string("mobile")])
        #expect(try await calls.contact(mobile)?.handles == ["+35320910002"])
        let work = JSON.object(["name": .string("mother"), "handleLabel": .string("work")])
        #expect(try await calls.contact(work)?.reason == "noHandleForLabel")
    }

    @Test("of several people only the ambiguous one is asked about")
    func several() async throws {
        let contacts = try await CallsFixture().resolve(.to("Ines", "John", "Amy"))["contacts"]
        #expect(contacts?.element?.index == 1)
        #expect(contacts?.resolution.options.count == 2)
    }

    @Test("a call without contacts asks for them, and a call for one person refuses two")
    func whole() async throws {
        #expect(
            try await CallsFixture().resolve([])["contacts"]?.resolution
                == .needsValue(dialog: "Who do you want to call?"))
        #expect(try await CallsFixture().resolve(.to(kind: "voicemail"))["contacts"]?.resolution == .notRequired)
        #expect(try await CallsFixture().resolve(.to(kind: "emergency"))["contacts"]?.resolution.handles == ["112"])
        let two = try await CallsFixture().resolve(.to("Ines", "Reed", kind: "redial"))
        #expect(two["contacts"]?.resolution.reason == "multipleContactsUnsupported")
        let five = try await CallsFixture().resolve(.to("Ines", "Reed", "Marsh", "Weather Line", "999999"))
        #expect(five["contacts"]?.resolution.reason == "multipleContactsUnsupported")
    }

    @Test("a missed call is returned after it was chosen")
    func callBack() async throws {
        let calls = try CallsFixture()
        let open = try await calls.resolve(.to(kind: "callBack"))
        let options = open["callRecordToCallBack"]?.resolution.options ?? []
        #expect(options.map(\.id) == ["in-1", "in-2", "in-3"])
        func contacts(_ id: String) async throws -> ParameterResolution? {
            let record = ParameterState(name: "callRecordToCallBack", value: .string(id), origin: .chosen)
            return try await calls.resolve(.to(kind: "callBack") + [record])["contacts"]?.resolution
        }
        #expect(try await contacts("in-2")?.handles == ["+35320910004"])
        #expect(try await contacts("in-3")?.reason == "noUsableHandleForRedial")
        let none = try await CallsFixture(hasMissedCalls: false).resolve(.to(kind: "callBack"))
        #expect(none["callRecordToCallBack"]?.resolution.reason == "noMatchingCall")
    }

    @Test("a redial calls the last person again")
    func redial() async throws {
        let calls = try CallsFixture()
        #expect(try await calls.resolve(.to(kind: "redial"))["contacts"]?.resolution.reason == "noCallHistoryForRedial")
        _ = try await calls.respond(.handle, .to("Ines"))
        #expect(try await calls.resolve(.to(kind: "redial"))["contacts"]?.resolution.handles == ["+35320910005"])
    }

    @Test("a video call needs a camera, a microphone, and video for every contact")
    func capability() async throws {
        let calls = try CallsFixture()
        func capability(_ states: [ParameterState], _ attributes: [String: JSON] = [:]) async throws
            -> ParameterResolution?
        {
            try await calls.resolve(states, attributes: attributes)["callCapability"]?.resolution
        }
        let (ines, off) = ([ParameterState].to("Ines", with: "video"), JSON.string("off"))
        #expect(try await capability(.to("Ines")) == .success(.string("audioCall")))
        #expect(try await capability(ines) == .success(.string("videoCall")))
        #expect(try await capability(.to("Ines", "Marsh", with: "video"))?.reason == "videoCallUnsupported")
        #expect(try await capability(ines, ["camera": off])?.reason == "cameraNotAccessible")
        #expect(try await capability(.to("Ines"), ["camera": off])?.value == .string("audioCall"))
        #expect(try await capability(.to("Ines"), ["microphone": off])?.reason == "microphoneNotAccessible")
    }
}
