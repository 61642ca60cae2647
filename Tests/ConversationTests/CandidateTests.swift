import Conversation
import IntentModel
import Testing

@Suite("A request with the intents that the person may have meant") struct CandidateTests {
    private static let near: KeyValuePairs<String, Double> = ["Ask": 0.5, "Book": 0.5]

    private static let dialogues: Dialogues = [
        "begins with the best one, if it is clearly the best": [
            .request(["Ask": 0.5, "Book": 0.9]): "resolve", .the(\.work?.intent): "Book",
            .known("dropOff"): "given of Book",
        ],
        "asks which one is meant, if several are near, the best first": [
            .request(["Ask": 0.55, "Book": 0.6, "Sing": 0.31]): "prompt choice", .the(\.optionIDs): "Book, Ask",
            .the(\.optionTitles): "book, ask", .answer(.accept, option: "Ask", changing: ["party": "2"]): "resolve",
            .the(\.work?.intent): "Ask", .known("dropOff"): "given of Ask", .known("party"): "given 2",
        ],
        "takes the words of a title, and refuses other words": [
            .request(["Ask": 0.55, "Book": 0.6]): "prompt choice", .answer(.accept, "sing"): "rejected invalid value",
            .answer(.accept): "rejected invalid option", .answer(.accept, "ASK"): "resolve",
        ],
        "goes to the fallback if none is likely": [
            .request(["Ask": 0.2, "Book": 0.29], fallback: "Search"): "resolve", .the(\.work?.intent): "Search",
            .known("dropOff"): "none",
        ],
        "goes to the fallback if the person means none of them": [
            .request(near, fallback: "Search"): "prompt choice", .answer(.decline): "resolve",
            .the(\.work?.intent): "Search",
        ],
        "is unsupported without a fallback": [
            .request(["Ask": 0.2]): "completed r: unsupported noIntentMatched",
            .request(near, id: "q"): "prompt choice", .answer(.decline): "completed q: unsupported noIntentMatched",
        ],
        "ends if the person cancels, or says nothing": [
            .request(near): "prompt choice", .answer(.cancel): "completed r: cancelled cancelled",
            .request(near, id: "q"): "prompt choice", .timer(): "completed q: timedOut requestTimedOut",
        ],
        "takes no correction while it is not known which intent's parameter it is, nor while it is interrupted": [
            .request(near): "prompt choice", .correct("dropOff", "Leeds"): "rejected unexpected parameter",
            .request("first", whenBusy: .interrupt): "resolve",
            .correct("dropOff", "Leeds", of: "r"): "rejected unexpected parameter",
        ],
        "is decided when its turn comes, if it had to wait": [
            .at(.awaitingAnswer, id: "first"): "…", .request(near): "queued",
            .cancel("first"): ["completed first: cancelled cancelled", "prompt choice"],
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    fileprivate static func request(
        _ candidates: KeyValuePairs<String, Double>, fallback: Identifier? = nil, id: Identifier = "r",
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
    fileprivate var optionIDs: [String]? { prompt?.options.map(\.id) }
    fileprivate var optionTitles: [String]? { prompt?.options.map(\.title) }
}
