import Conversation
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A worker whose client has no room for outcomes")
struct ClientBacklogTests {
    @Test(
        "keeps a bounded number of bytes: it takes no more work, leaves progress out, and reports every outcome in the end"
    )
    func bytes() async throws {
        let calls = Recorder<String>()
        let pipeline = try await TestPipeline(partitions: 1, queueLimit: 2) { invocation, report in
            calls.record(invocation.context.request.text)
            for step in 1...50 {
                report(IntentProgress(fraction: Double(step) / 100, dialog: String(repeating: "x", count: 1_000)))
            }
            return .responded(IntentResponse(.success))
        }
        pipeline.configureWorker = { $0.maximumUnsentBytes = 20_000 }
        try pipeline.startWorker("handler", .handle)
        try await pipeline.settle()
        for number in 1...60 { try pipeline.give("r\(number)", session: "s\(number)") }
        try await pipeline.settle()
        let finished = try pipeline.outcomes().filter { if case .finished = $0.content { true } else { false } }
        #expect(Set(finished.map(\.request)).count == 60)
        #expect((pipeline.workers["handler"]?.counters.leftOut ?? 0) > 0)
        #expect(pipeline.committed == CommittedOffset(offset: 60))
    }
}
