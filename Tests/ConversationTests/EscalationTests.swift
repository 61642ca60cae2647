import Conversation
import IntentModel
import Testing

@Suite("Escalation: silence, no match and unsupported are counted separately, and escalate in steps")
struct EscalationTests {
    let talk = Talk()
    static let options = [Station.north, Station.south]
    static let noMatch = ParameterResolution.unsupported(reason: "noMatch", dialog: nil)

    private func says(_ value: String, _ resolution: ParameterResolution, _ location: SourceLocation = #_sourceLocation)
        -> [String]
    {
        talk.answer(.accept, value, location)
        return talk.resolver(["dropOff": resolution], offering: Self.options, location)
    }

    private func begin(_ asks: AskPolicy, offering options: [ParameterOption] = Self.options) {
        talk.request()
        talk.resolver(["dropOff": Station.missing], offering: options, policy: IntentPolicy(asks: asks))
    }

    @Test("by default a person is asked five times, and silence ends the request")
    func byDefault() {
        talk.bring(to: .awaitingAnswer, "a")
        #expect(talk.waitForTimer() == ["completed a: timedOut requestTimedOut"])
        talk.bring(to: .awaitingAnswer, "b")
        for _ in 2...5 { #expect(says("Moon", Self.noMatch) == ["prompt value dropOff"]) }
        #expect(says("Moon", Self.noMatch) == ["completed b: failure failure"])
        #expect(talk.completion?.error?.reason == .complex)
    }

    @Test("beyond its limit, no match offers the options, then fails with the intent's code")
    func noMatch() {
        begin(AskPolicy(noMatch: 1, finally: .fail("failureNoSuchPlace")))
        #expect(says("Moon", Self.noMatch) == ["prompt value dropOff"])
        #expect(says("Mars", Self.noMatch) == ["prompt choice dropOff"])
        #expect(talk.prompt?.options == Self.options)
        #expect(says("Pluto", Self.noMatch) == ["completed r: failure failureNoSuchPlace"])
    }

    @Test("an offered option counts as chosen")
    func chosen() {
        begin(AskPolicy(noMatch: 0))
        #expect(says("Moon", Self.noMatch) == ["prompt choice dropOff"])
        talk.answer(.accept, option: "n")
        #expect(talk.known("dropOff") == "chosen station-north")
    }

    @Test("each kind has its own count")
    func apart() {
        begin(AskPolicy(noMatch: 1, unsupported: 1, offersOptions: false))
        #expect(says("Moon", Self.noMatch) == ["prompt value dropOff"])
        #expect(says("Leeds", Station.notThere) == ["prompt value dropOff"])
        #expect(talk.session.active?.asking.misses["dropOff"]?.noMatch == 1)
        #expect(talk.session.active?.asking.misses["dropOff"]?.unsupported == 1)
        #expect(says("Leeds", Station.notThere) == ["completed r: failure failure"])
    }

    @Test("each parameter has its own count")
    func eachParameter() {
        begin(AskPolicy(unsupported: 0, offersOptions: false))
        talk.answer(.accept, "Leeds")
        talk.resolver(["dropOff": .success(.string("Leeds")), "party": Station.missing])
        #expect(talk.session.active?.asking.misses["party"] == nil)
        talk.answer(.accept, "many")
        #expect(
            talk.resolver(["dropOff": .success(.string("Leeds")), "party": Station.notThere]) == [
                "completed r: failure failure"
            ])
    }

    @Test(
        "after silence the person is asked again as often as the intent says, then offered the options, then the request times out"
    )
    func silence() {
        begin(AskPolicy(noAnswer: 2))
        let first = talk.prompt?.id
        #expect(talk.waitForTimer() == ["prompt value dropOff"])
        #expect(talk.prompt?.id != first)
        #expect(talk.answer(.accept, "late", prompt: first) == ["rejected unexpected prompt"])
        #expect(talk.waitForTimer() == ["prompt value dropOff"])
        #expect(talk.waitForTimer() == ["prompt choice dropOff"])
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
    }

    @Test("silence may have its own code, and the request still times out")
    func silenceCode() {
        begin(AskPolicy(offersOptions: false, finally: .fail("failureNobodyThere")))
        #expect(talk.waitForTimer() == ["completed r: timedOut failureNobodyThere"])
    }

    @Test("escalation may end in the app, which gets the known values without unusable ones")
    func handToApp() throws {
        talk.request("r", ["party": "2", "dropOff": "Moon"])
        let policy = IntentPolicy(asks: AskPolicy(noMatch: 0, finally: .handToApp))
        #expect(
            talk.resolver(["party": .success(.number(2)), "dropOff": Self.noMatch], policy: policy) == [
                "offer foreground"
            ])
        let interaction = try #require(talk.session.handoffs.first).interaction
        #expect(interaction.parameters.filter { $0.value != nil }.map(\.name) == ["party"])
        talk.claim()
        #expect(talk.complete() == ["completed r: success success"])
    }

