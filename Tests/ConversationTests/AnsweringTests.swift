import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let twoJohns = ParameterResolution.disambiguation(
    [1, 2].map { ParameterOption(id: "option \($0)", title: "John", value: .number($0)) }, dialog: nil)

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
private let once = IntentPolicy(asks: AskPolicy(noAnswer: 1, finally: .handToApp))
private let twice = IntentPolicy(asks: AskPolicy(maximum: 1, noAnswer: 9, finally: .handToApp))
private let toTheApp = IntentPolicy(asks: AskPolicy(maximum: 1, finally: .handToApp))

private let moon = ResolvedParameter(
    name: "dropOff", resolution: .noMatch,
    element: ListElement(index: 1, list: ["London", "Moon"], origins: [.resolved, .given]))

private let stations = [Station.north, Station.south]

private let answering: Dialogues = [
    "declining to give a value, and declining the intent, cancels the request, which is not a failure": [
        .either(.ask(.value), .ask(.confirmIntent)): "…", .answer(.decline): "completed r: cancelled",
    ],
    "declining a choice or a value forgets it and resolves again, so that the person is asked for it": [
        .either(.ask(.choice), .ask(.confirmValue)): "…", .answer(.decline): "resolve", .known("dropOff"): "given -",
        .resolver(["dropOff": .missing]): "prompt value dropOff",
    ],
    "answering the confirmation with a change resolves the intent again": [
        .ask(.confirmIntent): "prompt confirmIntent",
        .either(.answer(.accept, changing: ["dropOff": "Leeds"]), .answer(.decline, changing: ["dropOff": "Leeds"])):
            "resolve",
        .known("dropOff"): "given Leeds", .resolver(): "confirm", .confirmer(asking: .plain): "prompt confirmIntent",
        .answer(.accept): "handle",
    ],
    "accepting the intent handles it, and a change to null forgets the parameter": [
        .ask(.confirmIntent): "prompt confirmIntent", .the(\.prompt?.summary): "Book", .the(\.prompt?.dialog): "Book?",
        .answer(.accept): "handle", .or(.answer(.accept, changing: ["dropOff": .null])): "resolve",
        .known("dropOff"): "given -",
    ],
    "an answer may also change other parameters": [
        .ask(.value): "…", .answer(.accept, "Airport", changing: ["party": "3"]): "resolve", .known("party"): "given 3",
        .known("dropOff"): "given Airport", .cancel(): "…", .ask(.choice, "b"): "…",
        .answer(.accept, option: "n", changing: ["party": "3"]): "resolve", .known("party"): "given 3",
        .known("dropOff"): "chosen station-north", .cancel(): "…", .ask(.confirmValue, "c"): "…",
        .answer(.accept, changing: ["party": "3"]): "resolve", .known("party"): "given 3",
        .known("dropOff"): "confirmed station-north",
    ],
    "an answer may consist of changes only": [
        .either(.ask(.value), .ask(.choice)): "…", .answer(.accept, changing: ["dropOff": "Leeds"]): "resolve",
        .known("dropOff"): "given Leeds",
    ],
    "an option is chosen by its id, or by text that matches its id or title in any letter case": [
        .ask(.choice): "…",
        .either(
            .answer(.accept, option: "s"), .answer(.accept, "s"), .answer(.accept, "S"),
            .answer(.accept, "Station South"), .answer(.accept, "station SOUTH")): "resolve",
        .known("dropOff"): "chosen station-south",
    ],
    "only an answer without a value, with null or with true is a yes to the intent": [
        .at(.awaitingConfirmation): "prompt confirmIntent", .answer(.accept, "no"): "rejected invalid value",
        .answer(.accept, "yes"): "rejected invalid value", .answer(.accept, ""): "rejected invalid value",
        .answer(.accept, .bool(false)): "rejected invalid value",
        .answer(.accept, .number(1)): "rejected invalid value",
        .answer(.accept, .object([:])): "rejected invalid value",
        .either(.answer(.accept), .answer(.accept, .null), .answer(.accept, .bool(true))): "handle",
    ],
    "an option may be chosen by its value if that is not text; text that matches two options chooses neither": [
        .request(): "resolve", .resolver(["dropOff": twoJohns]): "prompt choice dropOff",
        .answer(.accept, .number(2)): "resolve", .known("dropOff"): "chosen 2",
        .or(.answer(.accept, "John")): "resolve",
        .known("dropOff"): "given John",
    ],
    "free text that matches no option is a new value, and an unknown option is rejected": [
        .ask(.choice): "…", .answer(.accept, option: "x"): "rejected invalid option",
        .answer(.accept, option: "n"): "resolve", .or(.answer(.accept, "Leeds")): "resolve",
        .known("dropOff"): "given Leeds",
    ],
    "accepting without a value or an option is rejected and the prompt stays open": [
        .ask(.value): "…", .either(.answer(.accept), .answer(.accept, .null)): "rejected invalid value",
        .the(\.stage): "awaitingAnswer", .answer(.cancel): "…", .ask(.choice, "r2"): "…",
        .either(.answer(.accept), .answer(.accept, .null)): "rejected invalid option", .the(\.stage): "awaitingAnswer",
    ],
    "accepting a confirmation with true or the same value confirms it; another value is resolved": [
        .ask(.confirmValue): "…", .answer(.accept, .bool(true)): "resolve",
        .known("dropOff"): "confirmed station-north", .or(.answer(.accept, "station-north")): "resolve",
        .known("dropOff"): "confirmed station-north", .or(.answer(.accept, "Leeds")): "resolve",
        .known("dropOff"): "given Leeds",
    ],
    // The ledger checks that a rejected answer changes nothing.
    "an answer to a withdrawn prompt, or after the request has ended, is rejected": [
        .ask(.value): "…", .either(.correct("dropOff", "Leeds"), .cancel()): "…",
        .answer(.accept, "Airport", prompt: 1): "rejected unexpected prompt",
    ],
    "an answer to an older prompt does not answer the open prompt": [
        .ask(.confirmValue): "…", .answer(.decline): "resolve", .resolver(["dropOff": .isItNorth]): "…",
        .answer(.accept, prompt: 1): "rejected unexpected prompt",
    ],
    "an answer to a prompt that never existed is rejected": [
        .at(.queued, .resolving, .awaitingAnswer, .handling): "…",
        .event(.answered(Answer(prompt: "other.1", action: .accept, value: "Airport"))): "rejected unexpected prompt",
    ],
]

