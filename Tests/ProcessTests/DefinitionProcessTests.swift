import Foundation
import IntentKit
import Testing

@Suite("Programs with definition files", .tags(.processes, .slow), .serialized)
struct DefinitionProcessTests {
    /// A folder with one definition file.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "intents-definitions-\(UUID().uuidString)")

        init(_ text: String) throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try write(text)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        var path: String { url.path }

        func write(_ text: String) throws {
            try Data(text.utf8).write(to: url.appendingPathComponent("tables.intents.yaml"), options: .atomic)
        }
    }

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

    @Test("serve them, keep the old ones when a reload has mistakes, and use the new ones when they are correct")
    func reload() async throws {
        let folder = try Folder(Self.text("How many?"))
        try await RunningPipeline.with(["--definitions", folder.path]) { pipeline in
            let served = try await pipeline.intents(["catalog", "list"])
            #expect(served.output.contains("Reserve\t") && !served.output.contains("RequestRide"), "\(served.output)")
            func prompt(_ session: String) async throws -> String? {
                let ending = try await pipeline.intents(["send", "Reserve", "--session", session, "--wait"])
                return ending.json.last?["dialog"]?.string
            }
            func reloaded(_ text: String) async throws {
                pipeline.signal(SIGHUP)
                try await eventually("all workers have reloaded the definitions", within: 30) {
                    ["resolver", "confirmer", "handler", "app-handler"].allSatisfy {
                        pipeline.log.contains("\($0): definitions {\(text)")
                    }
                }
            }
            #expect(try await prompt("s1") == "How many?")
            try folder.write(Self.text("For how many?", range: "[6, 1]"))
            try await reloaded("\"errors\"")
            let mistake =
                "\(folder.path)/tables.intents.yaml:6:26: intents.Reserve.parameters.seats.range: the lower bound 6 is above the upper bound 1"
            #expect(pipeline.log.contains(mistake))
            #expect(try await prompt("s2") == "How many?")
            try folder.write(Self.text("For how many?"))
            try await reloaded("\"added\":[],\"changed\":[\"Reserve\"],\"removed\":[]}")
            #expect(try await prompt("s3") == "For how many?")
            // Only the folder's intents are served.
            let ride = try await pipeline.intents(["send", "RequestRide", "--wait"])
            #expect(ride.status == 4 && ride.output.contains("RequestRide"), "\(ride.output)\(ride.errors)")

            // The catalogue follows: the intent that is no longer served is withdrawn, and its successor is listed.
            try folder.write(Self.text("For how many?").replacing("Reserve:", with: "BookTable:"))
            try await reloaded("\"added\":[\"BookTable\"],\"changed\":[],\"removed\":[\"Reserve\"]}")
            var listed = ""
            let deadline = ContinuousClock.now.advanced(by: .seconds(20))
            repeat {
                listed = try await pipeline.intents(["catalog", "list"]).output
            } while ContinuousClock.now < deadline && (listed.contains("Reserve\t") || !listed.contains("BookTable\t"))
            #expect(
                listed.contains("BookTable\tReserve a table\tdefault\n") && !listed.contains("Reserve\t"), "\(listed)")
            let gone = try await pipeline.intents(["send", "Reserve", "--wait"])
            #expect(gone.json.last?["code"]?.string == "noHandlerProvidedForIntent", "\(gone.output)")
        }
    }

    @Test("a choice of 200 is shown in pages and searched in the terminal, and one line says several things")
    func manyOptions() async throws {
        let stops = (1...200).map { "Stop \($0)" }.joined(separator: ", ")
        let folder = try Folder(
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
        try await RunningPipeline.with(["--definitions", folder.path]) { pipeline in
            // The lines ask for more, search, choose the first hit with two other values, of which one has no such
            // parameter, and then give too many people, four people, and no.
            let chat = try await pipeline.intents(
                ["chat", "PlanTrip"], input: "+\n/STOP 19\n2; to=stop 3; colour=red\nnine\n4\nn\n")
            #expect(chat.output.contains("  25 of 200. Enter + for more, or / and words to search.\n"))
            #expect(chat.output.contains("  26. Stop 26\n") && chat.output.contains("  50 of 200."))
            #expect(chat.output.contains("  1. Stop 19\n  2. Stop 119\n  3. Stop 190\n"))
            #expect(chat.output.contains("PlanTrip has no parameter 'colour'; it has from, to, people"))
            #expect(chat.output.contains("People can be 1 to 8, not 9.\n  a whole number, 1 to 8\n"))
            #expect(chat.output.contains("  Start: Stop 119\n  Destination: Stop 3\n  People: 4\n"))
            #expect(chat.output.contains("y (Book) / n (Cancel): ") && chat.output.contains("PlanTrip cancelled"))
            #expect(chat.status == 4, "\(chat.output)")
        }
    }

    @Test("do not start with mistakes, and report all of them")
    func begin() async throws {
        let folder = try Folder("version: 1\nintents: {A: {titel: A, parameters: {b: {type: intt}}}}")
        let ending = try await Programs.run(
            "intent-http-worker", ["--phase", "resolve", "-b", "127.0.0.1:1", "--definitions", folder.path])
        #expect(ending.status == 2)
        let file = "\(folder.path)/tables.intents.yaml"
        #expect(
            ending.errors == """
                \(file):2:15: intents.A.titel: 'titel' is not known here: did you mean 'title'?
                \(file):2:42: intents.A.parameters.b.type: there is no type 'intt': did you mean 'int'?
                The definitions have errors; nothing is served.

                """)
        let empty = try await Programs.run("intent-http-worker", ["--phase", "handle", "-b", "127.0.0.1:1"])
        #expect(empty.status == 2 && empty.errors.contains("There is nothing to serve"), "\(empty.errors)")
    }

    @Test("do not start with a fulfilment on a forbidden host, or without its secret")
    func fulfilment() async throws {
        let folder = try Folder("version: 1\nfulfilment: {url: 'https://tables.example.com'}\nintents: {Reserve: {}}")
        var ending = try await Programs.run(
            "intent-http-worker", ["--phase", "handle", "-b", "127.0.0.1:1", "--definitions", folder.path])
        #expect(ending.status == 2)
        #expect(
            ending.errors.contains(
                "tables.intents.yaml: intents.Reserve.fulfilment.url: leads to https://tables.example.com, which is not an allowed host: "
                    + "add tables.example.com:443 to --fulfilment-hosts"))
        try folder.write(
            "version: 1\nfulfilment: {url: 'http://127.0.0.1:1', secret: {env: NO_SUCH_KEY}}\nintents: {Reserve: {}}")
        ending = try await Programs.run(
            "intent-http-worker", ["--phase", "handle", "-b", "127.0.0.1:1", "--definitions", folder.path])
        #expect(ending.status == 2)
        #expect(
            ending.errors.contains(
                "intents.Reserve.fulfilment.secret: the environment variable NO_SUCH_KEY is not set or is empty"))
        try folder.write("version: 1\nfulfilment: {url: 'http://tables.example.com'}\nintents: {Reserve: {}}")
        let options = [
            "--phase", "handle", "-b", "127.0.0.1:1", "--definitions", folder.path, "--fulfilment-hosts",
            "tables.example.com",
        ]
        ending = try await Programs.run("intent-http-worker", options)
        #expect(
            ending.status == 2 && ending.errors.contains("is neither https nor on this machine"), "\(ending.errors)")
        let callback = ["--callback-url", "http://intents.example.com", "--callback-listen", "127.0.0.1:0"]
        ending = try await Programs.run("intent-http-worker", options + callback)
        #expect(
            ending.status == 2 && ending.errors.contains("--callback-url is neither https nor on this machine"),
            "\(ending.errors)")
        // Plain HTTP is allowed by name, so that only the key is missing.
        ending = try await Programs.run("intent-http-worker", options + callback + ["--fulfilment-plain-http"])
        #expect(
            ending.status == 2 && ending.errors.contains("--callback-url needs keys in --callback-key-file"),
            "\(ending.errors)")
    }

    @Test("are checked by the tool, which shows their intents and the schema of the format")
    func tool() async throws {
        let folder = try Folder(Self.text("How many?"))
        let file = "\(folder.path)/tables.intents.yaml"
        var ending = try await Programs.run("intents", ["definitions", "check", folder.path])
        #expect(ending.status == 0 && ending.errors.isEmpty)
        #expect(ending.output == "\(file)\tReserve\tReserve a table\n")
        ending = try await Programs.run("intents", ["catalog", "show", "Reserve", "--definitions", folder.path])
        #expect(ending.status == 0)
        #expect(ending.output.contains("range: 1 to 6"))
        ending = try await Programs.run("intents", ["catalog", "list", "--definitions", folder.path])
        #expect(ending.output == "Reserve\tReserve a table\n")
        ending = try await Programs.run("intents", ["catalog", "list", "--definitions", folder.path, "--built-in"])
        #expect(ending.output.contains("RequestRide\t") && ending.output.contains("Reserve\tReserve a table\n"))
        ending = try await Programs.run("intents", ["definitions", "schema"])
        #expect(
            try JSONView(parsing: Array(ending.output.utf8), limits: .journal)["title"]?.string == "Intent definitions")
        try folder.write(Self.text("How many?", range: "[6, 1]"))
        ending = try await Programs.run("intents", ["definitions", "check", file])
        #expect(ending.status == 2 && ending.output.isEmpty)
        #expect(
            ending.errors == """
                \(file):6:26: intents.Reserve.parameters.seats.range: the lower bound 6 is above the upper bound 1
                There is 1 error.

                """)
    }
}
