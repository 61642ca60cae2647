import Conversation
import IntentEvents
import IntentKit
import IntentModel
import Logging
import PipelineService
import PipelineTestKit
import RecordLog
import Synchronization
import Testing
import Tracing

@testable import Pipeline

@Suite("What a pipeline tells of itself")
struct TelemetryFlowTests {
    private let registry = PrometheusRegistry(
        described: PipelineMetric.all, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    private let spans = Spans()

    private final class Spans: SpanRecorder {
        let all = Mutex<[FinishedSpan]>([])
        private let isOn: Bool
        init(isOn: Bool = true) { self.isOn = isOn }
        func record(_ span: FinishedSpan) { if span.context.isSampled { all.withLock { $0.append(span) } } }
        let followsSender = true
        func isRecorded(_ context: SpanContext) -> Bool { context.isSampled }
        func newTrace() -> (high: UInt64, low: UInt64, isSampled: Bool) { (7, 7, isOn) }
    }

    private func pipeline(perform: @escaping Worker.Perform = Booking.perform) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(perform: perform)
        pipeline.metrics = registry
        pipeline.tracing = (spans, OTLPTracer(spans))
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    /// The samples of a metric.
    private func samples(_ prefix: String) -> [String] {
        registry.text(.prometheus).split(separator: "\n").filter { $0.hasPrefix(prefix) }.map(String.init)
    }

    @Test(
        "a request is counted with its prompts, phases and completion, and the person's time is in none of its durations"
    )
    func request() async throws {
        let pipeline = try await pipeline()
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        pipeline.clock.advance(by: .seconds(40))
        try await pipeline.play(["dropOff": "Airport"], session: "s")
        pipeline.publishMetrics()
        #expect(
            samples("intents_results_total") == [
                #"intents_results_total{code="success",intent="Book",status="success"} 1"#
            ])
        #expect(
            samples("intents_prompts_total") == [
                #"intents_prompts_total{kind="confirmIntent"} 1"#, #"intents_prompts_total{kind="value"} 1"#,
            ])
        #expect(samples(#"intents_prompt_wait_seconds_bucket{kind="value",le="30"}"#).first?.hasSuffix(" 0") == true)
        #expect(samples(#"intents_prompt_wait_seconds_bucket{kind="value",le="60"}"#).first?.hasSuffix(" 1") == true)
        #expect(
            samples(#"intents_run_duration_seconds_bucket{code="success",intent="Book",le="10"}"#).first?.hasSuffix(
                " 1") == true)
        #expect(samples("intents_run_turns_sum") == [#"intents_run_turns_sum{intent="Book"} 2"#])
        #expect(
            samples("intents_stage_duration_seconds_count") == [
                #"intents_stage_duration_seconds_count{intent="Book",outcome="success",stage="confirm"} 1"#,
                #"intents_stage_duration_seconds_count{intent="Book",outcome="success",stage="handle"} 1"#,
                #"intents_stage_duration_seconds_count{intent="Book",outcome="success",stage="resolve"} 2"#,
            ])
        #expect(samples("intents_handler_duration_seconds_count").count == 3)
        #expect(samples("intents_sessions_open") == ["intents_sessions_open 1"])
        #expect(
            samples(#"intents_events_consumed_total{topic="intents.requests",type="prompt"#) == [
                #"intents_events_consumed_total{topic="intents.requests",type="prompt.answered.v1"} 2"#
            ])
        #expect(
            samples(#"intents_events_produced_total{topic="intents.results",type="intent.completed.v1"}"#).first?
                .hasSuffix(" 1") == true)
        #expect(
            samples("intents_consumer_lag").allSatisfy { $0.hasSuffix(" 0") }
                && samples("intents_consumer_lag").count == 2 * 3 + 2 * 4)
        #expect(samples("intents_partition_restore_seconds_count") == ["intents_partition_restore_seconds_count 2"])
    }

    @Test("tries, refusals, what is ignored and dead letters are counted by their reasons")
    func troubles() async throws {
        let pipeline = try await pipeline()
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "none", "handle": "retry"]), session: "s", id: "r")
        try await pipeline.settle()
        for _ in 0..<2 {
            pipeline.clock.advance(by: .seconds(10))
            try await pipeline.settle()
        }
        try pipeline.send(.answered(Answer(prompt: "none", action: .accept)), session: "s", id: "late")
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try pipeline.log.append(
            Record(topic: pipeline.topics.outcomes, partition: 0, key: Bytes("s".utf8), value: Bytes("{".utf8)))
        try await pipeline.settle()
        pipeline.publishMetrics()
        #expect(samples("intents_retries_total") == [#"intents_retries_total{reason="busy",stage="handle"} 2"#])
        #expect(
            samples(#"intents_stage_duration_seconds_count{intent="Book",outcome="retry",stage="handle"} 2"#).count == 1
        )
        #expect(samples("intents_events_refused_total") == [#"intents_events_refused_total{reason="unexpected"} 1"#])
        #expect(
            samples("intents_events_ignored_total{reason=\"duplicateRequest\"}") == [
                #"intents_events_ignored_total{reason="duplicateRequest"} 1"#
            ])
        #expect(
            samples("intents_dead_letters_total").filter { !$0.hasSuffix(" 0") } == [
                #"intents_dead_letters_total{reason="unparseable",stage="coordinator"} 1"#
            ])
    }

    @Test(
        "what an alert watches has a series before anything happens, and says how many partitions there are without an owner"
    )
    func beginnings() async throws {
        let pipeline = try await pipeline()
        pipeline.publishMetrics()
        let letters = samples("intents_dead_letters_total")
        #expect(
            letters.count == RejectionReason.allCases.count * 5 && letters.allSatisfy { $0.hasSuffix(" 0") },
            "\(letters)")
        for metric in ["intents_input_lost_total", "intents_journal_gaps_total", "intents_partitions_stopped"] {
            #expect(samples(metric) == ["\(metric) 0"])
        }
        #expect(samples("intents_partitions ") == ["intents_partitions 2"])
    }

    @Test("for how long an open transaction has withheld input is told for each partition, and is 0 where none is open")
    func transaction() async throws {
        let pipeline = try await pipeline()
        pipeline.log.beginTransaction(in: TopicPartition(pipeline.topics.requests, 1))
        try pipeline.log.append(
            Record(topic: pipeline.topics.requests, partition: 1, key: Bytes("s".utf8), value: Bytes("{}".utf8)))
        for _ in 0..<4 {
            pipeline.clock.advance(by: .seconds(6))
            try await pipeline.settle()
        }
        pipeline.publishMetrics()
        let told = samples("intents_input_withheld_seconds")
        #expect(told.count == 2 * 3 && told.count { $0.hasSuffix(" 0") } == 2 * 3 - 1, "\(told)")
        #expect(
            told.contains {
                $0.hasPrefix(#"intents_input_withheld_seconds{partition="1",topic="intents.requests"}"#)
                    && !$0.hasSuffix(" 0")
            })
    }

    @Test(
        "however many codes workers make up, and whatever intents are asked for, a metric has a bounded number of series"
    )
    func bounded() async throws {
        let pipeline = try await pipeline { invocation, _ in
            switch invocation.phase {
            case .resolve: .resolved([])
            case .confirm: .responded(IntentResponse(.ready))
            case .handle: .responded(IntentResponse(ResponseCode(rawValue: "failure\(invocation.context.request)")))
            }
        }
        for number in 0..<(PipelineMetric.maximumSeries + 20) {
            let request = IntentRequest(id: "\(number)", intent: "Made up \(number)")
            try pipeline.send(.requested(request), session: "s\(number)", id: "\(number)")
        }
        try await pipeline.settle()
        #expect(samples("intents_results_total").count == PipelineMetric.maximumSeries + 1)
        #expect(
            samples(#"intents_results_total{code="other",intent="other",status="other"}"#).first?.hasSuffix(" 20")
                == true)
    }

    @Test("an intent that is not in the catalogue shares a series, which still says how its requests ended")
    func shared() {
        var series = MetricSeries<MetricLabels, String>(.results) { _, labels in labels.map(\.1).joined(separator: " ")
        }
        for number in 0..<(2 * PipelineMetric.maximumSeries) {
            let key = MetricLabels("made up \(number)", "unsupported", "noHandler")
            #expect(
                series[key, { nil }, shared: MetricLabels("other", "unsupported", "noHandler")]
                    == "other unsupported noHandler")
        }
        for number in 0..<(2 * PipelineMetric.maximumSeries) {
            let key = MetricLabels("made up", "failure", "\(number)")
            let labels = MetricLabels("other", "failure", "\(number)")
            let expected = number < PipelineMetric.maximumSeries - 1 ? "other failure \(number)" : "other other other"
            #expect(series[key, { nil }, shared: labels] == expected)
        }
    }

    @Test("a request is one trace: its span has those of its phases and waits, and theirs have those of the workers")
    func trace() async throws {
        let seen = Mutex<[String?]>([])
        let pipeline = try await pipeline { invocation, report in
            let context = InstrumentationContext.current
            seen.withLock { $0.append(context?[SpanContextKey.self]?.traceparent) }
            #expect(context?[SpanContextKey.self]?.traceparent == invocation.context.traceparent)
            #expect(WorkContext.current?.session == "s" && WorkContext.current?.request == "r")
            return await Booking.perform(invocation, report)
        }
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        // Another coordinator continues the request, and the spans still form one trace.
        try await pipeline.settle()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        pipeline.clock.advance(by: .seconds(3))
        try await pipeline.play(["dropOff": "Airport"], session: "s")
        let all = spans.all.withLock { $0 }
        let run = try #require(all.first { $0.name == "Book" })
        #expect(Set(all.map(\.context.traceID)).count == 1 && run.parent == nil && run.kind == .consumer)
        let steps = all.filter { $0.parent == run.context.span }
        #expect(
            steps.map(\.name) == ["resolve", "prompt value", "resolve", "confirm", "prompt confirmIntent", "handle"])
        #expect(
            steps[1].attributes["intents.parameter"] == .text("dropOff")
                && steps[1].end - steps[1].start >= 3_000_000_000)
        let calls = all.filter { $0.name.hasPrefix("process ") }
        #expect(
            calls.map(\.name) == [
                "process intents.resolve", "process intents.resolve", "process intents.confirm",
                "process intents.handle",
            ])
        #expect(
            calls.map(\.parent) == [0, 2, 3, 5].map { steps[$0].context.span }
                && calls.allSatisfy { $0.kind == .consumer && $0.links.count == 1 })
        #expect(
            calls[0].attributes["messaging.system"] == .text("kafka")
                && calls[0].attributes["messaging.message.conversation_id"] == .text("s"))
        #expect(seen.withLock { $0 } == calls.map(\.context.traceparent))
        // Each outcome carries the span of its call.
        let outcomes = pipeline.log.records(in: pipeline.topics.outcomes).map {
            $0.header("traceparent").map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(Set(outcomes) == Set(calls.map(\.context.traceparent)))
    }

    @Test(
        "a request that comes with a trace belongs to it, and is recorded only if its sender records it",
        arguments: [true, false])
    func sender(_ isSampled: Bool) async throws {
        let pipeline = try await pipeline()
        let sender = SpanContext(traceHigh: 1, traceLow: 2, span: 3, isSampled: isSampled, state: "a=b")
        var request = IntentRequest(id: "r", intent: "Book", trace: sender.trace)
        request.parameters = [
            ParameterState(name: "dropOff", value: .string("Airport")),
            ParameterState(name: "confirm", value: .string("none")),
        ]
        try pipeline.send(.requested(request), session: "s", id: "r")
        try await pipeline.settle()
        let all = spans.all.withLock { $0 }
        let work = try #require(pipeline.log.records(in: pipeline.topics.handle).first)
        #expect(work.header("tracestate").map { String(decoding: $0, as: UTF8.self) } == "a=b")
        guard isSampled else { return #expect(all.isEmpty) }
        let run = try #require(all.first { $0.name == "Book" })
        #expect(run.parent == 3 && run.links == [sender] && Set(all.map(\.context.traceID)) == [sender.traceID])
        let completed = try #require(pipeline.log.records(in: pipeline.topics.results).last)
        #expect(completed.header("traceparent").map { String(decoding: $0, as: UTF8.self) } == sender.traceparent)
    }
}
