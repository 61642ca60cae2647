import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("Confirming a call and leaving it to the app")
struct CallOutcomeTests {
    @Test("the handler requires a confirmation, except for a favourite")
    func confirmation() async throws {
        let calls = try CallsFixture()
        let ines = try await calls.respond(.confirm, .to("Ines"))
        #expect(ines.code == .userConfirmationRequired)
        #expect(ines.dialog == "Call to Ines Falk, mobile. Shall I?")
        #expect(try await calls.respond(.confirm, .to("Reed")).code == .ready)
        let both = try await calls.respond(.confirm, .to("Reed", "Ines", with: "video"))
        #expect(both.dialog == "Video call to John Reed, mobile and Ines Falk, mobile. Shall I?")
    }

    @Test("the app gets the call with its numbers")
    func handling() async throws {
        let response = try await CallsFixture().respond(.handle, .to("Reed", with: "video"), idempotencyKey: "k7")
        #expect(response.code == .continueInApp)
        #expect(response.dialog == "Calling John Reed.")
        #expect(response.userActivity?.activityType == "com.example.calls.start")
        #expect(response.userActivity?.userInfo["handles"] == .array([.string("+35320910003")]))
        #expect(response.userActivity?.userInfo["callCapability"] == .string("videoCall"))
        #expect(response.userActivity?.userInfo["call"] == .string("out-k7"))
    }

    @Test("a call that is handled twice under one key is one call")
    func repeated() async throws {
        let calls = try CallsFixture()
        #expect(try await calls.respond(.handle, .to("Reed")) == calls.respond(.handle, .to("Reed")))
    }

    @Test("voicemail needs no contacts")
    func voicemail() async throws {
        let response = try await CallsFixture().respond(.handle, .to(kind: "voicemail"))
        #expect(response.code == .continueInApp)
        #expect(response.dialog == "Opening your voicemail.")
    }

    @Test("continueInApp at confirm is a failure that launches the app")
    func premium() async throws {
        let response = try await CallsFixture().respond(.confirm, .to("Weather Line"))
        #expect(response.code == .failureRequiringAppLaunch)
        #expect(response.dialog == "That number costs extra. The app says how much.")
        #expect(response.userActivity?.activityType == "com.example.calls.start")
    }

    @Test("a reason not to call has SiriKit's code, at confirm and at handle", arguments: [Phase.confirm, .handle])
    func refusals(_ phase: Phase) async throws {
        let calls = try CallsFixture()
        let cases: [(String, JSON, ResponseCode)] = [
            ("airplaneMode", .bool(true), .failureAirplaneModeEnabled),
            ("call", .string("active"), .failureCallInProgress),
            ("call", .string("ringing"), .failureCallRinging),
        ]
        for (attribute, value, code) in cases {
            #expect(try await calls.respond(phase, .to("Reed"), attributes: [attribute: value]).code == code)
        }
        #expect(try await calls.respond(phase, .to(kind: "emergency")).code == .failureContactNotSupportedByApp)
        #expect(
            try await CallsFixture(hasService: false).respond(phase, .to("Reed")).code
                == .failureCallingServiceNotAvailable)
    }
}
