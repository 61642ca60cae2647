import Conversation
import IntentModel
import Testing

@Suite("Escalation: silence, no match and unsupported are counted separately, and escalate in steps")
struct EscalationTests {
    private static let dialogues: Dialogues = [
        "by default a person is asked five times, and silence ends the request": [
            .at(.awaitingAnswer): "prompt value dropOff", .timer(): "completed r: timedOut requestTimedOut",
            .or(.says("Moon", .noMatch)): "prompt value dropOff", .says("Moon", .noMatch): "prompt value dropOff",
            .says("Moon", .noMatch): "prompt value dropOff", .says("Moon", .noMatch): "prompt value dropOff",
            .says("Moon", .noMatch): "completed r: failure failure", .the(\.error): "complex",
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
        "each kind has its own count": [
            .begin(AskPolicy(noMatch: 1, unsupported: 1, offersOptions: false)): "prompt value dropOff",
            .says("Moon", .noMatch): "prompt value dropOff", .says("Leeds", .notThere): "prompt value dropOff",
            .the(\.session.active?.asking.misses["dropOff"]?.noMatch): "1",
            .the(\.session.active?.asking.misses["dropOff"]?.unsupported): "1",
            .says("Leeds", .notThere): "completed r: failure failure",
        ],
        "each parameter has its own count": [
            .begin(AskPolicy(unsupported: 0, offersOptions: false)): "prompt value dropOff",
            .answer(.accept, "Leeds"): "resolve",
            .resolver(["dropOff": .success("Leeds"), "party": .missing]): "prompt value party",
            .the(\.session.active?.asking.misses["party"]): "none", .answer(.accept, "many"): "resolve",
            .resolver(["dropOff": .success("Leeds"), "party": .notThere]): "completed r: failure failure",
        ],
        "after silence the person is asked again as often as the intent says, then offered the options": [
            .begin(AskPolicy(noAnswer: 2)): "prompt value dropOff", .timer(): "prompt value dropOff",
            .answer(.accept, "late", prompt: 1): "rejected unexpected prompt", .timer(): "prompt value dropOff",
            .timer(): "prompt choice dropOff", .timer(): "completed r: timedOut requestTimedOut",
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
            .the(\.offered): "party 2, dropOff none", .claim(): "claimed by phone",
            .complete(): "completed r: success success",
        ],
        "silence may end in the app too": [
            .begin(AskPolicy(finally: .handToApp), offering: []): "prompt value dropOff", .timer(): "offer foreground",
        ],
        "the total number of prompts for one parameter is limited too, and escalates the same way": [
            .begin(AskPolicy(maximum: 2, noAnswer: 9, finally: .handToApp), offering: []): "prompt value dropOff",
            .timer(): "prompt value dropOff", .timer(): "offer foreground",
        ],
        "an unanswered confirmation is asked again, then the request times out": [
            .at(.awaitingConfirmation, intent: IntentPolicy(asks: AskPolicy(noAnswer: 1, finally: .handToApp))): "…",
            .timer(): "prompt confirmIntent", .timer(): "completed r: timedOut requestTimedOut",
        ],
        "an unanswered confirmation never ends in the app or in a failure, whatever its limit": [
            .at(.awaitingConfirmation, intent: twice): "prompt confirmIntent", .timer(): "prompt confirmIntent",
            .timer(): "completed r: timedOut requestTimedOut",
        ],
        "an unanswered question from code never ends in the app or in a failure, whatever its limit": [
            .at(.handling, intent: twice): "handle", .asks("value:party", about: "party"): "prompt value party",
            .timer(): "prompt value party", .timer(): "completed r: timedOut requestTimedOut",
        ],
        "a question with the same name as a parameter is counted separately": [
            .begin(AskPolicy(maximum: 1, noAnswer: 1)): "prompt value dropOff", .answer(.accept, "London"): "resolve",
            .resolver(["dropOff": .success("London")]): "confirm",
            .asks("dropOff", about: "dropOff"): "prompt value dropOff", .timer(): "prompt value dropOff",
        ],
        "after too many prompts the app gets no unusable value": [
            .request("r", ["dropOff": "Moon"]): "resolve",
            .resolver(["dropOff": .noMatch], policy: toTheApp): "prompt value dropOff",
            .answer(.accept, "Moon"): "resolve", .resolver(["dropOff": .noMatch]): "offer foreground",
            .the(\.offered): "dropOff none",
        ],
        "after too many prompts the app gets no list with an unusable value": [
            .request("r", ["dropOff": "Moon"]): "resolve",
            .worker(.finished(.resolved([moon])), phase: .resolve, policy: toTheApp): "prompt value dropOff[1]",
            .answer(.accept, "Moon"): "resolve", .resolved(moon): "offer foreground",
            .the(\.offered): #"dropOff ["London"]"#,
        ],
    ]

    private static let twice = IntentPolicy(asks: AskPolicy(maximum: 1, noAnswer: 9, finally: .handToApp))
    private static let toTheApp = IntentPolicy(asks: AskPolicy(maximum: 1, finally: .handToApp))
    private static let moon = ResolvedParameter(
        name: "dropOff", resolution: .noMatch,
        element: ListElement(index: 1, list: ["London", "Moon"], origins: [.resolved, .given]))

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

private let stations = [Station.north, Station.south]

extension Step {
    fileprivate static func begin(
        _ asks: AskPolicy, offering options: [ParameterOption] = stations,
        at line: Line = #_sourceLocation
    ) -> Step {
        .steps(
            .request(), .resolver(["dropOff": .missing], offering: options, policy: IntentPolicy(asks: asks)),
            at: line)
    }

    fileprivate static func says(
        _ value: JSON, _ resolution: ParameterResolution, at line: Line = #_sourceLocation
    ) -> Step {
        .steps(.answer(.accept, value), .resolver(["dropOff": resolution], offering: stations), at: line)
    }
}

extension Talk {
    /// The values that the app gets.
    fileprivate var offered: [String] {
        session.handoffs.first?.interaction.parameters.map { "\($0.name) \(words($0.value as Any))" } ?? []
    }
}
