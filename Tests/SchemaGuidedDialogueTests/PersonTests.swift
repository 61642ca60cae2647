import Conversation
import IntentModel
import Testing

@testable import sgd_replay

@Suite("The person of a recorded dialogue")
struct PersonTests {
    /// A dialogue in which a person searches for a boat, is asked for the harbour, and also names the hull. A boat is
    /// found, and the person mentions the hull again.
    private let seeking = Dialogue(
        .user(.act("INFORM_INTENT", "intent", "FindBoat"), intent: "FindBoat"),
        .system(.act("REQUEST", "harbour")),
        .user(
            .act("INFORM", "harbour", "Veere"), .act("INFORM", "hull", "wood"), intent: "FindBoat",
            meaning: ["harbour": "Veere", "hull": "wood", "day": "Monday"]),
        .system(
            .act("OFFER", "boat", "Gull"), call: .find(["harbour": "Veere", "hull": "wood"]), results: [Boats.gull]),
        .user(.act("THANK_YOU"), intent: "FindBoat", meaning: ["harbour": "Veere", "hull": "wood"]))

    @Test("makes each recorded request, with the values given so far for its parameters")
    func requests() throws {
        var person = RecordedPerson(
            Dialogue(
                .user(.act("GREET")),
                .system(.act("GOODBYE")),
                .user(
                    .act("INFORM_INTENT", "intent", "FindBoat"), .act("INFORM", "harbour", "Veere"), intent: "FindBoat",
                    meaning: ["harbour": "Veere", "day": "Monday"])))
        #expect(person.goOn() == [asks("FindBoat", ["harbour": "Veere"])])
        #expect(!person.isOver)
        #expect(try person.ended() == [])
        #expect(person.isOver && person.surprises.isEmpty)
    }

    @Test("answers a prompt with its value and the other values of that turn")
    func answersPrompt() throws {
        var person = RecordedPerson(seeking)
        #expect(person.goOn() == [asks("FindBoat")])
        #expect(try person.asked(for: "harbour") == [answers(.accept, "Veere", more: ["hull": "wood"])])
        #expect(person.tally == .init(prompts: 1, needless: 0, choices: 0))
    }

    @Test("answers a prompt for a value they gave before, and counts it as needless")
    func saidAlready() throws {
        var person = RecordedPerson(seeking)
        _ = person.goOn()
        _ = try person.asked(for: "harbour")
        #expect(try person.asked(for: "harbour") == [answers(.accept, "Veere")])
        #expect(try person.asked(for: "hull") == [answers(.accept, "wood")])
        #expect(person.tally == .init(prompts: 3, needless: 2, choices: 0))
    }

    @Test("declines a prompt for a value that the recorded assistant did not need, and counts it as needless")
    func neverSaid() throws {
        var never = RecordedPerson(seeking)
        _ = never.goOn()
        #expect(try never.asked(for: "wish") == [answers(.decline)])
        #expect(never.tally == .init(prompts: 1, needless: 1, choices: 0))

        var later = RecordedPerson(
            Dialogue(
                .user(.act("INFORM_INTENT"), intent: "FindBoat", meaning: ["harbour": "Veere"]),
                .system(.act("OFFER", "boat", "Gull"), call: .find(["harbour": "Veere"]), results: [Boats.gull]),
                .user(
                    .act("INFORM", "hull", "steel"), intent: "FindBoat", meaning: ["harbour": "Veere", "hull": "steel"])
            ))
        _ = later.goOn()
        #expect(try later.asked(for: "hull") == [answers(.decline)])
        #expect(later.tally.needless == 1)
    }

    @Test("confirms the value they mean, and corrects another one")
    func confirmsValue() throws {
        var person = RecordedPerson(seeking)
        _ = person.goOn()
        #expect(try person.asked(whether: "harbour", is: "Veere") == [answers(.accept, more: ["hull": "wood"])])
        #expect(try person.asked(whether: "hull", is: "steel") == [answers(.accept, "wood")])
    }

    @Test("ignores results of other requests")
    func others() throws {
        var person = RecordedPerson(seeking)
        _ = person.goOn()
        #expect(try person.asked(for: "harbour", about: "me-9") == [])
        #expect(person.tally.prompts == 0)
    }

    @Test("records an unexpected status, and a rejected request, as surprises")
    func surprises() throws {
        var person = RecordedPerson(
            Dialogue(
                .user(.act("INFORM_INTENT"), intent: "FindBoat"),
                .user(.act("INFORM_INTENT"), intent: "FindBoat", meaning: ["harbour": "Veere"])))
        _ = person.goOn()
        #expect(try person.ended(.timedOut) == [asks("FindBoat", ["harbour": "Veere"], number: 2)])
        #expect(try person.hear(.rejected(Rejection(.busy, "come back", event: "me-2")), about: "me-2") == [])
        #expect(person.surprises == ["me-1 ended as timedOut", "rejected: come back"])
        #expect(person.isOver)
    }
}
