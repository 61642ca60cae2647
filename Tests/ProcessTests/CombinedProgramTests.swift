import Foundation
import Testing

@Suite("'intent-pipeline'", .tags(.processes, .slow)) struct CombinedProgramTests {
    static let programs = [
        ("intents", ""), ("intent-coordinator", " coordinator"), ("intent-http-worker", " http-worker"),
        ("intents-console", " console"), ("sample-worker", " sample-worker"),
    ]

    /// A link to the program in a folder of its own, with another name.
    private static func link(_ name: String) throws -> String {
        let folder = Scratch()
        try folder.file("other")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(name), withDestinationPath: Programs.path("intent-pipeline"))
        return folder.path(name)
    }

    @Test(arguments: programs.dropFirst())
    func `has the help of each program, with the command that was typed`(_ name: String, _ command: String) async throws
    {
        // Longer names break lines elsewhere.
        func help(_ program: String) async throws -> String {
            try await Programs.run("\(program) --help").output.split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
        }
        let own = try await help(name)
        let typed = own.replacing("USAGE: \(name)", with: "USAGE: intent-pipeline\(command)")
            .replacing("'intents ", with: "'intent-pipeline ")
        #expect(own != typed)
        try await #expect(help("intent-pipeline\(command)") == typed)
    }

    @Test(arguments: programs)
    func `is the program whose name a link has`(_ name: String, _ command: String) async throws {
        let link = try Self.link(name)
        for (arguments, status) in [("--version", Int32(0)), ("--nonsense", 2)] {
            let own = try await Programs.run("\(name) \(arguments)", exits: status)
            let linked = try await Programs.run("\(link) \(arguments)", exits: status)
            let part = try await Programs.run("intent-pipeline\(command) \(arguments)", exits: status)
            #expect(own.all == linked.all && own.output == part.output)
        }
    }

    @Test func `has the commands of the tool, and lists the programs beside them`() async throws {
        let own = try await Programs.run("intents --help").output
        let all = try await Programs.run("intent-pipeline --help", prints: "USAGE: intent-pipeline <subcommand>").output
        func names(_ help: String) -> Set<Substring> {
            Set(help.matches(of: #/\n  ([a-z-]+) /#.anchorsMatchLineEndings()).map(\.1))
        }
        #expect(names(own).contains("console") && names(own).count > 20)
        #expect(names(all) == names(own).union(["coordinator", "http-worker", "sample-worker"]))
    }

    @Test(arguments: [
        ("intent-pipeline nonsense", "Usage: intent-pipeline <subcommand>"),
        ("intent-pipeline send", "See 'intent-pipeline send --help'"),
        ("intent-pipeline doctor --role x", "Usage: intent-pipeline doctor [<options>]"),
        ("intent-pipeline coordinator -b 127.0.0.1:1", "whose path 'intent-pipeline dev' prints"),
        ("intent-pipeline http-worker -b 127.0.0.1:1", "There is nothing to serve"),
        ("intent-pipeline console --listen 0.0.0.0:1 -b 127.0.0.1:1", "See 'intent-pipeline console --help'"),
        ("intent-pipeline sample-worker --phase sleep", "See 'intent-pipeline sample-worker --help'"),
        ("intent-pipeline dev --no-workers --worker /bin/true", "--no-workers excludes"),
    ])
    func `exits with 2 for wrong arguments, and names the command that was typed`(
        _ command: String, _ message: String
    ) async throws {
        let ending = try await Programs.run(command, exits: 2, warns: message)
        #expect(!ending.errors.contains("'intents ") && ending.output.isEmpty, "\(ending.errors)")
    }

    @Test func `runs a pipeline of itself alone, wherever it was moved`() async throws {
        let folder = Scratch()
        try folder.file("other")
        let moved = folder.path("intent-pipeline")
        // By another process: a file that this one has open for writing can't be run, and children inherit what is open.
        try await Programs.run("cp", [Programs.path("intent-pipeline"), moved])
        try await RunningPipeline.with("--console", program: moved) { pipeline in
            #expect(pipeline.children("intent-pipeline").count == 7)
            #expect(pipeline.children("intent-pipeline", "console").count == 1)
            try await Programs.run(
                "\(moved) chat RequestRide -p dropOff=Airport -b \(pipeline.servers)", input: "1\nComfort\ny\n",
                prints: "RequestRide success")
        }
    }
}
