import IntentModel
import Testing

@testable import sgd_replay

private let monday = "boat=Gull harbour=Veere day=Monday"
private let tuesday = "boat=Gull harbour=Veere day=Tuesday"
private let hire = "user INFORM_INTENT: HireBoat \(monday)"
private let asks = "system CONFIRM day=Tuesday"
private let agrees = "user AFFIRM: HireBoat \(tuesday)"
private let done = "system NOTIFY_SUCCESS: HireBoat \(tuesday) -> gull"

/// A dialogue, and what its person says to the results of the pipeline, or its services to calls.
struct Voyage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let turns: [String]
    let talk: KeyValuePairs<String, String>
    /// The calls that count.
    let made: [String]

    init(_ name: String, _ turns: [String], _ talk: KeyValuePairs<String, String>, made: [String] = []) {
        (testDescription, self.turns, self.talk, self.made) = (name, turns, talk, made)
    }
}

@Suite("The person of a recorded dialogue") struct PersonTests {
    private func play(_ voyage: Voyage) throws {
        var sailor = Sailor(voyage.turns.joined(separator: "\n"))
        for (heard, reply) in voyage.talk { #expect(try sailor.hear(heard) == reply, "to '\(heard)'") }
    }

    /// A person who searches for a boat, is asked for the harbour, and also names the hull. A boat is found, and the
    /// person mentions the hull again.
    private static let seeking = [
        "user INFORM_INTENT intent=FindBoat: FindBoat", "system REQUEST harbour",
        "user INFORM harbour=Veere, INFORM hull=wood: FindBoat harbour=Veere hull=wood day=Monday",
        "system OFFER boat=Gull: FindBoat harbour=Veere hull=wood -> gull",
        "user THANK_YOU: FindBoat harbour=Veere hull=wood",
    ]

    private static let begun = "me-1 FindBoat"

    @Test(arguments: [
        Voyage(
            "each request, with the values given so far for its parameters",
            [
                "user GREET", "system GOODBYE",
                "user INFORM_INTENT intent=FindBoat, INFORM harbour=Veere: FindBoat harbour=Veere day=Monday",
            ], ["begin": "me-1 FindBoat harbour=Veere", "over": "no", "success": "", "over": "yes"]),
        Voyage(
            "the value of a prompt and the other values of that turn", seeking,
            ["begin": begun, "value harbour": "accept Veere hull=wood", "counts": "1 0 0"]),
        Voyage(
            "a value given before, which is counted as needless", seeking,
            [
                "begin": begun, "value harbour": "accept Veere hull=wood",
                "value harbour": "accept Veere", "value hull": "accept wood", "counts": "3 2 0",
            ]),
        Voyage("no value that was never given", seeking, ["begin": begun, "value wish": "decline", "counts": "1 1 0"]),
        Voyage(
            "no value that was given after the search, which is counted as needless",
            [
                "user INFORM_INTENT: FindBoat harbour=Veere", "system OFFER boat=Gull: FindBoat harbour=Veere -> gull",
                "user INFORM hull=steel: FindBoat harbour=Veere hull=steel",
            ], ["begin": "me-1 FindBoat harbour=Veere", "value hull": "decline", "counts": "1 1 0"]),
        Voyage(
            "a confirmation of the value that they mean, and a correction of another one", seeking,
            ["begin": begun, "confirm harbour=Veere": "accept hull=wood", "confirm hull=steel": "accept wood"]),
        Voyage("nothing to another request", seeking, ["begin": begun, "value harbour of 9": "", "counts": "0 0 0"]),
        Voyage(
            "the next request after an unexpected status or a rejection, which are surprises",
            ["user INFORM_INTENT: FindBoat", "user INFORM_INTENT: FindBoat harbour=Veere"],
            [
                "begin": begun, "timedOut": "me-2 FindBoat harbour=Veere", "rejected of 2": "",
                "over": "yes, me-1 ended as timedOut, rejected: come back",
            ]),
    ])
    func `gives what was recorded`(_ voyage: Voyage) throws { try play(voyage) }

    /// A dialogue in which hiring fails on Monday, and the person accepts Tuesday.
    private static let failing = [
        hire, "system CONFIRM day=Monday", "user AFFIRM: HireBoat \(monday)",
        "system NOTIFY_FAILURE, OFFER day=Tuesday: HireBoat \(monday) ->", agrees, done,
    ]
    private static let hires = "me-1 HireBoat boat=Gull day=Monday harbour=Veere"

    @Test(arguments: [
        Voyage(
            "declines with their changes, and then accepts",
            [
                hire, "system CONFIRM day=Monday", "user NEGATE, INFORM day=Tuesday: HireBoat \(tuesday)", asks, agrees,
                done,
            ],
            [
                "begin": hires, "confirm": "decline day=Tuesday", "confirm": "accept", "counts": "2 0 0",
                "success": "", "over": "yes",
            ]),
        Voyage(
            "accepts if the recorded assistant did not ask, and counts the prompt as needless",
            [
                hire, "system NOTIFY_SUCCESS: HireBoat \(monday) -> gull", "user INFORM_INTENT: HireBoat \(tuesday)",
                asks, agrees,
            ], ["begin": hires, "confirm": "accept", "counts": "1 1 0"]),
        Voyage(
            "accepts a proposal after a failure", failing,
            ["begin": hires, "confirm": "accept", "confirm": "accept", "counts": "2 0 0", "success": "", "over": "yes"]),
        Voyage(
            "requests the offered alternative when the request has ended with the failure", failing,
            [
                "begin": hires, "confirm": "accept", "failure": "me-2 HireBoat boat=Gull day=Tuesday harbour=Veere",
                "success of 2": "", "over": "yes",
            ]),
        Voyage(
            "makes no request when they affirm anything else",
            [hire, "system NOTIFY_FAILURE: HireBoat \(monday) ->", agrees],
            ["begin": hires, "failure": "", "over": "yes"]),
    ])
    func `who is asked to confirm an intent`(_ voyage: Voyage) throws { try play(voyage) }

    private static let search = "user INFORM_INTENT: FindBoat harbour=Veere"
    private static let more = "user REQUEST_ALTS: FindBoat harbour=Veere"
    private static let found1 = "system OFFER boat=Gull: FindBoat harbour=Veere -> gull"
    private static let found2 = "system OFFER boat=Gull: FindBoat harbour=Veere -> gull tern"
    private static let tern = "system OFFER boat=Tern"
    private static let selected = "user SELECT: FindBoat harbour=Veere boat=Tern"
    private static let seeks = "me-1 FindBoat harbour=Veere"
    private static let seeksAgain = "decline, me-2 FindBoat harbour=Veere"
    /// A dialogue in which the person chooses the Tern, and hires it with a crew of two for Monday.
    private static let hiringTern = [
        search, found2, more, tern, selected, "system OFFER_INTENT intent=HireBoat",
        "user AFFIRM_INTENT: HireBoat boat=Tern harbour=Veere day=Monday crew=2",
    ]

    @Test(arguments: [
        // The person gives the crew although the Tern has the same one: optional values are always given.
        Voyage(
            "chooses the item that matches the last offer, and does not repeat its values in a later request",
            hiringTern,
            [
                "begin": seeks, "offer gull tern+crew=2": "accept #1, me-2 HireBoat crew=2 day=Monday",
                "counts": "0 0 1", "success": "", "over": "no", "success of 2": "", "over": "yes",
            ]),
        Voyage(
            "counts a prompt for a chosen value as needless", hiringTern,
            [
                "begin": seeks, "offer gull tern": "accept #1, me-2 HireBoat crew=2 day=Monday",
                "value boat of 2": "accept Tern", "counts": "1 1 1",
            ]),
        Voyage(
            "gives values that differ from the chosen item",
            [search, found1, "user SELECT, INFORM_INTENT: HireBoat boat=Gull harbour=Goes day=Monday"],
            ["begin": seeks, "offer gull": "accept #0, me-2 HireBoat day=Monday harbour=Goes"]),
        // The Tern satisfies the first request for alternatives. The second request leads to a new search.
        Voyage(
            "waits while there are more found items, and then requests a new search",
            [search, found2, more, tern, more, found1, "user THANK_YOU"],
            [
                "begin": seeks, "offer gull tern": seeksAgain, "success": "", "offer gull of 2": "decline",
                "success of 2": "", "counts": "0 0 2", "over": "yes",
            ]),
        Voyage("searches again after one item", [search, found1, more], ["begin": seeks, "offer gull": seeksAgain]),
        Voyage(
            "considers only the offers of the last search", [search, found1, more, found2, more, tern, selected],
            ["begin": seeks, "offer gull": seeksAgain, "offer gull tern of 2": "accept #1"]),
        Voyage(
            "declines an open choice before they make another request",
            [search, found1, "user INFORM: FindBoat harbour=Goes"],
            ["begin": seeks, "offer gull": "decline, me-2 FindBoat harbour=Goes"]),
    ])
    func `who chooses among found items`(_ voyage: Voyage) throws { try play(voyage) }
}

private let ready = #"{"code":"ready"}"#
private let proposesTuesday = #"{"code":"ready","proposed":{"day":"Tuesday"}}"#
private let succeeds = #"{"code":"success"}"#
private let hired = #"{"code":"success","response":{"boat":"Gull","harbour":"Veere","hull":"wood"}}"#
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
            "to a transaction with its result, not with items", ["system NOTIFY_SUCCESS: HireBoat \(monday) -> gull"],
            ["handle HireBoat \(monday)": hired], made: ["HireBoat \(monday)"]),
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
            ["system CONFIRM day=Tuesday, CONFIRM boat=Gull", "user AFFIRM", done],
            ["confirm HireBoat \(monday)": proposesTuesday, "confirm HireBoat \(tuesday)": ready], made: []),
        Voyage(
            "without a proposal that the person declined, and propose the next one",
            ["system CONFIRM day=Sunday", "user NEGATE", asks, "user AFFIRM", done],
            ["confirm HireBoat \(monday)": ready, "confirm HireBoat \(monday)": proposesTuesday], made: []),
        Voyage(
            "with proposals of the next call only",
            ["system: FindBoat harbour=Veere ->", asks, "user AFFIRM", "system: HireBoat \(tuesday) ->"],
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
        #expect(all.answer(Array("ahoy".utf8)) == nil && all.answer([]) == nil && all.calls("me").isEmpty)
    }
}
