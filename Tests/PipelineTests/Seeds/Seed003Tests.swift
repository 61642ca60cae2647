import Conversation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

/// An app intent with one required and two optional parameters.
private struct PlanHike: AppIntent {
    static let title: LocalizedText = "Plan a hike"
    @Parameter(title: "Place", requestValueDialog: "Where?") var place: String
    @Parameter(title: "Date") var date: String?
    @Parameter(title: "Asks") var asks: String?
    static let parameters = Parameters<Self>(\.$place, \.$date, \.$asks)

    @Dependency var notebook: Recorder<String>

    func perform() async throws -> some IntentResult & ProvidesDialog {
        notebook.record("run")
        if asks == "throwing" {
            guard let date = date else {
                throw $date.requestValue("What date would you like to use?")
            }
            return .result(dialog: "\(place) on \(date)")
        }
        if asks == "waiting" {
            let guide = try await context.once("guide") {
                notebook.record("guide hired")
                return "Ann"
            }
            let date = try await $date.requestValue("What date would you like to use?")
            return .result(dialog: "\(place) on \(date) with \(guide)")
        }
        return .result(dialog: "\(place) on \(date ?? "any day")")
    }
}

@Suite("Seed 003: parameters are added to an intent") struct Seed003DeclaringTests {
    private let notebook = Recorder<String>()
    private let waiting: KeyValuePairs = ["place": "Bonn", "asks": "waiting"]
    private let asksDate = "asks date: What date would you like to use?"

    private func planned(_ said: KeyValuePairs<String, String> = [:]) async throws -> TestConversation {
        try await TestConversation(performing: PlanHike.self, said) { [notebook] in $0.add(notebook) }
    }

    @Test(arguments: ["Bonn", "Cork"])
    func `people use an intent with their own values, which it has when it is performed`(_ place: String) async throws {
        let talk = try await planned(["place": place, "date": "Monday"])
        #expect(try talk.lines == ["success success: \(place) on Monday"])
    }

    @Test("a non-optional type makes a parameter required: a value is requested if there is none; for an optional not")
    func required() async throws {
        var talk = try await planned()
        try await talk.answer("Bonn")
        #expect(try talk.lines == ["asks place: Where?", "success success: Bonn on any day"])
    }

    @Test func `an intent that needs an optional value throws a request for it, as in the article`() async throws {
        var talk = try await planned(["place": "Bonn", "asks": "throwing"])
        try await talk.answer("Monday")
        #expect(try talk.lines == [asksDate, "success success: Bonn on Monday"] && notebook.count("run") == 2)
    }

    @Test("requestValue pauses the execution, which continues with the value, without repeating earlier effects")
    func pausing() async throws {
        var talk = try await planned(waiting)
        #expect(try talk.lines == [asksDate] && notebook.count("run") == 1)
        #expect(try talk.dispatched(.handle).count == 1, "nothing goes on while the person is silent")
        // The value can arrive after the worker was killed.
        talk.pipeline.kill("handle")
        try talk.pipeline.startWorker("another handler", .handle)
        try await talk.pipeline.settle()
        try await talk.pipeline.advance(by: .seconds(100))
        try await talk.answer("Monday")
        #expect(try talk.lines == [asksDate, "success success: Bonn on Monday with Ann"])
        #expect(notebook.count("run") == 2 && notebook.count("guide hired") == 1)
    }

    @Test("the answer to a request for a value becomes the parameter's value, in the completion and in the memory")
    func valueNotWords() async throws {
        struct Pack: AppIntent {
            static let title: LocalizedText = "Pack"
            @Parameter(title: "Boxes", default: .remembered, .memory(.session(as: "boxes"))) var boxes: Int?
            static let parameters = Parameters<Self>(\.$boxes)
            func perform() async throws -> some IntentResult & ProvidesDialog {
                guard let boxes else { throw $boxes.requestValue("How many?") }
                return .result(dialog: "\(boxes) packed")
            }
        }
        var talk = try await TestConversation(performing: Pack.self)
        try await talk.answer("three")
        #expect(try talk.last?.data["parameters"]?["boxes"]?.int == 3)
        try await talk.request(Pack.self)
        #expect(try talk.dispatched(.handle).last?.item?.memory["boxes"] == .number(3))
        #expect(try talk.lines == ["asks boxes: How many?", "success success: 3 packed", "success success: 3 packed"])
    }

