import Conversation
import IntentEvents
import IntentKit
import Logging
import PipelineService
import PipelineTestKit
import RecordLog
import Synchronization
import Testing
import Tracing

@testable import Pipeline

@Suite("A pipeline's telemetry") struct TelemetryFlowTests {
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
        pipeline.telemetry.metrics = registry
        pipeline.telemetry.tracing = (spans, OTLPTracer(spans))
        return try await pipeline.start()
    }

    /// The samples that begin with these texts after `intents_`, one a line.
    private func samples(_ prefixes: String...) -> String {
        let all = registry.text(.prometheus).split(separator: "\n")
        return prefixes.flatMap { prefix in all.filter { $0.hasPrefix("intents_\(prefix)") } }.joined(separator: "\n")
    }

    /// The values of the samples that begin with a text after `intents_`.
    private func values(_ prefix: String) -> [Substring] {
        samples(prefix).split(separator: "\n").compactMap { $0.split(separator: " ").last }
    }

    @Test func `a request is counted with prompts, phases and completion, without the person's time`() async throws {
        let pipeline = try await pipeline()
        try await pipeline.book("s", "r", [:])
        pipeline.clock.advance(by: .seconds(40))
        try await pipeline.talk()
        pipeline.publishMetrics()
        let counted = samples(
            "results_total", "prompts_total", #"prompt_wait_seconds_bucket{kind="value",le="30"}"#,
            #"prompt_wait_seconds_bucket{kind="value",le="60"}"#,
            #"run_duration_seconds_bucket{code="success",intent="Book",le="10"}"#, "run_turns_sum",
            "stage_duration_seconds_count", "sessions_open",
            #"events_consumed_total{topic="intents.requests",type="prompt"#,
            #"events_produced_total{topic="intents.results",type="intent.completed.v1"}"#,
            "partition_restore_seconds_count")
        #expect(
            counted == """
                intents_results_total{code="success",intent="Book",status="success"} 1
                intents_prompts_total{kind="confirmIntent"} 1
                intents_prompts_total{kind="value"} 1
                intents_prompt_wait_seconds_bucket{kind="value",le="30"} 0
                intents_prompt_wait_seconds_bucket{kind="value",le="60"} 1
                intents_run_duration_seconds_bucket{code="success",intent="Book",le="10"} 1
                intents_run_turns_sum{intent="Book"} 2
                intents_stage_duration_seconds_count{intent="Book",outcome="success",stage="confirm"} 1
                intents_stage_duration_seconds_count{intent="Book",outcome="success",stage="handle"} 1
                intents_stage_duration_seconds_count{intent="Book",outcome="success",stage="resolve"} 2
                intents_sessions_open 1
                intents_events_consumed_total{topic="intents.requests",type="prompt.answered.v1"} 2
                intents_events_produced_total{topic="intents.results",type="intent.completed.v1"} 1
                intents_partition_restore_seconds_count 2
                """)
        #expect(values("handler_duration_seconds_count").count == 3)
        #expect(values("consumer_lag") == Array(repeating: "0", count: 2 * 3 + 2 * 4))
    }

    @Test func `tries, refusals, ignored events and dead letters are counted by their reasons`() async throws {
        let pipeline = try await pipeline()
        try await pipeline.book("s", "r", ["dropOff": "Airport", "confirm": "none", "handle": "retry"])
        try await pipeline.advance(by: .seconds(10), times: 2)
        try pipeline.send(.answered(Answer(prompt: "none", action: .accept)), session: "s", id: "late")
        try pipeline.order("s", "r", [:])
        try pipeline.write("{", to: \.outcomes)
        try await pipeline.settle()
        pipeline.publishMetrics()
        let retried = #"stage_duration_seconds_count{intent="Book",outcome="retry",stage="handle"}"#
        let ignored = #"events_ignored_total{reason="duplicateRequest"}"#
        #expect(
            samples("retries_total", retried, "events_refused_total", ignored) == """
                intents_retries_total{reason="busy",stage="handle"} 2
                intents_stage_duration_seconds_count{intent="Book",outcome="retry",stage="handle"} 2
                intents_events_refused_total{reason="unexpected"} 1
                intents_events_ignored_total{reason="duplicateRequest"} 1
                """)
        let letters = samples("dead_letters_total").split(separator: "\n").filter { !$0.hasSuffix(" 0") }
        #expect(letters == [#"intents_dead_letters_total{reason="unparseable",stage="coordinator"} 1"#])
    }

    @Test func `every alert's metric has a series from the start, also for unowned partitions`() async throws {
        try await pipeline().publishMetrics()
        #expect(values("dead_letters_total") == Array(repeating: "0", count: RejectionReason.allCases.count * 5))
        #expect(
            samples("input_lost_total", "journal_gaps_total", "partitions_stopped", "partitions ") == """
                intents_input_lost_total 0
                intents_journal_gaps_total 0
                intents_partitions_stopped 0
                intents_partitions 2
                """)
    }

    @Test func `the time for which a transaction withholds input is reported by partition, or 0`() async throws {
        let pipeline = try await pipeline()
        let place = pipeline.place(\.requests, 1)
        pipeline.log.beginTransaction(in: place)
        try pipeline.log.append(
            Record(topic: place.topic, partition: 1, key: Bytes("s".utf8), value: Bytes("{}".utf8)))
        try await pipeline.advance(by: .seconds(6), times: 4)
        pipeline.publishMetrics()
        let all = values("input_withheld_seconds")
        #expect(all.count == 2 * 3 && all.count { $0 == "0" } == 2 * 3 - 1, "\(all)")
        let open = values(#"input_withheld_seconds{partition="1",topic="intents.requests"}"#)
        #expect(open.count == 1 && open != ["0"])
    }

    @Test func `a metric has a bounded number of series, whatever codes and intents are made up`() async throws {
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
        #expect(values("results_total").count == PipelineMetric.maximumSeries + 1)
        #expect(values(#"results_total{code="other",intent="other",status="other"}"#) == ["20"])
    }

    @Test func `an intent that is not in the catalogue shares a series, which still says how its requests ended`() {
        typealias Series = MetricSeries<MetricLabels, String>
        var series = Series(.results) { _, labels in labels.map(\.1).joined(separator: " ") }
        for number in 0..<(2 * PipelineMetric.maximumSeries) {
            let key = MetricLabels("made up \(number)", "unsupported", "noHandler")
            let labels = MetricLabels("other", "unsupported", "noHandler")
            #expect(series[key, { nil }, shared: labels] == "other unsupported noHandler")
        }
        for number in 0..<(2 * PipelineMetric.maximumSeries) {
            let key = MetricLabels("made up", "failure", "\(number)")
            let labels = MetricLabels("other", "failure", "\(number)")
            let expected = number < PipelineMetric.maximumSeries - 1 ? "other failure \(number)" : "other other other"
            #expect(series[key, { nil }, shared: labels] == expected)
        }
    }

    @Test func `a request is one trace: its phases and waits, and the handlers of its workers`() async throws {
        let seen = Mutex<[String?]>([])
        let pipeline = try await pipeline { invocation, report in
            let context = InstrumentationContext.current
            seen.withLock { $0.append(context?[SpanContextKey.self]?.traceparent) }
            #expect(context?[SpanContextKey.self]?.traceparent == invocation.context.traceparent)
            #expect(WorkContext.current?.session == "s" && WorkContext.current?.request == "r")
            return await Booking.perform(invocation, report)
        }
        try await pipeline.book("s", "r", [:])
        // Another coordinator continues the request, and the spans still form one trace.
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        pipeline.clock.advance(by: .seconds(3))
        try await pipeline.talk()
        let all = spans.all.withLock { $0 }
        let run = try #require(all.first { $0.name == "Book" })
        #expect(Set(all.map(\.context.traceID)).count == 1 && run.parent == nil && run.kind == .consumer)
        let steps = all.filter { $0.parent == run.context.span }
        #expect(
            steps.map(\.name) == ["resolve", "prompt value", "resolve", "confirm", "prompt confirmIntent", "handle"])
        #expect(steps[1].attributes["intents.parameter"] == .text("dropOff"))
        #expect(steps[1].end - steps[1].start >= 3_000_000_000)
        let calls = all.filter { $0.name.hasPrefix("process ") }
        #expect(calls.map(\.name) == ["resolve", "resolve", "confirm", "handle"].map { "process intents.\($0)" })
        #expect(calls.map(\.parent) == [0, 2, 3, 5].map { steps[$0].context.span })
        #expect(calls.allSatisfy { $0.kind == .consumer && $0.links.count == 1 })
        let (system, session) = ("messaging.system", "messaging.message.conversation_id")
        #expect(calls[0].attributes[system] == .text("kafka") && calls[0].attributes[session] == .text("s"))
        #expect(seen.withLock { $0 } == calls.map(\.context.traceparent))
        // Each outcome carries the span of its call.
        let outcomes = pipeline.records(\.outcomes).map { text($0, "traceparent") }
        #expect(Set(outcomes) == Set(calls.map(\.context.traceparent)))
    }

    private func text(_ record: ConsumedRecord?, _ header: String) -> String? {
        record?.header(header).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [true, false])
    func `a request belongs to its trace, and is recorded only if its sender is`(_ isSampled: Bool) async throws {
        let pipeline = try await pipeline()
        let sender = SpanContext(traceHigh: 1, traceLow: 2, span: 3, isSampled: isSampled, state: "a=b")
        var request = IntentRequest(id: "r", intent: "Book", trace: sender.trace)
        request.parameters = .said(Booking.plain)
        try await pipeline.deliver(.requested(request))
        let all = spans.all.withLock { $0 }
        #expect(text(pipeline.records(\.handle).first, "tracestate") == "a=b")
        guard isSampled else { return #expect(all.isEmpty) }
        let run = try #require(all.first { $0.name == "Book" })
        #expect(run.parent == 3 && run.links == [sender] && Set(all.map(\.context.traceID)) == [sender.traceID])
        #expect(text(pipeline.records(\.results).last, "traceparent") == sender.traceparent)
    }
}
