import IntentFiles
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A conversation about a defined intent") struct DefinedConversationTests {
    private static let text = """
        version: 1
        entities:
          City: {values: [{id: AMS, title: Amsterdam, synonyms: [Mokum]}, {id: NYC, title: New York}, {id: YRK, title: York (UK)}]}
        fulfilment: {url: "https://tables.example.com", phases: [confirm, handle]}
        intents:
          Reserve:
            title: Reserve a table
            confirmation: always
            parameters:
              city: {type: City, prompt: Where?}
              seats: {type: int, range: [1, 6], prompt: For how many?}
              size: {type: string, options: [small, {id: l, title: Large, synonyms: [big]}], required: false}
              restaurant: {type: string, resolve: fulfilment, after: city}
            summary: [{when: size, text: "{size} table for {seats} at {restaurant}"}, {otherwise: "Table for {seats} at {restaurant}"}]
        """

    /// A fulfilment that knows two restaurants.
    private let kitchen = Bistro(
        resolve: { call in
            if let said = call.parameters["restaurant"] { return .success(said) }
            let options = ["Betty's", "Skosh"].map { ParameterOption(id: $0, title: $0, value: .string($0)) }
            let city = call.parameters["city"]?.view["id"]?.string ?? "?"
            return .disambiguation(options, dialog: "Which one in \(city)?")
        }, confirm: { _ in .ready(dialog: "Shall I?") }, handle: { _ in .success(dialog: "Reserved.") })

    private func pipeline() async throws -> TestPipeline {
        let declared = try definitions(Self.text).declarations { _, _ in kitchen }
        let registry = try IntentRegistry([RideExtension()], declared: declared, dependencies: AppDependencyManager())
        let pipeline = try await TestPipeline { await registry.perform($0, report: $1) }
        pipeline.policies = { registry.policy(of: $0) }
        try pipeline.startAll()
        return pipeline
    }

    @Test func `prompts, offers, confirms and handles as with an intent in Swift`() async throws {
        var talk = TestConversation(try await pipeline())
        try await talk.request("Reserve", ["city": "york", "size": "big"])
        for words in ["York (UK)", "nine", "four", "Betty's", "yes"] { try await talk.answer(words) }
        #expect(
            try talk.lines == [
                "offers city: New York | York (UK)", "asks seats: For how many?",
                "asks seats: Seats can be 1 to 6, not 9.", "offers restaurant: Betty's | Skosh", "confirms: Shall I?",
                "success success: Reserved.",
            ])
        // The restaurant is resolved in each round after the city is known, until it is answered, and once more for the
        // answer.
        #expect(kitchen.calls.map(\.phase) == [.resolve, .resolve, .resolve, .resolve, .confirm, .handle])
        #expect(kitchen.calls[4].summary == "Large table for 4 at Betty's")
        let last = try #require(kitchen.calls.last).parameters
        #expect(last["city"]?.view["id"]?.string == "YRK" && last["seats"] == 4 && last["size"] == "l")
        #expect(last["restaurant"] == "Betty's")
    }

    @Test func `runs beside one about an intent in Swift`() async throws {
        let pipeline = try await pipeline()
        var table = TestConversation(pipeline, session: "table")
        var ride = TestConversation(pipeline, session: "ride")
        try await ride.request("GetRideStatus", ["rideIdentifier": "nonsense"])
        try await table.request("Reserve", ["city": "Mokum", "seats": "2", "restaurant": "Nous"])
        try await table.answer("yes")
        #expect(try table.lines.last == "success success: Reserved.")
        #expect(try ride.lines.isEmpty == false)
    }
}
