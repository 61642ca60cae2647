import Conversation
import CoreMetrics
import IntentModel
import Logging
import Pipeline
import PipelineTestKit
import Testing

@testable import PipelineService

@Suite("Logs as JSON") struct JSONLogHandlerTests {
    private let lines = Recorder<[UInt8]>()

    private func logger(_ provider: Logger.MetadataProvider? = nil) -> Logger {
        Logger(label: "intent-handler") { [lines] label in
            var handler = JSONLogHandler(label: label, clock: { Instant(milliseconds: 0) }, write: lines.record)
            handler.metadataProvider = provider
            return handler
        }
    }

    @Test func `an entry is one line, with its metadata under their own names, in order`() throws {
        var logger = logger()
        logger[metadataKey: "role"] = "handler"
        logger[metadataKey: "session"] = "s"
        logger.warning("it is \("late")", metadata: ["ids": ["1", "2"], "place": ["topic": "t"], "message": "mine"])
        #expect(
            String(decoding: try #require(lines.all.first), as: UTF8.self)
                == #"{"time":"1970-01-01T00:00:00.000Z","level":"warning","logger":"intent-handler","message":"it is late","ids":["1","2"],"_message":"mine","place":{"topic":"t"},"role":"handler","session":"s"}"#
                + "\n")
    }

    @Test func `untrusted text neither ends the line nor looks like another field`() throws {
        logger().error("dead letter", metadata: ["session": "a\n\",\"level\":\"info\"\u{1B}[2J\u{202E}"])
        let line = try #require(lines.all.first)
        let view = try JSONView(parsing: line)
        #expect(view["level"]?.string == "error")
        #expect(view["session"]?.string == #"a\u{A}","level":"info"\u{1B}[2J\u{202E}"#)
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    }