private let options: Dialogues = [
    "a prompt has the first 25 options; the others come in pages, until there is no next one": [
        .choice(): "prompt choice dropOff", .the(\.page?.options): "\(words(stops[..<25]))", .the(\.page?.total): "60",
        .the(\.page?.next): "25", .the(\.page?.omitsOptions): "false",
        .list(from: 25): "options \(ids(26...50)), next 50", .list(from: 50): "options \(ids(51...60))",
        .list(from: 58, limit: 1): "options 59, next 59", .list(from: 60): "options ", .list(from: .max): "options ",
    ],
    "a search finds each word in title, subtitle or synonyms, whatever their case and accents": [
        .choice(): "…", .list("STOP 13"): "options 13", .list("harbour 4", limit: 3): "options 34 40 41, next 3",
        .list("harbour 4", from: 3): "options \(ids(42...49)) 54", .list("öld mill"): "options 7",
        .list("airport"): "options ", .list("  ", limit: 1): "options 1, next 1",
    ],
    "an option of any page can be chosen, and a wrong one is named beside the first ten": [
        .choice(): "…", .answer(.accept, option: "61"): "rejected invalid option",
        .the(\.rejection?.message): "there is no option '61'; there are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 50 more",
        .answer(.accept, option: "59"): "resolve", .known("dropOff"): "chosen stop-59",
    ],
    "there are options only of the open prompt, and only if it is a choice": [
        .choice(): "…", .list(of: "none"): "rejected unexpected prompt", .answer(.accept, "somewhere"): "resolve",
        .list(ofPrompt: 1): "rejected unexpected prompt", .resolver(["dropOff": .missing]): "…",
        .list(): "rejected unexpected prompt",
    ],
    "each page says whether there are more values than options": [
        .request(): "resolve", .resolved(stopsOfMore): "prompt choice dropOff", .the(\.page?.omitsOptions): "true",
        .the(\.pageFrom50?.omitsOptions): "true",
    ],
]

