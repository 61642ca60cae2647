import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

/// An intent with a value of any type.
private struct Anything<Value: ParameterValue>: Intent {
    static var name: String { "Anything" }
    static var title: LocalizedText { "Anything" }
    @Parameter(title: "Value") var value: Value?
    static var parameters: Parameters<Self> { Parameters(\.$value) }
}

@Suite("Seed 000, 002: the parameters of an intent are resolved")
struct Seed000ResolvingTests {
    private let johns = SendPaymentHandler.johns
    private let ride = RequestRideHandler()

    private func resolved(_ words: String?) async throws -> ParameterResolution? {
        let said = words.map { [ParameterState.said("dropOffLocation", $0)] } ?? []
        return try await SingleHandlerExtension(handler: ride).resolve("dropOffLocation", of: RequestRide.self, said)
    }

    // MARK: Overview

    @Test("an intent is not handled before it is resolved")
    func resolvedFirst() async throws {
        for phase in [Phase.confirm, .handle] {
            let failure = try await SingleHandlerExtension(handler: ride).perform(phase, RequestRide.self).failure
            #expect(failure?.disposition == .reject && failure?.field == "parameters.dropOffLocation")
        }
        #expect(ride.notebook.all.isEmpty)
    }

    @Test("the person's words become data of the parameters' types in the intent")
    func wordsBecomeData() async throws {
        let handler = SendPaymentHandler(contacts: [johns[1]])
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler))
        try await talk.request(SendPayment.self, ["payee": "John", "currencyAmount": "14.50 euros"])
        #expect(handler.notebook.all.last == "handle j2 €14.50")
        let work = try talk.work(.handle).last?.item?.parameters ?? []
        #expect(
            work.first { $0.name == "currencyAmount" }?.value
                == JSON(CurrencyAmount(minorUnits: 1_450, currencyCode: "EUR")))
        #expect(work.first { $0.name == "payee" }?.value == JSON(johns[1]), "no words are left in what is handled")
    }

    @Test("each parameter is verified by its own Resolve, in the order of declaration")
    func individually() async throws {
        let handler = SendPaymentHandler(contacts: [johns[1]])
        _ = try await SingleHandlerExtension(handler: handler).perform(
            .resolve, SendPayment.self, [.said("currencyAmount", "20 EUR"), .said("payee", "John")])
        #expect(handler.notebook.all == ["payee", "search John", "amount €20.00"])
    }

    @Test("the result determines the next step: two candidates lead to a prompt to select one")
    func resultDecides() async throws {
        let talk = try await Dialogue(SingleHandlerExtension(handler: SendPaymentHandler(contacts: johns)))
        try await talk.request(SendPayment.self, ["payee": "John", "currencyAmount": "20 EUR"])
        #expect(try talk.lines() == ["prompt choice payee"])
        #expect(try talk.prompt()?.options == ["j1", "j2"])
        try await talk.choose("j1")
        #expect(try talk.lines().last == "completed success success")
    }

    // MARK: The listing: resolveDropOffLocation

    @Test("a drop-off inside the service area is a success")
    func inside() async throws {
        #expect(try await resolved("Airport") == .success(JSON(Place(name: "Airport"))))
    }

    @Test("a drop-off outside of the service area is unsupported")
    func outside() async throws {
        #expect(try await resolved("Moon") == .unsupported(reason: "unsupported", dialog: nil))
    }

    @Test("no drop-off at all needs a value")
    func absent() async throws {
        #expect(try await resolved(nil) == .needsValue(dialog: "Where are you going?"))
    }

    @Test("the ride is only requested after the person has given a valid drop-off")
    func validBeforeFulfilled() async throws {
        let talk = try await Dialogue(SingleHandlerExtension(handler: ride))
        try await talk.request(RequestRide.self)
        try await talk.say("Moon")
        #expect(try talk.lines() == ["prompt value dropOffLocation", "prompt value dropOffLocation"])
        #expect(try talk.work(.confirm).isEmpty && talk.work(.handle).isEmpty)
        try await talk.say("Airport")
        #expect(
            ride.notebook.all == [
                "resolve nothing", "resolve Moon", "resolve Airport", "confirm Airport", "handle Airport",
            ])
        #expect(try talk.lines().last == "completed success success")
    }

    // MARK: Results

    @Test("each type of parameter has resolution results of its own type, which the person's side is told as that type")
    func typedResults() async throws {
        struct Asking: IntentHandling {
            var resolution: some Resolution<SendPayment> {
                Resolve(\.$payee) { _, _ in .disambiguation(SendPaymentHandler.johns) }
                Resolve(\.$currencyAmount) { _, _ in
                    .confirmationRequired(CurrencyAmount(minorUnits: 1, currencyCode: "EUR"))
                }
            }
            func handle(_ payment: SendPayment, context: Context) async throws -> HandleResponse { .success }
        }
        let server = SingleHandlerExtension(handler: Asking())
        let johns = try await server.resolve("payee", of: SendPayment.self, [.said("payee", "John")]).options.map(
            \.value)
        #expect(johns == self.johns.map { JSON($0) })
        let amount = try await server.resolve(
            "currencyAmount", of: SendPayment.self, [.said("currencyAmount", "1 EUR")])
        #expect(amount == .confirmationRequired(JSON(CurrencyAmount(minorUnits: 1, currencyCode: "EUR")), dialog: nil))
    }

    @Test("the common resolution results mean the same for parameters of any type")
    func commonResults() async throws {
        struct Unwilling<Value: ParameterValue>: IntentHandling {
            let result: ResolutionResult<Value>
            var resolution: some Resolution<Anything<Value>> { Resolve(\.$value) { _, _ in result } }
            func handle(_ intent: Anything<Value>, context: Context) async throws -> HandleResponse { .success }
        }
        func check<Value: ParameterValue>(_ type: Value.Type, _ words: String) async throws {
            for (result, line) in [
                (ResolutionResult<Value>.needsValue(), "prompt value value"), (.unsupported(), "prompt value value"),
                (.notRequired(), "completed success success"),
            ] {
                let talk = try await Dialogue(SingleHandlerExtension(handler: Unwilling(result: result)))
                try await talk.request(Anything<Value>.self, ["value": words])
                #expect(try talk.lines() == [line], "\(type)")
            }
        }
        try await check(Place.self, "Airport")
        try await check(Bool.self, "yes")
        try await check([Person].self, "Ann and Ben")
    }

    @Test("after each round the intent has the handler's result for the value, also after a round that came to nothing")
    func intentIsUpdated() async throws {
        let talk = try await Dialogue(SingleHandlerExtension(handler: SendPaymentHandler(contacts: [johns[1]])))
        try await talk.request(SendPayment.self, ["payee": "John"])
        #expect(try talk.lines() == ["prompt value currencyAmount"])
        try await talk.say("20 CAD")
        #expect(try talk.lines().last == "prompt value currencyAmount", "this round came to nothing")
        #expect(try talk.work(.resolve).last?.item?.parameters.first { $0.name == "payee" }?.value == JSON(johns[1]))
        try await talk.say("20 EUR")
        for work in [try talk.work(.resolve).last, try talk.work(.confirm).last, try talk.work(.handle).last] {
            #expect(work?.item?.parameters.first { $0.name == "payee" }?.value == JSON(johns[1]))
        }
    }

    @Test("an identifier that the handler added lets its next call skip the search for the contact")
    func identifierSkipsSearch() async throws {
        let handler = SendPaymentHandler(contacts: johns)
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler))
        try await talk.request(SendPayment.self, ["payee": "John", "currencyAmount": "20 EUR"])
        try await talk.choose("j2")
        #expect(handler.notebook.count("payee") == 2 && handler.notebook.count("search") == 1)
        #expect(handler.notebook.all.last == "handle j2 €20.00")
    }

    @Test("what a handler found out in an unsuccessful attempt is there when it is called again")
    func extraInformation() async throws {
        struct Remembering: IntentHandling {
            let notebook = Recorder<String>()
            var resolution: some Resolution<RequestRide> {
                Resolve(\.$dropOffLocation) { place, _, context in
                    let near = try await context.once("near") {
                        notebook.record("search")
                        return ["Airport", "Harbour"]
                    }
                    guard let place, near.contains(place.name) else {
                        return .unsupported(reason: "tooFar", dialog: "Only \(near.joined(separator: ", ")).")
                    }
                    return .success(place)
                }
            }
            func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse { .success }
        }
        let handler = Remembering()
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler))
        try await talk.request(RequestRide.self, ["dropOffLocation": "Moon"])
        #expect(try talk.prompt()?.dialog == "Only Airport, Harbour.")
        try await talk.say("Mars")
        try await talk.say("Harbour")
        #expect(try talk.lines().last == "completed success success" && handler.notebook.count("search") == 1)
    }
}
