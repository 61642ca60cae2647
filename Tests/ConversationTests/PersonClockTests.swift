import Conversation
import IntentModel
import Testing

@Suite("The clock and the zone of the person go with what they say")
struct PersonClockTests {
    private static let dialogues: Dialogues = [
        "work has the zone, and the time of the request": [
            .clocked(): "resolve", .the(\.item?.timeZone): "Europe/Amsterdam", .the(\.workIsAhead): "0.0",
        ],
        "of a request without either, work has neither": [
            .request(): "resolve", .the(\.item?.timeZone): "none", .the(\.workIsAhead): "none",
        ],
        "an answer and a correction are read at the time at which they came": [
            .clocked(): "resolve", .resolver(["dropOff": .missing]): "prompt value dropOff", .passes(90): [],
            .answer(.accept, "tomorrow"): "resolve", .the(\.workIsAhead): "0.0", .resolver(): "confirm",
            .passes(5): [], .correct("dropOff", "today"): "resolve", .the(\.workIsAhead): "0.0",
        ],
        "a try that is repeated, and later phases, read what was said at the time at which it was said": [
            .clocked(): "resolve", .fails(.retry(after: .seconds(20))): [], .timer(): "resolve attempt 2",
            .the(\.workIsAhead): "-20.0", .resolver(): "confirm", .the(\.workIsAhead): "-20.0",
        ],
        "a request that has waited for its turn is read at the time at which it came": [
            .at(.awaitingAnswer, id: "first"): "…", .clocked("second"): "queued", .passes(60): [],
            .cancel("first"): ["completed first: cancelled cancelled", "resolve"], .the(\.active): "second",
            .the(\.workIsAhead): "-60.0",
        ],
        "a clock that is ahead or behind stays so": [
            .clocked(ahead: -86_400): "resolve", .the(\.workIsAhead): "-86400.0",
            .resolver(["dropOff": .missing]): "prompt value dropOff", .passes(60): [],
            .answer(.accept, "tomorrow"): "resolve", .the(\.workIsAhead): "-86400.0",
        ],
    ]

    @Test("as in the dialogues", arguments: dialogues.cases)
    func plays(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    /// Sends a request with the person's clock.
    fileprivate static func clocked(
        _ id: Identifier = "r", ahead seconds: Int64 = 0, at line: Line = #_sourceLocation
    ) -> Step {
        .request(id, at: line) {
            $0.clock = PersonClock(timeZone: "Europe/Amsterdam", ahead: seconds * 1_000, said: Talk.start)
        }
    }
}

extension Talk {
    /// The seconds by which the work's time is ahead of the session's.
    fileprivate var workIsAhead: Double? { seconds(until: item?.now) }
}