    @Test func `declining to give the value ends the request`() async throws {
        var talk = try await planned(waiting)
        try await talk.decline()
        #expect(try talk.steps.last == "completed cancelled cancelled")
    }

    @Test func `the summary is told as values are chosen`() async throws {
        struct Pack: AppIntent {
            static let title: LocalizedText = "Pack"
            static let confirmation: ConfirmationPolicy = .always
            @Parameter(title: "Item") var item: String
            @Parameter(title: "Count") var count: Int
            static let parameters = Parameters<Self>(\.$item, \.$count)
            static var parameterSummary: some ParameterSummary { Summary("Pack \(\.$count) of \(\.$item)") }
            func perform() async throws -> some IntentResult { .result() }
        }
        var talk = try await TestConversation(performing: Pack.self)
        for answer in ["tents", "2"] { try await talk.answer(answer) }
        #expect(
            try talk.results.map { $0.data["summary"]?.string } == [
                "Pack [Count] of [Item]", "Pack [Count] of tents", "Pack 2 of tents",
            ])
    }
}

private struct FindTrails: AppIntent {
    static let title: LocalizedText = "Find trails"
    @Parameter(title: "Activity", requestDisambiguationDialog: "What do you want to do?") var activity: ActivityStyle
    @Parameter(title: "Location", optionsProvider: LocationOptionsProvider()) var location: String?
    @Parameter(title: "Note") var note: String?
    static let parameters = Parameters<Self>(\.$activity, \.$location, \.$note)

    func perform() async throws -> some IntentResult & ProvidesDialog {
        .result(dialog: "\(activity) in \(location ?? "the world")")
    }
}

@Suite("Seed 003: the values of parameters are restricted") struct Seed003RestrictTests {
    private func find(_ said: KeyValuePairs<String, String> = [:], places: Int = 3) async throws -> TestConversation {
        try await TestConversation(performing: FindTrails.self, said) {
            $0.add(TrailDataManager(uniqueLocations: Set((1...places).map { "Place \($0)" })))
        }
    }

    @Test("known values are presented as a list, and the person is prompted to select one, also by a synonym")
    func list() async throws {
        var talk = try await find()
        #expect(try talk.prompt?.dialog == "What do you want to do?")
        #expect(try talk.prompt?.options == ["biking", "hiking", "jogging"])
        try await talk.answer("hiking")
        try await talk.request(FindTrails.self, ["activity": "cycling"])
        #expect(
            try talk.lines == [
                "offers activity: Biking | Hiking | Jogging", "success success: Hiking in the world",
                "success success: Biking in the world",
            ])
    }

    @Test func `a list of 200 values is presented in pages, and the person may select any of them`() async throws {
        var talk = try await find(["activity": "hiking", "location": "Atlantis"], places: 200)
        let prompt = try #require(try talk.prompt)
        #expect(prompt.line == "prompt choice location" && prompt.data["optionsTotal"]?.int == 200)
        try await talk.send(.optionsRequested(OptionsRequest(prompt: prompt.prompt ?? "", search: "place 199")))
        #expect(try talk.last?.options == ["Place 199"])
        try await talk.answer("Place 199")
        #expect(try talk.last?.dialog == "Hiking in Place 199")
    }

    @Test func `a text can declare its capitalization and keyboard, and a prompt for it says so`() async throws {
        let form = try await find().prompt?.data["parameters"]?.elements
        #expect(form?.contains { $0["parameter"]?.string == "note" } == true, "the form shows the note")
        struct Jot: AppIntent {
            static let title: LocalizedText = "Jot down"
            @Parameter(
                title: "Note",
                inputOptions: String.IntentInputOptions(
                    keyboardType: .asciiCapable, capitalizationType: .words, multiline: true))
            var note: String
            static let parameters = Parameters<Self>(\.$note)
            func perform() async throws -> some IntentResult { .result() }
        }
        let input = try await TestConversation(performing: Jot.self).prompt?.data["declaration"]?["input"]
        #expect(input?["keyboardType"]?.string == "asciiCapable" && input?["capitalizationType"]?.string == "words")
        #expect(input?["multiline"]?.bool == true)
        let note = try SelfPerformingExtension(Jot.self).registry().describe("Jot")?.parameters.last
        #expect(
            note?.details.map { "\($0.name): \($0.value)" } == [
                "keyboard: asciiCapable", "capitalization: words", "multiline: yes",
            ])
    }
}

