import Foundation
import IntentModel
import Testing

@Suite(
    "A resolver in another language", .serialized,
    .enabled(if: PythonWithKafka.path != nil, "there is no python3 with confluent-kafka; deploy/test.sh installs it"))
struct PythonResolverTests {
    @Test("joins the group; its outcomes prompt the person, and end an unknown intent")
    func serves() async throws {
        try await RunningPipeline.with(["--resolvers", "0", "--partitions", "2"]) { pipeline in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                PythonWithKafka.path ?? "", PythonWithKafka.root.appending(path: "deploy/samples/resolver.py").path, "-b", pipeline.servers,
            ]
            process.standardOutput = FileHandle.nullDevice
            let errors = try Programs.temporaryFile()
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            defer {
                // SIGKILL, because the thread that started it may have blocked the other signals.
                kill(process.processIdentifier, SIGKILL)
                try? FileManager.default.removeItem(at: errors)
            }
            let asked = try await pipeline.intents(["send", "OrderTea", "--session", "me", "-p", "cups=2", "--wait"])
            #expect(asked.status == 3, "\(asked.errors)\((try? String(contentsOf: errors, encoding: .utf8)) ?? "")")
            #expect(asked.json.last?["parameter"]?.string == "kind" && asked.json.last?["dialog"]?.string == "Which tea would you like?")

            let offered = try await pipeline.intents(["send", "OrderTea", "--session", "you", "-p", "kind=tea", "--wait"])
            #expect(offered.json.last?["options"]?.elements.compactMap { $0["id"]?.string } == ["green", "mint"])

            // Everything is resolved, and no confirmer of this pipeline knows the intent.
            let resolved = try await pipeline.intents(["send", "OrderTea", "--session", "they", "-p", "kind=mint", "--wait"])
            #expect(resolved.json.last?["code"]?.string == "noHandlerProvidedForIntent")
            #expect(resolved.json.last?["parameters"]?["kind"]?.string == "mint", "\(resolved.output)")

            let unknown = try await pipeline.intents(["send", "RequestRide", "--session", "we", "--wait"])
            #expect(unknown.json.last?["error"]?["message"]?.string == "no resolver here knows 'RequestRide'", "\(unknown.output)")
        }
    }
}

enum PythonWithKafka {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The one of deploy/setup.sh, if it exists.
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
