import Conversation
import IntentModel
import Testing

@Suite("A request with the intents that the person may have meant")
struct CandidateTests {
    private let talk = Talk()

    private func request(_ candidates: KeyValuePairs<String, Double>, fallback: Identifier? = nil, id: Identifier = "r")
        -> [String]
    {
        var request = IntentRequest(id: id, intent: "")
        request.candidates = candidates.map { name, confidence in
            IntentCandidate(
                intent: Identifier(name), confidence: confidence, title: name.lowercased(),
                parameters: [ParameterState(name: "dropOff", value: .string("of \(name)"))])
        }
        request.fallback = fallback
        return talk.receive(.requested(request))
    }

    @Test("begins with the best one, if it is clearly the best")
    func clear() {
        #expect(request(["Ask": 0.5, "Book": 0.9]) == ["resolve"])
        #expect(talk.work?.intent == "Book" && talk.known("dropOff") == "given of Book")
    }

    @Test("asks which one is meant, if several are near, the best first")
    func near() {
        #expect(request(["Ask": 0.55, "Book": 0.6, "Sing": 0.31]) == ["prompt choice"])
        #expect(
            talk.prompt?.options.map(\.id) == ["Book", "Ask"] && talk.prompt?.options.map(\.title) == ["book", "ask"])
        #expect(talk.answer(.accept, option: "Ask", changing: ["party": "2"]) == ["resolve"])
        #expect(
            talk.work?.intent == "Ask" && talk.known("dropOff") == "given of Ask" && talk.known("party") == "given 2")
    }

    @Test("takes the words of a title, and refuses other words")
    func words() {
        _ = request(["Ask": 0.55, "Book": 0.6])
        #expect(talk.answer(.accept, "sing") == ["rejected invalid value"])
        #expect(talk.answer(.accept) == ["rejected invalid option"])
        #expect(talk.answer(.accept, "ASK") == ["resolve"])
    }

    @Test("goes to the fallback if none is likely, or the person means none of them")
    func fallback() {
        #expect(request(["Ask": 0.2, "Book": 0.29], fallback: "Search") == ["resolve"])
        #expect(talk.work?.intent == "Search" && talk.known("dropOff") == nil)
        talk.cancel()
        _ = request(["Ask": 0.5, "Book": 0.5], fallback: "Search", id: "q")
        #expect(talk.answer(.decline) == ["resolve"] && talk.work?.intent == "Search")
    }

    @Test("is unsupported without a fallback")
    func none() {
        #expect(request(["Ask": 0.2]) == ["completed r: unsupported noIntentMatched"])
        _ = request(["Ask": 0.5, "Book": 0.5], id: "q")
        #expect(talk.answer(.decline) == ["completed q: unsupported noIntentMatched"])
    }

    @Test("ends if the person cancels, or says nothing")
    func ends() {
        _ = request(["Ask": 0.5, "Book": 0.5])
        #expect(talk.answer(.cancel) == ["completed r: cancelled cancelled"])
        _ = request(["Ask": 0.5, "Book": 0.5], id: "q")
        #expect(talk.waitForTimer() == ["completed q: timedOut requestTimedOut"])
    }

    @Test("takes no correction while it is not known which intent's parameter it is")
    func correction() {
        _ = request(["Ask": 0.5, "Book": 0.5])
        #expect(talk.correct("dropOff", "Leeds") == ["rejected unexpected parameter"])
        talk.request("first", whenBusy: .interrupt)
        #expect(
            talk.correct("dropOff", "Leeds", of: "r") == ["rejected unexpected parameter"],
            "nor while it is interrupted")
    }

    @Test("is decided when its turn comes, if it had to wait")
    func queued() {
        talk.bring(to: .awaitingAnswer, "first")
        #expect(request(["Ask": 0.5, "Book": 0.5]) == ["queued"])
        #expect(talk.cancel("first").last == "prompt choice")
    }
}
