import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@testable import SampleDomains

/// The trails domain with its own data.
struct Trails: DomainFixture {
    let served = TrailExtension()
    let diary: TrailDiary
    let trails: TrailDataManager

    init(_ trails: TrailDataManager = TrailDataManager()) {
        (diary, self.trails) = (TrailDiary(store: SampleStore()), trails)
    }

    var dependencies: AppDependencyManager {
        let dependencies = AppDependencyManager()
        dependencies.add(diary)
        dependencies.add(trails)
        return dependencies
    }

    /// Requests an intent, and answers each prompt with the next of these answers.
    func ask(for intent: String, _ said: KeyValuePairs<String, String>, answering answers: String...) async throws
        -> TestConversation
    {
        var talk = try await conversation()
        try await talk.request(intent, said)
        for answer in answers { try await talk.answer(answer) }
        return talk
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
        let talk = try await trails.ask(
            for: "StartTrailActivity", ["trail": "Larch Lake Loop", "activity": "hiking"], answering: "jogging")
        #expect(try talk.results[0].dialog == "What would you like to do on Larch Lake Loop?")
        #expect(try talk.results[0].titles == ["Biking", "Jogging"])
        #expect(try talk.lines.last == "success success: Jogging on Larch Lake Loop: off you go.")
    }

    @Test(
        "for a trail in bad condition the person is asked, and nothing is stored before they accept",
        arguments: [
            ("yes", "completed success success", ActivityStyle.hiking), ("no", "completed cancelled cancelled", nil),
        ])
    func confirmation(_ answer: String, _ end: String, _ begun: ActivityStyle?) async throws {
        let talk = try await trails.ask(for: "StartTrailActivity", ["trail": "Mount Bell"], answering: answer)
        #expect(try talk.results[0].dialog == "Mount Bell is icy today. Start all the same?")
        #expect(try talk.steps.last == end)
        #expect(try trails.diary.lastActivity(on: TrailEntity.samples[0], of: "s")?.style == begun)
    }

    @Test func `an activity is known to the next intent, in any process`() async throws {
        var talk = try await trails.ask(for: "StartTrailActivity", ["trail": "Bell Brook", "activity": "running"])
        try await talk.request("GetTrailInfo", ["trail": "Bell Brook"])
        #expect(try talk.last?.dialog?.hasSuffix("You were there last for Jogging.") == true)
    }

    @Test func `a guide is booked for the requested day, and GetTrailInfo follows`() async throws {
        let talk = try await trails.ask(
            for: "BookTrailGuide", ["trail": "Heron Shore", "partySize": "three"],
            answering: "2027-05-01T09:00:00Z", "yes")
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

    @Test func `a day that is already booked is asked for again, repeatedly`() async throws {
        for day in ["2027-05-01", "2027-05-02"] {
            _ = try trails.diary.book("Mara", on: day, for: TrailEntity.samples[0], idempotencyKey: "other")
        }
        let talk = try await trails.ask(
            for: "BookTrailGuide", ["trail": "Bell Brook", "date": "2027-05-01T09:00:00Z"],
            answering: "2027-05-02T09:00:00Z", "2027-05-03T09:00:00Z", "yes")
        #expect(try talk.results[0].dialog == "Mara is taken on 2027-05-01. What other date would you like to use?")
        let numbers = try talk.results.compactMap { $0.data["response"]?["value"]?.string }
        #expect(numbers.first == "MARA-2027-05-03")
    }

    @Test func `a repeated booking is made once, and another one for the same day is refused`() throws {
        func book(_ key: String) throws -> String {
            try trails.diary.book(
                "Mara", on: "2027-05-01", for: TrailEntity.samples[0], idempotencyKey: Identifier(key))
        }
        #expect(try book("k") == book("k"))
        #expect(throws: TrailError.self) { try book("other") }
    }

    @Test func `a trail without a guide is a failure with a dialog`() async throws {
        let response = try await trails.handle("BookTrailGuide", .resolved(["trail": .number(7)]))
        #expect(response == .failure("failureGuideNotAvailable", dialog: "Nobody guides on Dune Ridge."))
    }
}
