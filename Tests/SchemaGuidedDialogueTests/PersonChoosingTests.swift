import Conversation
import Testing

@testable import sgd_replay

@Suite("A person who has found something")
struct PersonChoosingTests {
    private let seeking = Dialogue.Turn.user(.act("INFORM_INTENT"), intent: "FindBoat", meaning: ["harbour": "Veere"])
    private let more = Dialogue.Turn.user(.act("REQUEST_ALTS"), intent: "FindBoat", meaning: ["harbour": "Veere"])

    private func offer(_ boat: String, finding results: [[String: String]]? = nil) -> Dialogue.Turn {
        .system(.act("OFFER", "boat", boat), call: results == nil ? nil : .find(["harbour": "Veere"]), results: results)
    }

    /// Offered the Gull, then the Tern, they take the Tern, and hire it for two on Monday.
    private var hiringTern: Dialogue {
        Dialogue(
            seeking, offer("Gull", finding: [Boats.gull, Boats.tern]), more, offer("Tern"),
            .user(.act("SELECT"), intent: "FindBoat", meaning: ["harbour": "Veere", "boat": "Tern"]),
            .system(.act("OFFER_INTENT", "intent", "HireBoat")),
            .user(
                .act("AFFIRM_INTENT"), intent: "HireBoat", meaning: ["boat": "Tern", "harbour": "Veere", "day": "Monday", "crew": "2"]))
    }

    @Test("chooses what fits the last offer, and does not say again what a later intent requires of it")
    func selects() throws {
        var person = RecordedPerson(hiringTern)
        #expect(person.goOn() == [asks("FindBoat", ["harbour": "Veere"])])
        // That the Tern is sailed by two says nothing of what they want: what may be left out is said.
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

    @Test("counts a prompt for what they have chosen as needless")
    func chosenIsSaid() throws {
        var person = RecordedPerson(hiringTern)
        _ = person.goOn()
        _ = try person.offered(Boats.gull, Boats.tern)
        #expect(try person.asked(for: "boat", about: "me-2") == [answers(.accept, "Tern")])
        #expect(person.tally == .init(prompts: 1, needless: 1, choices: 1))
    }

    @Test("says what they mean where it differs from what they have chosen")
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

    @Test("looks on in what was found as long as there is more, and then asks again")
    func alternatives() throws {
        let dialogue = Dialogue(
            seeking, offer("Gull", finding: [Boats.gull, Boats.tern]), more, offer("Tern"), more, offer("Gull", finding: [Boats.gull]),
            .user(.act("THANK_YOU")))
        var person = RecordedPerson(dialogue)
        _ = person.goOn()
        // The first wish for others is met by the Tern; the second asks anew.
        let again = [answers(.decline), asks("FindBoat", ["harbour": "Veere"], number: 2)]
        #expect(try person.offered(Boats.gull, Boats.tern) == again)
        #expect(try person.ended() == [])
        #expect(try person.offered(Boats.gull, about: "me-2") == [answers(.decline)])
        #expect(try person.ended(.success, "me-2") == [])
        #expect(person.isOver)
        #expect(person.tally == .init(prompts: 0, needless: 0, choices: 2))
    }

    @Test("asks again at once when only one was found")
    func onlyOne() throws {
        var person = RecordedPerson(Dialogue(seeking, offer("Gull", finding: [Boats.gull]), more))
        _ = person.goOn()
        #expect(try person.offered(Boats.gull) == [answers(.decline), asks("FindBoat", ["harbour": "Veere"], number: 2)])
    }

    @Test("counts only what was offered of the last search")
    func lastSearch() throws {
        var person = RecordedPerson(
            Dialogue(
                seeking, offer("Gull", finding: [Boats.gull]), more, offer("Gull", finding: [Boats.gull, Boats.tern]), more, offer("Tern"),
                .user(.act("SELECT"), intent: "FindBoat", meaning: ["harbour": "Veere", "boat": "Tern"])))
        _ = person.goOn()
        _ = try person.offered(Boats.gull)
        #expect(try person.offered(Boats.gull, Boats.tern, about: "me-2") == [answers(.accept, option: "1")])
    }

    @Test("turns down what they never took before they ask for something else")
    func turnsDown() throws {
        var person = RecordedPerson(
            Dialogue(
                seeking, offer("Gull", finding: [Boats.gull]),
                .user(.act("INFORM"), intent: "FindBoat", meaning: ["harbour": "Goes"])))
        _ = person.goOn()
        #expect(try person.offered(Boats.gull) == [answers(.decline), asks("FindBoat", ["harbour": "Goes"], number: 2)])
    }
}
