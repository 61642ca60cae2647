import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let johns = ParameterResolution.disambiguation(
    [
        ParameterOption(id: "1", title: "Jon One", value: "jon-1"),
        ParameterOption(id: "2", title: "Jon Two", value: "jon-2"),
    ], dialog: nil)

/// A resolution of one of the friends. The open elements are as the person gave them.
private func friend(
    _ index: Int, _ resolution: ParameterResolution, _ names: [JSON] = ["Mia", "Jon", "Ali"], open: [Int]? = nil
) -> ResolvedParameter {
    let origins = names.indices.map { (open ?? [index]).contains($0) ? ParameterState.Origin.given : .resolved }
    return ResolvedParameter(
        name: "friends", title: "Friends", resolution: resolution,
        element: ListElement(index: index, list: names, origins: origins))
}

private typealias Provenance = ParameterState.Provenance
private let airport = "\(Provenance(original: "the airport"))"
private let halfPastSix = Provenance(original: "half past six", interpreted: "18:30:00", confidence: 0.9)

private func parameter(
    _ name: String, _ resolution: ParameterResolution, _ provenance: Provenance, isSecret: Bool = false
) -> ResolvedParameter {
    var parameter = ResolvedParameter(name: name, resolution: resolution, isSecret: isSecret)
    parameter.provenance = provenance
    return parameter
}

private let near: KeyValuePairs<String, Double> = ["Ask": 0.5, "Book": 0.5]

