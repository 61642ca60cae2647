import Conversation
import IntentModel
import Testing

@Suite("How long a request takes")
struct RequestTimesTests {
    private let talk = Talk()

    private func wait(_ seconds: Int64) { talk.now = talk.now.advanced(by: .seconds(seconds)) }

    private var work: Int64? {
        talk.session.active.flatMap { $0.times.working(at: talk.now, waits: $0.waitsForPerson) }
    }

    @Test("counts the time of the pipeline, and the time of the person apart from it")
    func times() throws {
        talk.request()
        wait(2)
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        #expect(
            work == 2_000 && talk.session.active?.times.inStep(at: talk.now) == 0)
        wait(60)
        #expect(
            work == 2_000
                && talk.session.active?.times.inStep(at: talk.now) == 60_000)
        talk.answer(.accept, "Airport")
        wait(3)
        #expect(work == 5_000 && talk.session.active?.times.waited == 60_000)
    }

    @Test("what is ignored, and progress, begins no step")
    func sameStep() throws {
        talk.request()
        wait(1)
        talk.request()
        #expect(talk.session.active?.times.inStep(at: talk.now) == 1_000)
    }

    @Test("an interrupted request waits for the person meanwhile")
    func interrupted() throws {
        talk.request()
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        wait(10)
        talk.request("second", whenBusy: .interrupt)
        wait(20)
        talk.cancel("second")
        talk.worker(.cancelled)
        wait(5)
        #expect(talk.session.active?.request.id == "r" && work == 0)
    }

    @Test("is not known of a request that an earlier version has begun")
    func unknown() {
        let active = ActiveRequest(
            request: IntentRequest(id: "r", intent: "Book"), parameters: [], began: Instant(milliseconds: 0))
        #expect(active.times.working(at: talk.now, waits: false) == nil && active.times.inStep(at: talk.now) == nil)
    }
}
