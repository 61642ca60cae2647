import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import PersonGateway
import Pipeline
import PipelineService
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@Suite("The spans of a gateway")
struct SendTracingTests {
    private final class Spans: SpanRecorder {
        private let recorded = Mutex<[FinishedSpan]>([])
        var all: [FinishedSpan] { recorded.withLock { $0 } }
        func record(_ span: FinishedSpan) { recorded.withLock { $0.append(span) } }
        let followsSender = true
        func isRecorded(_ context: SpanContext) -> Bool { context.isSampled }
        func newTrace() -> (high: UInt64, low: UInt64, isSampled: Bool) { (7, 7, true) }
    }

    private static let caller = SpanContext(traceHigh: 1, traceLow: 2, span: 3, isSampled: true, state: "a=b")

    @Test(
        "what is said is a part of the caller's trace, or begins one, and goes on in it",
        arguments: [caller.trace, nil])
    func said(trace: TraceContext?) async throws {
        let spans = Spans()
        let running = try await RunningGateway(tracer: OTLPTracer(spans))
        let place = try await running.say(
            SaidEvent(.requested, session: "s", id: "r", data: .object(["intent": "Order"]), trace: trace))
        let span = try #require(spans.all.first)
        #expect(
            spans.all.count == 1 && span.kind == .producer && span.name == "send intents.answers" && span.error == nil)
        #expect(span.parent == (trace == nil ? nil : Self.caller.span))
        #expect(span.context.traceLow == (trace == nil ? 7 : Self.caller.traceLow))
        #expect(span.attributes["messaging.kafka.offset"] == .number(Int(place.offset)))
        let record = try #require(running.pipeline.log.records(in: running.pipeline.topics.answers).first)
        #expect(record.header("traceparent").map { String(decoding: $0, as: UTF8.self) } == span.context.traceparent)
        #expect(record.header("tracestate").map { String(decoding: $0, as: UTF8.self) } == (trace == nil ? nil : "a=b"))
    }

    @Test("what is refused is a span that has failed, and has nothing of what was said")
    func refused() async throws {
        let spans = Spans()
        let running = try await RunningGateway(tracer: OTLPTracer(spans))
        await #expect(throws: GatewayProblem.self) {
            try await running.say(SaidEvent(.requested, session: "s", id: "r", data: .object(["intnet": "planted"])))
        }
        let span = try #require(spans.all.first)
        #expect(span.error != nil && !"\(span)".contains("planted"))
    }
}
