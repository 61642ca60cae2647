import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

private struct Sweep: AppIntent {
    static let title: LocalizedText = "Sweep"
    static let confirmation: ConfirmationPolicy = .always
    static var parameterSummary: some ParameterSummary {
        Summary("Sweep the huts on all trails", translations: ["nl": "Veeg de hutten"])
    }
    func perform() async throws -> some IntentResult { .result() }
}

private struct Plain: AppIntent {
    static let title: LocalizedText = "Just a title"
    static let confirmation: ConfirmationPolicy = .always
    func perform() async throws -> some IntentResult { .result() }
}

private struct Pack: AppIntent {
    static let title: LocalizedText = "Pack"
    static let confirmation: ConfirmationPolicy = .always
    @Parameter(title: "Item") var item: String
    @Parameter(title: "Count") var count: Int
    static let parameters = Parameters<Self>(\.$item, \.$count)
    static var parameterSummary: some ParameterSummary { Summary("Pack \(\.$count) of \(\.$item)") }
    func perform() async throws -> some IntentResult { .result() }
}

@Suite("Seed 003: an intent has a parameter summary")
struct Seed003SummaryTests {
    private let server = SelfPerformingExtension(
        SuggestedTrails.self, GetTrailInfo.self, Sweep.self, Plain.self, provide: TrailDataManager.provide)

    private func suggested(_ values: KeyValuePairs<String, String>) async throws -> String? {
        try await server.perform(.confirm, SuggestedTrails.self, values.map { .said($0, $1) }).confirmation?.summary
    }

    @Test("it is an outline of the intent in words, with placeholders for the parameters")
    func outline() throws {
        #expect(try server.registry().describe("GetTrailInfo")?.summary == .template("Get information on ${trail}"))
    }

    @Test("the placeholders are replaced by the values that people chose")
    func values() async throws {
        let summary = try await server.perform(.confirm, GetTrailInfo.self, [.said("trail", json: #"{"id":1}"#)])
            .confirmation?.summary
        #expect(summary == "Get information on Mount Bell")
    }

    @Test("a parameter without a value is shown by its title in brackets: a placeholder that the person can fill in")
    func titles() async throws {
        #expect(
            try await suggested(["activity": "biking"])
                == "Suggest bike rides from [Trail Collection] or near [Location]")
    }

    @Test("an intent without parameters can have a summary that says more than its title")
    func withoutParameters() async throws {
        #expect(try await server.perform(.confirm, Sweep.self).confirmation?.summary == "Sweep the huts on all trails")
    }

    @Test("an intent without a summary uses its title")
    func withoutSummary() async throws {
        #expect(try await server.perform(.confirm, Plain.self).confirmation?.summary == "Just a title")
    }

    @Test("it is localized")
    func localized() async throws {
        #expect(
            try await server.perform(.confirm, Sweep.self, locale: "nl-BE").confirmation?.summary == "Veeg de hutten")
    }

    @Test("it is told as values are chosen")
    func updates() async throws {
        let talk = try await Dialogue(SelfPerformingExtension(Pack.self))
        try await talk.request(Pack.self)
        #expect(try talk.prompt()?.data["summary"]?.string == "Pack [Count] of [Item]")
        try await talk.say("tents")
        #expect(try talk.prompt()?.data["summary"]?.string == "Pack [Count] of tents")
        try await talk.say("2")
        #expect(try talk.prompt()?.data["summary"]?.string == "Pack 2 of tents")
    }

    @Test("a client that lets people edit it knows each parameter's type and possible values")
    func types() throws {
        let parameters = try #require(try server.registry().describe("SuggestedTrails")).parameters
        #expect(parameters.map(\.type.name) == ["ActivityStyle", "Place", "Measurement<UnitLength>", "String"])
        guard case .known(let options) = parameters[0].options else {
            Issue.record("no options")
            return
        }
        #expect(options.map(\.title) == ["Biking", "Hiking", "Jogging"])
    }

    @Test("conditions update it in response to the values: the article's Switch")
    func conditions() async throws {
        #expect(
            try await suggested(["activity": "biking", "location": "Bonn", "searchRadius": "5 km"])
                == "Ride a bike within 5 km of Bonn")
        #expect(try await suggested(["activity": "biking", "trailCollection": "Alps"]) == "Pick a bike ride from Alps")
        #expect(
            try await suggested(["activity": "hiking", "location": "Bonn", "searchRadius": "5 km"])
                == "Suggest Hiking trails within 5 km of Bonn")
        #expect(
            try await suggested(["activity": "jogging", "trailCollection": "Alps"])
                == "Suggest Jogging trails from Alps")
        #expect(
            try await suggested(["activity": "jogging"])
                == "Suggest Jogging trails from [Trail Collection] or near [Location]")
    }

    @Test("the catalogue contains its conditions and all sentences")
    func described() throws {
        guard
            case .choice("activity", let cases, let otherwise)? = try server.registry().describe("SuggestedTrails")?
                .summary
        else {
            Issue.record("no choice")
            return
        }
        #expect(cases.map(\.operandTexts) == [["Biking"]])
        if case .choice("location", _, _) = otherwise {} else { Issue.record("\(otherwise)") }
    }
}
