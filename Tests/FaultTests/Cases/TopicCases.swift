import Foundation
import IntentEvents
import RecordLog

@testable import RDKafkaLog

extension FaultCase {
    /// Topics that are deleted and created again while the processes run.
    static let topicFaults: [FaultCase] = [
        recreated("requests", "--requests-at") { $0.requests }, recreated("outcomes", "--outcomes-at") { $0.outcomes },
    ]

    /// Deletes and recreates an input topic. The journal's positions then belong to a log that is gone. The coordinator
    /// stops each partition, and continues after an operator has set the position.
    private static func recreated(_ name: String, _ option: String, _ topic: @escaping @Sendable (Topics) -> String)
        -> FaultCase
    {
        FaultCase(
            name: "the topic of \(name) deleted and created again", repeats: (1, 1), hasTravellers: false,
            mayEndProcesses: true,
            needs: [.kafka]
        ) { scene in
            let topic = topic(scene.topics)
            let pace = Person.Pace(window: 100, rate: 100)
            scene.person.play("before", Script.plain(named: "before", count: 100) { "s-\($0)" }, pace)
            try await scene.progress(100)
            try await scene.quiet()
            try await KafkaAdmin.run(scene.configuration) { admin throws(LogError) in try admin.delete([topic]) }
            try await hold(.seconds(2))
            try await scene.broker.createTopics(
                scene.topics, partitions: FaultScene.partitions, takeLargeRecords: false)
            try await hold(.seconds(2))
            scene.person.play("after", Script.plain(named: "after", count: 100) { "s-\($0)" }, pace)
            try await eventually("the coordinator says that the partitions are not served") {
                (0..<FaultScene.partitions).allSatisfy { partition in
                    scene.fleet.log.split(separator: "\n").contains {
                        $0.contains("not served") && $0.contains(#""partition":"\#(partition)""#)
                    }
                }
            }
            let ended = scene.person.endedRequests
            let found = try await scene.tool(["journal", "check"])
            if found.code != 4 { throw Broken("journal check ended with \(found.code): \(found.text)") }
            for partition in 0..<FaultScene.partitions {
                let repaired = try await scene.tool([
                    "journal", "repair", "--partition", "\(partition)", option, "beginning",
                ])
                if repaired.code != 0 { throw Broken("journal repair ended with \(repaired.code): \(repaired.text)") }
            }
            scene.fleet.signal("coordinator-1", SIGTERM)
            try await scene.fleet.allJoined()
            try await scene.quiet()
            return [
                "stopped, repaired with \(option) beginning; \(scene.person.endedRequests - ended) requests ended after it"
            ]
        }
    }
}

extension FaultScene {
    var configuration: KafkaConfiguration {
        KafkaConfiguration(bootstrapServers: broker.servers, properties: [:]) { _, _, _ in }
    }

    /// Runs the tool `intents` on this scene's topics.
    func tool(_ arguments: [String]) async throws -> (code: Int32, text: String) {
        let process = Process()
        process.executableURL = Fleet.ownPrograms.appendingPathComponent("intents")
        process.arguments = arguments + ["--bootstrap-servers", broker.servers, "--topic-prefix", topics.prefix]
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "intents-faults-tool-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let handle = try FileHandle(forWritingTo: output)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        ProcessStarter.shared.start { try? process.run() }
        try await eventually("intents \(arguments.joined(separator: " ")) starts", within: .seconds(10)) {
            process.processIdentifier != 0
        }
        try await eventually("intents \(arguments.joined(separator: " ")) ends") { !process.isRunning }
        return (process.terminationStatus, (try? String(contentsOf: output, encoding: .utf8)) ?? "")
    }
}
