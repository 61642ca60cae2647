import Conversation
import IntentKit
import PipelineTestKit
import SampleDomains
import Testing

/// The calls domain. Records the names that are searched for.
private struct Calls: DomainFixture {
    let served: CallsExtension
    private let searches = Recorder<String>()

    init(hasMissedCalls: Bool = true, hasService: Bool = true) {
        served = CallsExtension(
            book: PhoneBook.sample.observingSearches { [searches] in searches.record($0) },
            history: CallHistory(store: SampleStore(), hasMissedCalls: hasMissedCalls),
            service: CallingService(isAvailable: hasService))
    }

    /// The names that were searched for so far.
    var searched: [String] { searches.all }

    /// Returns the result for the contacts of a call.
    func contacts(_ states: [ParameterState], for principal: Principal? = nil) async throws -> ParameterResolution {
        try await resolve("contacts", of: "StartCall", states, for: principal)
    }

    /// Returns the result for one person.
    func contact(_ said: JSON, for principal: Principal? = nil) async throws -> ParameterResolution {
        try await contacts([ParameterState(name: "contacts", value: .array([said]))], for: principal)
    }

    /// Resolves a call, and confirms or handles the result.
    func respond(
        _ phase: Phase, _ states: [ParameterState], key: Identifier = "s/r", attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        let known = try await registry().resolve("StartCall", states, attributes: attributes).compactMap { parameter in
            parameter.resolution.value.map { ParameterState(name: parameter.name, value: $0, origin: .resolved) }
        }
        return try await respond(phase, "StartCall", known, key: key, attributes: attributes)
    }
}

extension [ParameterState] {
    fileprivate static func to(_ names: String..., kind: String? = nil, with capability: String? = nil) -> Self {
        var states: [ParameterState] = []
        if !names.isEmpty { states.append(ParameterState(name: "contacts", value: .array(names.map { .string($0) }))) }
        if let kind { states.append(.said("destinationType", kind)) }
        if let capability { states.append(.said("callCapability", capability)) }
        return states
    }
}

extension ParameterResolution {
    /// The numbers of the people in a list.
    fileprivate var handles: [String]? { value?.view.elements.compactMap { $0["handle"]?.string } }
}

@Suite("Resolving whom to call, and how") struct CallResolutionTests {
    private let calls = Calls()

    @Test(arguments: [
        ("Ines Falk", "+35320910005"), ("nessie", "+35320910005"), ("John Reed", "+35320910003"),
        ("reed", "+35320910003"), ("+353 20 910 005", "+35320910005"), ("+353 20 91-00-05", "+35320910005"),
        ("(020) 910 999", "020910999"),
    ])
    func `a contact is found by name, alias, relationship and number`(_ said: String, _ number: String) async throws {
        #expect(try await calls.contact(.string(said)).handles == [number])
    }

    @Test(arguments: [
        ("Zebedee", "noContactFound"), ("*100#", "unsupportedMmiUssd"), ("12", "invalidHandle"),
        ("12345678901234567", "invalidHandle"), ("the dentist", "requiringInAppAuthentication"),
        ("?", "noContactFound"),
    ])
    func `a contact who can't be called is refused with the reason`(_ said: String, _ reason: String) async throws {
        #expect(try await calls.contact(.object(["name": .string(said)])).reason == reason)
    }

    @Test func `a hidden contact is found once the phone is unlocked`() async throws {
        let found = try await calls.contact("the dentist", for: Principal(.appUser, "ann"))
        #expect(found.handles == ["+35320910006"])
    }

    @Test func `two numbers lead to a choice if the label was not given`() async throws {
        let mother = try await calls.contact("my mother").options
        #expect(mother.map(\.subtitle) == ["+35320910001", "+35320910002"] && mother[0].id != mother[1].id)
        #expect(try await calls.contact(["name": "mother", "handleLabel": "mobile"]).handles == ["+35320910002"])
        #expect(try await calls.contact(["name": "mother", "handleLabel": "work"]).reason == "noHandleForLabel")
    }

