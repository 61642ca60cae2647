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
