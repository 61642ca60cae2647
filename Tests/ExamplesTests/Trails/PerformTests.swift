import IntentEvents
import IntentKit
import IntentModel
import PipelineTestKit
import Testing

@testable import SampleDomains

@Suite("Intents about trails ask questions while they are performed")
struct PerformTests {
    @Test("GetTrailInfo returns a value and a dialog")
    func info() async throws {
        let response = try await registry().respond(.handle, "GetTrailInfo", .resolved(["trail": .number(1)]))
        #expect(
            response.dialog
                == "Mount Bell starts in Bellhaven, is 12.5 km long and good for Hiking. Conditions today: icy.")
        #expect(response.values["value"] == JSON(TrailEntity.samples[0]))
    }

    @Test("an activity that a trail is not for leads to a choice of its activities")
    func disambiguation() async throws {
        let walker = try await Walker(registry())
        let said = try await walker.ask(
            for: "StartTrailActivity", ["trail": "Larch Lake Loop", "activity": "hiking"], answering: ["jogging"])
        #expect(said.first?.offered == ["Biking", "Jogging"])
        #expect(
            said.map(\.words) == [
                "What would you like to do on Larch Lake Loop?", "Jogging on Larch Lake Loop: off you go.",
            ])
    }

    @Test(
        "for a trail in bad condition the person is asked, and nothing is stored before they accept",
        arguments: ["yes", "no"])
    func confirmation(_ answer: String) async throws {
        let store = SampleStore()
        let walker = try await Walker(registry(store))
        let said = try await walker.ask(for: "StartTrailActivity", ["trail": "Mount Bell"], answering: [answer])
        #expect(said.first?.words == "Mount Bell is icy today. Start all the same?")
        #expect(said.last?.data["code"]?.string == (answer == "yes" ? "success" : "cancelled"))
        let begun = try TrailDiary(store: store).lastActivity(on: TrailEntity.samples[0], of: "s")
        #expect(begun?.style == (answer == "yes" ? .hiking : nil))
    }

    @Test("an activity is known to the next intent, in any process")
    func remembered() async throws {
        let walker = try await Walker(registry())
        _ = try await walker.ask(for: "StartTrailActivity", ["trail": "Bell Brook", "activity": "running"], id: "1")
        let said = try await walker.ask(for: "GetTrailInfo", ["trail": "Bell Brook"], id: "2")
        #expect(said.last?.words.hasSuffix("You were there last for Jogging.") == true)
    }

    @Test("a guide is booked for the requested day, and GetTrailInfo follows")
    func booking() async throws {
        let walker = try await Walker(registry())
        let said = try await walker.ask(
            for: "BookTrailGuide", ["trail": "Heron Shore", "partySize": "three"],
            answering: ["2027-05-01T09:00:00Z", "yes"])
        #expect(
            said.map(\.words).prefix(3) == [
                "What date would you like to use?",
                "Tobias takes you along Heron Shore on 2027-05-01 for €54.00. Shall I book it?",
                "Tobias is booked. Your number is TOBIAS-2027-05-01.",
            ])
        #expect(said.map(\.request) == ["r", "r", "r", "r.opens"])
        #expect(said.last?.words.hasPrefix("Heron Shore starts in Larch Lake") == true)
    }

    @Test("a day that is already booked is asked for again, repeatedly")
    func taken() async throws {
        let store = SampleStore()
        for day in ["2027-05-01", "2027-05-02"] {
            _ = try TrailDiary(store: store).book("Mara", on: day, for: TrailEntity.samples[0], idempotencyKey: "other")
        }
        let said = try await Walker(registry(store)).ask(
            for: "BookTrailGuide", ["trail": "Bell Brook", "date": "2027-05-01T09:00:00Z"],
            answering: ["2027-05-02T09:00:00Z", "2027-05-03T09:00:00Z", "yes"])
        #expect(said.first?.words == "Mara is taken on 2027-05-01. What other date would you like to use?")
        #expect(said.compactMap { $0.data["response"]?["value"]?.string }.first == "MARA-2027-05-03")
    }

    @Test("a repeated booking is made once, and another one for the same day is refused")
    func idempotent() throws {
        let diary = TrailDiary(store: SampleStore())
        let trail = TrailEntity.samples[0]
        let number = try diary.book("Mara", on: "2027-05-01", for: trail, idempotencyKey: "k")
        #expect(try diary.book("Mara", on: "2027-05-01", for: trail, idempotencyKey: "k") == number)
        #expect(throws: TrailError.self) {
            try diary.book("Mara", on: "2027-05-01", for: trail, idempotencyKey: "other")
        }
    }

    @Test("a trail without a guide is a failure with a dialog")
    func noGuide() async throws {
        let response = try await registry().respond(.handle, "BookTrailGuide", .resolved(["trail": .number(7)]))
        #expect(response.code == "failureGuideNotAvailable" && response.dialog == "Nobody guides on Dune Ridge.")
    }
}