    @Test("silence may end in the app too")
    func silenceToApp() {
        begin(AskPolicy(finally: .handToApp), offering: [])
        #expect(talk.waitForTimer() == ["offer foreground"])
    }

    @Test("the total number of prompts for one parameter is limited too, and escalates the same way")
    func maximum() {
        begin(AskPolicy(maximum: 2, noAnswer: 9, finally: .handToApp), offering: [])
        #expect(talk.waitForTimer() == ["prompt value dropOff"])
        #expect(talk.waitForTimer() == ["offer foreground"])
    }

    @Test("an unanswered confirmation is asked again, then the request times out")
    func confirmation() {
        talk.bring(to: .awaitingConfirmation, intent: IntentPolicy(asks: AskPolicy(noAnswer: 1, finally: .handToApp)))
        #expect(talk.waitForTimer() == ["prompt confirmIntent"])
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
    }

    @Test("an unanswered confirmation or question from code never ends in the app or in a failure, whatever its limit")
    func silenceWithoutValue() {
        let policy = IntentPolicy(asks: AskPolicy(maximum: 1, noAnswer: 9, finally: .handToApp))
        talk.bring(to: .awaitingConfirmation, "a", intent: policy)
        #expect(talk.waitForTimer() == ["prompt confirmIntent"])
        #expect(talk.waitForTimer() == ["completed a: timedOut requestTimedOut"])
        talk.bring(to: .handling, "b", intent: policy)
        talk.asks("value:party", .value, about: "party")
        #expect(talk.waitForTimer() == ["prompt value party"])
        #expect(talk.waitForTimer() == ["completed b: timedOut requestTimedOut"])
    }

    @Test("a question with the same name as a parameter is counted separately")
    func questionLikeParameter() {
        begin(AskPolicy(maximum: 1, noAnswer: 1))
        talk.answer(.accept, "London")
        talk.resolver(["dropOff": .success(.string("London"))])
        #expect(talk.asks("dropOff", .value, about: "dropOff") == ["prompt value dropOff"])
        #expect(talk.waitForTimer() == ["prompt value dropOff"])
    }

    @Test("after too many prompts the app gets no unusable value, nor a list with one", arguments: [false, true])
    func unusableAtMaximum(_ isList: Bool) throws {
        talk.request("r", ["dropOff": "Moon"])
        let list = ListElement(index: 1, list: [.string("London"), .string("Moon")], origins: [.resolved, .given])
        let moon = ResolvedParameter(name: "dropOff", resolution: Self.noMatch, element: isList ? list : nil)
        let policy = IntentPolicy(asks: AskPolicy(maximum: 1, finally: .handToApp))
        talk.worker(.finished(.resolved([moon])), phase: .resolve, policy: policy)
        talk.answer(.accept, "Moon")
        #expect(talk.resolver([moon]) == ["offer foreground"])
        let interaction = try #require(talk.session.handoffs.first).interaction
        #expect(interaction.parameters.first?.value == (isList ? .array([.string("London")]) : nil))
    }
}
