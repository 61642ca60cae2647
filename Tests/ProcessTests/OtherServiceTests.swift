import Foundation
import IntentModel
import Testing

@Suite("A service beside the shipped workers", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(4)))
struct OtherServiceTests {
    /// The lines of `intents catalog list`.
    private func listed(_ pipeline: RunningPipeline) async throws -> [String] {
        let ending = try await pipeline.intents(["catalog", "list"])
        try #require(ending.status == 0, "\(ending.errors)")
        return ending.output.split(separator: "\n").map(String.init)
    }

    private func untilListed(_ what: String, within seconds: Int, _ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
        while try await !condition() {
            guard ContinuousClock.now < deadline else {
                throw TimedOut(description: "not within \(seconds) s: \(what)")
            }
        }
    }

    /// Starts a program, and waits until its intent is in the catalogue.
    private func start(_ program: URL, _ arguments: [String], serving line: String, _ pipeline: RunningPipeline)
        async throws -> Process
    {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try await untilListed("'\(line)' is listed", within: 30) { try await listed(pipeline).contains(line) }
        return process
    }

    /// Stops the program, and checks that its intent is withdrawn and its requests are refused.
    private func stop(_ process: Process, _ intent: String, _ pipeline: RunningPipeline) async throws {
        #expect(try await listed(pipeline).contains { $0.hasPrefix("RequestRide\t") })
        process.terminate()
        try await untilListed("\(intent) is withdrawn", within: 20) {
            try await !listed(pipeline).contains { $0.hasPrefix("\(intent)\t") }
        }
        let start = ContinuousClock.now
        let refused = try await pipeline.intents(["send", intent, "--wait"])
        #expect(refused.json.last?["code"]?.string == "noHandlerProvidedForIntent", "\(refused.output)")
        #expect(
            refused.json.last?["error"]?["message"]?.string?.hasPrefix("no worker serves '\(intent)'") == true,
            "\(refused.output)")
        // Without a worker for its phase, the request would time out after a minute.
        #expect(ContinuousClock.now - start < .seconds(15))
        let ride = try await pipeline.intents(["send", "RequestRide", "--wait"])
        #expect(ride.status == 3 && ride.json.last?["parameter"]?.string == "dropOff", "\(ride.output)")
    }

    @Test(
        "in Python: its intent is listed, asked for, confirmed and handled, and withdrawn when it stops",
        .enabled(
            if: PythonWithKafka.path != nil, "there is no python3 with confluent-kafka; deploy/test.sh installs it"))
    func python() async throws {
        try await RunningPipeline.with(["--partitions", "2"]) { pipeline in
            let script = PythonWithKafka.root.appending(path: "deploy/samples/python/worker.py").path
            let worker = try await start(
                URL(filePath: "/usr/bin/env"),
                [PythonWithKafka.path ?? "", "-c", PythonWithKafka.unblocked, script, "-b", pipeline.servers],
                serving: "OrderTea\tOrder tea\ttea 1.0.0", pipeline)
            defer { kill(worker.processIdentifier, SIGKILL) }
            let talk = try await pipeline.intents(["chat", "OrderTea"], input: "tea\nmint\ny\n")
            #expect(talk.status == 0 && talk.output.contains("Mint tea is ready."), "\(talk.output)\(talk.errors)")
            #expect(talk.output.contains("1 × Mint tea. Shall I make it?"), "\(talk.output)")
            let dutch = try await pipeline.intents(["catalog", "show", "OrderTea", "--locale", "nl"])
            #expect(
                dutch.output.hasPrefix("OrderTea: Thee bestellen\n") && dutch.output.contains("mint (Mint tea)"),
                "\(dutch.output)")
            let schema = try await pipeline.intents(["catalog", "show", "OrderTea", "--json-schema", "--resolved"])
            #expect(schema.output.contains(#""maximum": 6"#), "\(schema.output)")
            let near = try await pipeline.intents(["send", "OrderTee", "--wait"])
            #expect(
                near.json.last?["error"]?["message"]?.string?.hasSuffix("did you mean OrderTea?") == true,
                "\(near.output)")
            try await stop(worker, "OrderTea", pipeline)
        }
    }

    @Test("of an app alone: its intent is resolved, confirmed and handled in the app, and withdrawn when it stops")
    func app() async throws {
        try await RunningPipeline.with(["--partitions", "2"]) { pipeline in
            let worker = try await start(
                Programs.url("app-worker"), ["--service", "phone", "--service-version", "2.1", "-b", pipeline.servers],
                serving: "SetAlarm\tSet an alarm\tphone 2.1, in the app", pipeline)
            defer { kill(worker.processIdentifier, SIGKILL) }
            let talk = try await pipeline.intents(["chat", "SetAlarm"], input: "7\ny\n")
            #expect(talk.status == 0 && talk.output.contains("The app wakes you at 7."), "\(talk.output)\(talk.errors)")
            let shown = try await pipeline.intents(["catalog", "show", "SetAlarm"])
            #expect(shown.output.contains("  served in the app by: phone 2.1, 1 worker\n"), "\(shown.output)")
            try await stop(worker, "SetAlarm", pipeline)
        }
    }
}

enum PythonWithKafka {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A Python script that runs the script in its arguments with no signals blocked. The thread that starts the
    /// process may have blocked signals, which a child inherits.
    static let unblocked = """
        import os, runpy, signal, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        sys.argv = sys.argv[1:]
        sys.path.insert(0, os.path.dirname(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")
        """

    /// The Python interpreter of deploy/setup.sh if it exists, or else `python3`; `nil` if neither has
    /// `confluent_kafka`.
    static let path: String? = [root.appending(path: ".build/python/bin/python3").path, "python3"].first { python in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, "-c", "import confluent_kafka"]
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
