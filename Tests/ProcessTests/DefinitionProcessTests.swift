import Foundation
import IntentKit
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

    @Test("serve them, keep the old ones when a reload has mistakes, and use the new ones when they are correct")
    func reload() async throws {
        let folder = Scratch()
        let file = try folder.file(Self.name, Self.text("How many?"))
        try await RunningPipeline.with("--definitions \(folder.path)") { pipeline in
            let served = try await pipeline.intents("catalog list").output
            #expect(served.contains("Reserve\t") && !served.contains("RequestRide"), "\(served)")
            func prompt(_ session: String) async throws -> String? {
                let ending = try await pipeline.intents("send Reserve --session \(session) --wait", exits: nil)
                return ending.json.last?["dialog"]?.string
            }
            func reload(_ text: String, logged: String) async throws {
                try folder.file(Self.name, text)
                pipeline.signal(SIGHUP)
                try await eventually("all workers have reloaded the definitions", within: 30) {
                    ["resolver", "confirmer", "handler", "app-handler"].allSatisfy {
                        pipeline.log.contains("\($0): definitions {\(logged)")
                    }
                }
            }
            #expect(try await prompt("s1") == "How many?")
            try await reload(Self.text("For how many?", range: "[6, 1]"), logged: "\"errors\"")
            #expect(pipeline.log.contains("\(file):6:26: \(Self.mistake)"))
            #expect(try await prompt("s2") == "How many?")
            try await reload(Self.text("For how many?"), logged: #""added":[],"changed":["Reserve"],"removed":[]}"#)
            #expect(try await prompt("s3") == "For how many?")
            // Only the folder's intents are served.
            try await pipeline.intents("send RequestRide --wait", exits: 4, prints: "RequestRide")

            // The catalogue follows: the intent that is no longer served is withdrawn, and its successor is listed.
            try await reload(
                Self.text("For how many?").replacing("Reserve:", with: "BookTable:"),
                logged: #""added":["BookTable"],"changed":[],"removed":["Reserve"]}"#)
            try await eventually("the catalogue has followed", within: 20) {
                let listed = try await pipeline.intents("catalog list").output
                return listed.contains("BookTable\tReserve a table\tdefault\n") && !listed.contains("Reserve\t")
            }
            let gone = try await pipeline.intents("send Reserve --wait", exits: nil)
            #expect(gone.json.last?["code"]?.string == "noHandlerProvidedForIntent", "\(gone.output)")
        }
    }

    @Test("a choice of 200 is shown in pages and searched in the terminal, and one line says several things")
    func manyOptions() async throws {
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

    private static let hosts = "--fulfilment-hosts tables.example.com"
    private static let callback = "\(hosts) --callback-url http://intents.example.com --callback-listen 127.0.0.1:0"

    @Test(
        "do not start with a fulfilment on a forbidden host, or without its secret",
        arguments: [
            (
                "url: 'https://tables.example.com'", "",
                "\(name): intents.Reserve.fulfilment.url: leads to https://tables.example.com, which is not an allowed "
                    + "host: add tables.example.com:443 to --fulfilment-hosts"
            ),
            (
                "url: 'http://127.0.0.1:1', secret: {env: NO_SUCH_KEY}", "",
                "intents.Reserve.fulfilment.secret: the environment variable NO_SUCH_KEY is not set or is empty"
            ), ("url: 'http://tables.example.com'", hosts, "is neither https nor on this machine"),
            ("url: 'http://tables.example.com'", callback, "--callback-url is neither https nor on this machine"),
            // Plain HTTP is allowed by name, so that only the key is missing.
            (
                "url: 'http://tables.example.com'", "\(callback) --fulfilment-plain-http",
                "--callback-url needs keys in --callback-key-file"
            ),
        ])
    func fulfilment(_ settings: String, _ options: String, _ message: String) async throws {
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
