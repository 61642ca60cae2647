import Foundation
import IntentModel
import Testing

@Suite("The programs", .tags(.processes, .slow))
struct ToolTests {
    @Test("print help", arguments: ["intents", "intent-coordinator", "sample-worker", "intent-http-worker"])
    func help(_ program: String) async throws {
        let ending = try await Programs.run(program, ["--help"])
        #expect(ending.status == 0)
        #expect(ending.output.contains("OVERVIEW") && ending.output.contains("xit codes"))
        #expect(ending.errors.isEmpty)
    }

    @Test("print their version", arguments: ["intents", "intents-simulator", "intents-bench", "intent-coordinator"])
    func version(_ program: String) async throws {
        let ending = try await Programs.run(program, ["--version"])
        #expect(ending.status == 0 && ending.errors.isEmpty)
        #expect(ending.output.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil, "\(ending.output)")
    }

    @Test(
        "exit with 2 for wrong arguments, and explain what to do",
        arguments: [
            (["send"], "name or --file"), (["send", "X", "-p", "a"], "name=value"), (["nonsense"], "nonsense"),
            (["send", "X"], "The address of Kafka is missing"),
            (["send", "X", "-b", "h:1", "-X", "group.id=x"], "group.id"),
            (["send", "X", "-b", "h:1", "-X", "no.such.property=x"], "no.such.property"),
            (["send", "X", "-b", "h:1", "--kafka-config", "/nowhere"], "/nowhere"),
            (["topics", "apply", "--partitions", "0", "-b", "h:1"], "at least 1"),
            (["session", "list", "--stage", "asleep"], "none of idle, queued"),
            (["session", "show", "s", "--limit", "0"], "at least 1"),
            (["session", "end", "s"], "The address of Kafka is missing"), (["session", "end"], "<session>"),
            (["dead-letters", "list", "--reason", "odd"], "none of unsupported"),
            (["dead-letters", "show", "3"], "partition/offset"),
            (["dead-letters", "replay"], "or --all"),
            (["dead-letters", "replay", "--all", "--force"], "--force takes one letter"),
            (["dead-letters", "drop", "1/2", "--reason", "busy"], "require --all"),
            (["acl", "print", "--format", "strimzi"], "needs --cluster"),
            (["acl", "print", "--role", "manager"], "topic-admin"),
            (["acl", "print", "--group", "person=intents.coordinator"], "a group of the pipeline"),
            (["acl", "print", "--principal", "manager=x"], "is not role=name; the roles are coordinator, resolver,"),
            (
                ["acl", "print", "--format", "strimzi", "--cluster", "k", "--principal", "person=Ann"],
                "'Ann' can't be the name"
            ),
            (["acl", "print", "--cluster", "k"], "are for --format strimzi"),
            (["handoff", "complete", "h", "--session", "s", "--code", "ready"], "can't complete a handoff"),
            (["updates", "start", "r"], "--session"),
            (["catalog", "show", "Nothing", "--built-in"], "The intents are RequestRide,"),
            (["catalog", "show", "RequestRyde", "--built-in"], "Did you mean RequestRide?"),
            (["catalog", "list"], "The address of Kafka is missing"),
            (["catalog", "show", "RequestRide", "--resolved"], "--json-schema"),
            (["contract", "schema", "prompt.isued.v1"], "did you mean prompt.issued.v1"),
            (["contract", "schema", "intent.updated.v1"], "results.intent.updated.v1 or outcomes.intent"),
            (["contract", "asyncapi", "--partitions", "0"], "at least 1"),
            (["contract", "asyncapi", "--examples", "/nowhere"], "/nowhere"),
        ])
    func usage(_ arguments: [String], _ message: String) async throws {
        let ending = try await Programs.run("intents", arguments)
        #expect(ending.status == 2)
        #expect(ending.errors.contains(message), "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    @Test(
        "show the catalogue without Kafka",
        arguments: [
            (["list"], "RequestRide\tRequest a ride\n"),
            (["list", "--locale", "nl-BE"], "RequestRide\tEen rit aanvragen\n"),
            (["list", "--json"], #""name": "CancelRide""#), (["show", "CancelRide"], "Cancel ride ${rideIdentifier}"),
            (["show", "CancelRide", "--json"], #""confirmation": "always""#),
            (["show", "CancelRide", "--json-schema", "--resolved"], #""required""#),
        ])
    func catalog(_ arguments: [String], _ text: String) async throws {
        let ending = try await Programs.run("intents", ["catalog"] + arguments + ["--built-in"])
        #expect(ending.status == 0 && ending.errors.isEmpty)
        #expect(ending.output.contains(text), "\(ending.output)")
    }

    @Test("print ACLs as a script that runs kafka-acls.sh with the connection that it is given")
    func acls() async throws {
        let options = [
            "acl", "print", "--topic-prefix", "home", "--role", "person", "--group", "person=my channel",
            "--idempotent-write",
        ]
        let script = try await Programs.run("intents", options)
        #expect(script.status == 0 && script.errors.isEmpty, "\(script.errors)")
        // The program prints each argument of each call.
        let program = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: program) }
        try Data("#!/bin/sh\nprintf '<%s>' \"$@\"\necho\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        let ending = try await Programs.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["KAFKA_ACLS=\(program.path)", "/bin/sh", "-s", "--", "--bootstrap-server", "h:1"],
            input: script.output)
        let lines = ending.output.split(separator: "\n")
        let start = "<--bootstrap-server><h:1><--add><--allow-principal><User:home-person>"
        #expect(
            ending.status == 0 && lines.count == 5 && lines.allSatisfy { $0.hasPrefix(start) },
            "\(ending.output)\(ending.errors)")
        #expect(
            lines.first?.hasPrefix(
                "\(start)<--operation><Describe><--topic><home.requests><--topic><home.answers><--topic><home.results>")
                == true)
        #expect(
            lines.dropFirst().map { $0.dropFirst(start.count) } == [
                "<--operation><Read><--topic><home.results><--topic><home.keys><--topic><home.catalog>",
                "<--operation><Write><--topic><home.requests><--topic><home.answers>",
                "<--operation><Read><--group><my channel>", "<--operation><IdempotentWrite><--cluster>",
            ])
    }

    @Test("print the contract: with the golden files as examples, it is the document that is published")
    func contract() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let examples = root.appending(path: "Tests/IntentEventsTests/Golden").path
        let whole = try await Programs.run(
            "intents", ["contract", "asyncapi", "--topic-prefix", "intents", "--examples", examples])
        #expect(whole.status == 0 && whole.errors.isEmpty, "\(whole.errors)")
        #expect(
            try whole.output
                == String(contentsOf: root.appending(path: "deploy/contract/asyncapi.json"), encoding: .utf8))
        let other = try await Programs.run(
            "intents", ["contract", "asyncapi", "--topic-prefix", "home", "--replication-factor", "3"])
        #expect(other.output.contains(#""address": "home.results""#) && other.output.contains(#""replicas": 3"#))
        #expect(!other.output.contains("intents.results"))

        let folder = FileManager.default.temporaryDirectory.appending(path: "schemas-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let schemas = try await Programs.run("intents", ["contract", "schemas", "--output", folder.path])
        #expect(schemas.status == 0 && schemas.output.split(separator: "\n").count == 38)
        let one = try await Programs.run("intents", ["contract", "schema", "prompt.issued.v1"])
        #expect(try one.output == String(contentsOf: folder.appending(path: "prompt.issued.v1.json"), encoding: .utf8))
    }

    @Test(
        "the simulator exits with 2 for wrong arguments, and explains what to do",
        arguments: [
            (["--breaking", "no such rule"], "requestsAreAcceptedOnce,"),
            (["--mutants", "--explore"], "can't be used together"),
        ])
    func simulatorUsage(_ arguments: [String], _ message: String) async throws {
        let ending = try await Programs.run("intents-simulator", arguments)
        #expect(ending.status == 2 && ending.output.isEmpty)
        #expect(ending.errors.contains(message), "\(ending.errors)")
    }

    @Test(
        "the benchmark exits with 2 for wrong arguments, and explains what to do",
        arguments: [
            (["--conversation", "talk"], "'prompt-and-confirmation'"), (["--rate", "5,x"], "'5,x' is invalid"),
            (["--rate", "5,0"], "at least 1"), (["--rate", "0", "--intents", "0"], "nothing to measure"),
        ])
    func benchUsage(_ arguments: [String], _ message: String) async throws {
        let ending = try await Programs.run("intents-bench", arguments)
        #expect(ending.status == 2 && ending.output.isEmpty)
        #expect(ending.errors.contains(message), "\(ending.errors)")
    }

    @Test("the simulator breaks one of the pipeline's rules, and shows the history that notices")
    func broken() async throws {
        let ending = try await Programs.run(
            "intents-simulator", ["--breaking", "openParametersAreAsked", "--histories", "20"])
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending)")
        #expect(ending.output.hasPrefix("openParametersAreAsked: found by history "), "\(ending.output)")
        #expect(ending.output.hasSuffix("rules: 1, found when broken: 1\n"), "\(ending.output)")
    }

    @Test("a coordinator needs a handoff secret, or is told that handoffs are open, and then warns")
    func handoffs() async throws {
        let without = try await Programs.run("intent-coordinator", ["--bootstrap-servers", "127.0.0.1:1"])
        #expect(
            without.status == 2 && without.errors.contains("--handoff-secret-file")
                && without.errors.contains("--open-handoffs"))
        // The broker's address and a setting are wrong, so the coordinator ends by itself.
        let open = try await Programs.run(
            "intent-coordinator", ["--open-handoffs", "--bootstrap-servers", "127.0.0.1:1", "-X", "no.such.setting=1"])
        #expect(open.status != 0 && open.errors.contains("handoffs are open"), "\(open.errors)")
    }

    @Test("a worker exits with 2 for a wrong setting")
    func workerUsage() async throws {
        let ending = try await Programs.run("sample-worker", ["-b", "h:1", "-X", "enable.auto.commit=true"])
        #expect(ending.status == 2)
        #expect(ending.errors.contains("enable.auto.commit"))
    }
}
