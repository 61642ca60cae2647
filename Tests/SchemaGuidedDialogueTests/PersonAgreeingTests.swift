import Conversation
import Testing

@testable import sgd_replay

@Suite("A person who is asked to confirm an intent")
struct PersonAgreeingTests {
    private let tuesday = Boats.hiring.merging(["day": "Tuesday"]) { $1 }

    @Test("declines with their changes, and then accepts")
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

    @Test("accepts if the recorded assistant did not ask, and counts the prompt as needless")
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

    /// A dialogue in which hiring fails on Monday, and the person accepts Tuesday.
    private var failing: Dialogue {
        Dialogue(
            .user(.act("INFORM_INTENT"), intent: "HireBoat", meaning: Boats.hiring),
            .system(.act("CONFIRM", "day", "Monday")),
            .user(.act("AFFIRM"), intent: "HireBoat", meaning: Boats.hiring),
            .system(.act("NOTIFY_FAILURE"), .act("OFFER", "day", "Tuesday"), call: .hire(Boats.hiring), results: []),
            .user(.act("AFFIRM"), intent: "HireBoat", meaning: tuesday),
            .system(.act("NOTIFY_SUCCESS"), call: .hire(tuesday), results: [Boats.gull]))
    }

    @Test("accepts a proposal after a failure")
    func acceptsProposal() throws {
        var person = RecordedPerson(failing)
        _ = person.goOn()
        #expect(try person.askedToConfirm() == [answers(.accept)])
        #expect(try person.askedToConfirm() == [answers(.accept)])
        #expect(person.tally == .init(prompts: 2, needless: 0, choices: 0))
        #expect(try person.ended() == [])
        #expect(person.isOver)
    }

    @Test("requests the offered alternative when the request has ended with the failure")
    func asksAgain() throws {
        var person = RecordedPerson(failing)
        _ = person.goOn()
        _ = try person.askedToConfirm()
        #expect(try person.ended(.failure) == [asks("HireBoat", tuesday, number: 2)])
        #expect(try person.ended(.success, "me-2") == [])
        #expect(person.isOver && person.surprises.isEmpty)
    }

    @Test("makes no request when they affirm anything else")
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
