import Foundation
import IntentModel
import Testing

@Suite("The programs", .tags(.processes, .slow)) struct ToolTests {
    @Test(arguments: ["intents", "intent-coordinator", "sample-worker", "intent-http-worker", "Greenhouse"])
    func `print help`(_ program: String) async throws {
        let ending = try await Programs.run("\(program) --help", prints: "USAGE: \(program)")
        #expect(ending.output.contains("OVERVIEW") && ending.output.contains("xit codes") && ending.errors.isEmpty)
    }

    @Test(arguments: ["intents", "intents-simulator", "intents-bench", "intent-coordinator"])
    func `print their version and memory allocator`(_ program: String) async throws {
        let ending = try await Programs.run("\(program) --version")
        #expect(ending.all.wholeMatch(of: #/\d+\.\d+\.\d+ \((jemalloc|glibc) [\d.]+\)\n/#) != nil, "\(ending.all)")
    }

    @Test(arguments: [
        ("intents send", "name or --file"), ("intents send X -p a", "name=value"), ("intents nonsense", "nonsense"),
        ("intents send X", "The address of Kafka is missing"), ("intents send X -b h:1 -X group.id=x", "group.id"),
        ("intents send X -b h:1 -X no.such.property=x", "no.such.property"),
        ("intents send X -b h:1 --kafka-config /nowhere", "/nowhere"),
        ("intents topics apply --partitions 0 -b h:1", "at least 1"),
        ("intents session list --stage asleep", "none of idle, queued"),
        ("intents session show s --limit 0", "at least 1"),
        ("intents session end s", "The address of Kafka is missing"), ("intents session end", "<session>"),
        ("intents dead-letters list --reason odd", "none of unsupported"),
        ("intents dead-letters show 3", "partition/offset"), ("intents dead-letters replay", "or --all"),
        ("intents dead-letters replay --all --force", "--force takes one letter"),
        ("intents dead-letters drop 1/2 --reason busy", "require --all"),
        ("intents acl print --format strimzi", "needs --cluster"), ("intents acl print --role manager", "topic-admin"),
        ("intents acl print --group person=intents.coordinator", "a group of the pipeline"),
        ("intents acl print --principal manager=x", "is not role=name; the roles are coordinator, resolver,"),
        ("intents acl print --format strimzi --cluster k --principal person=Ann", "'Ann' can't be the name"),
        ("intents acl print --cluster k", "are for --format strimzi"),
        ("intents handoff complete h --session s --code ready", "can't complete a handoff"),
        ("intents updates start r", "--session"),
        ("intents catalog show Nothing --built-in", "The intents are RequestRide,"),
        ("intents catalog show RequestRyde --built-in", "Did you mean RequestRide?"),
        ("intents catalog list", "The address of Kafka is missing"),
        ("intents catalog show RequestRide --resolved", "--json-schema"),
        ("intents contract schema prompt.isued.v1", "did you mean prompt.issued.v1"),
        ("intents contract schema intent.updated.v1", "results.intent.updated.v1 or outcomes.intent"),
        ("intents contract asyncapi --partitions 0", "at least 1"),
        ("intents contract asyncapi --examples /nowhere", "/nowhere"),
        ("intents-simulator --mutants", "deploy/mutants.sh"),
        ("intents-simulator --mutants --explore", "can't be used together"),
        ("intents-bench --conversation talk", "'prompt-and-confirmation'"),
        ("intents-bench --rate 5,x", "'5,x' is invalid"), ("intents-bench --rate 5,0", "at least 1"),
        ("intents-bench --rate 0 --intents 0", "nothing to measure"),
        ("sample-worker -b h:1 -X enable.auto.commit=true", "enable.auto.commit"),
        ("intent-http-worker --phase handle -b 127.0.0.1:1", "There is nothing to serve"),
        ("Greenhouse --phase sleep", "handle-in-app"), ("intents dev --worker /nowhere", "/nowhere"),
        ("intent-coordinator --bootstrap-servers 127.0.0.1:1", "--handoff-secret-file"),
        ("intent-coordinator --bootstrap-servers 127.0.0.1:1", "--open-handoffs"),
    ])
    func `exit with 2 for wrong arguments, and explain what to do`(_ command: String, _ message: String) async throws {
        let ending = try await Programs.run(command, exits: 2)
        #expect(ending.errors.contains(message), "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    @Test(arguments: [
        ("list", "RequestRide\tRequest a ride\n"), ("list --locale nl-BE", "RequestRide\tEen rit aanvragen\n"),
        ("list --json", #""name": "CancelRide""#), ("show CancelRide", "Cancel ride ${rideIdentifier}"),
        ("show CancelRide --json", #""confirmation": "always""#),
        ("show CancelRide --json-schema --resolved", #""required""#),
    ])
    func `show the catalogue without Kafka`(_ command: String, _ text: String) async throws {
        let ending = try await Programs.run("intents catalog \(command) --built-in")
        #expect(ending.output.contains(text) && ending.errors.isEmpty, "\(ending.all)")
    }

    @Test func `print ACLs as a script that runs kafka-acls.sh with the connection that it is given`() async throws {
        let script = try await Programs.run(
            "intents acl print --topic-prefix home --role person --idempotent-write --group", ["person=my channel"])
        #expect(script.errors.isEmpty, "\(script.errors)")
        // The program prints each argument of each call.
        let program = try Scratch().file("acls", "#!/bin/sh\nprintf '<%s>' \"$@\"\necho\n", isProgram: true)
        let ending = try await Programs.run(
            "env KAFKA_ACLS=\(program) /bin/sh -s -- --bootstrap-server h:1", input: script.output)
        let start = "<--bootstrap-server><h:1><--add><--allow-principal><User:home-person>"
        #expect(ending.output.hasPrefix("\(start)<--operation><Describe><--topic><home.requests><--topic>"))
        #expect(
            ending.output.drop { $0 != "\n" }.dropFirst() == """
                \(start)<--operation><Read><--topic><home.results><--topic><home.keys><--topic><home.catalog>
                \(start)<--operation><Write><--topic><home.requests><--topic><home.answers>
                \(start)<--operation><Read><--group><my channel>
                \(start)<--operation><IdempotentWrite><--cluster>

                """)
    }

    @Test func `print the contract, which is the published one with the golden files as examples`() async throws {
        let examples = Programs.root.appending(path: "Tests/IntentEventsTests/Golden").path
        let whole = try await Programs.run("intents contract asyncapi --topic-prefix intents --examples", [examples])
        let published = Programs.root.appending(path: "deploy/contract/asyncapi.json")
        #expect(try whole.all == String(contentsOf: published, encoding: .utf8))
        let home = "intents contract asyncapi --topic-prefix home --replication-factor 3"
        let other = try await Programs.run(home, exits: nil).output
        #expect(other.contains(#""address": "home.results""#) && other.contains(#""replicas": 3"#))
        #expect(!other.contains("intents.results"))

        let folder = Scratch()
        let schemas = try await Programs.run("intents contract schemas --output \(folder.path)")
        #expect(schemas.output.split(separator: "\n").count == 41)
        let one = try await Programs.run("intents contract schema prompt.issued.v1")
        #expect(!one.output.isEmpty && one.output == folder.text("prompt.issued.v1.json"))
    }

    @Test func `a coordinator that is told that handoffs are open warns`() async throws {
        // The broker's address and a setting are wrong, so the coordinator ends by itself.
        let open = try await Programs.run("intent-coordinator --open-handoffs -b 127.0.0.1:1 -X no.such=1", exits: nil)
        #expect(open.status != 0 && open.errors.contains("handoffs are open"), "\(open.errors)")
    }
}

@Suite("'intents-bench'", .tags(.processes, .slow)) struct BenchTests {
    @Test func `a conversation runs in a closed loop and at each rate; only rates measure latency`() async throws {
        let ending = try await Programs.run(
            """
            intents-bench --conversation prompt-and-confirmation --intents 100 --window 20 --sessions 50 --rate 40,80 \
            --seconds 1 --handler-delay 100 --payload-bytes 2000 --resolvers 2 --json
            """)
        let figures = try JSON(parsing: Array(ending.output.utf8)).view
        let closed = try #require(figures["closed"])
        #expect(["intents", "failed", "prompts"].map { closed[$0]?.int } == [100, 0, 200])
        #expect(closed["latency_ms"] == nil)
        // Processes of one role are counted together.
        #expect(closed["cpu"]?.members.contains { $0.name == "resolver" } == true)
        #expect(closed["records"]?["requests"]?["perIntent"]?.double == 1)
        #expect(closed["records"]?["requests"]?["bytes"]?.double ?? 0 > 2_000)
        let paced = try #require(figures["paced"]).elements
        #expect(paced.compactMap { $0["rate"]?.int } == [40, 80])
        for latency in paced.map({ $0["latency_ms"] }) {
            let median = latency?["p50"]?.double ?? 0
            #expect(median >= 100 && median <= latency?["max"]?.double ?? 0)
        }
    }
}

@Suite(
    "Recorded conversations", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Recorded.isThere, "there is no ../shared/sgd/dev.jsonl.gz beside the repository"))
struct RecordedDialogueProcessTests {
    @Test func `are played through the topics; every call is as recorded, without a needless prompt`() async throws {
        let files = Scratch()
        let report = try files.file("report.json")
        let data = ["--schema", Recorded.schema, "--dialogues", Recorded.dialogues]
        let ending = try await Programs.run("sgd-replay --limit 60 --show 60 --report \(report)", data, within: 270)
        let counts = try JSONView(parsing: Array(files.text("report.json").utf8))
        let calls = try #require(counts["calls"]?.int)
        #expect(calls > 0)
        let names = ["dialogues", "identical", "needless", "gaps"]
        #expect(names.map { counts[$0]?.int } == [60, calls, 0, 0], "\(ending.all)")
    }
}

/// The recorded dialogues, which are not part of the repository.
private enum Recorded {
    private static let folder = Programs.root.deletingLastPathComponent().appending(path: "shared/sgd").path
    static let schema = "\(folder)/dev.schema.json"
    static let dialogues = "\(folder)/dev.jsonl.gz"
    static let isThere = [schema, dialogues].allSatisfy(FileManager.default.isReadableFile)
}
