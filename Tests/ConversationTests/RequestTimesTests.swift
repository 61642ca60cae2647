import Conversation
import IntentModel
import Testing

@Suite("How long a request takes")
struct RequestTimesTests {
    private static let dialogues: Dialogues = [
        "counts the time of the pipeline, and the time of the person apart from it": [
            .request(): "resolve", .passes(2): [], .resolver(["dropOff": .missing]): "…", .the(\.working): "2000",
            .the(\.inStep): "0", .passes(60): [], .the(\.working): "2000", .the(\.inStep): "60000",
            .answer(.accept, "Airport"): "resolve", .passes(3): [], .the(\.working): "5000",
            .the(\.session.active?.times.waited): "60000",
        ],
        "what is ignored, and progress, begins no step": [
            .request(): "resolve", .passes(1): [], .request(): "ignored duplicateRequest", .the(\.inStep): "1000",
        ],
        "an interrupted request waits for the person meanwhile": [
            .at(.awaitingAnswer): "…", .passes(10): [], .request("second", whenBusy: .interrupt): "resolve",
            .passes(20): [], .cancel("second"): "…", .worker(.cancelled): "…", .passes(5): [], .the(\.active): "r",
            .the(\.working): "0",
        ],
    ]

    @Test("as in the dialogues", arguments: dialogues.cases)
    func plays(_ dialogue: Dialogue) { Talk().play(dialogue) }

    @Test("is not known of a request that an earlier version has begun")
    func unknown() {
        let active = ActiveRequest(
            request: IntentRequest(id: "r", intent: "Book"), parameters: [], began: Instant(milliseconds: 0))
        #expect(active.times.working(at: Talk.start, waits: false) == nil && active.times.inStep(at: Talk.start) == nil)
    }
}

extension Talk {
    fileprivate var working: Int64? { session.active.flatMap { $0.times.working(at: now, waits: $0.waitsForPerson) } }
    fileprivate var inStep: Int64? { session.active?.times.inStep(at: now) }
}
