import IntentModel
import Testing

@testable import sgd_replay

private let monday = "boat=Gull harbour=Veere day=Monday"
private let tuesday = "boat=Gull harbour=Veere day=Tuesday"
private let ready = #"{"code":"ready"}"#
private let proposesTuesday = #"{"code":"ready","proposed":{"day":"Tuesday"}}"#
private let succeeds = #"{"code":"success"}"#
private let hires = #"{"code":"success","response":{"boat":"Gull","harbour":"Veere","hull":"wood"}}"#
private let finds = """
    {"code":"success","items":[\
    {"id":"0","title":"boat Gull, harbour Veere, hull wood","value":{"boat":"Gull","harbour":"Veere","hull":"wood"}},\
    {"id":"1","title":"boat Tern, harbour Veere, hull steel","value":{"boat":"Tern","harbour":"Veere","hull":"steel"}}]}
    """
private let refused = """
    system NOTIFY_FAILURE, OFFER day=Tuesday, OFFER boat=Gull, OFFER hull=steel, OFFER crew=3: HireBoat \(monday) ->
    """

@Suite("The services of a recorded dialogue") struct RecordingTests {
    @Test(arguments: [
        Voyage(
            "to each search with the recorded results, in order",
            ["system: FindBoat harbour=Veere -> gull tern", "system: FindBoat harbour=Goes ->"],
            ["handle FindBoat harbour=Veere": finds, "handle FindBoat harbour=Goes": succeeds],
            made: ["FindBoat harbour=Veere", "FindBoat harbour=Goes"]),
        Voyage(
            "to a transaction with its result, not with items",
            ["system NOTIFY_SUCCESS: HireBoat \(monday) -> gull"],
            ["handle HireBoat \(monday)": hires], made: ["HireBoat \(monday)"]),
        // Equal values, slots that are no parameters, and slots without a value are left out.
        Voyage(
            "to a failing call with the offered values that differ from the given ones",
            [refused, "system NOTIFY_FAILURE: HireBoat \(tuesday) ->"],
            [
                "handle HireBoat \(monday)": #"{"code":"failure","proposed":{"day":"Tuesday"}}"#,
                "handle HireBoat \(tuesday)": #"{"code":"failure"}"#,
            ], made: ["HireBoat \(monday)", "HireBoat \(tuesday)"]),
        Voyage(
            "ready, with other values if the person agreed to those",
            [
                "system CONFIRM day=Tuesday, CONFIRM boat=Gull", "user AFFIRM",
                "system NOTIFY_SUCCESS: HireBoat \(tuesday) -> gull",
            ], ["confirm HireBoat \(monday)": proposesTuesday, "confirm HireBoat \(tuesday)": ready], made: []),
        Voyage(
            "without a proposal that the person declined, and propose the next one",
            [
                "system CONFIRM day=Sunday", "user NEGATE", "system CONFIRM day=Tuesday", "user AFFIRM",
                "system NOTIFY_SUCCESS: HireBoat \(tuesday) -> gull",
            ], ["confirm HireBoat \(monday)": ready, "confirm HireBoat \(monday)": proposesTuesday], made: []),
        Voyage(
            "with proposals of the next call only",
            [
                "system: FindBoat harbour=Veere ->", "system CONFIRM day=Tuesday", "user AFFIRM",
                "system: HireBoat \(tuesday) ->",
            ],
            [
                "confirm HireBoat \(monday)": ready, "handle FindBoat harbour=Veere": succeeds,
                "confirm HireBoat \(monday)": proposesTuesday, "handle HireBoat \(tuesday)": succeeds,
                "confirm HireBoat \(monday)": ready,
            ], made: ["FindBoat harbour=Veere", "HireBoat \(tuesday)"]),
        Voyage(
            "with a proposal again before the second call",
            [
                "system CONFIRM day=Tuesday", "user AFFIRM", "system: HireBoat \(tuesday) ->",
                "system CONFIRM day=Sunday", "user AFFIRM", "system: HireBoat boat=Gull day=Sunday ->",
            ],
            [
                "confirm HireBoat \(monday)": proposesTuesday, "handle HireBoat \(tuesday)": succeeds,
                "confirm HireBoat \(monday)": #"{"code":"ready","proposed":{"day":"Sunday"}}"#,
            ], made: ["HireBoat \(tuesday)"]),
        Voyage(
            "with success to an unrecorded call, which counts, and with failure for an unknown intent",
            ["system: FindBoat harbour=Veere -> gull"],
            [
                "handle HireBoat \(monday)": succeeds, "handle FindBoat harbour=Veere": succeeds,
                "handle SinkBoat": #"{"code":"failure"}"#, "confirm SinkBoat": ready,
            ], made: ["HireBoat \(monday)", "FindBoat harbour=Veere"]),
    ])
    func `reply`(_ voyage: Voyage) {
        var recording = Recording(Dialogue(voyage.turns.joined(separator: "\n")), Boats.services)
        for (number, (words, reply)) in voyage.talk.enumerated() {
            let call = Boats.call(words.drop { $0 != " " }.dropFirst())
            let (intent, values) = ("Boats.\(call.method)", call.parameters)
            let json =
                words.hasPrefix("confirm")
                ? recording.confirm(intent, values) : recording.handle(intent, values, key: "\(number)")
            #expect("\(json)" == reply, "to '\(words)'")
        }
        #expect(recording.made == voyage.made.map { Boats.call($0) })
    }

    @Test func `reply to a repeated idempotency key with the same reply, and don't count it as a call`() {
        let turns = "system: FindBoat harbour=Veere -> gull\nsystem: FindBoat harbour=Veere -> tern"
        var services = Recording(Dialogue(turns), Boats.services)
        let replies = ["1", "1", "2"].map { services.handle("Boats.FindBoat", ["harbour": "Veere"], key: $0) }
        #expect(replies[0] == replies[1] && replies[1] != replies[2] && services.made.count == 2)
    }
}

@Suite("The services of all dialogues") struct RecordedServicesTests {
    private let all = RecordedServices()
    private let dialogue = Dialogue("system: FindBoat harbour=Veere ->")

    private func post(_ phase: String, session: String = "me") -> String? {
        let body = """
            {"phase":"\(phase)","intent":"Boats.FindBoat","session":"\(session)","idempotencyKey":"1","parameters":{"harbour":"Veere"}}
            """
        return all.answer(Array(body.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `reply to a call in the session of its dialogue, until that is removed`() {
        for session in ["me", "you"] { all.add(dialogue, session: session, Boats.services) }
        #expect([post("confirm"), post("handle"), post("handle")] == [ready, succeeds, succeeds])
        #expect(all.calls("me") == [Boats.call("FindBoat harbour=Veere")] && all.calls("you").isEmpty)
        all.remove("me")
        #expect(post("handle") == nil && all.calls("me").isEmpty)
    }

    @Test func `do not reply to a malformed body, another phase or an unknown session`() {
        all.add(dialogue, session: "me", Boats.services)
        #expect([post("resolve"), post("sink"), post("handle", session: "they")] == [nil, nil, nil])
        #expect(all.answer(Array("ahoy".utf8)) == nil && all.answer([]) == nil)
        #expect(all.calls("me").isEmpty)
    }
}
