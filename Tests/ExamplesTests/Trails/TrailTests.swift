import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@testable import SampleDomains

/// The trails domain with its own data.
struct Trails: DomainFixture {
    let served = TrailExtension()
    let diary = TrailDiary(store: SampleStore())
    let trails = TrailDataManager()

    var dependencies: AppDependencyManager {
        let dependencies = AppDependencyManager()
        dependencies.add(diary)
        dependencies.add(trails)
        return dependencies
    }
}

@Suite("Intents about trails ask questions while they are performed") struct PerformTests {
    private let trails = Trails()

    @Test func `GetTrailInfo returns a value and a dialog`() async throws {
        let response = try await trails.handle("GetTrailInfo", .resolved(["trail": .number(1)]))
        #expect(
            response.dialog
                == "Mount Bell starts in Bellhaven, is 12.5 km long and good for Hiking. Conditions today: icy.")
        #expect(response.values["value"] == JSON(TrailEntity.samples[0]))
    }

    @Test func `an activity that a trail is not for leads to a choice of its activities`() async throws {
        let talk = try await trails.play(
            "StartTrailActivity", ["trail": "Larch Lake Loop", "activity": "hiking"], "jogging")
        #expect(try talk.results[0].dialog == "What would you like to do on Larch Lake Loop?")
        #expect(try talk.results[0].titles == ["Biking", "Jogging"])
        #expect(try talk.lines.last == "success success: Jogging on Larch Lake Loop: off you go.")
    }

    @Test(arguments: [
        ("yes", "completed success success", ActivityStyle.hiking), ("no", "completed cancelled cancelled", nil),
    ])
    func `a trail in bad condition is confirmed, and nothing is stored before the person accepts`(
        _ answer: String, _ end: String, _ begun: ActivityStyle?
    ) async throws {
        let talk = try await trails.play("StartTrailActivity", ["trail": "Mount Bell"], answer)
        #expect(try talk.results[0].dialog == "Mount Bell is icy today. Start all the same?" && talk.steps.last == end)
        #expect(try trails.diary.lastActivity(on: TrailEntity.samples[0], of: "s")?.style == begun)
    }

    @Test func `an activity is known to the next intent, in any process`() async throws {
        var talk = try await trails.play("StartTrailActivity", ["trail": "Bell Brook", "activity": "running"])
        try await talk.request("GetTrailInfo", ["trail": "Bell Brook"])
        #expect(try talk.last?.dialog?.hasSuffix("You were there last for Jogging.") == true)
    }

    @Test func `a guide is booked for the requested day, and GetTrailInfo follows`() async throws {
        let talk = try await trails.play(
            "BookTrailGuide", ["trail": "Heron Shore", "partySize": "three"], "2027-05-01T09:00:00Z", "yes")
        let results = try talk.results
        #expect(
            results.prefix(3).map(\.dialog) == [
                "What date would you like to use?",
                "Tobias takes you along Heron Shore on 2027-05-01 for €54.00. Shall I book it?",
                "Tobias is booked. Your number is TOBIAS-2027-05-01.",
            ])
        #expect(results.map(\.request) == ["r1", "r1", "r1", "r1.opens"])
        #expect(results.last?.dialog?.hasPrefix("Heron Shore starts in Larch Lake") == true)
    }

    @Test(arguments: [("Asia/Tokyo", "2027-05-02"), ("Europe/Amsterdam", "2027-05-01"), (nil, "2027-05-01")])
    func `a guide is booked for the day in the person's time zone`(_ zone: String?, _ day: String) async throws {
        let registry = try trails.registry()
        var context = InvocationContext(session: "s", request: "r", idempotencyKey: "s/r")
        context.timeZone = zone
        let known: [ParameterState] = .resolved(["trail": .number(1), "date": "2027-05-01T16:00:00Z", "partySize": 1])
        let outcome = await registry.perform(
            IntentInvocation(phase: .handle, intent: "BookTrailGuide", parameters: known, context: context)
        ) { _ in }
        guard case .asked(let question) = outcome else {
            throw UnexpectedOutcome(outcome, of: .handle, "BookTrailGuide")
        }
        #expect(question.dialog?.contains("on \(day) for") == true, "\(question.dialog ?? "")")
    }

    @Test func `a day that is already booked is asked for again, repeatedly`() async throws {
        for day in ["2027-05-01", "2027-05-02"] {
            _ = try trails.diary.book("Mara", on: day, for: TrailEntity.samples[0], idempotencyKey: "other")
        }
        let talk = try await trails.play(
            "BookTrailGuide", ["trail": "Bell Brook", "date": "2027-05-01T09:00:00Z"], "2027-05-02T09:00:00Z",
            "2027-05-03T09:00:00Z", "yes")
        #expect(try talk.results[0].dialog == "Mara is taken on 2027-05-01. What other date would you like to use?")
        let numbers = try talk.results.compactMap { $0.data["response"]?["value"]?.string }
        #expect(numbers.first == "MARA-2027-05-03")
    }

    @Test func `a repeated booking is made once, and another one for the same day is refused`() throws {
        func book(_ key: Identifier) throws -> String {
            try trails.diary.book("Mara", on: "2027-05-01", for: TrailEntity.samples[0], idempotencyKey: key)
        }
        #expect(try book("k") == book("k"))
        #expect(throws: TrailError.self) { try book("other") }
    }

    @Test func `a trail without a guide is a failure with a dialog`() async throws {
        let response = try await trails.handle("BookTrailGuide", .resolved(["trail": .number(7)]))
        #expect(response == .failure("failureGuideNotAvailable", dialog: "Nobody guides on Dune Ridge."))
    }
}

