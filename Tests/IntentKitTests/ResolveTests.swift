import IntentKit
import PipelineTestKit
import Testing

@Suite("A Resolve returns one of SiriKit's six results")
struct ResolveTests {
    private let kim = Person(displayName: "Kim", customIdentifier: "p1")
    private let other = Person(displayName: "Kim", customIdentifier: "p2")

    private func resolve(
        _ result: ResolutionResult<Person>, _ state: ParameterState = .given("guest", "Kim")
    ) async throws -> ParameterResolution? {
        try await Teahouse(order: OrderTeaHandler(guest: { _, _ in result })).resolve("guest", [state])
    }

    @Test("success can enrich the given value")
    func success() async throws {
        #expect(try await resolve(.success(kim)) == .success(JSON(kim)))
    }

    @Test("notRequired is passed on")
    func notRequired() async throws {
        #expect(try await resolve(.notRequired()) == .notRequired)
    }

    @Test("needsValue asks with its own dialog, or with the declared prompt")
    func needsValue() async throws {
        #expect(try await resolve(.needsValue()) == .needsValue(dialog: "Who is it for?"))
        #expect(try await resolve(.needsValue("Who?")) == .needsValue(dialog: "Who?"))
    }

    @Test("disambiguation offers enriched values with unique identifiers")
    func disambiguation() async throws {
        let options = [kim, other].map {
            ParameterOption(id: $0.customIdentifier ?? "", title: "Kim", value: JSON($0))
        }
        #expect(
            try await resolve(.disambiguation([kim, other], dialog: "Which Kim?"))
                == .disambiguation(options, dialog: "Which Kim?"))
        guard case .disambiguation(let same, _) = try await resolve(.disambiguation([kim, kim])) else { return }
        #expect(same.map(\.id) == ["p1", "p1#2"])
    }

    @Test("a disambiguation of one value is a confirmation, and of none unsupported")
    func fewOptions() async throws {
        #expect(try await resolve(.disambiguation([kim])) == .confirmationRequired(JSON(kim), dialog: nil))
        #expect(try await resolve(.disambiguation([])) == .unsupported(reason: "noMatch", dialog: nil))
    }

    @Test("confirmationRequired is passed on")
    func confirmationRequired() async throws {
        let expected = ParameterResolution.confirmationRequired(JSON(kim), dialog: "Kim?")
        #expect(try await resolve(.confirmationRequired(kim, dialog: "Kim?")) == expected)
    }

    @Test("unsupported is passed on")
    func unsupported() async throws {
        let expected = ParameterResolution.unsupported(reason: "notAGuest", dialog: "No.")
        #expect(try await resolve(.unsupported(reason: "notAGuest", dialog: "No.")) == expected)
    }

    @Test("a Resolve that always asks is asked only once for the same value")
    func asksOnce() async throws {
        for origin in [ParameterState.Origin.chosen, .confirmed, .resolved] {
            let state = ParameterState(name: "guest", value: JSON(kim), origin: origin)
            #expect(try await resolve(.confirmationRequired(kim), state) == .success(JSON(kim)))
            #expect(try await resolve(.disambiguation([other, kim]), state) == .success(JSON(kim)))
            #expect(
                try await resolve(.confirmationRequired(other), state)
                    == .confirmationRequired(JSON(other), dialog: nil))
        }
    }

    @Test("a Resolve sees the known values of the other parameters")
    func otherParameters() async throws {
        let handler = OrderTeaHandler(guest: { _, order in
            #expect(order.pots == 2 && order.leaf == .assam)
            #expect(order.$note.value == "hot")
            #expect(order.$cup.value == nil)
            return .notRequired()
        })
        let parameters: [ParameterState] = [.given("pots", "2"), .given("leaf", "black tea"), .given("note", "hot")]
        #expect(try await Teahouse(order: handler, cups: []).resolve("guest", parameters) == .notRequired)
    }

    @Test("an error that a Resolve throws becomes the outcome")
    func errors() async throws {
        struct Broken: Error {}
        let named = IntentFailure(.retry(after: .seconds(9)), reason: .busy, message: "full")
        let busy = Teahouse(order: OrderTeaHandler(guest: { _, _ in throw named }))
        #expect(try await busy.perform(.resolve, []) == .failed(named))
        let broken = Teahouse(order: OrderTeaHandler(guest: { _, _ in throw Broken() }))
        guard case .failed(let failure) = try await broken.perform(.resolve, []) else {
            Issue.record("not failed")
            return
        }
        #expect(failure.disposition == .retry(after: .seconds(1)) && failure.reason == .internal)
        #expect(failure.message.contains("Broken"))
    }
}
