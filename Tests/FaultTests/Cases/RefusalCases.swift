import Conversation
import DevBroker
import Foundation
import IntentEvents
import IntentModel
import RecordLog

@testable import RDKafkaLog
@testable import intents

extension FaultCase {
    /// A broker that refuses records: journal records for good, or all records for a while.
    static let refusals: [FaultCase] = [refusedJournal, journalTooSmall, storageErrors, fullDisk]

    /// The record of a decision is refused, so the decision does not count: the process ends with the reason, and its
    /// successor decides again.
    private static let refusedJournal = FaultCase(
        name: "refused journal records", repeats: (1, 4), size: Fleet.Size(coordinators: 1), hasTravellers: false,
        mayEndProcesses: true,
        needs: [.developmentBroker]
    ) { scene in
        guard let broker = scene.broker.development else { return [] }
        for number in 0..<scene.repeats {
            scene.person.play(
                "before\(number)", Script.plain(named: "before\(number)", count: 20) { "s\(number)-\($0)" }, refusalPace
            )
            try await scene.progress(20)
            try await scene.quiet()
            // After the pause, the coordinator's input leads to a journal record before any other record, so the
            // refused record is the journal's.
            scene.fleet.signal("coordinator-1", SIGSTOP)
            scene.person.play(
                "after\(number)", Script.plain(named: "after\(number)", count: 20) { "s\(number)-\($0)" }, refusalPace)
            try await hold(.milliseconds(500))
            let deaths = scene.fleet.deaths
            broker.fail(.produce, with: [.recordTooLarge])
            scene.fleet.signal("coordinator-1", SIGCONT)
            try await eventually("the coordinator ends") { scene.fleet.deaths != deaths }
            try await scene.fleet.allJoined()
            try await scene.progress(20)
        }
        return ["\(scene.repeats) records"]
    }

    /// The journal's topic refuses large records for a while. The decision on one session's request can't be written,
    /// and by the rules of the journal nothing after it. No process starts again until the operator has corrected the
    /// topic.
    private static let journalTooSmall = FaultCase(
        name: "a journal topic that takes no large records", repeats: (1, 2), hasTravellers: false,
        mayEndProcesses: true, needs: [.kafka]
    ) { scene in
        guard
            let sessions = scene.topics.specifications(partitions: FaultScene.partitions).first(where: {
                $0.name == scene.topics.sessions
            })
        else { return [] }
        let small = sessions.configuration.merging(["max.message.bytes": "20000"]) { $1 }
        let settings = sessions.configuration
        for number in 0..<scene.repeats {
            scene.person.play(
                "before\(number)", Script.plain(named: "before\(number)", count: 20) { "b\(number)-\($0)" }, refusalPace
            )
            try await scene.progress(20)
            try await KafkaAdmin.run(scene.configuration) { admin throws(LogError) in
                try admin.configure(sessions.name, small)
            }
            let deaths = scene.fleet.deaths
            scene.person.play("large\(number)", large(named: "large\(number)"), refusalPace)
            scene.person.play(
                "beside\(number)", Script.plain(named: "beside\(number)", count: 20) { "n\(number)-\($0)" }, refusalPace
            )
            try await eventually("the coordinator ends") { scene.fleet.deaths != deaths }
            try await eventually("its successor refuses to start") {
                scene.fleet.log.contains("max.message.bytes=20000")
            }
            try await KafkaAdmin.run(scene.configuration) { admin throws(LogError) in
                try admin.configure(sessions.name, settings)
            }
            try await scene.fleet.allJoined()
            try await scene.quiet()
        }
        return ["\(scene.repeats) times, until its topic was as before"]
    }

    private static let refusalPace = Person.Pace(window: 100, rate: 1_000)

    /// A request for an intent that no worker serves, with a large value.
    private static func large(named name: String) -> [RequestFile.Line] {
        var lines = Script.plain(named: name, count: 1) { _ in name }
        let value = try? JSONView(parsing: Array("\"\(String(repeating: "x", count: 40_000))\"".utf8)).json
        for index in lines.indices {
            lines[index].request.parameters = value.map { [ParameterState(name: "pickup", value: $0)] } ?? []
            lines[index].request.intent = "Unserved"
        }
        return lines
    }

    /// Every record is refused until there is room, as by a broker whose disk is full.
    private static let storageErrors = FaultCase(
        name: "a log that refuses all writes for a while", repeats: (1, 4), needs: [.developmentBroker]
    ) { scene in
        guard let broker = scene.broker.development else { return [] }
        for number in 0..<scene.repeats {
            try await scene.progress(20)
            broker.fail(.produce, with: Array(repeating: .storageError, count: 100_000))
            try await hold(.seconds(2 + 2 * number))
            broker.clearFaults(of: .produce)
        }
        try await scene.progress(20)
        return ["\(scene.repeats) times, for 2 s and each time 2 s longer"]
    }

    private static let fullDisk = FaultCase(
        name: "a broker whose disk is full", repeats: (0, 2), needs: [.diskCommands]
    ) { scene in
        guard let disk = DiskCommands.given, let broker = BrokerCommands.given else { return [] }
        for _ in 0..<scene.repeats {
            try await scene.progress(20)
            try await disk.fill()
            try await hold(.seconds(10))
            try await disk.free()
            // Kafka ends when none of its log directories can be written.
            try await broker.start()
            try await scene.progress(20)
        }
        return ["\(scene.repeats) times, for 10 s"]
    }
}

/// The shell commands that fill a Kafka's disk and make room again, from `FAULTS_FILL_DISK` and `FAULTS_FREE_DISK`.
struct DiskCommands: Sendable {
    private var fillCommand: String
    private var freeCommand: String

    static let given: DiskCommands? = {
        let environment = ProcessInfo.processInfo.environment
        guard BrokerCommands.given != nil, let fill = environment["FAULTS_FILL_DISK"],
            let free = environment["FAULTS_FREE_DISK"]
        else { return nil }
        return DiskCommands(fillCommand: fill, freeCommand: free)
    }()

    func fill() async throws { try await BrokerCommands.run(fillCommand) }
    func free() async throws { try await BrokerCommands.run(freeCommand) }
}