    @Test func `the task's metadata is in each entry, unless the entry overrides it`() throws {
        logger(Logger.MetadataProvider { ["trace_id": "t", "session": "s"] }).info("m", metadata: ["session": "own"])
        let view = try JSONView(parsing: try #require(lines.all.first))
        #expect(view["trace_id"]?.string == "t" && view["session"]?.string == "own")
    }

    @Test func `untrusted text stays on its line and moves no cursor, without JSON too`() throws {
        let lines = Recorder<String>()
        let logger = Logger(label: "test") { _ in PrintableLogHandler(LineHandler(lines)) }
        logger.warning(
            "dead letter of \("s\u{1B}[2J")", metadata: ["session": "a\ncritical: all is lost", "ids": ["\u{202E}"]])
        let line = try #require(lines.all.first)
        #expect(line.contains(#"dead letter of s\u{1B}[2J"#) && line.contains("critical: all is lost"))
        #expect(!line.unicodeScalars.contains { ["\n", "\u{1B}", "\u{202E}"].contains($0) })
    }
}

@Suite("Metrics for Prometheus") struct PrometheusTests {
    private let registry = PrometheusRegistry(described: PipelineMetric.all, logger: quiet)

    @Test func `Prometheus' text format is sorted, with help and type before each metric`() {
        let counter = Counter(label: "intents_decisions_total", factory: registry)
        counter.increment(by: 2)
        counter.increment()
        Meter(label: "queue.depth", dimensions: [("role", "a \"b\"\\\n")], factory: registry).set(1.5)
        let timer = Timer(label: "call", factory: registry)
        timer.recordMilliseconds(4)
        timer.recordSeconds(20)
        let limits = ["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10"]
        let buckets = limits.map { "call_seconds_bucket{le=\"\($0)\"} 1" }.joined(separator: "\n")
        #expect(
            registry.text(.prometheus) == """
                # TYPE call_seconds histogram
                \(buckets)
                call_seconds_bucket{le="+Inf"} 2
                call_seconds_sum 20.004
                call_seconds_count 2
                # HELP intents_decisions_total Inputs that led to a decision.
                # TYPE intents_decisions_total counter
                intents_decisions_total 3
                # TYPE queue_depth gauge
                queue_depth{role="a \\"b\\"\\\\\\n"} 1.5

                """)
    }

    @Test func `OpenMetrics has counters without suffix, an exemplar in a bucket, and EOF at the end`() throws {
        Counter(label: "made", factory: registry).increment()
        let trace = TraceContext(parent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        let unsampled = TraceContext(parent: "00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b7-00")
        let timer = try #require(registry.makeTimer(label: "call", dimensions: []) as? any TimerWithExemplars)
        timer.recordNanoseconds(30_000_000, trace: trace)
        timer.recordNanoseconds(300_000_000, trace: unsampled)
        let lines = registry.text(.openMetrics).split(separator: "\n")
        #expect(lines.contains("# TYPE made counter") && lines.contains("made_total 1") && lines.last == "# EOF")
        let example = ##"call_seconds_bucket{le="0.05"} 1 # {trace_id="4bf92f3577b34da6a3ce929d0e0e4736"} 0.03"##
        #expect(lines.contains { $0 == example } && lines.contains(#"call_seconds_bucket{le="0.5"} 2"#))
        #expect(!registry.text(.prometheus).contains("trace_id"))
    }

    @Test(arguments: [
        ("", false), ("*/*", false), ("text/plain", false), ("application/openmetrics-text", true),
        ("application/openmetrics-text;q=0", false),
        ("Application/OpenMetrics-Text; version=1.0.0; charset=utf-8", true),
        (
            "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;q=0.3,*/*;q=0.2",
            true
        ), ("text/plain;q=1, application/openmetrics-text; q=0.1", false),
        ("application/openmetrics-text;version=2.0.0, */*;q=0.1", false),
        ("application/openmetrics-text;q=high", false), (";;,,", false),
    ])
    func `a scraper gets its preferred format, and none that it has refused`(_ accept: String, _ isOpenMetrics: Bool) {
        #expect(PrometheusText.Format(accept: accept) == (isOpenMetrics ? .openMetrics : .prometheus))
    }

    @Test func `the same name and labels are one series, in whatever order the labels are given`() {
        for labels in [[("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")]] {
            Counter(label: "n", dimensions: labels, factory: registry).increment()
        }
        #expect(registry.text(.prometheus).contains("n_total{a=\"1\",b=\"2\"} 2\n"))
    }

    @Test func `a name that is in use for another kind of metric is reported once, and its values are dropped`() {
        let lines = Recorder<String>()
        let registry = PrometheusRegistry(described: [], logger: Logger(label: "test") { _ in LineHandler(lines) })
        Meter(label: "n_total", factory: registry).set(1)
        for _ in 0..<2 { Counter(label: "n", factory: registry).increment() }
        #expect(registry.text(.prometheus) == "# TYPE n_total gauge\nn_total 1\n" && lines.all.count == 1)
    }

    @Test func `names and labels become what Prometheus allows`() {
        #expect(PrometheusText.name("http.server-requests", suffix: "_total") == "http_server_requests_total")
        #expect(PrometheusText.name("2xx") == "_2xx" && PrometheusText.name("") == "_")
        #expect(PrometheusText.name("a_total", suffix: "_total") == "a_total")
        #expect(PrometheusText.labels([("http:code", "é")]) == "http_code=\"é\"")
        let numbers = [0.1, 3, .infinity, -.infinity, .nan, 1e300].map(PrometheusText.number)
        #expect(numbers == ["0.1", "3", "+Inf", "-Inf", "NaN", "1e+300"])
    }

    @Test func `a metric that is destroyed is no longer told, and concurrent increments are all counted`() async {
        let meter = Meter(label: "gone", factory: registry)
        meter.set(1)
        meter.destroy()
        #expect(!registry.text(.prometheus).contains("gone"))
        let counter = registry.makeCounter(label: "many", dimensions: [])
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 { tasks.addTask { for _ in 0..<1_000 { counter.increment(by: 1) } } }
        }
        #expect(registry.text(.prometheus).contains("many_total 8000\n"))
    }

    @Test func `a process tells its version, its loops, and what Prometheus' clients have in common`() {
        let health = Health()
        _ = health.begin("loop", isMember: false)
        registry.addProcess(build: [("version", "1")], health)
        let text = registry.text(.prometheus)
        for line in [
            "intents_build_info{version=\"1\"} 1", "intents_last_poll_timestamp_seconds{loop=\"loop\"} ",
            "process_cpu_seconds_total ", "process_resident_memory_bytes ", "process_open_fds ",
            "process_start_time_seconds ", "intents_ready 0",
        ] { #expect(text.contains("\n\(line)"), "\(line)") }
    }
}

@Suite("The table of metrics") struct PipelineMetricTests {
    @Test func `metrics follow Prometheus' rules for names, units, suffixes, help and labels`() {
        #expect(Set(PipelineMetric.all.map(\.name)).count == PipelineMetric.all.count)
        for metric in PipelineMetric.all {
            let name = metric.name
            #expect(name.hasPrefix("intents_") && PrometheusText.name(name) == name, "\(name)")
            #expect((metric.kind == .counter) == name.hasSuffix("_total"), "\(name)")
            #expect(metric.kind == .gauge || (metric.kind == .duration) == name.hasSuffix("_seconds"), "\(name)")
            #expect(metric.help.hasSuffix(".") && metric.buckets == metric.buckets.sorted(), "\(name)")
            let personal = ["session", "request", "person", "principal", "instance", "le"]
            #expect(Set(metric.labels).isDisjoint(with: personal), "\(name)")
        }
    }
}
