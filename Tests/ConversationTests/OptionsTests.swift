import Conversation
import IntentModel
import Testing

@Suite("The options of a choice") struct OptionsTests {
    private let talk = Talk()

    private static let dialogues: Dialogues = [
        "a prompt is issued with the first 25; the others come in pages, until there is no next one": [
            .choice(): "prompt choice dropOff", .the(\.page?.options): "\(words(stops[..<25]))",
            .the(\.page?.total): "60", .the(\.page?.next): "25",
            .the(\.page?.omitsOptions): "false", .list(from: 25): "options \(ids(26...50)), next 50",
            .list(from: 50): "options \(ids(51...60))", .list(from: 58, limit: 1): "options 59, next 59",
            .list(from: 60): "options ", .list(from: .max): "options ",
        ],
        "a search finds each word in title, subtitle or synonyms, whatever their case and accents": [
            .choice(): "…", .list("STOP 13"): "options 13", .list("harbour 4", limit: 3): "options 34 40 41, next 3",
            .list("harbour 4", from: 3): "options \(ids(42...49)) 54", .list("öld mill"): "options 7",
            .list("airport"): "options ", .list("  ", limit: 1): "options 1, next 1",
        ],
        "an option of any page can be chosen, and a wrong one is named beside the first ten": [
            .choice(): "…", .answer(.accept, option: "61"): "rejected invalid option",
            .the(\.rejection?.message):
                "there is no option '61'; there are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 50 more",
            .answer(.accept, option: "59"): "resolve", .known("dropOff"): "chosen stop-59",
        ],
        "there are options only of the open prompt, and only if it is a choice": [
            .choice(): "…", .list(of: "none"): "rejected unexpected prompt", .answer(.accept, "somewhere"): "resolve",
            .list(ofPrompt: 1): "rejected unexpected prompt", .resolver(["dropOff": .missing]): "…",
            .list(): "rejected unexpected prompt",
        ],
        "that there are more values than options is told with each page": [
            .request(): "resolve", .resolved(stopsOfMore): "prompt choice dropOff", .the(\.page?.omitsOptions): "true",
            .the(\.pageFrom50?.omitsOptions): "true",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `asking for options takes no turn and no time of the prompt`() {
        talk.play(.choice(), .passes(60))
        let before = talk.session.active
        talk.play([.list("stop 2", limit: 1): "options 2, next 1"])
        #expect(talk.session.active == before)
        #expect(talk.play(.timer()) == ["completed r: timedOut requestTimedOut"])
    }
}

private let stops = (1...60).map { number in
    ParameterOption(
        id: "\(number)", title: "Stop \(number)", subtitle: number > 30 ? "Harbour Line" : "Ring Line",
        value: .string("stop-\(number)"), synonyms: number == 7 ? ["Old Mill"] : [])
}

private let stopsOfMore: ResolvedParameter = {
    var parameter = ResolvedParameter(name: "dropOff", resolution: .disambiguation(stops, dialog: nil))
    parameter.omitsOptions = true
    return parameter
}()

private func ids(_ range: ClosedRange<Int>) -> String { range.map { "\($0)" }.joined(separator: " ") }

extension Step {
    fileprivate static func choice(at line: Line = #_sourceLocation) -> Step {
        .steps(.request(), .resolver(["dropOff": .disambiguation(stops, dialog: nil)]), at: line)
    }

    fileprivate static func list(
        _ search: String? = nil, from start: Int = 0, limit: Int = OptionsRequest.usualLimit,
        of prompt: Identifier? = nil, ofPrompt number: Int? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let prompt = prompt ?? number.map { talk.ledger.prompts[$0 - 1] } ?? talk.prompt?.id ?? "none"
            let request = OptionsRequest(prompt: prompt, search: search, start: start, limit: limit)
            return talk.receive(.optionsRequested(request), at: line)
        }
    }
}

extension Talk {
    fileprivate var page: OptionsPage? { prompt.map { OptionsPage(of: $0) } }
    fileprivate var pageFrom50: OptionsPage? {
        prompt.map { OptionsPage(of: $0, OptionsRequest(prompt: $0.id, start: 50)) }
    }
}
