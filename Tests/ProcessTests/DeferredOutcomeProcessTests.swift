import Foundation
import IntentModel
import Testing

@Suite(
    "A service that reports its outcome later", .tags(.processes, .slow), .serialized,
    .enabled(if: CallbackTools.areThere, "there is no python3 or no openssl"))
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

    /// Starts a program, and calls `body` with a function that returns the program's output.
    private func running<Result>(_ arguments: [String], _ body: (_ output: () -> String) async throws -> Result)
        async throws -> Result
    {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = try Programs.temporaryFile()
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            // SIGKILL, because the thread that started the program may have blocked the other signals.
            kill(process.processIdentifier, SIGKILL)
            try? FileManager.default.removeItem(at: output)
        }
        return try await body { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    }

    @Test("posts it over TLS to the handler, which checks it, and completes the request")
    func completes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "intents-deferred-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ text: String? = nil) throws -> String {
            if let text { try Data(text.utf8).write(to: folder.appending(path: name)) }
            return folder.appending(path: name).path
        }
        let (certificate, key) = (try file("certificate.pem"), try file("key.pem"))
        let made = try await Programs.run(
            URL(filePath: "/usr/bin/env"),
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", key, "-out",
                certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ])
        #expect(made.status == 0, "\(made.errors)")
        try await running(["python3", file("service.py", Self.service), certificate]) { told in
            try await eventually("the service listens") { told().contains("\n") }
            let ports = told().split(whereSeparator: \.isWhitespace)
            _ = try file(
                "a.intents.yaml", "version: 1\nfulfilment: {url: 'http://127.0.0.1:\(ports[0])'}\nintents: {Later: {}}")
            try await RunningPipeline.with(["--handlers", "0", "--definitions", folder.path]) { pipeline in
                let worker = [
                    Programs.url("intent-http-worker").path, "--phase", "handle", "-b", pipeline.servers,
                    "--definitions", folder.path,
                    "--callback-url", "https://localhost:\(ports[1])", "--callback-listen", "127.0.0.1:\(ports[1])",
                    "--callback-key-file",
                    try file("keys", "a key of sixteen bytes\n"), "--callback-tls-certificate", certificate,
                    "--callback-tls-key", key,
                ]
                try await running(worker) { _ in
                    let ending = try await pipeline.intents(["send", "Later", "--wait"])
                    #expect(
                        ending.status == 0 && ending.json.last?["dialog"]?.string == "Done later",
                        "\(ending.output)\(told())")
                    try await eventually("the last outcome was accepted") { told().hasSuffix("202\n") }
                    let answers = told().split(separator: "\n").dropFirst()
                    #expect(answers.map { $0.prefix(3) } == ["400", "400", "400", "202"], "\(answers)")
                    for (answer, words) in zip(
                        answers, ["opens 'Pay'", "proposed a value for 'chairs'", "this callback URL is invalid"])
                    {
                        #expect(answer.contains(words), "\(answer)")
                    }
                }
            }
        }
    }
}

/// The commands that the service and its certificate need.
enum CallbackTools {
    static let areThere = [["python3", "-c", "import http.server, ssl"], ["openssl", "version"]].allSatisfy { command in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
