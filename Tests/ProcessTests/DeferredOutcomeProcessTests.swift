import Foundation
import IntentModel
import Testing

@Suite(
    "A service that reports its outcome later", .tags(.processes, .slow), .serialized,
    .enabled(if: Python.canServe, "there is no python3 or no openssl"))
struct DeferredOutcomeProcessTests {
    /// A service that replies 202, then posts four outcomes to the callback, of which only the last is valid. The
    /// service prints its port, a free port for the callback server, and the response to each outcome.
    private static let service = """
        import json, socket, ssl, sys, threading, urllib.error, urllib.request
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        def post(url, outcome):
            try:
                request = urllib.request.Request(url, json.dumps(outcome).encode())
                print(urllib.request.urlopen(request, context=ssl.create_default_context(cafile=sys.argv[1])).status, flush=True)
            except urllib.error.HTTPError as error:
                print(error.code, error.read().decode(), flush=True)

        def later(url):
            post(url, {"code": "success", "opens": {"intent": "Pay"}})
            post(url, {"code": "failureFull", "proposed": {"chairs": 1}})
            post(url[:-4] + "AAAA", {"code": "success"})
            post(url, {"code": "success", "dialog": "Done later"})

        class Service(BaseHTTPRequestHandler):
            def do_POST(self):
                call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                threading.Thread(target=later, args=[call["callback"]["url"]]).start()
                self.send_response(202)
                self.send_header("Content-Length", "0")
                self.end_headers()

        server, free = ThreadingHTTPServer(("127.0.0.1", 0), Service), socket.create_server(("127.0.0.1", 0))
        print(server.server_port, free.getsockname()[1], flush=True)
        free.close()
        server.serve_forever()
        """

    @Test func `posts it over TLS to the handler, which checks it, and completes the request`() async throws {
        let folder = Scratch()
        let (certificate, key) = (try folder.file("certificate.pem"), try folder.file("key.pem"))
        try await Programs.run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost",
            ["-keyout", key, "-out", certificate, "-addext", "subjectAltName=DNS:localhost"])
        let service = try RunningProgram("python3", [folder.file("service.py", Self.service), certificate])
        defer { service.end() }
        try await eventually("the service listens") { service.output.contains("\n") }
        let ports = service.output.split(whereSeparator: \.isWhitespace)
        try folder.file(
            "a.intents.yaml", "version: 1\nfulfilment: {url: 'http://127.0.0.1:\(ports[0])'}\nintents: {Later: {}}")
        let keys = try folder.file("keys", "a key of sixteen bytes\n")
        let definitions = "--definitions \(folder.path)"
        try await RunningPipeline.with("--handlers 0 \(definitions)") { pipeline in
            let worker = try RunningProgram(
                "intent-http-worker --phase handle -b \(pipeline.servers) \(definitions) --callback-key-file \(keys)",
                [
                    "--callback-url", "https://localhost:\(ports[1])", "--callback-listen", "127.0.0.1:\(ports[1])",
                    "--callback-tls-certificate", certificate, "--callback-tls-key", key,
                ])
            defer { worker.end() }
            let ending = try await pipeline.intents("send Later --wait")
            #expect(ending.json.last?["dialog"]?.string == "Done later", "\(ending.output)\(service.output)")
            try await eventually("the last outcome was accepted") { service.output.hasSuffix("202\n") }
            let answers = service.output.split(separator: "\n").dropFirst()
            #expect(answers.map { $0.prefix(3) } == ["400", "400", "400", "202"], "\(answers)")
            let words = ["opens 'Pay'", "proposed a value for 'chairs'", "this callback URL is invalid"]
            for (answer, words) in zip(answers, words) { #expect(answer.contains(words), "\(answer)") }
        }
    }
}
