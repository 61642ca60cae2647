import Foundation
import IntentKit
import IntentModel
import Testing

@Suite("Programs with definition files", .tags(.processes, .slow), .serialized) struct DefinitionProcessTests {
    private static let name = "tables.intents.yaml"
    /// A worker whose Kafka is not there. The worker checks its definitions before it connects.
    private static let worker = "intent-http-worker --phase handle -b 127.0.0.1:1"

    private static func text(_ prompt: String, range: String = "[1, 6]") -> String {
        """
        version: 1
        intents:
          Reserve:
            title: Reserve a table
            parameters:
              seats: {type: int, range: \(range), prompt: \(prompt)}

        """
    }

    @Test func `intents dev uses what is edited, and keeps what it has while an edit has mistakes`() async throws {
        let folder = Scratch()
        let file = try folder.file(Self.name, Self.text("How many?"))
        try await RunningPipeline.with("--definitions \(folder.path)") { pipeline in
            let served = try await pipeline.intents("catalog list").output
            #expect(served.contains("Reserve\t") && !served.contains("RequestRide"), "\(served)")
            func prompt(_ session: String) async throws -> String? {
                let ending = try await pipeline.intents("send Reserve --session \(session) --wait", exits: nil)
                return ending.json.last?["dialog"]?.string
            }
            func says(_ line: String) async throws {
                try await eventually("intents dev says: \(line)", within: 30) { pipeline.log.contains("  \(line)\n") }
            }
            #expect(try await prompt("s1") == "How many?")
            try folder.file(Self.name, Self.text("For how many?", range: "[6, 1]"))
            try await says("\(file):6:26: \(Self.mistake)")
            try await says("The definitions in use stay the same until this is corrected.")
            #expect(try await prompt("s2") == "How many?")

            // A worker that ends meanwhile can't start, and waits for the correction.
            for pid in pipeline.children("intent-http-worker", "resolve") { kill(pid, SIGKILL) }
            try await says("resolver can't start with these definitions; it starts when they are corrected")
            try folder.file(Self.name, Self.text("For how many?"))
            try await says("definitions in use: changed Reserve")
            #expect(try await prompt("s3") == "For how many?")
            // Only the folder's intents are served.
            try await pipeline.intents("send RequestRide --wait", exits: 4, prints: "RequestRide")

            // The catalogue follows files that are added and deleted.
            let other = try folder.file(
                "other.intents.yaml", Self.text("Who?").replacing("Reserve:", with: "BookTable:"))
            try await says("definitions in use: added BookTable")
            try FileManager.default.removeItem(atPath: file)
            try await says("definitions in use: removed Reserve")
            try await eventually("the catalogue has followed", within: 20) {
                let listed = try await pipeline.intents("catalog list").output
                return listed.contains("BookTable\tReserve a table\tdefault\n") && !listed.contains("Reserve\t")
            }
            let gone = try await pipeline.intents("send Reserve --wait", exits: nil)
            #expect(gone.json.last?["code"]?.string == "noHandlerProvidedForIntent", "\(gone.output)")
            try FileManager.default.removeItem(atPath: other)
            try await says(
                "\(folder.path): there is no definition file in this folder; their names end with .intents.yaml, "
                    + ".intents.yml, .intents.json")

            // A worker refuses what only it can know, and SIGHUP asks for another reading.
            let forbidden = "version: 1\nfulfilment: {url: 'https://a.eu'}\nintents: {BookTable: {}}"
            try folder.file("other.intents.yaml", forbidden)
            try await says("\(other):2:14: intents.BookTable.fulfilment.url: leads to https://a.eu, \(Self.advice)")
            try await says("resolver refuses the definitions; the earlier ones stay in use")
            pipeline.signal(SIGHUP)
            try await eventually("it is refused again", within: 30) {
                pipeline.log.components(separatedBy: "resolver refuses the definitions").count == 3
            }
        }
    }

    @Test func `intents dev goes on without a worker that does not read an edit in time`() async throws {
        let folder = Scratch()
        try folder.file(Self.name, Self.text("How many?"))
        try await RunningPipeline.with("--definitions \(folder.path)") { pipeline in
            func says(_ line: String) async throws {
                try await eventually("intents dev says: \(line)", within: 30) { pipeline.log.contains("  \(line)\n") }
            }
            let frozen = pipeline.children("intent-http-worker", "confirm")
            for pid in frozen { kill(pid, SIGSTOP) }
            defer { for pid in frozen { kill(pid, SIGCONT) } }
            try folder.file(Self.name, Self.text("For how many?"))
            try await says("confirmer has not read the definitions within 10 s")
            try await says("confirmer ended (status 137); starting it again")
            try await says("definitions in use: changed Reserve")
            try await eventually("the confirmer has joined again", within: 60) {
                pipeline.log.components(separatedBy: "confirmer has partitions").count == 3
            }
        }
    }

    /// A worker that joins, ends with 2, refuses its definitions at its second start, and joins at its third.
    private static let unsteady = """
        #!/bin/sh
        ready() { printf '{"telemetry":"127.0.0.1:1"}\\n{"partitions":[0]}\\n'; }
        case "$*" in *'--phase confirm'*) ;; *) ready; exec cat ;; esac
        echo >>"$0.starts"
        case $(wc -l <"$0.starts") in
        1) ready; until [ -e "$0.go" ]; do sleep 0.1; done; exit 2 ;;
        2) exit 2 ;;
        esac
        ready
        exec cat
        """

    @Test func `intents dev starts a worker again that ends with 2, and twice if it then refuses`() async throws {
        let folder = Scratch()
        try folder.file(Self.name, Self.text("How many?"))
        let worker = try folder.file("worker", Self.unsteady, isProgram: true)
        try await RunningPipeline.with("--definitions \(folder.path) --worker \(worker)") { pipeline in
            try folder.file("worker.go")
            try await eventually("the confirmer has joined again", within: 60) {
                pipeline.log.components(separatedBy: "confirmer has partitions").count == 3
            }
            let told = pipeline.log.split(separator: "\n").filter { $0.hasPrefix("  confirmer") }
            #expect(
                told == [
                    "  confirmer has partitions 0", "  confirmer ended (status 2); starting it again",
                    "  confirmer can't start with these definitions; it starts when they are corrected",
                    "  confirmer has partitions 0",
                ])
        }
    }

    @Test(arguments: [
        (
            "fulfilment: {url: 'http://127.0.0.1:1', secret: {env: NO_KEY}}",
            "the environment variable NO_KEY is not set"
        ),
        ("fulfilment: {url: 'https://a.eu'}", Self.advice),
    ])
    func `intents dev ends with exit code 2 if its workers refuse the definitions`(
        _ settings: String, _ message: String
    ) async throws {
        let folder = Scratch()
        try folder.file(Self.name, "version: 1\n\(settings)\nintents: {Reserve: {}}")
        let ending = try await Programs.run(
            "intents dev --no-console --port 0 --definitions \(folder.path)", exits: 2, warns: message)
        #expect(!ending.errors.contains("starting it again"), "\(ending.errors)")
        #expect(ending.errors.hasSuffix("can't start with these settings: see the log above\n"), "\(ending.errors)")
    }

    @Test func `the terminal pages and searches 200 options, and reads several values from one line`() async throws {
        let folder = Scratch()
        let stops = (1...200).map { "Stop \($0)" }.joined(separator: ", ")
        try folder.file(
            Self.name,
            """
            version: 1
            intents:
              PlanTrip:
                title: Plan a trip
                confirmation: always
                action: book
                summary: From {from} to {to} for {people}
                parameters:
                  from: {type: string, title: Start, options: [\(stops)]}
                  to: {type: string, title: Destination, options: [\(stops)]}
                  people: {type: int, title: People, range: [1, 8]}

            """)
        try await RunningPipeline.with("--definitions \(folder.path)") { pipeline in
            // The lines ask for more, search, choose the first hit with two other values, of which one has no such
            // parameter, and then give too many people, four people, and no.
            let input = "+\n/STOP 19\n2; to=stop 3; colour=red\nnine\n4\nn\n"
            let chat = try await pipeline.intents("chat PlanTrip", input: input, exits: 4).output
            for text in [
                "  25 of 200. Enter + for more, or / and words to search.\n", "  26. Stop 26\n", "  50 of 200.",
                "  1. Stop 19\n  2. Stop 119\n  3. Stop 190\n",
                "PlanTrip has no parameter 'colour'; it has from, to, people",
                "People can be 1 to 8, not 9.\n  a whole number, 1 to 8\n",
                "  Start: Stop 119\n  Destination: Stop 3\n  People: 4\n", "y (Book) / n (Cancel): ",
                "PlanTrip cancelled",
            ] { #expect(chat.contains(text)) }
        }
    }

    @Test func `do not start with mistakes, and report all of them`() async throws {
        let folder = Scratch()
        let file = try folder.file(Self.name, "version: 1\nintents: {A: {titel: A, parameters: {b: {type: intt}}}}")
        let ending = try await Programs.run("\(Self.worker) --definitions \(folder.path)", exits: 2)
        #expect(
            ending.errors == """
                \(file):2:15: intents.A.titel: 'titel' is not known here: did you mean 'title'?
                \(file):2:42: intents.A.parameters.b.type: there is no type 'intt': did you mean 'int'?
                The definitions have errors; nothing is served.

                """)
    }

    private static let fulfilment = "intents.Reserve.fulfilment"
    private static let advice = "which is not an allowed host: add a.eu:443 to --fulfilment-hosts"
    private static let noKey =
        "\(name):2:41: \(fulfilment).secret: the environment variable NO_KEY is not set or is empty"
    private static let hosts = "--fulfilment-hosts tables.example.com"
    private static let callback = "\(hosts) --callback-url http://intents.example.com --callback-listen 127.0.0.1:0"

    @Test(arguments: [
        ("url: 'https://a.eu'", "", "\(name):2:14: \(fulfilment).url: leads to https://a.eu, \(advice)"),
        ("url: 'http://127.0.0.1:1', secret: {env: NO_KEY}", "", noKey),
        ("url: 'http://tables.example.com'", hosts, "is neither https nor on this machine"),
        ("url: 'http://tables.example.com'", callback, "--callback-url is neither https nor on this machine"),
        // Plain HTTP is allowed by name, so that only the key is missing.
        (
            "url: 'http://tables.example.com'", "\(callback) --fulfilment-plain-http",
            "--callback-url needs keys in --callback-key-file"
        ),
    ])
    func `a worker does not start if a fulfilment's host is forbidden or a secret is missing`(
        _ settings: String, _ options: String, _ message: String
    ) async throws {
        let folder = Scratch()
        try folder.file(Self.name, "version: 1\nfulfilment: {\(settings)}\nintents: {Reserve: {}}")
        let ending = try await Programs.run("\(Self.worker) --definitions \(folder.path) \(options)", exits: 2)
        #expect(ending.errors.contains(message), "\(ending.errors)")
    }

    @Test func `are checked by the tool, which shows their intents and the schema of the format`() async throws {
        let folder = Scratch()
        let file = try folder.file(Self.name, Self.text("How many?"))
        let definitions = "--definitions \(folder.path)"
        let checked = try await Programs.run("intents definitions check \(folder.path)")
        #expect(checked.all == "\(file)\tReserve\tReserve a table\n")
        #expect(try await Programs.run("intents catalog show Reserve \(definitions)").output.contains("range: 1 to 6"))
        #expect(try await Programs.run("intents catalog list \(definitions)").output == "Reserve\tReserve a table\n")
        let both = try await Programs.run("intents catalog list \(definitions) --built-in").output
        #expect(both.contains("RequestRide\t") && both.contains("Reserve\tReserve a table\n"))
        let schema = try await Programs.run("intents definitions schema").output
        #expect(try JSONView(parsing: Array(schema.utf8), limits: .journal)["title"]?.string == "Intent definitions")
        try folder.file(Self.name, Self.text("How many?", range: "[6, 1]"))
        let wrong = try await Programs.run("intents definitions check \(file)", exits: 2)
        #expect(wrong.all == "\(file):6:26: \(Self.mistake)\nThere is 1 error.\n")
    }

    private static let mistake = "intents.Reserve.parameters.seats.range: the lower bound 6 is above the upper bound 1"
}

@Suite("A service that reports its outcome later", .tags(.processes, .slow), .serialized, Python.needed)
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
                """
                intent-http-worker --phase handle -b \(pipeline.servers) \(definitions) --callback-key-file \(keys) \
                --callback-url https://localhost:\(ports[1]) --callback-listen 127.0.0.1:\(ports[1]) \
                --callback-tls-certificate \(certificate) --callback-tls-key \(key)
                """)
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
