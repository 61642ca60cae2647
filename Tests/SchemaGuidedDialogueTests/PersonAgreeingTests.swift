import Conversation
import Testing

@testable import sgd_replay

@Suite("A person who is asked whether it shall be done")
struct PersonAgreeingTests {
    private let tuesday = Boats.hiring.merging(["day": "Tuesday"]) { $1 }

    @Test("says no with the changes that they made, and then yes")
    func declinesWithChanges() throws {
        var person = RecordedPerson(
            Dialogue(
                .user(.act("INFORM_INTENT"), intent: "HireBoat", meaning: Boats.hiring),
                .system(.act("CONFIRM", "day", "Monday")),
                .user(.act("NEGATE"), .act("INFORM", "day", "Tuesday"), intent: "HireBoat", meaning: tuesday),
                .system(.act("CONFIRM", "day", "Tuesday")),
                .user(.act("AFFIRM"), intent: "HireBoat", meaning: tuesday),
                .system(.act("NOTIFY_SUCCESS"), call: .hire(tuesday), results: [Boats.gull])))
        #expect(person.goOn() == [asks("HireBoat", Boats.hiring)])
        #expect(try person.askedToConfirm() == [answers(.decline, more: ["day": "Tuesday"])])
        #expect(try person.askedToConfirm() == [answers(.accept)])
        #expect(person.tally == .init(prompts: 2, needless: 0, choices: 0))
        #expect(try person.ended() == [])
        #expect(person.isOver)
    }

    @Test("says yes where the recorded assistant did not ask, and counts the prompt as needless")
    func needless() throws {
        var person = RecordedPerson(
            Dialogue(
                .user(.act("INFORM_INTENT"), intent: "HireBoat", meaning: Boats.hiring),
                .system(.act("NOTIFY_SUCCESS"), call: .hire(Boats.hiring), results: [Boats.gull]),
                .user(.act("INFORM_INTENT"), intent: "HireBoat", meaning: tuesday),
                .system(.act("CONFIRM", "day", "Tuesday")),
                .user(.act("AFFIRM"), intent: "HireBoat", meaning: tuesday)))
        _ = person.goOn()
        #expect(try person.askedToConfirm() == [answers(.accept)])
        #expect(person.tally == .init(prompts: 1, needless: 1, choices: 0))
    }

    /// It fails on Monday, and they take Tuesday.
    private var failing: Dialogue {
        Dialogue(
            .user(.act("INFORM_INTENT"), intent: "HireBoat", meaning: Boats.hiring),
            .system(.act("CONFIRM", "day", "Monday")),
            .user(.act("AFFIRM"), intent: "HireBoat", meaning: Boats.hiring),
            .system(.act("NOTIFY_FAILURE"), .act("OFFER", "day", "Tuesday"), call: .hire(Boats.hiring), results: []),
            .user(.act("AFFIRM"), intent: "HireBoat", meaning: tuesday),
            .system(.act("NOTIFY_SUCCESS"), call: .hire(tuesday), results: [Boats.gull]))
    }

    @Test("says yes to what is proposed after a failure")
    func acceptsProposal() throws {
        var person = RecordedPerson(failing)
        _ = person.goOn()
        #expect(try person.askedToConfirm() == [answers(.accept)])
        #expect(try person.askedToConfirm() == [answers(.accept)])
        #expect(person.tally == .init(prompts: 2, needless: 0, choices: 0))
        #expect(try person.ended() == [])
        #expect(person.isOver)
    }

    @Test("asks once more, for what would work, when the request has ended with the failure")
    func asksAgain() throws {
        var person = RecordedPerson(failing)
        _ = person.goOn()
        _ = try person.askedToConfirm()
        #expect(try person.ended(.failure) == [asks("HireBoat", tuesday, number: 2)])
        #expect(try person.ended(.success, "me-2") == [])
        #expect(person.isOver && person.surprises.isEmpty)
    }

    @Test("asks for nothing with a yes to anything else")
    func plainYes() throws {
        var person = RecordedPerson(
            Dialogue(
                .user(.act("INFORM_INTENT"), intent: "HireBoat", meaning: Boats.hiring),
                .system(.act("NOTIFY_FAILURE"), call: .hire(Boats.hiring), results: []),
                .user(.act("AFFIRM"), intent: "HireBoat", meaning: tuesday)))
        _ = person.goOn()
        #expect(try person.ended(.failure) == [])
        #expect(person.isOver)
    }
}