private struct Album: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Album"
    static let defaultQuery = AlbumQuery()
    let id: String
    let name: String
    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(name)) }
}

private struct Photo: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Photo"
    static let defaultQuery = MostRecentPhoto()
    let id: String
    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "The most recent photo") }
}

private struct MostRecentPhoto: UniqueAppEntityQuery {
    func uniqueEntity() async throws -> Photo { Photo(id: "IMG_9") }
}

private struct AlbumQuery: EnumerableEntityQuery {
    func allEntities() async throws -> [Album] {
        [
            Album(id: "default", name: "My album"), Album(id: "w1", name: "Summer walks"),
            Album(id: "w2", name: "Winter walks"),
        ]
    }
}

private struct AddPhoto: AppIntent {
    static let title: LocalizedText = "Add a photo to an album"
    @Parameter(title: "Photo") var photo: Photo
    @Parameter(title: "Album", default: .attribute("defaultAlbum")) var album: Album
    static let parameters = Parameters<Self>(\.$photo, \.$album)
    func perform() async throws -> some IntentResult & ProvidesDialog {
        .result(dialog: "\(photo.id) in \(album.name)")
    }
}

@Suite("Seed 003: entities tell the system about an app's data") struct Seed003EntitiesTests {
    @Test("entities help to resolve parameters: a name leads to success, to a choice or to another prompt")
    func resolving() async throws {
        var talk = try await TestConversation(performing: AddPhoto.self, ["album": "Moon landings"])
        #expect(try talk.steps == ["prompt choice album"], "words that name none lead to the known ones")
        #expect(try talk.prompt?.data["unsupported"]?["reason"]?.string == "noMatch")
        try await talk.answer("walks")
        #expect(try talk.prompt?.options == ["w1", "w2"], "words that name two to a choice of these")
        try await talk.answer("w1")
        #expect(try talk.last?.dialog == "IMG_9 in Summer walks")
        try await talk.request(AddPhoto.self, ["album": "summer walks"])
        #expect(try talk.lines.last == "success success: IMG_9 in Summer walks")
        #expect(try talk.steps.count == 4, "an entity such as the most recent photo is found without asking")
    }

    @Test func `an entity such as the default album replaces a question`() async throws {
        let talk = try await TestConversation(
            performing: AddPhoto.self, attributes: ["defaultAlbum": .string("default")])
        #expect(try talk.lines == ["success success: IMG_9 in My album"])
    }

    @Test func `without a default the person chooses from the existing entities`() async throws {
        var talk = try await TestConversation(performing: AddPhoto.self)
        #expect(try talk.steps == ["prompt choice album"] && talk.prompt?.options == ["default", "w1", "w2"])
        try await talk.answer("w2")
        #expect(try talk.last?.dialog == "IMG_9 in Winter walks")
    }
}

private struct Remind: AppIntent {
    static let title: LocalizedText = "Remind me"
    @Parameter(title: "When") var when: String
    static let parameters = Parameters<Self>(\.$when)
    func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "You will hear from me.") }
}

@Suite("The time zone of a request") struct RequestTimeZoneTests {
    @Test(arguments: [("Mars/Base", false), ("Europe/Amsterdam", true), ("Europe/Amsterdm", false), ("UTC", true)])
    func `an unknown time zone is rejected by its name`(_ zone: String, _ isKnown: Bool) async throws {
        var talk = try await TestConversation(performing: Remind.self, ["when": "now"])
        var request = IntentRequest(
            id: "zoned", intent: "Remind",
            parameters: [ParameterState(name: "when", value: "2026-12-01T09:00:00Z")])
        request.clock = PersonClock(timeZone: zone, said: Instant(milliseconds: 1_700_000_000_000))
        try await talk.request(request)
        let last = try #require(try talk.last)
        #expect((last.status == .success) == isKnown)
        if !isKnown {
            #expect(last.data["error"]?["field"]?.string == "timeZone")
            #expect(last.data["error"]?["message"]?.string?.contains(zone) == true)
        }
    }
}