    @Test func `a call without contacts asks for contacts, and a call for one person refuses two`() async throws {
        #expect(try await calls.contacts([]) == .needsValue(dialog: "Who do you want to call?"))
        #expect(try await calls.contacts(.to(kind: "voicemail")) == .notRequired)
        #expect(try await calls.contacts(.to(kind: "emergency")).handles == ["112"])
        for many: [ParameterState] in [
            .to("Ines", "Reed", kind: "redial"), .to("Ines", "Reed", "Marsh", "Weather Line", "999999"),
        ] { #expect(try await calls.contacts(many).reason == "multipleContactsUnsupported") }
    }

    @Test func `a missed call is returned after it was chosen`() async throws {
        let record = "callRecordToCallBack"
        let open = try await calls.resolve(record, of: "StartCall", .to(kind: "callBack"))
        #expect(open.options.map(\.id) == ["in-1", "in-2", "in-3"])
        func contacts(_ id: String) async throws -> ParameterResolution {
            let chosen = ParameterState(name: record, value: .string(id), origin: .chosen)
            return try await calls.contacts(.to(kind: "callBack") + [chosen])
        }
        #expect(try await contacts("in-2").handles == ["+35320910004"])
        #expect(try await contacts("in-3").reason == "noUsableHandleForRedial")
        let none = try await Calls(hasMissedCalls: false).resolve(record, of: "StartCall", .to(kind: "callBack"))
        #expect(none.reason == "noMatchingCall")
    }

    @Test func `a redial calls the last person again`() async throws {
        #expect(try await calls.contacts(.to(kind: "redial")).reason == "noCallHistoryForRedial")
        _ = try await calls.respond(.handle, .to("Ines"))
        #expect(try await calls.contacts(.to(kind: "redial")).handles == ["+35320910005"])
    }

    @Test func `a video call needs a camera, a microphone, and video for every contact`() async throws {
        func capability(_ states: [ParameterState], off device: String? = nil) async throws -> ParameterResolution {
            let attributes = device.map { [$0: JSON.string("off")] } ?? [:]
            return try await calls.resolve("callCapability", of: "StartCall", states, attributes: attributes)
        }
        let ines = [ParameterState].to("Ines", with: "video")
        #expect(try await capability(.to("Ines")) == .success("audioCall"))
        #expect(try await capability(ines) == .success("videoCall"))
        #expect(try await capability(.to("Ines", "Marsh", with: "video")).reason == "videoCallUnsupported")
        #expect(try await capability(ines, off: "camera").reason == "cameraNotAccessible")
        #expect(try await capability(.to("Ines"), off: "camera") == .success("audioCall"))
        #expect(try await capability(.to("Ines"), off: "microphone").reason == "microphoneNotAccessible")
    }
}

@Suite("Confirming a call and leaving it to the app") struct CallOutcomeTests {
    private let calls = Calls()

    @Test func `the handler requires a confirmation, except for a favourite`() async throws {
        let ines = try await calls.respond(.confirm, .to("Ines"))
        #expect(ines.code == .userConfirmationRequired && ines.dialog == "Call to Ines Falk, mobile. Shall I?")
        #expect(try await calls.respond(.confirm, .to("Reed")).code == .ready)
        let both = try await calls.respond(.confirm, .to("Reed", "Ines", with: "video"))
        #expect(both.dialog == "Video call to John Reed, mobile and Ines Falk, mobile. Shall I?")
    }

    @Test func `the app gets the call with its numbers`() async throws {
        let response = try await calls.respond(.handle, .to("Reed", with: "video"), key: "k7")
        #expect(response.code == .continueInApp && response.dialog == "Calling John Reed.")
        let activity = try #require(response.userActivity)
        #expect(activity.activityType == "com.example.calls.start")
        #expect(activity.userInfo["handles"] == .array(["+35320910003"]))
        #expect(activity.userInfo["callCapability"] == "videoCall" && activity.userInfo["call"] == "out-k7")
    }

    @Test func `a call that is handled twice under one key is one call`() async throws {
        #expect(try await calls.respond(.handle, .to("Reed")) == calls.respond(.handle, .to("Reed")))
    }

    @Test func `voicemail needs no contacts`() async throws {
        let response = try await calls.respond(.handle, .to(kind: "voicemail"))
        #expect(response.code == .continueInApp && response.dialog == "Opening your voicemail.")
    }

    @Test func `continueInApp at confirm is a failure that launches the app`() async throws {
        let response = try await calls.respond(.confirm, .to("Weather Line"))
        #expect(response.code == .failureRequiringAppLaunch)
        #expect(response.dialog == "That number costs extra. The app says how much.")
        #expect(response.userActivity?.activityType == "com.example.calls.start")
    }

    @Test(
        arguments: [Phase.confirm, .handle],
        [
            ("airplaneMode", JSON(true), ResponseCode.failureAirplaneModeEnabled),
            ("call", "active", .failureCallInProgress), ("call", "ringing", .failureCallRinging),
        ])
    func `a reason not to call has SiriKit's code, at confirm and at handle`(
        _ phase: Phase, _ reason: (attribute: String, value: JSON, code: ResponseCode)
    ) async throws {
        let response = try await calls.respond(phase, .to("Reed"), attributes: [reason.attribute: reason.value])
        #expect(response.code == reason.code)
    }

    @Test(arguments: [Phase.confirm, .handle])
    func `an emergency call and a missing service have SiriKit's codes`(_ phase: Phase) async throws {
        #expect(try await calls.respond(phase, .to(kind: "emergency")).code == .failureContactNotSupportedByApp)
        let response = try await Calls(hasService: false).respond(phase, .to("Reed"))
        #expect(response.code == .failureCallingServiceNotAvailable)
    }

    @Test func `one contact is chosen, another corrected, and the confirmed call is offered to the app`() async throws {
        var talk = try await calls.conversation()
        try await talk.request(IntentRequest(id: "r", intent: "StartCall", parameters: .to("John", "Zebedee")))
        for answer in ["c3", "Ines", "yes"] { try await talk.answer(answer) }
        let expected = [
            "offers contacts: John Reed | John Marsh", "asks contacts: There is nobody of that name in your contacts.",
            "confirms: Call to John Marsh, work and Ines Falk, mobile. Shall I?", "offer foreground",
        ]
        #expect(try talk.lines == expected)
        #expect(calls.searched.count { $0 == "John" } == 1, "the chosen John is not searched for again")
    }
}