private let escalation: Dialogues = [
    "by default a person is asked five times, and silence ends the request": [
        .at(.awaitingAnswer): "prompt value dropOff", .timer(): "completed r: timedOut",
        .or(.says("Moon", .noMatch)): "prompt choice dropOff", .the(\.prompt?.asked.unsupportedReason): "noMatch",
        .says("Moon", .noMatch): "prompt choice dropOff", .says("Moon", .noMatch): "prompt choice dropOff",
        .the(\.prompt?.dialog): "dropOff: that can't be used. What else?",
        .says("Moon", .noMatch): "prompt choice dropOff",
        .the(\.prompt?.dialog): "dropOff: that can't be used. What else? This is the last try.",
        .says("Moon", .noMatch): "completed r: failure", .the(\.error): "complex",
        .the(\.completion?.dialog): "There was no answer that can be used.",
    ],
    "a parameter that has been resolved is asked for anew, as often as before, once the person changes it": [
        .at(.awaitingAnswer): "prompt value dropOff", .misses("Moon", 4): "prompt choice dropOff",
        .answer(.accept, "North"): "resolve", .resolver(["dropOff": .success("North")]): "confirm",
        .confirmer(asking: .plain): "prompt confirmIntent",
        .answer(.accept, changing: ["dropOff": "Moon"]): "resolve",
        .resolver(["dropOff": .noMatch]): "prompt value dropOff",
        .misses("Moon", 4): "prompt choice dropOff", .says("Moon", .noMatch): "completed r: failure",
    ],
    "who wants none of the options is told what else can be done": [
        .ask(.choice): "prompt choice dropOff", .answer(.decline): "resolve",
        .resolver(["dropOff": .which]): "prompt choice dropOff",
        .the(\.prompt?.dialog): "There are no others. dropOff: which one?",
    ],
    "beyond its limit, no match offers the options, then fails with the intent's code": [
        .begin(AskPolicy(noMatch: 1, finally: .fail("failureNoSuchPlace"))): "prompt value dropOff",
        .says("Moon", .noMatch): "prompt value dropOff", .says("Mars", .noMatch): "prompt choice dropOff",
        .the(\.prompt?.options.count): "2", .the(\.prompt?.options.first?.id): "n",
        .says("Pluto", .noMatch): "completed r: failure failureNoSuchPlace",
    ],
    "an offered option counts as chosen": [
        .begin(AskPolicy(noMatch: 0)): "prompt value dropOff", .says("Moon", .noMatch): "prompt choice dropOff",
        .answer(.accept, option: "n"): "resolve", .known("dropOff"): "chosen station-north",
    ],
    "no match and unsupported values have their own counts": [
        .begin(AskPolicy(noMatch: 1, unsupported: 1, offersOptions: false)): "prompt value dropOff",
        .says("Moon", .noMatch): "prompt value dropOff", .says("Leeds", .notThere): "prompt value dropOff",
        .the(\.session.active?.asking.misses["dropOff"]?.noMatch): "1",
        .the(\.session.active?.asking.misses["dropOff"]?.unsupported): "1",
        .says("Leeds", .notThere): "completed r: failure",
    ],
    "each parameter has its own count of misses": [
        .begin(AskPolicy(unsupported: 0, offersOptions: false)): "prompt value dropOff",
        .answer(.accept, "Leeds"): "resolve",
        .resolver(["dropOff": .success("Leeds"), "party": .missing]): "prompt value party",
        .the(\.session.active?.asking.misses["party"]): "none", .answer(.accept, "many"): "resolve",
        .resolver(["dropOff": .success("Leeds"), "party": .notThere]): "completed r: failure",
    ],
    "after silence the person is asked again as often as the intent says, then offered the options": [
        .begin(AskPolicy(noAnswer: 2)): "prompt value dropOff", .timer(): "prompt value dropOff",
        .answer(.accept, "late", prompt: 1): "rejected unexpected prompt", .timer(): "prompt value dropOff",
        .timer(): "prompt choice dropOff", .timer(): "completed r: timedOut",
    ],
    "silence may have its own code, and the request still times out": [
        .begin(AskPolicy(offersOptions: false, finally: .fail("failureNobodyThere"))): "prompt value dropOff",
        .timer(): "completed r: timedOut failureNobodyThere",
    ],
    "escalation may end in the app, which gets the known values without unusable ones": [
        .request("r", ["party": "2", "dropOff": "Moon"]): "resolve",
        .resolver(
            ["party": .success(.number(2)), "dropOff": .noMatch],
            policy: IntentPolicy(asks: AskPolicy(noMatch: 0, finally: .handToApp))): "offer foreground",
        .the(\.offered): "party 2, dropOff none", .claim(): "claimed by phone", .complete(): "completed r: success",
    ],
    "silence may end in the app too": [
        .begin(AskPolicy(finally: .handToApp), offering: []): "prompt value dropOff", .timer(): "offer foreground",
    ],
    "the total number of prompts for one parameter is limited too, and escalates the same way": [
        .begin(AskPolicy(maximum: 2, noAnswer: 9, finally: .handToApp), offering: []): "prompt value dropOff",
        .timer(): "prompt value dropOff", .timer(): "offer foreground",
    ],
    "an unanswered confirmation is asked again, and never ends in the app or in a failure, whatever its limit": [
        .either(.at(.awaitingConfirmation, intent: once), .at(.awaitingConfirmation, intent: twice)):
            "prompt confirmIntent", .timer(): "prompt confirmIntent",
        .timer(): "completed r: timedOut",
    ],
    "an unanswered question from code never ends in the app or in a failure, whatever its limit": [
        .at(.handling, intent: twice): "handle", .asks("value:party", about: "party"): "prompt value party",
        .timer(): "prompt value party", .timer(): "completed r: timedOut",
    ],
    "a question with the same name as a parameter is counted separately": [
        .begin(AskPolicy(maximum: 1, noAnswer: 1)): "prompt value dropOff", .answer(.accept, "London"): "resolve",
        .resolver(["dropOff": .success("London")]): "confirm",
        .asks("dropOff", about: "dropOff"): "prompt value dropOff", .timer(): "prompt value dropOff",
    ],
    "after too many prompts the app gets no unusable value": [
        .request("r", ["dropOff": "Moon"]): "resolve",
        .resolver(["dropOff": .noMatch], policy: toTheApp): "prompt value dropOff", .answer(.accept, "Moon"): "resolve",
        .resolver(["dropOff": .noMatch]): "offer foreground", .the(\.offered): "dropOff none",
    ],
    "after too many prompts the app gets no list with an unusable value": [
        .request("r", ["dropOff": "Moon"]): "resolve",
        .worker(.finished(.resolved([moon])), phase: .resolve, policy: toTheApp): "prompt value dropOff[1]",
        .answer(.accept, "Moon"): "resolve", .resolved(moon): "offer foreground",
        .the(\.offered): #"dropOff ["London"]"#,
    ],
]

