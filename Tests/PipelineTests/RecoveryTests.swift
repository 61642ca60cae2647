import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog
import Testing

@Suite("A coordinator that crashes")
struct RecoveryTests {
    static let script = [
        "prompt value dropOff", "prompt choice dropOff", "prompt choice -", "prompt confirmIntent -", "progress 0.5",
        "prompt value tip", "completed success success",
    ]

    /// Plays the script. A coordinator that crashes is replaced at once.
    private func play(dyingAtCall call: Int?, _ point: CrashPoint) async throws -> (TestPipeline, calls: Int) {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        if let call { pipeline.log.planCrash(of: "coordinator", atCall: call, point) }
        try pipeline.startAll()
        var calls = 0
        try await pipeline.settleReplacingCrashed()
        try pipeline.send(Booking.request("r", ["confirm": "asks", "handle": "asks"]), session: "s", id: "r")
        try await pipeline.play(["dropOff": "Station", "dropOff": "s", "-": "n", "tip": "10 %"], session: "s") {
            try await pipeline.settleReplacingCrashed()
        }
        calls = pipeline.log.client(named: "coordinator")?.calls ?? 0
        return (pipeline, calls)
    }

    private func check(_ pipeline: TestPipeline, _ comment: Comment) throws {
        let results = try pipeline.results(session: "s")
        var bySequence: [Int: ReceivedResult] = [:]
        for result in results {
            let sequence = try #require(result.sequence, comment)
            if let first = bySequence[sequence] {
                // Only a coordinator that was paused and resumed may leave a copy; a crashed one may not.
                Issue.record(
                    "\(first.data.json == result.data.json ? "told twice" : "one number, two contents"): \(comment)")
            } else {
                #expect(sequence == bySequence.count + 1, comment)
                bySequence[sequence] = result
            }
        }
        #expect(bySequence.sorted { $0.key < $1.key }.map(\.value.line) == Self.script, comment)
    }

    @Test("the conversation without a crash")
    func withoutCrash() async throws {
        let (pipeline, calls) = try await play(dyingAtCall: nil, .beforeSending)
        try check(pipeline, "no crash")
        #expect(calls > 50)
        // The handler's last run got the answers and the recorded values of its earlier runs.
        #expect(
            try pipeline.results().last?.data["response"]?.json
                == .object(["hold": .string("H-1"), "tip": .string("10 %")]))
    }

    @Test(
        "the conversation continues the same, between whichever two of its calls it crashes",
        arguments: [CrashPoint.beforeSending, .afterSending, .duringSending(written: 1), .duringSending(written: 2)])
    func everyBoundary(_ point: CrashPoint) async throws {
        let (_, calls) = try await play(dyingAtCall: nil, point)
        for call in 1...calls {
            let (pipeline, _) = try await play(dyingAtCall: call, point)
            try check(pipeline, "died at call \(call), \(point)")
        }
    }
}
