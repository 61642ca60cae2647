import Conversation
import IntentModel
import Testing

@Suite("The clock and the zone of the person go with what they say")
struct PersonClockTests {
    private let talk = Talk()

    private func request(_ id: Identifier = "r", ahead: Duration = .zero) {
        var request = IntentRequest(id: id, intent: "Book")
        let milliseconds = Int64(ahead / .milliseconds(1))
        request.clock = PersonClock(timeZone: "Europe/Amsterdam", ahead: milliseconds, said: talk.now)
        talk.receive(.requested(request))
    }

    @Test("work has the zone, and the time of the request")
    func work() {
        request()
        #expect(talk.work?.item?.timeZone == "Europe/Amsterdam" && talk.work?.item?.now == talk.now)
    }

    @Test("of a request without either, work has neither")
    func none() {
        talk.request()
        #expect(talk.work?.item?.timeZone == nil && talk.work?.item?.now == nil)
    }

    @Test("an answer and a correction are read at the time at which they came")
    func later() {
        request()
        talk.resolver(["dropOff": Station.missing])
        talk.now = talk.now.advanced(by: .seconds(90))
        talk.answer(.accept, "tomorrow")
        #expect(talk.work?.item?.now == talk.now)
        talk.resolver()
        talk.now = talk.now.advanced(by: .seconds(5))
        talk.correct("dropOff", "today")
        #expect(talk.work?.item?.now == talk.now)
    }

    @Test("a try that is repeated, and later phases, read what was said at the time at which it was said")
    func repeats() {
        request()
        let said = talk.now
        talk.fails(.retry(after: .seconds(20)))
        #expect(talk.waitForTimer() == ["resolve attempt 2"])
        #expect(talk.work?.item?.now == said)
        talk.resolver()
        #expect(talk.work?.item?.now == said)
    }

    @Test("a request that has waited for its turn is read at the time at which it came")
    func queued() {
        talk.bring(to: .awaitingAnswer, "first")
        let said = talk.now
        request("second")
        talk.now = talk.now.advanced(by: .seconds(60))
        talk.cancel("first")
        #expect(talk.session.active?.request.id == "second" && talk.work?.item?.now == said)
    }

    @Test("a clock that is ahead or behind stays so")
    func ahead() {
        request(ahead: .seconds(-86_400))
        #expect(talk.work?.item?.now == talk.now.advanced(by: .seconds(-86_400)))
        talk.resolver(["dropOff": Station.missing])
        talk.now = talk.now.advanced(by: .seconds(60))
        talk.answer(.accept, "tomorrow")
        #expect(talk.work?.item?.now == talk.now.advanced(by: .seconds(-86_400)))
    }
}
