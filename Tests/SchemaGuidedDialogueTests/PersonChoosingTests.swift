import Conversation
import Testing

@testable import sgd_replay

@Suite("A person who chooses among found items")
struct PersonChoosingTests {
    private let seeking = Dialogue.Turn.user(.act("INFORM_INTENT"), intent: "FindBoat", meaning: ["harbour": "Veere"])
    private let more = Dialogue.Turn.user(.act("REQUEST_ALTS"), intent: "FindBoat", meaning: ["harbour": "Veere"])

    private func offer(_ boat: String, finding results: [[String: String]]? = nil) -> Dialogue.Turn {
        .system(.act("OFFER", "boat", boat), call: results == nil ? nil : .find(["harbour": "Veere"]), results: results)
    }

    /// A dialogue in which the person is offered the Gull and the Tern, chooses the Tern, and hires it with a crew of
    /// two for Monday.
    private var hiringTern: Dialogue {
        Dialogue(
            seeking, offer("Gull", finding: [Boats.gull, Boats.tern]), more, offer("Tern"),
            .user(.act("SELECT"), intent: "FindBoat", meaning: ["harbour": "Veere", "boat": "Tern"]),
            .system(.act("OFFER_INTENT", "intent", "HireBoat")),
            .user(
                .act("AFFIRM_INTENT"), intent: "HireBoat",
                meaning: ["boat": "Tern", "harbour": "Veere", "day": "Monday", "crew": "2"]))
    }

    @Test("chooses the item that matches the last offer, and does not repeat its values in a later request")
    func selects() throws {
        var person = RecordedPerson(hiringTern)
        #expect(person.goOn() == [asks("FindBoat", ["harbour": "Veere"])])
        // The person gives the crew although the Tern has the same one: optional values are always given.
        let tern = Boats.tern.merging(["crew": "2"]) { $1 }
        #expect(
            try person.offered(Boats.gull, tern) == [
                answers(.accept, option: "1"), asks("HireBoat", ["day": "Monday", "crew": "2"], number: 2),
            ])
        #expect(person.tally == .init(prompts: 0, needless: 0, choices: 1))
        #expect(try person.ended() == [])
        #expect(!person.isOver)
        #expect(try person.ended(.success, "me-2") == [])
        #expect(person.isOver && person.surprises.isEmpty)
    }

    @Test("counts a prompt for a chosen value as needless")
    func chosenIsSaid() throws {
        var person = RecordedPerson(hiringTern)
        _ = person.goOn()
        _ = try person.offered(Boats.gull, Boats.tern)
        #expect(try person.asked(for: "boat", about: "me-2") == [answers(.accept, "Tern")])
        #expect(person.tally == .init(prompts: 1, needless: 1, choices: 1))
    }

    @Test("gives values that differ from the chosen item")
    func differs() throws {
        var person = RecordedPerson(
            Dialogue(
                seeking, offer("Gull", finding: [Boats.gull]),
                .user(
                    .act("SELECT"), .act("INFORM_INTENT"), intent: "HireBoat",
                    meaning: ["boat": "Gull", "harbour": "Goes", "day": "Monday"])))
        _ = person.goOn()
        #expect(
            try person.offered(Boats.gull) == [
                answers(.accept, option: "0"), asks("HireBoat", ["day": "Monday", "harbour": "Goes"], number: 2),
            ])
    }

    @Test("waits while there are more found items, and then requests a new search")
    func alternatives() throws {
        let dialogue = Dialogue(
            seeking, offer("Gull", finding: [Boats.gull, Boats.tern]), more, offer("Tern"), more,
            offer("Gull", finding: [Boats.gull]),
            .user(.act("THANK_YOU")))
        var person = RecordedPerson(dialogue)
        _ = person.goOn()
        // The Tern satisfies the first request for alternatives. The second request leads to a new search.
        let again = [answers(.decline), asks("FindBoat", ["harbour": "Veere"], number: 2)]
        #expect(try person.offered(Boats.gull, Boats.tern) == again)
        #expect(try person.ended() == [])
        #expect(try person.offered(Boats.gull, about: "me-2") == [answers(.decline)])
        #expect(try person.ended(.success, "me-2") == [])
        #expect(person.isOver)
        #expect(person.tally == .init(prompts: 0, needless: 0, choices: 2))
    }

    @Test("requests a new search at once if only one item was found")
    func onlyOne() throws {
        var person = RecordedPerson(Dialogue(seeking, offer("Gull", finding: [Boats.gull]), more))
        _ = person.goOn()
        #expect(
            try person.offered(Boats.gull) == [answers(.decline), asks("FindBoat", ["harbour": "Veere"], number: 2)])
    }

    @Test("considers only the offers of the last search")
    func lastSearch() throws {
        var person = RecordedPerson(
            Dialogue(
                seeking, offer("Gull", finding: [Boats.gull]), more, offer("Gull", finding: [Boats.gull, Boats.tern]),
                more, offer("Tern"),
                .user(.act("SELECT"), intent: "FindBoat", meaning: ["harbour": "Veere", "boat": "Tern"])))
        _ = person.goOn()
        _ = try person.offered(Boats.gull)
        #expect(try person.offered(Boats.gull, Boats.tern, about: "me-2") == [answers(.accept, option: "1")])
    }

    @Test("declines an open choice before they make another request")
    func turnsDown() throws {
        var person = RecordedPerson(
            Dialogue(
                seeking, offer("Gull", finding: [Boats.gull]),
                .user(.act("INFORM"), intent: "FindBoat", meaning: ["harbour": "Goes"])))
        _ = person.goOn()
        #expect(
            try person.offered(Boats.gull) == [answers(.decline), asks("FindBoat", ["harbour": "Goes"], number: 2)])
    }
}
