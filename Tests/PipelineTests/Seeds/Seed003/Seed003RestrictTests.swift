import Conversation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

private struct FindTrails: AppIntent {
    static let title: LocalizedText = "Find trails"
    @Parameter(title: "Activity", requestDisambiguationDialog: "What do you want to do?") var activity: ActivityStyle
    @Parameter(title: "Location", optionsProvider: LocationOptionsProvider()) var location: String?
    @Parameter(title: "Length", .inclusiveRange(1...50)) var length: Int?
    @Parameter(
        title: "Note",
        inputOptions: String.IntentInputOptions(
            keyboardType: .asciiCapable, capitalizationType: .words, multiline: true))
    var note: String?
    static let parameters = Parameters<Self>(\.$activity, \.$location, \.$length, \.$note)

    func perform() async throws -> some IntentResult & ProvidesDialog {
        .result(dialog: "\(activity) in \(location ?? "the world")")
    }
}

private struct Jot: AppIntent {
    static let title: LocalizedText = "Jot down"
    @Parameter(
        title: "Note",
        inputOptions: String.IntentInputOptions(
            keyboardType: .asciiCapable, capitalizationType: .words, multiline: true))
    var note: String
    static let parameters = Parameters<Self>(\.$note)

    func perform() async throws -> some IntentResult { .result() }
}

@Suite("Seed 003: the values of parameters are restricted")
struct Seed003RestrictTests {
    private func server(_ locations: Set<String> = ["Oulu", "Bonn", "Cork"]) -> SelfPerformingExtension {
        SelfPerformingExtension(FindTrails.self) { $0.add(TrailDataManager(uniqueLocations: locations)) }
    }

    private func found(_ name: String, _ words: String, _ locations: Set<String> = ["Oulu", "Bonn", "Cork"])
        async throws
        -> ParameterResolution?
    {
        try await server(locations).resolve(name, of: FindTrails.self, [.said(name, words)])
    }

    @Test("known values are presented as a list, and the person is prompted to select one")
    func list() async throws {
        let talk = try await Dialogue(server())
        try await talk.request(FindTrails.self)
        #expect(try talk.lines() == ["prompt choice activity"] && talk.prompt()?.dialog == "What do you want to do?")
        #expect(try talk.prompt()?.options == ["biking", "hiking", "jogging"])
        try await talk.choose("hiking")
        #expect(try talk.last()?.dialog == "Hiking in the world")
    }

    @Test("a list of 200 values is presented in pages, and the person may select any of them")
    func pages() async throws {
        let talk = try await Dialogue(server(Set((1...200).map { "Place \($0)" })))
        try await talk.request(FindTrails.self, ["activity": "hiking", "location": "Atlantis"])
        let prompt = try #require(try talk.prompt())
        #expect(prompt.said == "prompt choice location" && prompt.data["optionsTotal"]?.int == 200)
        try await talk.send(.optionsRequested(OptionsRequest(prompt: prompt.prompt ?? "", search: "place 199")))
        #expect(try talk.last()?.options == ["Place 199"])
        try await talk.choose("Place 199")
        #expect(try talk.last()?.dialog == "Hiking in Place 199")
    }

    @Test("all known values are presented, however many there are", arguments: [2, 5, 6, 40, 200])
    func longList(_ count: Int) async throws {
        let locations = Set((1...count).map { "Place \($0)" })
        #expect(try await found("location", "Atlantis", locations)?.options.count == count)
    }

    @Test("at compile time an enumeration declares the possible values, which are known by their titles and synonyms")
    func enumeration() async throws {
        #expect(try await found("activity", "Hiking") == .success(.string("hiking")))
        #expect(try await found("activity", "cycling") == .success(.string("biking")))
        #expect(try await found("activity", "swimming")?.options.map(\.id) == ["biking", "hiking", "jogging"])
    }

    @Test("at run time an options provider gives the permitted values")
    func optionsProvider() async throws {
        #expect(try await found("location", "cork") == .success(.string("Cork")))
        #expect(try await found("location", "Cork", ["Oulu", "Bonn"])?.value == nil)
    }

    @Test("the article's LocationOptionsProvider lists the locations in order, from a manager that it depends on")
    func sorted() async throws {
        #expect(try await found("location", "Atlantis")?.options.map(\.id) == ["Bonn", "Cork", "Oulu"])
        #expect(try await found("location", "Atlantis", ["Zug", "Ahlen"])?.options.map(\.id) == ["Ahlen", "Zug"])
    }

    @Test("a missing dependency of an options provider is found when the process starts")
    func missingDependency() {
        #expect { try SelfPerformingExtension(FindTrails.self).registry() } throws: {
            ($0 as? IntentRegistryError)?.code == .dependencyMissing
        }
    }

    @Test(
        "a number can have an inclusive range",
        arguments: [("0", "belowMinimum"), ("1", nil), ("50", nil), ("51", "aboveMaximum")])
    func inclusiveRange(_ length: String, _ reason: String?) async throws {
        #expect(try await found("length", length)?.reason == reason)
    }

    @Test("a text can declare its capitalization and keyboard, and a prompt for it says so")
    func inputOptions() async throws {
        let talk = try await Dialogue(server())
        try await talk.request(FindTrails.self)
        let prompted = try talk.prompt()?.data["parameters"]?.elements.first { $0["parameter"]?.string == "note" }
        #expect(prompted != nil, "the form shows the note")
        let asked = try await Dialogue(SelfPerformingExtension(Jot.self))
        try await asked.request(Jot.self)
        let input = try asked.prompt()?.data["declaration"]?["input"]
        #expect(input?["keyboardType"]?.string == "asciiCapable" && input?["capitalizationType"]?.string == "words")
        #expect(input?["multiline"]?.bool == true)
        let note = try #require(try server().registry().describe("FindTrails")?.parameters.last)
        #expect(
            note.details.map { "\($0.name): \($0.value)" } == [
                "keyboard: asciiCapable", "capitalization: words", "multiline: yes",
            ])
    }
}
