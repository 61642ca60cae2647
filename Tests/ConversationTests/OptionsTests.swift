import Conversation
import IntentModel
import Testing

@Suite("The options of a choice")
struct OptionsTests {
    private let talk = Talk()
    private let stops = (1...60).map { number in
        ParameterOption(
            id: "\(number)", title: "Stop \(number)", subtitle: number > 30 ? "Harbour Line" : "Ring Line",
            value: .string("stop-\(number)"),
            synonyms: number == 7 ? ["Old Mill"] : [])
    }

    private func list(
        _ search: String? = nil, from start: Int = 0, limit: Int = OptionsRequest.usualLimit,
        of prompt: Identifier? = nil
    )
        -> [String]
    {
        talk.receive(
            .optionsRequested(
                OptionsRequest(prompt: prompt ?? talk.prompt?.id ?? "none", search: search, start: start, limit: limit))
        )
    }

    private func ids(_ range: ClosedRange<Int>) -> String { range.map { "\($0)" }.joined(separator: " ") }

    init() {
        talk.request()
        talk.resolver(["dropOff": .disambiguation(stops, dialog: nil)])
    }

    @Test("a prompt is issued with the first 25; the others come in pages, until there is no next one")
    func pages() throws {
        let first = OptionsPage(of: try #require(talk.prompt))
        #expect(first.options == Array(stops[..<25]) && first.total == 60 && first.next == 25 && !first.omitsOptions)
        #expect(list(from: 25) == ["options \(ids(26...50)), next 50"])
        #expect(list(from: 50) == ["options \(ids(51...60))"])
        #expect(list(from: 58, limit: 1) == ["options 59, next 59"])
        #expect(list(from: 60) == ["options "])
        #expect(list(from: .max) == ["options "])
    }

    @Test("a search finds each word in title, subtitle or synonyms, whatever their case and accents")
    func search() {
        #expect(list("STOP 13") == ["options 13"])
        #expect(list("harbour 4", limit: 3) == ["options 34 40 41, next 3"])
        #expect(list("harbour 4", from: 3) == ["options \(ids(42...49)) 54"])
        #expect(list("öld mill") == ["options 7"])
        #expect(list("airport") == ["options "])
        #expect(list("  ", limit: 1) == ["options 1, next 1"])
    }

    @Test("an option of any page can be chosen, and a wrong one is named beside the first ten")
    func choosing() throws {
        #expect(talk.answer(.accept, option: "61") == ["rejected invalid option"])
        guard case .result(let result) = talk.effects.first, case .rejected(let rejection) = result.body else {
            return #expect(Bool(false), "no rejection")
        }
        #expect(rejection.message == "there is no option '61'; there are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 50 more")
        #expect(talk.answer(.accept, option: "59") == ["resolve"])
        #expect(talk.known("dropOff") == "chosen stop-59")
    }

    @Test("asking for options takes no turn and no time of the prompt")
    func costsNothing() throws {
        let before = try #require(talk.session.active)
        talk.now = talk.now.advanced(by: .seconds(60))
        #expect(list("stop 2", limit: 1) == ["options 2, next 1"])
        #expect(talk.session.active == before)
        #expect(talk.waitForTimer().last == "completed r: timedOut requestTimedOut")
    }

    @Test("there are options only of the open prompt, and only if it is a choice")
    func otherPrompts() {
        let old = talk.prompt?.id
        #expect(list(of: "none") == ["rejected unexpected prompt"])
        talk.answer(.accept, "somewhere")
        #expect(list(of: old) == ["rejected unexpected prompt"])
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        #expect(list() == ["rejected unexpected prompt"])
    }

    @Test("that there are more values than options is told with each page")
    func omitted() throws {
        talk.answer(.accept, "somewhere")
        var parameter = ResolvedParameter(name: "dropOff", resolution: .disambiguation(stops, dialog: nil))
        parameter.omitsOptions = true
        talk.resolver([parameter])
        let prompt = try #require(talk.prompt)
        #expect(OptionsPage(of: prompt).omitsOptions)
        #expect(OptionsPage(of: prompt, OptionsRequest(prompt: prompt.id, start: 50)).omitsOptions)
    }
}
