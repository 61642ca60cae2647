import Foundation
import IntentModel

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
        print(json.dumps({"port": server.server_port, "protobuf": ExportTraceServiceRequest is not None}), flush=True)
        server.serve_forever()
        """

    private let process: ScriptProcess
    let port: Int
    /// `true` if the collector parses protobuf messages.
    let hasProtobuf: Bool

    init() async throws {
        let process = try ScriptProcess(PythonWithKafka.path ?? "python3", ["-c", Self.script])
        try await eventually("the collector listens") { process.output.contains("\n") }
        self.process = process
        let first = try JSONView(parsing: Array(process.output.prefix { $0 != "\n" }.utf8))
        port = first["port"]?.int ?? 0
        hasProtobuf = first["protobuf"]?.bool ?? false
    }

    func end() { process.end() }

    /// The environment of a process that traces to the collector.
    var environment: [String: String] {
        ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(port)", "OTEL_BSP_SCHEDULE_DELAY": "100"]
    }

    var output: String { process.output }

    private var requests: [JSONView] {
        output.split(separator: "\n").dropFirst().compactMap { try? JSONView(parsing: Array($0.utf8)) }
    }

    /// The errors of bodies that are no protobuf messages.
    var problems: [String] { requests.compactMap { $0["problem"]?.string } }

    struct Span {
        var service: String
        var trace: String
        var id: String
        var parent: String?
        var name: String
    }

    var spans: [Span] {
        requests.flatMap { request in
            (request["resourceSpans"]?.elements.map(\.self) ?? []).flatMap { resource -> [Span] in
                let service = resource["resource"]?["attributes"]?.elements.first {
                    $0["key"]?.string == "service.name"
                }
                return (resource["scopeSpans"]?.elements.map(\.self) ?? []).flatMap { scope in
                    (scope["spans"]?.elements.map(\.self) ?? []).map { span in
                        Span(
                            service: service?["value"]?["stringValue"]?.string ?? "",
                            trace: span["traceId"]?.string ?? "",
                            id: span["spanId"]?.string ?? "", parent: span["parentSpanId"]?.string,
                            name: span["name"]?.string ?? "")
                    }
                }
            }
        }
    }
}
