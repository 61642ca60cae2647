import Foundation
import Testing

/// The guide of definition files, played as it is written.
@Suite("The guide of definition files", .tags(.processes, .slow), .serialized, Python.needed)
struct DefinitionGuideTests {
    private static let article = "Sources/Authoring/IntentKit/IntentKit.docc/Articles/DefinitionFiles.md"
    private static let samples = "deploy/samples/library"
    private static let (definition, service) = ("library.intents.yaml", "library_service.py")

    private struct Block {
        var language: String
        var text: String
    }

    private let text: String
    private let blocks: [Block]

    init() throws {
        text = try Self.read(Self.article)
        let parts = text.components(separatedBy: "\n```")
        blocks = stride(from: 1, to: parts.count - 1, by: 2).map { index in
            let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Block(language: String(lines[0]), text: lines.dropFirst().joined() + "\n")
        }
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: Programs.root.appending(path: path), encoding: .utf8)
    }

    /// The commands of the guide that contain a word, each with the output that follows it in the guide.
    private func commands(with word: String) -> [(line: String, output: String)] {
        blocks.indices.filter { blocks[$0].language == "sh" }.flatMap { index in
            let lines = blocks[index].text.split(separator: "\n").filter { $0.contains(word) }.map(String.init)
            let follows = blocks.indices.contains(index + 1) && blocks[index + 1].language.isEmpty
            return lines.map { ($0, follows ? blocks[index + 1].text : "") }
        }
    }

    @Test func `shows the files of the sample`() throws {
        #expect(try Self.read("\(Self.samples)/\(Self.definition)") == blocks.first { $0.language == "yaml" }?.text)
        #expect(try Self.read("\(Self.samples)/\(Self.service)") == blocks.first { $0.language == "python" }?.text)
    }

    @Test func `its commands do what it says`() async throws {
        let folder = Scratch()
        let port = try await Programs.run(
            "python3", ["-c", "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])"]
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
        for name in [Self.definition, Self.service] {
            try folder.file(name, try Self.read("\(Self.samples)/\(name)").replacing("8801", with: port))
        }
        func here(_ text: String) -> String {
            text.replacing("~/library", with: folder.path).replacing(".build/release/", with: Programs.path("") + "/")
        }
        func run(_ line: String, input: String = "", exits status: Int32?) async throws -> String {
            try await Programs.run("sh", ["-c", here(line)], input: input, exits: status).all
        }

        let trials = commands(with: "intents try")
        try #require(trials.count == 2)
        let unreachable = try await run(trials[0].line, exits: 4)
        #expect(
            unreachable.hasPrefix(
                "\(folder.path(Self.definition)):3:3: intents.BorrowBook.fulfilment.url: resolve: http://127.0.0.1:\(port) "
                    + "can't be reached (connection refused) (tried 3 times)\n"), "\(unreachable)")

        let service = try RunningProgram("python3", [folder.path(Self.service)])
        defer { service.end() }
        try await eventually("the service answers", within: 30) {
            (try? await RunningPipeline.get("/", at: "127.0.0.1:\(port)")) != nil
        }
        for (trial, status) in zip(trials, [3, 0] as [Int32]) {
            #expect(try await run(trial.line, exits: status) == trial.output, "\(trial.line)")
        }

        let command = try #require(commands(with: "intents chat").first?.line)
        #expect(commands(with: "intents dev").first?.line.contains("--definitions ~/library") == true)
        try await RunningPipeline.with("--definitions \(folder.path)") { pipeline in
            func chat(_ input: String) async throws -> String {
                try await run("KAFKA_BOOTSTRAP_SERVERS=\(pipeline.servers) \(command)", input: input, exits: 0)
            }
            func says(_ line: String) async throws {
                #expect(text.contains(line), "the guide says it")
                try await eventually("intents dev says: \(line)", within: 30) { pipeline.log.contains(here(line)) }
            }
            let first = try await chat("mort\n2\ny\n")
            for line in ["Middlemarch", "For how many weeks?", "Borrow Mort for 2 weeks?", "Enjoy Mort."] {
                #expect(first.contains(line), "\(first)")
            }
            let edit = try #require(commands(with: "sed ").first)
            _ = try await run(edit.line, exits: 0)
            try await says("definitions in use: changed BorrowBook")
            #expect(try await chat("dune\n2\ny\n").contains("? How many weeks?"))

            let edited = folder.text(Self.definition)
            try folder.file(Self.definition, edited.replacing("[1, 4]", with: "[4, 1]"))
            try await says(edit.output)
            try folder.file(Self.definition, edited)
            try await eventually("the correction is used", within: 30) {
                pipeline.log.contains("definitions in use: nothing has changed")
            }
        }
    }
}

/// The command `intents try` with a service whose answers depend on the intent.
@Suite("A trial of a definition", .tags(.processes, .slow), .serialized, Python.needed) struct TrialProcessTests {
    private static let service = """
        import json
        from http.server import BaseHTTPRequestHandler, HTTPServer

        replies = {
            "/Later/handle": (202, None),
            "/Open/confirm": (200, {"code": "continueInApp", "dialog": "Go on there."}),
            "/Vault/confirm": (200, {"signIn": {"url": "https://vault.example.com"}}),
            "/Wrong/handle": (200, {"code": "failure", "dialog": "No."}),
        }

        class Service(BaseHTTPRequestHandler):
            def do_POST(self):
                call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, reply = replies[self.path]
                if status == 202: call["callback"]["url"]
                self.send_response(status)
                self.end_headers()
                if reply: self.wfile.write(json.dumps(reply).encode())

        server = HTTPServer(("127.0.0.1", 0), Service)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    @Test func `says how each answer of the service would go on`() async throws {
        let folder = Scratch()
        let service = try RunningProgram("python3", [folder.file("service.py", Self.service)])
        defer { service.end() }
        try await eventually("the service listens") { service.output.contains("\n") }
        let port = service.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let confirmed = "fulfilment: {phases: [confirm]}"
        try folder.file(
            "a.intents.yaml",
            """
            version: 1
            fulfilment: {url: 'http://127.0.0.1:\(port)'}
            intents: {Later: {}, Wrong: {}, Open: {\(confirmed)}, Vault: {\(confirmed)}}
            """)
        let free = "resolve   nothing to resolve\nconfirm   ready, without a call: 'phases' has no confirm\n"
        let trials: [(intent: String, status: Int32, output: String)] = [
            (
                "Later", 0,
                "\(free)handle    inProgress\n          a worker would wait for its outcome at --callback-url\n"
            ),
            ("Wrong", 4, "\(free)handle    failure: No.\n"),
            (
                "Open", 0,
                "resolve   nothing to resolve\nconfirm   continueInApp: Go on there.\n"
                    + "handle    not called: the app does it\n"
            ),
            ("Vault", 3, "resolve   nothing to resolve\nconfirm   asks the person: to sign in\n"),
            ("Dance", 2, "There is no intent 'Dance'. The intents are Later, Wrong, Open, Vault."),
        ]
        for trial in trials {
            let command = "intents try \(trial.intent) --handle --definitions \(folder.path)"
            let ending = try await Programs.run(command, exits: trial.status)
            #expect(ending.all.contains(trial.output), "\(ending.all)")
        }
    }
}
