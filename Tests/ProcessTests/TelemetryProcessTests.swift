import Foundation
import IntentModel
import Testing

@Suite("Telemetry of processes", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)), Python.needed)
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

    @Test func `each process serves metrics and health, traces a request as one tree, and logs JSON`() async throws {
        let collector = try await Collector()
        defer { collector.end() }
        try await RunningPipeline.with("--log-level info", environment: collector.environment) { pipeline in
            let requests = try String(contentsOfFile: Programs.rideRequests, encoding: .utf8)
            try await pipeline.intents("play -", input: "\(requests.split(separator: "\n")[1])\n")

            let names = Set(pipeline.telemetry.keys)
            #expect(names == ["coordinator", "resolver", "confirmer", "handler", "app-handler"])
            for name in names.sorted() {
                for path in ["/livez", "/readyz", "/startupz"] {
                    #expect(try await pipeline.get(path, of: name).status == 200, "\(name)\(path)")
                }
            }
            // Metrics are published about once a second.
            try await eventually("the coordinator has counted the result", within: 30) {
                try await pipeline.get("/metrics", of: "coordinator").body.contains(
                    "intents_results_total{code=\"success\",intent=\"RequestRide\",status=\"success\"} 1")
            }
            let lag = try await pipeline.get("/metrics", of: "coordinator").body.split(separator: "\n").filter {
                $0.hasPrefix("intents_consumer_lag{")
            }
            #expect(lag.count == 3 * 4 && lag.allSatisfy { $0.hasSuffix("} 0") }, "\(lag)")
            let hasParser = Programs.succeeds([Python.path, "-c", "import prometheus_client"])
            for name in hasParser ? names.sorted() : [] {
                for (format, accept) in [("text", ""), ("openmetrics", "application/openmetrics-text")] {
                    let metrics = try await pipeline.get("/metrics", of: name, accept: accept)
                    let parsed = try await Programs.run(Python.path, ["-c", Self.parser, format], input: metrics.body)
                    #expect((Int(parsed.output.dropLast()) ?? 0) > 15, "\(name) \(format): \(parsed.all)")
                }
            }

            try await eventually("the spans of the request and of its workers are at the collector") {
                let names = collector.spans.map(\.name)
                return names.contains("RequestRide") && names.count { $0 == "process intents.handle" } == 1
            }
            let spans = collector.spans
            #expect(Set(spans.map(\.trace)).count == 1 && collector.problems.isEmpty, "\(collector.problems)")
            let ids = Set(spans.map(\.id))
            #expect(ids.count == spans.count && spans.filter { $0.parent == nil }.map(\.name) == ["RequestRide"])
            #expect(spans.allSatisfy { span in span.parent.map { ids.contains($0) } ?? true })
            let services = ["coordinator", "resolver", "confirmer", "handler"].map { "intent-\($0)" }
            #expect(Set(spans.map(\.service)) == Set(services))

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

/// A collector of spans, in Python. The collector prints the body of each request on a line, and parses it as OTLP's
/// protobuf messages if their package is installed.
final class Collector {
    private static let script = """
        import base64, json, sys, threading
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        try:
            from google.protobuf.json_format import ParseDict
            from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
        except ImportError:
            ExportTraceServiceRequest = None

        def ids_as_protobuf(value):
            # OTLP's JSON has ids in hexadecimal digits, where protobuf's has base64.
            if isinstance(value, dict):
                return {name: base64.b64encode(bytes.fromhex(part)).decode() if name in ("traceId", "spanId", "parentSpanId") else ids_as_protobuf(part) for name, part in value.items()}
            return [ids_as_protobuf(part) for part in value] if isinstance(value, list) else value

        lock = threading.Lock()

        def tell(value):
            # Each request has a thread: without the lock, two lines could become one.
            with lock:
                print(json.dumps(value), flush=True)

        class Collector(BaseHTTPRequestHandler):
            def log_message(self, *arguments): pass

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status = 200 if self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json" else 404
                if ExportTraceServiceRequest:
                    try:
                        ParseDict(ids_as_protobuf(body), ExportTraceServiceRequest())
                    except Exception as problem:
                        status = 400
                        tell({"problem": str(problem)})
                tell(body)
                self.send_response(status)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

        server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        print(json.dumps({"port": server.server_port}), flush=True)
        server.serve_forever()
        """

    private let process: RunningProgram
    private let port: Int

    init() async throws {
        let process = try RunningProgram(Python.path, ["-c", Self.script])
        try await eventually("the collector listens") { process.output.contains("\n") }
        self.process = process
        port = process.output.json.first?["port"]?.int ?? 0
    }

    func end() { process.end() }

    /// The environment of a process that traces to the collector.
    var environment: [String: String] {
        ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(port)", "OTEL_BSP_SCHEDULE_DELAY": "100"]
    }

    var output: String { process.output }

    /// The errors of bodies that are no protobuf messages.
    var problems: [String] { output.json.compactMap { $0["problem"]?.string } }

    struct Span {
        var service: String
        var trace: String
        var id: String
        var parent: String?
        var name: String
    }

    var spans: [Span] {
        func list(_ view: JSONView, _ name: String) -> [JSONView] { view[name]?.elements ?? [] }
        return output.json.flatMap { list($0, "resourceSpans") }.flatMap { resource in
            let attributes = resource["resource"].map { list($0, "attributes") } ?? []
            let service = attributes.first { $0["key"]?.string == "service.name" }?["value"]?["stringValue"]?.string
            return list(resource, "scopeSpans").flatMap { list($0, "spans") }.map { span in
                func text(_ name: String) -> String { span[name]?.string ?? "" }
                return Span(
                    service: service ?? "", trace: text("traceId"), id: text("spanId"),
                    parent: span["parentSpanId"]?.string, name: text("name"))
            }
        }
    }
}
