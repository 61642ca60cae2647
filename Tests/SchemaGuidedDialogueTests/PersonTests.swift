import Testing

private let hiring = "boat=Gull harbour=Veere day=Monday"
private let tuesday = "boat=Gull harbour=Veere day=Tuesday"

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

    @Test(arguments: [
        Voyage(
            "each request, with the values given so far for its parameters",
            [
                "user GREET", "system GOODBYE",
                "user INFORM_INTENT intent=FindBoat, INFORM harbour=Veere: FindBoat harbour=Veere day=Monday",
            ], ["begin": "me-1 FindBoat harbour=Veere", "over": "no", "success": "", "over": "yes"]),
        Voyage(
            "the value of a prompt and the other values of that turn", seeking,
            ["begin": "me-1 FindBoat", "value harbour": "accept Veere hull=wood", "counts": "1 0 0"]),
        Voyage(
            "a value given before, which is counted as needless", seeking,
            [
                "begin": "me-1 FindBoat", "value harbour": "accept Veere hull=wood",
                "value harbour": "accept Veere", "value hull": "accept wood", "counts": "3 2 0",
            ]),
        Voyage(
            "no value that was never given, which is counted as needless", seeking,
            ["begin": "me-1 FindBoat", "value wish": "decline", "counts": "1 1 0"]),
        Voyage(
            "no value that was given after the search, which is counted as needless",
            [
                "user INFORM_INTENT: FindBoat harbour=Veere",
                "system OFFER boat=Gull: FindBoat harbour=Veere -> gull",
                "user INFORM hull=steel: FindBoat harbour=Veere hull=steel",
            ], ["begin": "me-1 FindBoat harbour=Veere", "value hull": "decline", "counts": "1 1 0"]),
        Voyage(
            "a confirmation of the value that they mean, and a correction of another one", seeking,
            [
                "begin": "me-1 FindBoat", "confirm harbour=Veere": "accept hull=wood",
                "confirm hull=steel": "accept wood",
            ]),
        Voyage(
            "nothing to a prompt of another request", seeking,
            ["begin": "me-1 FindBoat", "value harbour of 9": "", "counts": "0 0 0"]),
        Voyage(
            "the next request after an unexpected status or a rejection, which are surprises",
            ["user INFORM_INTENT: FindBoat", "user INFORM_INTENT: FindBoat harbour=Veere"],
            [
                "begin": "me-1 FindBoat", "timedOut": "me-2 FindBoat harbour=Veere", "rejected of 2": "",
                "over": "yes, me-1 ended as timedOut, rejected: come back",
            ]),
    ])
    func `gives what was recorded`(_ voyage: Voyage) throws { try play(voyage) }

    /// A dialogue in which hiring fails on Monday, and the person accepts Tuesday.
    private static let failing = [
        "user INFORM_INTENT: HireBoat \(hiring)", "system CONFIRM day=Monday", "user AFFIRM: HireBoat \(hiring)",
        "system NOTIFY_FAILURE, OFFER day=Tuesday: HireBoat \(hiring) ->", "user AFFIRM: HireBoat \(tuesday)",
        "system NOTIFY_SUCCESS: HireBoat \(tuesday) -> gull",
    ]
    private static let hires = "me-1 HireBoat boat=Gull day=Monday harbour=Veere"

    @Test(arguments: [
        Voyage(
            "declines with their changes, and then accepts",
            [
                "user INFORM_INTENT: HireBoat \(hiring)", "system CONFIRM day=Monday",
                "user NEGATE, INFORM day=Tuesday: HireBoat \(tuesday)", "system CONFIRM day=Tuesday",
                "user AFFIRM: HireBoat \(tuesday)", "system NOTIFY_SUCCESS: HireBoat \(tuesday) -> gull",
            ],
            [
                "begin": hires, "confirm": "decline day=Tuesday", "confirm": "accept", "counts": "2 0 0",
                "success": "", "over": "yes",
            ]),
        Voyage(
            "accepts if the recorded assistant did not ask, and counts the prompt as needless",
            [
                "user INFORM_INTENT: HireBoat \(hiring)", "system NOTIFY_SUCCESS: HireBoat \(hiring) -> gull",
                "user INFORM_INTENT: HireBoat \(tuesday)", "system CONFIRM day=Tuesday",
                "user AFFIRM: HireBoat \(tuesday)",
            ], ["begin": hires, "confirm": "accept", "counts": "1 1 0"]),
        Voyage(
            "accepts a proposal after a failure", failing,
            [
                "begin": hires, "confirm": "accept", "confirm": "accept", "counts": "2 0 0", "success": "",
                "over": "yes",
            ]),
        Voyage(
            "requests the offered alternative when the request has ended with the failure", failing,
            [
                "begin": hires, "confirm": "accept", "failure": "me-2 HireBoat boat=Gull day=Tuesday harbour=Veere",
                "success of 2": "", "over": "yes",
            ]),
        Voyage(
            "makes no request when they affirm anything else",
            [
                "user INFORM_INTENT: HireBoat \(hiring)", "system NOTIFY_FAILURE: HireBoat \(hiring) ->",
                "user AFFIRM: HireBoat \(tuesday)",
            ], ["begin": hires, "failure": "", "over": "yes"]),
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
        Voyage(
            "requests a new search at once if only one item was found", [search, found1, more],
            ["begin": seeks, "offer gull": seeksAgain]),
        Voyage(
            "considers only the offers of the last search",
            [search, found1, more, found2, more, tern, selected],
            ["begin": seeks, "offer gull": seeksAgain, "offer gull tern of 2": "accept #1"]),
        Voyage(
            "declines an open choice before they make another request",
            [search, found1, "user INFORM: FindBoat harbour=Goes"],
            ["begin": seeks, "offer gull": "decline, me-2 FindBoat harbour=Goes"]),
    ])
    func `who chooses among found items`(_ voyage: Voyage) throws { try play(voyage) }
}
