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
    @Parameter(title: LocalizedText("Place", translations: ["nl": "Plaats"]), requestValueDialog: "Where?") var place:
        String
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

@Suite("Seed 003: parameters are added to an intent")
struct Seed003DeclaringTests {
    private let notebook = Recorder<String>()

    private func dialogue() async throws -> Dialogue {
        try await Dialogue(SelfPerformingExtension(PlanHike.self) { [notebook] in $0.add(notebook) })
    }

    // MARK: Overview

    @Test("parameters declare what data an intent needs, and whether it is required or optional")
    func declared() throws {
        let server = SelfPerformingExtension(PlanHike.self) { $0.add(Recorder<String>()) }
        let described = try #require(try server.registry().describe("PlanHike"))
        #expect(described.parameters.map(\.name) == ["place", "date", "asks"])
        #expect(described.parameters.map(\.type.name) == ["String", "String", "String"])
        #expect(described.parameters.map(\.isRequired) == [true, false, false])
    }

    @Test("people use an intent with their own values, which it has when it is performed")
    func ownValues() async throws {
        for place in ["Bonn", "Cork"] {
            let talk = try await dialogue()
            try await talk.request(PlanHike.self, ["place": place, "date": "Monday"])
            #expect(try talk.last()?.dialog == "\(place) on Monday")
        }
    }

    @Test("a title and a description describe a parameter to people")
    func titleAndDescription() throws {
        let described = try SelfPerformingExtension(GetTrailInfo.self, provide: TrailDataManager.provide).registry()
            .describe(
                "GetTrailInfo")
        #expect(described?.parameters.first?.title == "Trail")
        #expect(described?.parameters.first?.description == "The trail to get information on.")
    }

    @Test("the trail that people name is the one that they get information on")
    func trail() async throws {
        let talk = try await Dialogue(SelfPerformingExtension(GetTrailInfo.self, provide: TrailDataManager.provide))
        try await talk.request(GetTrailInfo.self, ["trail": "mount bell"])
        try await talk.yes()
        #expect(try talk.lines() == ["prompt confirmIntent -", "completed success success"])
        #expect(try talk.last()?.dialog == "Mount Bell: 12 km")
    }

    @Test("titles and descriptions are localized, inline or in a table of the extension")
    func localized() throws {
        let table = try LocalizedTable([
            "The trail to get information on.": ["nl": "De route."], "Trail": ["nl": "Route"],
        ])
        let server = SelfPerformingExtension(PlanHike.self, GetTrailInfo.self, localizations: [table]) {
            $0.add(Recorder<String>())
            $0.add(TrailDataManager())
        }
        let registry = try server.registry()
        #expect(registry.describe("PlanHike", in: "nl-NL")?.parameters.first?.title == "Plaats")
        #expect(registry.describe("GetTrailInfo", in: "nl")?.parameters.first?.title == "Route")
        #expect(registry.describe("GetTrailInfo", in: "nl")?.parameters.first?.description == "De route.")
        #expect(registry.describe("GetTrailInfo", in: "fi")?.parameters.first?.title == "Trail")
    }

    // MARK: Optional or required

    @Test("a non-optional type makes a parameter required, and a value is requested when there is none")
    func required() async throws {
        let talk = try await dialogue()
        try await talk.request(PlanHike.self)
        #expect(try talk.lines() == ["prompt value place"] && talk.prompt()?.dialog == "Where?")
        try await talk.say("Bonn")
        #expect(try talk.lines().last == "completed success success")
    }

    @Test("an optional type makes a parameter optional, and no value is requested")
    func optional() async throws {
        let talk = try await dialogue()
        try await talk.request(PlanHike.self, ["place": "Bonn"])
        #expect(try talk.lines() == ["completed success success"] && talk.last()?.dialog == "Bonn on any day")
    }

    @Test("an intent that needs an optional value throws a request for it, as in the article")
    func thrownRequest() async throws {
        let talk = try await dialogue()
        try await talk.request(PlanHike.self, ["place": "Bonn", "asks": "throwing"])
        #expect(
            try talk.lines() == ["prompt value date"] && talk.prompt()?.dialog == "What date would you like to use?")
        try await talk.say("Monday")
        #expect(try talk.last()?.dialog == "Bonn on Monday" && notebook.count("run") == 2)
    }

    @Test("requestValue pauses the execution, which continues with the value; earlier effects are not repeated")
    func pausing() async throws {
        let talk = try await dialogue()
        try await talk.request(PlanHike.self, ["place": "Bonn", "asks": "waiting"])
        #expect(try talk.lines() == ["prompt value date"] && notebook.count("run") == 1)
        #expect(try talk.work(.handle).count == 1, "nothing goes on while the person is silent")
        try await talk.say("Monday")
        #expect(try talk.last()?.dialog == "Bonn on Monday with Ann" && notebook.count("guide hired") == 1)
        #expect(try talk.work(.handle).count == 2 && notebook.count("run") == 2, "the code runs again, with the answer")
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
        let talk = try await Dialogue(SelfPerformingExtension(Pack.self))
        try await talk.request(Pack.self)
        try await talk.say("three")
        #expect(try talk.last()?.dialog == "3 packed" && talk.last()?.data["parameters"]?["boxes"]?.int == 3)
        try await talk.request(Pack.self, id: "again")
        #expect(try talk.work(.handle).last?.item?.memory["boxes"] == .number(3))
        #expect(try talk.lines().suffix(2) == ["completed success success", "completed success success"])
    }

    @Test("the requested value can arrive after the worker was killed, and another one continues")
    func killedWhileItWaits() async throws {
        let talk = try await dialogue()
        try await talk.request(PlanHike.self, ["place": "Bonn", "asks": "waiting"])
        talk.pipeline.kill("handle")
        try talk.pipeline.startWorker("another handler", .handle)
        try await talk.pipeline.settle()
        try await talk.pipeline.advance(by: .seconds(100))
        try await talk.say("Monday")
        #expect(try talk.lines() == ["prompt value date", "completed success success"])
        #expect(try talk.last()?.dialog == "Bonn on Monday with Ann" && notebook.count("guide hired") == 1)
    }

    @Test("declining to give the value ends the request")
    func declined() async throws {
        let talk = try await dialogue()
        try await talk.request(PlanHike.self, ["place": "Bonn", "asks": "waiting"])
        try await talk.no()
        #expect(try talk.lines().last == "completed cancelled cancelled")
    }
}
