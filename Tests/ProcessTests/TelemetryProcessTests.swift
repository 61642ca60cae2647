import Foundation
import IntentModel
import Testing

@Suite(
    "What processes tell their operators", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(3)),
    .enabled(if: CallbackTools.areThere, "there is no python3 or no openssl"))
struct TelemetryProcessTests {
    /// A script that parses metrics with Prometheus' own Python client, and prints the number of metric families.
    private static let parser = """
        import sys
        from prometheus_client.parser import text_string_to_metric_families as text
        from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
        families = list((openmetrics if sys.argv[1] == "openmetrics" else text)(sys.stdin.read()))
        assert all(family.type != "unknown" for family in families), [family.name for family in families if family.type == "unknown"]
        print(len(families))
        """

    private func hasParser() async throws -> Bool {
        try await Programs.run(
            URL(filePath: "/usr/bin/env"), [PythonWithKafka.path ?? "python3", "-c", "import prometheus_client"]
        ).status
            == 0
    }

    /// Waits until a process publishes a line of metrics. Metrics are published about once a second.
    private func untilTold(_ line: String, by process: String, _ pipeline: RunningPipeline) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while try await !pipeline.get("/metrics", of: process).body.contains(line) {
            guard ContinuousClock.now < deadline else {
                throw TimedOut(description: "\(process) does not tell \(line)")
            }
            try await ContinuousClock().sleep(for: .milliseconds(100))
        }
    }

    @Test(
        "each process serves metrics that Prometheus reads, is ready, traces each request as one tree, and logs lines of JSON"
    )
    func whole() async throws {
        let collector = try await Collector()
        defer { collector.end() }
        try await RunningPipeline.with(["--log-level", "info"], environment: collector.environment) { pipeline in
            let file = try Programs.temporaryFile()
            defer { try? FileManager.default.removeItem(at: file) }
            let requests = try String(contentsOfFile: Programs.rideRequests, encoding: .utf8)
            try Data((requests.split(separator: "\n")[1] + "\n").utf8).write(to: file)
            let played = try await pipeline.intents(["play", file.path])
            #expect(played.status == 0, "\(played.errors)")

            let names = Set(pipeline.telemetry.keys)
            #expect(names == ["coordinator", "resolver", "confirmer", "handler", "app-handler"])
            for name in names.sorted() {
                for path in ["/livez", "/readyz", "/startupz"] {
                    #expect(try await pipeline.get(path, of: name).status == 200, "\(name)\(path)")
                }
            }
            try await untilTold(
                "intents_results_total{code=\"success\",intent=\"RequestRide\",status=\"success\"} 1",
                by: "coordinator", pipeline)
            let lag = try await pipeline.get("/metrics", of: "coordinator").body.split(separator: "\n").filter {
                $0.hasPrefix("intents_consumer_lag{")
            }
            #expect(lag.count == 3 * 4 && lag.allSatisfy { $0.hasSuffix("} 0") }, "\(lag)")
            if try await hasParser() {
                for name in names.sorted() {
                    for format in ["text", "openmetrics"] {
                        let metrics = try await pipeline.get(
                            "/metrics", of: name, accept: format == "text" ? "" : "application/openmetrics-text")
                        let parsed = try await Programs.run(
                            URL(filePath: "/usr/bin/env"),
                            [PythonWithKafka.path ?? "python3", "-c", Self.parser, format],
                            input: metrics.body)
                        #expect(
                            parsed.status == 0 && (Int(parsed.output.dropLast()) ?? 0) > 15,
                            "\(name) \(format): \(parsed.errors)")
                    }
                }
            }

            try await eventually("the request's spans are at the collector") {
                collector.spans.contains { $0.name == "RequestRide" }
            }
            try await eventually("so are its workers'") {
                collector.spans.filter { $0.name == "process intents.handle" }.count == 1
            }
            let spans = collector.spans
            #expect(Set(spans.map(\.trace)).count == 1 && collector.problems.isEmpty, "\(collector.problems)")
            let ids = Set(spans.map(\.id))
            #expect(ids.count == spans.count && spans.filter { $0.parent == nil }.map(\.name) == ["RequestRide"])
            #expect(spans.allSatisfy { span in span.parent.map { ids.contains($0) } ?? true })
            #expect(
                Set(spans.map(\.service)) == [
                    "intent-coordinator", "intent-resolver", "intent-confirmer", "intent-handler",
                ])

            let lines = pipeline.log.split(separator: "\n").filter { $0.hasPrefix("{") }
            #expect(!lines.isEmpty)
            for line in lines {
                let entry = try JSONView(parsing: Array(line.utf8))
                for field in ["time", "level", "logger", "message"] {
                    #expect(entry[field]?.string?.isEmpty == false, "\(line)")
                }
            }
        }
    }
}
