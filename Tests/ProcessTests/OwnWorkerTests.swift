import Foundation
import IntentModel
import Logging
import RecordLog
import Testing
import WorkerService

@testable import Greenhouse

/// Tests of `Greenhouse`, the worker at the end of the tutorial.
@Suite("An author's own worker program", .tags(.processes, .slow), .timeLimit(.minutes(10))) struct OwnWorkerTests {
    @Test func `serves its intents in 'intents dev', with a process for each phase`() async throws {
        try await RunningPipeline.with("--worker", [Programs.path("Greenhouse")]) { pipeline in
            #expect(pipeline.children("Greenhouse").count == 4)
            try await pipeline.waterFern()
            try await pipeline.intents("send RequestRide --wait", exits: nil, prints: "no worker serves 'RequestRide'")

            // The chat of the tutorial, without what the person types.
            let tutorial = try String(
                contentsOf: Programs.root.appending(path: "Examples/Greenhouse/README.md"), encoding: .utf8)
            let lines = tutorial.components(separatedBy: "intents chat WaterPlant\n").last?.prefix { $0 != "`" } ?? ""
            let shown = lines.split(separator: "\n").map { $0.dropFirst(2) }.filter { !$0.hasPrefix("> ") }
                .map { $0.hasSuffix(": y") ? $0.dropLast() : $0 }
            let talk = try await pipeline.intents("chat WaterPlant", input: "cactus\n30 mL\ny\n").output
            #expect(shown.count > 8)
            for line in shown { #expect(talk.contains(line), "\(talk)") }
        }
    }
}

extension RunningPipeline {
    /// Has a fern watered by the worker of the tutorial.
    fileprivate func waterFern() async throws {
        let talk = try await intents("chat WaterPlant -p plant=fern", input: "Boston fern\ny\n")
        #expect(talk.output.contains("The Boston fern says thank you."), "\(talk.output)")
    }
}

@Suite("A worker in a program that has its own main", .tags(.processes, .slow), .timeLimit(.minutes(10)))
struct IntentWorkerTests {
    private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    private let extensions = [GreenhouseExtension()]

    @Test func `serves its intents until it is cancelled, and then returns`() async throws {
        try await RunningPipeline.with("--no-workers") { pipeline in
            var configuration = IntentWorker.Configuration(
                bootstrapServers: pipeline.servers, roles: [.resolve, .confirm, .handle])
            configuration.instance = "embedded"
            let worker = try IntentWorker(extensions: extensions, configuration: configuration, logger: logger)
            let running = Task { try await worker.run() }
            try await pipeline.waterFern()
            running.cancel()
            try await running.value
        }
    }

    @Test func `names a property that the pipeline depends on`() {
        let wrong = IntentWorker.Configuration(bootstrapServers: "h:1", properties: ["enable.auto.commit": "true"])
        let error = #expect(throws: LogError.self) {
            try IntentWorker(extensions: extensions, configuration: wrong, logger: logger)
        }
        #expect(error?.message.contains("enable.auto.commit") == true)
    }
}

@Suite("A service beside the shipped workers", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)))
struct OtherServiceTests {
    /// A Python script that runs the script in its arguments with no signals blocked. The thread that starts the
    /// process may have blocked signals, which a child inherits.
    private static let unblocked = """
        import os, runpy, signal, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        sys.argv = sys.argv[1:]
        sys.path.insert(0, os.path.dirname(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")
        """

    /// Starts a program beside the shipped workers, and waits until its intent is in the catalogue. After `body`, the
    /// program is stopped: its intent is withdrawn, and its requests are refused.
    private func serving(
        _ line: String, _ command: String, _ arguments: [String] = [], _ body: (RunningPipeline) async throws -> Void
    ) async throws {
        try await RunningPipeline.with("--partitions 2") { pipeline in
            func listed() async throws -> [Substring] {
                try await pipeline.intents("catalog list").output.split(separator: "\n")
            }
            let intent = line.prefix { $0 != "\t" }
            let worker = try RunningProgram(command, arguments + ["-b", pipeline.servers])
            defer { worker.end() }
            try await eventually("'\(line)' is listed", within: 30) { try await listed().contains(line[...]) }
            try await body(pipeline)
            #expect(try await listed().contains { $0.hasPrefix("RequestRide\t") })
            worker.terminate()
            try await eventually("\(intent) is withdrawn", within: 20) {
                try await !listed().contains { $0.hasPrefix("\(intent)\t") }
            }
            let start = ContinuousClock.now
            let refused = try #require(try await pipeline.intents("send \(intent) --wait", exits: nil).json.last)
            #expect(refused["code"]?.string == "noHandlerProvidedForIntent", "\(refused.json)")
            let message = refused["error"]?["message"]?.string
            #expect(message?.hasPrefix("no worker serves '\(intent)'") == true, "\(refused.json)")
            // Without a worker for its phase, the request would time out after a minute.
            #expect(ContinuousClock.now - start < .seconds(15))
            let ride = try await pipeline.intents("send RequestRide --wait", exits: 3)
            #expect(ride.json.last?["parameter"]?.string == "dropOff", "\(ride.output)")
        }
    }

    @Test(.enabled(if: Python.withKafka != nil, "there is no python3 with confluent-kafka; deploy/test.sh installs it"))
    func `a Python worker serves all phases of its intent, which is withdrawn when it stops`() async throws {
        let script = Programs.root.appending(path: "deploy/samples/python/worker.py").path
        try await serving("OrderTea\tOrder tea\ttea 1.0.0", Python.path, ["-c", Self.unblocked, script]) { pipeline in
            let talk = try await pipeline.intents("chat OrderTea", input: "tea\nmint\ny\n")
            #expect(talk.output.contains("Mint tea is ready."), "\(talk.all)")
            #expect(talk.output.contains("1 × Mint tea. Shall I make it?"), "\(talk.output)")
            let dutch = try await pipeline.intents("catalog show OrderTea --locale nl", exits: nil).output
            #expect(dutch.hasPrefix("OrderTea: Thee bestellen\n") && dutch.contains("mint (Mint tea)"), "\(dutch)")
            let schema = try await pipeline.intents("catalog show OrderTea --json-schema --resolved", exits: nil)
            #expect(schema.output.contains(#""maximum": 6"#), "\(schema.output)")
            let near = try await pipeline.intents("send OrderTee --wait", exits: nil)
            let message = near.json.last?["error"]?["message"]?.string
            #expect(message?.hasSuffix("did you mean OrderTea?") == true, "\(near.output)")
        }
    }

    @Test func `an app serves all phases of its intent, which is withdrawn when the app stops`() async throws {
        let command = "app-worker --service phone --service-version 2.1"
        try await serving("SetAlarm\tSet an alarm\tphone 2.1, in the app", command) { pipeline in
            try await pipeline.intents("chat SetAlarm", input: "7\ny\n", prints: "The app wakes you at 7.")
            try await pipeline.intents(
                "catalog show SetAlarm", exits: nil, prints: "  served in the app by: phone 2.1, 1 worker\n")
        }
    }
}