@Suite("Suggesting trails, as in Apple's article") struct SuggestTrailsTests {
    private let trails = Trails()
    private let locations = ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"]

    private func suggested(_ parameters: KeyValuePairs<String, JSON>) async throws -> [String] {
        try await trails.handle("SuggestTrails", .resolved(parameters)).items.map(\.title)
    }

    private func find(_ parameter: String, _ said: String) async throws -> ParameterResolution {
        try await trails.resolve(parameter, of: "SuggestTrails", [.said(parameter, said)])
    }

    @Test func `a location must be one of the provider's options, sorted and without duplicates`() async throws {
        #expect(try await find("location", "PORT ANSELM") == .success("Port Anselm"))
        let elsewhere = try await trails.registry().resolve(
            "location", of: "SuggestTrails", [.said("location", "Dublin")])
        #expect(elsewhere.options.map(\.title) == locations)
        #expect(elsewhere.resolution.dialog?.contains("Dublin") == true)
    }

    @Test(arguments: [("20", "20 km"), ("twenty", "20 km"), ("5 miles", "5 mi")])
    func `a radius can be given in any unit, or in none`(_ said: String, _ meant: String) async throws {
        let radius = JSON(try #require(Measurement<UnitLength>(text: meant)))
        #expect(try await find("searchRadius", said) == .success(radius))
    }

    @Test func `trails within the radius are suggested, the nearest first`() async throws {
        func near(_ activity: JSON, _ kilometers: Double) async throws -> [String] {
            let radius = JSON(.kilometers(kilometers) as Measurement)
            return try await suggested(["activity": activity, "location": "Bellhaven", "searchRadius": radius])
        }
        #expect(try await near("hiking", 13) == ["Mount Bell", "Bell Brook", "Heron Shore", "Quarry Steps"])
        #expect(try await near("jogging", 1) == ["Bell Brook"])
    }

    @Test func `trails of a collection are suggested, limited to those that are near`() async throws {
        let (lake, other) = (JSON(TrailCollection.samples[0]), JSON(TrailCollection.samples[2]))
        let bikes = try await trails.handle(
            "SuggestTrails", .resolved(["activity": "biking", "trailCollection": lake]))
        #expect(bikes.items.map(\.title) == ["Heron Shore", "Larch Lake Loop"])
        #expect(bikes.values["value"]?.view.elements.count == 2)
        let both = try await suggested(["activity": "hiking", "location": "Saltmarsh", "trailCollection": other])
        #expect(both == ["Dune Ridge"])
    }

    @Test func `without a matching trail the response is a failure with the domain's code`() async throws {
        let parameters: [ParameterState] = .resolved(["activity": "biking", "location": "Saltmarsh"])
        let response = try await trails.handle("SuggestTrails", parameters)
        #expect(response == .failure("failureNoMatchingTrail", dialog: "I know no trail for Biking there."))
    }

    @Test func `an optional location is asked for if needed, and the run continues with the answer`() async throws {
        let talk = try await trails.play("SuggestTrails", ["activity": "a run"], "larch lake")
        let results = try talk.results
        #expect(results.count == 2 && results[0].dialog == "Where would you like to go?")
        #expect(results.map(\.titles) == [locations, ["Heron Shore", "Larch Lake Loop", "Bell Brook"]])
    }

    @Test func `the catalogue has every intent with its summary`() throws {
        let registry = try trails.registry()
        let intents = ["BookTrailGuide", "GetTrailInfo", "StartTrailActivity", "SuggestTrails"]
        #expect(registry.intents.sorted() == intents)
        let text = try #require(registry.describe("SuggestTrails")).text
        #expect(
            text.contains("Ride a bike within") && text.contains("Suggest ${activity} trails from ${trailCollection}"))
    }
}

@Suite("Finding a trail") struct TrailQueryTests {
    private let heronShore = JSON(TrailEntity.samples[2])

    private func find(_ said: JSON) async throws -> ParameterResolution {
        try await Trails().resolve("trail", of: "GetTrailInfo", [ParameterState(name: "trail", value: said)])
    }

    @Test func `by its identifier, its name, a part of its name, or its properties in any unit`() async throws {
        let lake: JSON = ["property": "location", "is": "contains", "value": "lake"]
        for said: JSON in [3, "heron shore", "Heron", ["where": [lake], "sort": ["length"], "limit": 1]] {
            #expect(try await find(said) == .success(heronShore))
        }
        let long: JSON = ["property": "length", "is": "greaterThan", "value": "10 miles"]
        #expect(try await find(["where": [long]]) == .success(JSON(TrailEntity.samples[5])))
    }

    @Test func `by a name or place, which may lead to a choice`() async throws {
        let options = try await find("larch lake").options
        #expect(options.map(\.title) == ["Heron Shore", "Larch Lake Loop"])
        #expect(options.map(\.subtitle) == ["Larch Lake, 8 km", "Larch Lake, 15 km"])
    }

    @Test(arguments: ["the Matterhorn", 99] as [JSON])
    func `without a match`(_ said: JSON) async throws { #expect(try await find(said).reason == "noMatch") }
}