@Suite("Answering: each action has its own effect, and a missing answer escalates") struct AnsweringTests {
    private let talk = Talk()

    @Test(arguments: [answering, options, escalation].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: Prompt.Kind.allCases) func `cancelling a prompt cancels the request`(_ kind: Prompt.Kind) {
        talk.play([.ask(kind): "…", .answer(.cancel): "completed r: cancelled", .the(\.active): "none"])
    }

    @Test(arguments: Prompt.Kind.allCases) func `a second answer to a prompt is rejected`(_ kind: Prompt.Kind) {
        talk.play([
            .ask(kind): "…",
            .answer(.accept, kind == .value ? "Airport" : nil, option: kind == .choice ? "n" : nil): "…",
            .answer(.accept, "Airport", prompt: 1): "rejected unexpected prompt",
            .answer(.decline, "Airport", prompt: 1): "rejected unexpected prompt",
            .answer(.cancel, "Airport", prompt: 1): "rejected unexpected prompt",
        ])
    }

    @Test func `asking for options takes no turn and no time of the prompt`() {
        talk.play(.choice(), .passes(60))
        let before = talk.session.active
        talk.play([.list("stop 2", limit: 1): "options 2, next 1"])
        #expect(talk.session.active == before)
        #expect(talk.play(.timer()) == ["completed r: timedOut"])
    }
}

extension Step {
    fileprivate static func ask(_ kind: Prompt.Kind, _ id: Identifier = "r", at line: Line = #_sourceLocation) -> Step {
        let request = Step.request(id, ["dropOff": "Stat"])
        return switch kind {
        case .value: .steps(request, .resolver(["dropOff": .missing]))
        case .choice: .steps(request, .resolver(["dropOff": .which]))
        case .confirmValue: .steps(request, .resolver(["dropOff": .isItNorth]))
        case .confirmIntent: .steps(request, .resolver(), .confirmer(asking: ConfirmationRequest(summary: "Book")))
        case .signIn: .steps(request, .asks("signIn#1", .signIn(SignIn())))
        }
    }

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

    fileprivate static func begin(
        _ asks: AskPolicy, offering options: [ParameterOption] = stations, at line: Line = #_sourceLocation
    ) -> Step {
        .steps(
            .request(), .resolver(["dropOff": .missing], offering: options, policy: IntentPolicy(asks: asks)), at: line)
    }

    fileprivate static func says(
        _ value: JSON, _ resolution: ParameterResolution, at line: Line = #_sourceLocation
    ) -> Step { .steps(.answer(.accept, value), .resolver(["dropOff": resolution], offering: stations), at: line) }
}

extension Step {
    fileprivate static func misses(_ value: JSON, _ count: Int, at line: Line = #_sourceLocation) -> Step {
        Step(line) { talk in (0..<count).reduce([]) { _, _ in Step.says(value, .noMatch).play(on: talk) } }
    }
}

extension Talk {
    fileprivate var page: OptionsPage? { prompt.map { OptionsPage(of: $0) } }
    fileprivate var pageFrom50: OptionsPage? {
        prompt.map { OptionsPage(of: $0, OptionsRequest(prompt: $0.id, start: 50)) }
    }

    /// The values that the app gets.
    fileprivate var offered: [String] {
        session.handoffs.first?.interaction.parameters.map { "\($0.name) \(words($0.value as Any))" } ?? []
    }
}