private let resolving: Dialogues = [
    "a request is dispatched to a resolver first, with its parameters": [
        .request("r", ["dropOff": "Airport"]): "resolve", .the(\.item?.request): "r", .the(\.item?.step): "1",
        .the(\.item?.attempt): "1", .the(\.item?.intent): "Book", .the(\.item?.parameters.count): "1",
        .known("dropOff"): "given Airport", .the(\.item?.parameters.first?.value): "Airport", .the(\.workLasts): "60.0",
    ],
    "success replaces the value with the resolved one; notRequired asks nothing and keeps the value": [
        .request("r", ["dropOff": "Airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "confirm",
        .known("dropOff"): "resolved airport-2",
        .or(.resolver(["dropOff": .notRequired, "party": .notRequired])): "confirm",
        .known("dropOff"): "notRequired Airport", .known("party"): "notRequired -",
    ],
    "disambiguation asks for an option, confirmationRequired whether the value is right, and needsValue for a value": [
        .request("r", ["dropOff": "Station"]): "resolve", .resolver(["dropOff": .which]): "prompt choice dropOff",
        .the(\.prompt?.options): "\(words([Station.north, Station.south]))",
        .or(.resolver(["dropOff": .isItNorth])): "prompt confirmValue dropOff", .the(\.prompt?.value): "station-north",
        .or(.resolver(["dropOff": .needsValue(dialog: "Where to?")])): "prompt value dropOff",
        .the(\.prompt?.dialog): "Where to?", .the(\.prompt?.intent): "Book", .the(\.promptLasts): "120.0",
        .answer(.accept, "Airport"): "resolve", .known("dropOff"): "given Airport",
    ],
    "an unsupported value is dropped, and the prompt for another one gives the reason": [
        .request("r", ["dropOff": "Moon"]): "resolve", .resolver(["dropOff": .notThere]): "prompt value dropOff",
        .the(\.prompt?.asked.unsupportedReason): "outsideServiceArea", .known("dropOff"): "given -",
        .answer(.accept, "Airport"): "resolve", .resolver(["dropOff": .success("Airport")]): "confirm",
        .the(\.item?.parameters.count): "1", .the(\.item?.parameters.first?.value): "Airport",
    ],
    "the person is asked for the first declared of two open parameters, and other successes are kept": [
        .request("r", ["party": "2"]): "resolve",
        .resolver(["dropOff": .missing, "ride": .which, "party": .success(.number(2))]): "prompt value dropOff",
        .known("party"): "resolved 2",
    ],
    "a value that the person confirmed is not asked about again, even if the resolver does; another one is": [
        .request("r", ["dropOff": "Stat"]): "resolve", .resolver(["dropOff": .isItNorth]): "…",
        .answer(.accept): "resolve", .known("dropOff"): "confirmed station-north",
        .resolver(["dropOff": .confirmationRequired("elsewhere", dialog: nil)]): "prompt confirmValue dropOff",
        .or(.resolver(["dropOff": .isItNorth])): "confirm", .known("dropOff"): "confirmed station-north",
    ],
    "a value that the person chose is not offered again; it keeps its origin, is changed, or is dropped": [
        .request("r", ["dropOff": "Station"]): "resolve", .resolver(["dropOff": .which]): "…",
        .answer(.accept, option: "s"): "resolve", .known("dropOff"): "chosen station-south",
        .resolver(["dropOff": .which]): "confirm", .known("dropOff"): "chosen station-south",
        .or(.resolver(["dropOff": .notThere])): "prompt value dropOff", .known("dropOff"): "given -",
        .or(.resolver(["dropOff": .success("station-south")])): "confirm", .known("dropOff"): "chosen station-south",
        .correct("party", "2"): "resolve", .resolver(["dropOff": .success("station-south-2")]): "confirm",
        .known("dropOff"): "resolved station-south-2",
    ],
    "a value that only resembles an option, or the value to be confirmed, is still asked about": [
        .request("r", ["dropOff": "station-south"]): "resolve", .resolver(["dropOff": .which]): "prompt choice dropOff",
        .request("r2", ["dropOff": "station-north"], whenBusy: .interrupt): "resolve",
        .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff",
    ],
    "the number of prompts for a parameter is limited: then the request fails and names it": [
        .policy { $0.limits.maximumAsks = 2 }: [], .at(.awaitingAnswer): "prompt value dropOff",
        .answer(.accept, "Moon"): "resolve", .resolver(["dropOff": .missing]): "prompt value dropOff",
        .answer(.accept, "Moon"): "resolve", .resolver(["dropOff": .missing]): "completed r: failure",
        .the(\.error): "complex", .the(\.completion?.error?.field): "parameters.dropOff",
        .the(\.completion?.turns): "2",
    ],
    "prompts are counted for each parameter separately": [
        .policy { $0.limits.maximumAsks = 1 }: [], .at(.awaitingAnswer): "…", .answer(.accept, "Airport"): "resolve",
        .resolver(["dropOff": .success("Airport"), "party": .missing]): "prompt value party",
    ],
    "an intent without parameters is resolved at once": [.request(): "resolve", .resolver(): "confirm"],
    "a parameter without a title or dialog is asked for in plain words": [
        .request(): "resolve", .resolver(["dropOff": .missing]): "…", .the(\.prompt?.dialog): "dropOff?",
        .or(.resolver(["dropOff": .which])): "…", .the(\.prompt?.dialog): "dropOff: which one?",
        .or(.resolver(["dropOff": .isItNorth])): "…", .the(\.prompt?.dialog): "dropOff: station-north?",
        .or(.resolver(["dropOff": .notThere])): "…", .the(\.prompt?.dialog): "dropOff: that can't be used. What else?",
    ],
]

private let listElements: Dialogues = [
    "the answer replaces the element; the others stay unchanged": [
        .request(): "resolve", .resolved(friend(1, johns)): "prompt choice friends[1]",
        .known("friends"): #"given ["Mia","Jon","Ali"] [resolved given resolved]"#,
        .answer(.accept, option: "2"): "resolve",
        .known("friends"): #"given ["Mia","jon-2","Ali"] [resolved chosen resolved]"#,
        .resolver(["friends": .success(.array(["Mia", "jon-2", "Ali"]))]): "confirm",
        .known("friends"): #"resolved ["Mia","jon-2","Ali"] [resolved chosen resolved]"#,
        .the(\.item?.parameters.first?.elements): "resolved, chosen, resolved",
    ],
    "accepting an element confirms it; answering with another value replaces it": [
        .request(): "resolve",
        .resolved(friend(1, .confirmationRequired("jon-1", dialog: nil))): "prompt confirmValue friends[1]",
        .answer(.accept): "resolve", .known("friends"): #"given ["Mia","jon-1","Ali"] [resolved confirmed resolved]"#,
        .resolved(friend(2, .confirmationRequired("ali-1", dialog: nil), ["Mia", "jon-1", "Ali"])): "…",
        .answer(.accept, "Ben"): "resolve",
        .known("friends"): #"given ["Mia","jon-1","Ben"] [resolved confirmed given]"#,
    ],
    "a missing or unusable element is replaced by the person's answer": [
        .request(): "resolve",
        .either(.resolved(friend(1, .missing)), .resolved(friend(1, .notThere))): "prompt value friends[1]",
        .answer(.accept, "Ben"): "resolve", .known("friends"): #"given ["Mia","Ben","Ali"] [resolved given resolved]"#,
    ],
    "declining a choice or a value drops the element while others remain": [
        .request(): "resolve",
        .either(.resolved(friend(1, johns)), .resolved(friend(1, .missing)), .resolved(friend(1, .notThere))): "…",
        .answer(.decline): "resolve", .known("friends"): #"given ["Mia","Ali"] [resolved resolved]"#,
    ],
    "declining an element's value asks for another one, which replaces it": [
        .request(): "resolve", .resolved(friend(1, .confirmationRequired("jon-1", dialog: nil))): "…",
        .answer(.decline): "prompt value friends[1]", .the(\.prompt?.dialog): "Friends: what else?",
        .answer(.accept, "Ben"): "resolve", .known("friends"): #"given ["Mia","Ben","Ali"] [resolved given resolved]"#,
    ],
    "the last element can't be dropped: it is treated like a parameter that is not a list": [
        .request(): "resolve", .resolved(friend(0, johns, ["Jon"])): "…", .answer(.decline): "resolve",
        .known("friends"): "given -", .resolved(friend(0, .missing, ["Jon"])): "…",
        .answer(.decline): "completed r: cancelled",
    ],
    "the person is asked about one element at a time, in list order; one outside the list is an error": [
        .request(): "resolve", .resolved(friend(3, johns)): "completed r: failure",
        .or(.resolved(friend(1, johns, open: [0, 1]), friend(0, .notThere, open: [0, 1]))): "prompt value friends[0]",
        .answer(.accept, "Ben"): "resolve",
        .resolved(friend(1, johns, ["Ben", "Jon", "Ali"])): "prompt choice friends[1]",
    ],
    "a chosen element is not asked about again; a correction replaces the whole list and its elements' state": [
        .request(): "resolve", .resolved(friend(1, johns)): "…", .answer(.accept, option: "2"): "resolve",
        .correct("friends", "Ben"): "resolve", .known("friends"): "given Ben",
        .or(.resolved(friend(1, johns, ["Mia", "jon-2", "Ali"]))): "confirm",
        .known("friends"): #"resolved ["Mia","jon-2","Ali"] [resolved chosen resolved]"#,
    ],
    "each element has its own ask limit": [
        .policy { $0.limits.maximumAsks = 2 }: [], .request(): "resolve",
        .resolved(friend(0, .notThere)): "prompt value friends[0]", .answer(.accept, "Moon"): "resolve",
        .resolved(friend(1, .notThere)): "prompt value friends[1]", .answer(.accept, "Moon"): "resolve",
        .resolved(friend(0, .notThere)): "prompt value friends[0]", .answer(.accept, "Moon"): "resolve",
        .resolved(friend(1, .notThere)): "prompt value friends[1]", .answer(.accept, "Moon"): "resolve",
        .resolved(friend(1, .notThere)): "completed r: failure",
        .the(\.completion?.error?.field): "parameters.friends[1]",
    ],
]

private let provenance: Dialogues = [
    "the original words are kept when a resolver has made a value of them, until the completion": [
        .request("r", ["dropOff": "the airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "…",
        .came("dropOff"): "\(airport)", .confirmer(): "handle", .handler(): "completed r: success",
        .the(\.completion?.parameters.first?.provenance): "\(airport)",
    ],
    "words that are the value, or that are longer than is kept, are not kept": [
        .either(.request("r", ["dropOff": "airport-2"]), .request("r", ["dropOff": .long(Provenance.maximumBytes)])):
            "resolve",
        .resolver(["dropOff": .success("airport-2")]): "confirm", .came("dropOff"): "none",
    ],
    "a choice keeps the words that it was offered for, and so does a confirmed value": [
        .request("r", ["dropOff": "the airport"]): "resolve", .resolver(["dropOff": .which]): "prompt choice dropOff",
        .the(\.prompt?.asked.provenance): "\(airport)", .answer(.accept, option: "n"): "resolve",
        .resolver(["dropOff": .isItNorth]): "…", .known("dropOff"): "chosen station-north",
        .came("dropOff"): "\(airport)",
    ],
    "what a resolver says of a reading is kept, and is not lost when a later round says nothing": [
        .request("r", ["time": "half past six"]): "resolve",
        .resolves("time", .success("18:30"), Provenance(interpreted: "18:30:00", confidence: 0.9)): "confirm",
        .came("time"): "\(halfPastSix)", .correct("note", "hello"): "resolve",
        .resolver(["time": .success("18:30")]): "confirm", .came("time"): "\(halfPastSix)",
    ],
    "a default has its source until the person says another value": [
        .request("r"): "resolve",
        .resolves("dropOff", .success("airport-2"), Provenance(source: .remembered)): "confirm",
        .came("dropOff"): "\(Provenance(source: .remembered))", .correct("dropOff", "Heuston"): "resolve",
        .came("dropOff"): "none", .resolver(["dropOff": .success("heuston")]): "confirm",
        .came("dropOff"): "\(Provenance(original: "Heuston"))",
    ],
    "a value that was proposed and accepted says so": [
        .at(.confirming): "confirm",
        .confirmer(asking: .plain) { $0.proposed = ["dropOff": "airport-2"] }: "prompt confirmIntent",
        .answer(.accept): "handle", .came("dropOff"): "\(Provenance(source: .proposed))",
    ],
    "a value that is asked about stays as the person said it until they have answered": [
        .request("r", ["dropOff": "the airport"]): "resolve",
        .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff", .correct("note", "hello"): "resolve",
        .the(\.item?.parameters.first?.name): "dropOff", .the(\.item?.parameters.first?.value): "the airport",
    ],
    "a prompt shows where the values come from that the person did not give": [
        .request("r", ["dropOff": "Heuston"]): "resolve",
        .resolved(
            ResolvedParameter(name: "dropOff", resolution: .success("heuston")),
            parameter("ride", .success("comfort"), Provenance(source: .remembered))): "confirm",
        .confirmer(asking: ConfirmationRequest(parameters: ["dropOff", "ride"].map { PromptParameter(name: $0) })): "…",
        .the(\.sources): "none, remembered",
    ],
    "a parameter that a prompt names twice is shown once": [
        .at(.confirming): "confirm",
        .confirmer(asking: ConfirmationRequest(parameters: ["dropOff", "dropOff"].map { PromptParameter(name: $0) })):
            "…",
        .the(\.sources): "none",
    ],
    "nothing of a secret's words is kept": [
        .request("r", ["pin": "one two three"]): "resolve",
        .resolves("pin", .success("123"), Provenance(interpreted: "123", confidence: 1), isSecret: true): "…",
        .came("pin"): "none", .known("pin"): "resolved 123",
    ],
    "the confidence of a request reaches the resolver, and its words do, too": [
        .request {
            var doubtful = ParameterState(name: "dropOff", value: "the airport")
            doubtful.provenance = Provenance(confidence: 0.4)
            $0.parameters = [doubtful]
        }: "resolve",
        .the(\.item?.parameters.first?.provenance): "\(Provenance(confidence: 0.4))",
        .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff",
        .the(\.prompt?.asked.provenance): "\(Provenance(original: "the airport", confidence: 0.4))",
        .answer(.accept): "resolve", .came("dropOff"): "\(Provenance(original: "the airport", confidence: 0.4))",
    ],
]

private let candidates: Dialogues = [
    "a request begins with its best candidate, if that is clearly the best": [
        .request(oneOf: ["Ask": 0.5, "Book": 0.9]): "resolve", .the(\.work?.intent): "Book",
        .known("dropOff"): "given of Book",
    ],
    "the person is asked which candidate is meant, if several are near, the best first": [
        .request(oneOf: ["Ask": 0.55, "Book": 0.6, "Sing": 0.31]): "prompt choice", .the(\.optionIDs): "Book, Ask",
        .the(\.optionTitles): "book, ask", .answer(.accept, option: "Ask", changing: ["party": "2"]): "resolve",
        .the(\.work?.intent): "Ask", .known("dropOff"): "given of Ask", .known("party"): "given 2",
    ],
    "a candidate is chosen by the words of its title, and other words are rejected": [
        .request(oneOf: ["Ask": 0.55, "Book": 0.6]): "prompt choice",
        .answer(.accept, "sing"): "rejected invalid value",
        .answer(.accept): "rejected invalid option", .answer(.accept, "ASK"): "resolve",
    ],
    "a request goes to its fallback if no candidate is likely": [
        .request(oneOf: ["Ask": 0.2, "Book": 0.29], fallback: "Search"): "resolve", .the(\.work?.intent): "Search",
        .known("dropOff"): "none",
    ],
    "a request goes to its fallback if the person means none of the candidates": [
        .request(oneOf: near, fallback: "Search"): "prompt choice", .answer(.decline): "resolve",
        .the(\.work?.intent): "Search",
    ],
    "a request without a likely candidate and a fallback is unsupported": [
        .request(oneOf: ["Ask": 0.2]): "completed r: unsupported noIntentMatched",
        .request(oneOf: near, id: "q"): "prompt choice",
        .answer(.decline): "completed q: unsupported noIntentMatched",
    ],
    "the choice of a candidate ends with a cancel, or with silence": [
        .request(oneOf: near): "prompt choice", .answer(.cancel): "completed r: cancelled",
        .request(oneOf: near, id: "q"): "prompt choice", .timer(): "completed q: timedOut",
    ],
    "a request is not corrected while its intent is unknown, nor while it is then interrupted": [
        .request(oneOf: near): "prompt choice", .correct("dropOff", "Leeds"): "rejected unexpected parameter",
        .request("first", whenBusy: .interrupt): "resolve",
        .correct("dropOff", "Leeds", of: "r"): "rejected unexpected parameter",
    ],
    "the candidate of a queued request is chosen when its turn comes": [
        .at(.awaitingAnswer, id: "first"): "…", .request(oneOf: near): "queued",
        .cancel("first"): ["completed first: cancelled", "prompt choice"],
    ],
]

@Suite("Resolving: the person is asked what they mean, one prompt at a time") struct ResolvingTests {
    @Test(arguments: [resolving, listElements, provenance, candidates].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    /// Reports a resolver's result with its provenance.
    fileprivate static func resolves(
        _ name: String, _ resolution: ParameterResolution, _ provenance: Provenance,
        isSecret: Bool = false, at line: Line = #_sourceLocation
    ) -> Step { .resolved(parameter(name, resolution, provenance, isSecret: isSecret), at: line) }

    /// The provenance of a parameter.
    fileprivate static func came(_ name: String, at line: Line = #_sourceLocation) -> Step {
        Step(line, .look) { [words($0.parameter(name)?.provenance as Any)] }
    }

    fileprivate static func request(
        oneOf candidates: KeyValuePairs<String, Double>, fallback: Identifier? = nil, id: Identifier = "r",
        at line: Line = #_sourceLocation
    ) -> Step {
        .request(id, at: line) { request in
            request.intent = ""
            request.candidates = candidates.map { name, confidence in
                IntentCandidate(
                    intent: Identifier(name), confidence: confidence, title: name.lowercased(),
                    parameters: [ParameterState(name: "dropOff", value: .string("of \(name)"))])
            }
            request.fallback = fallback
        }
    }
}

extension Talk {
    fileprivate var sources: [Provenance.Source?]? { sentPrompt?.parameters.map(\.source) }

    fileprivate var optionIDs: [String]? { prompt?.options.map(\.id) }
    fileprivate var optionTitles: [String]? { prompt?.options.map(\.title) }
}
