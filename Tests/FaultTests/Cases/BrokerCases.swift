import Conversation
import DevBroker
import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

@testable import IntentCommands
@testable import RDKafkaLog

extension FaultCase {
    // MARK: The connection

    static let connections: [FaultCase] = [
        FaultCase(name: "broker connection cut and restored", repeats: (2, 12), needs: [.proxy]) { scene in
            guard let proxy = scene.proxy else { throw Broken("there is no proxy") }
            try await scene.repeatedly { _ in
                // Each process has a connection for each of its clients.
                if proxy.open < scene.fleet.count { throw Broken("the processes don't go through the proxy") }
                let refused = proxy.refused
                proxy.set(.cut)
                try await eventually("the processes try to connect") {
                    proxy.refused >= refused + 2 * scene.fleet.count
                }
                proxy.set(.open)
            }
            return ["\(scene.repeats) cuts, \(proxy.refused) connections refused"]
        },
        FaultCase(name: "broker silent for longer than the session timeout", repeats: (0, 2), needs: [.proxy]) {
            scene in
            guard let proxy = scene.proxy else { throw Broken("there is no proxy") }
            let silence = scene.broker.sessionTimeout + .seconds(3)
            try await scene.repeatedly { _ in
                proxy.set(.stalled)
                try await hold(silence)
                proxy.set(.open)
            }
            return ["\(scene.repeats) times \(milliseconds(silence))"]
        },
        // Records that the stalled coordinator has sent arrive after another coordinator has taken its partitions over.
        // Its journal records must be void.
        FaultCase(
            name: "a coordinator whose connection stalls past its timeouts", repeats: (0, 4),
            size: Fleet.Size(coordinators: 2), needs: [.proxy],
            proxied: "coordinator-1", properties: { _ in ["socket.timeout.ms": "3000"] }
        ) { scene in
            guard let proxy = scene.proxy else { throw Broken("there is no proxy") }
            try await scene.repeatedly { _ in
                try await scene.moveAll(to: "coordinator-2", while: { proxy.set(.stalled) }) { proxy.set(.open) }
            }
            return ["\(scene.repeats) times, each until the other had taken over"]
        } judge: { scene in
            try await everyResultWasTheOwners(scene)
        },
        FaultCase(name: "broker killed and started again", repeats: (0, 3), needs: [.brokerCommands]) { scene in
            guard let broker = Shell.broker else { return [] }
            try await scene.repeatedly { _ in
                try await broker.disturb()
                try await broker.repair()
            }
            return ["\(scene.repeats) times"]
        },
    ]

    // MARK: Errors of the development broker

    /// Faults that only a broker with fault injection can show.
    static let brokerErrors: [FaultCase] = [
        // All faults on one pipeline, for the quick selection.
        FaultCase(
            name: "refused requests, broker down and up, slow network", repeats: (1, 0), needs: [.developmentBroker]
        ) { scene in
            guard let broker = scene.broker.development else { return [] }
            let errors = [(.produce, produceErrors), (.fetch, fetchErrors)] + groupErrors
            for (request, errors) in errors {
                broker.fail(request, with: errors)
                try await scene.progress(10)
            }
            try await broker.goDown(for: .milliseconds(500))
            try await scene.progress(10)
            try broker.setRoundTripTime(milliseconds: 40)
            try await scene.progress(10)
            try broker.setRoundTripTime(milliseconds: 0)
            return ["\(errors.reduce(0) { $0 + $1.1.count }) errors, 0.5 s without a broker, round trips of 40 ms"]
        },
        injected("refused Produce requests", [(.produce, produceErrors)], repeats: 20),
        injected("refused Fetch requests", [(.fetch, fetchErrors)], repeats: 20),
        injected(
            "refused group requests", groupErrors, repeats: 6, " for Heartbeat, FindCoordinator, Join, Sync and Commit"),
        FaultCase(name: "broker down and up", repeats: (0, 8), needs: [.developmentBroker]) { scene in
            guard let broker = scene.broker.development else { return [] }
            try await scene.repeatedly { try await broker.goDown(for: .milliseconds(500 + 500 * $0)) }
            return ["\(scene.repeats) times, for 0.5 s and each time 0.5 s longer"]
        },
        FaultCase(name: "round-trip time of 40 ms", repeats: (0, 10), needs: [.developmentBroker]) { scene in
            guard let broker = scene.broker.development else { return [] }
            try broker.setRoundTripTime(milliseconds: 40)
            try await scene.progress(40 * scene.repeats)
            try broker.setRoundTripTime(milliseconds: 0)
            return []
        },
    ]

    private typealias Errors = (request: DevelopmentBroker.Request, errors: [DevelopmentBroker.Fault])

    private static let produceErrors: [DevelopmentBroker.Fault] = [
        .notLeader, .requestTimedOut, .notEnoughReplicas, .disconnect,
    ]
    private static let fetchErrors: [DevelopmentBroker.Fault] = [
        .notLeader, .unknownTopicOrPartition, .requestTimedOut, .disconnect,
    ]
    private static let groupErrors: [Errors] = [
        (.heartbeat, [.rebalanceInProgress, .coordinatorNotAvailable]), (.heartbeat, [.unknownMember]),
        (.heartbeat, [.illegalGeneration]), (.findCoordinator, [.coordinatorNotAvailable, .disconnect]),
        (.joinGroup, [.coordinatorNotAvailable]), (.syncGroup, [.rebalanceInProgress]),
        (.offsetCommit, [.illegalGeneration, .rebalanceInProgress, .unknownMember]),
    ]

    private static func injected(_ name: String, _ injected: [Errors], repeats: Int, _ note: String = "") -> FaultCase {
        FaultCase(name: name, repeats: (0, repeats), needs: [.developmentBroker]) { scene in
            guard let broker = scene.broker.development else { return [] }
            for number in 0..<scene.repeats * injected.count {
                let (request, errors) = injected[number % injected.count]
                broker.fail(request, with: errors)
                try await scene.progress(20)
            }
            try await scene.fleet.allJoined()
            return ["\(scene.repeats * injected.reduce(0) { $0 + $1.errors.count }) errors\(note)"]
        }
    }

    // MARK: Refused records

    /// A broker that refuses records: journal records for good, or all records for a while.
    static let refusals: [FaultCase] = [refusedJournal, journalTooSmall, storageErrors, fullDisk]

    private static let refusalPace = Person.Pace(window: 100, rate: 1_000)

    /// The record of a decision is refused, so the decision does not count: the process ends with the reason, and its
    /// successor decides again.
    private static let refusedJournal = FaultCase(
        name: "refused journal records", repeats: (1, 4), size: Fleet.Size(coordinators: 1), hasTravellers: false,
        mayEndProcesses: true, needs: [.developmentBroker]
    ) { scene in
        guard let broker = scene.broker.development else { return [] }
        for number in 0..<scene.repeats {
            scene.play("before\(number)", 20, refusalPace) { "s\(number)-\($0)" }
            try await scene.progress(20)
            try await scene.quiet()
            // After the pause, the coordinator's input leads to a journal record before any other record, so the
            // refused record is the journal's.
            scene.fleet.signal("coordinator-1", SIGSTOP)
            scene.play("after\(number)", 20, refusalPace) { "s\(number)-\($0)" }
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
        for number in 0..<scene.repeats {
            scene.play("before\(number)", 20, refusalPace) { "b\(number)-\($0)" }
            try await scene.progress(20)
            try await scene.limitRecords(of: scene.topics.sessions, toBytes: "20000") {
                let deaths = scene.fleet.deaths
                scene.person.play("large\(number)", large(named: "large\(number)"), refusalPace)
                scene.play("beside\(number)", 20, refusalPace) { "n\(number)-\($0)" }
                try await eventually("the coordinator ends") { scene.fleet.deaths != deaths }
                try await eventually("its successor refuses to start") {
                    scene.fleet.log.contains("max.message.bytes=20000")
                }
            }
            try await scene.fleet.allJoined()
            try await scene.quiet()
        }
        return ["\(scene.repeats) times, until its topic was as before"]
    }

    /// A request for an intent that no worker serves, with a large value.
    private static func large(named name: String) -> [RequestFile.Line] {
        let value = try? JSONView(parsing: Array("\"\(String(repeating: "x", count: 40_000))\"".utf8)).json
        return Script.plain(named: name, count: 1) { _ in name }.map { line in
            var line = line
            line.request.parameters = value.map { [ParameterState(name: "pickup", value: $0)] } ?? []
            line.request.intent = "Unserved"
            return line
        }
    }

    /// Every record is refused until there is room, as by a broker whose disk is full.
    private static let storageErrors = FaultCase(
        name: "a log that refuses all writes for a while", repeats: (1, 4), needs: [.developmentBroker]
    ) { scene in
        guard let broker = scene.broker.development else { return [] }
        try await scene.repeatedly { number in
            broker.fail(.produce, with: Array(repeating: .storageError, count: 100_000))
            try await hold(.seconds(2 + 2 * number))
            broker.clearFaults(of: .produce)
        }
        return ["\(scene.repeats) times, for 2 s and each time 2 s longer"]
    }

    private static let fullDisk = FaultCase(
        name: "a broker whose disk is full", repeats: (0, 2), needs: [.diskCommands]
    ) { scene in
        guard let disk = Shell.disk, let broker = Shell.broker else { return [] }
        try await scene.repeatedly { _ in
            try await disk.disturb()
            try await hold(.seconds(10))
            try await disk.repair()
            // Kafka ends when none of its log directories can be written.
            try await broker.repair()
        }
        return ["\(scene.repeats) times, for 10 s"]
    }

    // MARK: Topics

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
            mayEndProcesses: true, needs: [.kafka]
        ) { scene in
            let topic = topic(scene.topics)
            let pace = Person.Pace(window: 100, rate: 100)
            scene.play("before", 100, pace) { "s-\($0)" }
            try await scene.progress(100)
            try await scene.quiet()
            try await KafkaAdmin.run(scene.configuration) { admin throws(LogError) in try admin.delete(topic) }
            try await hold(.seconds(2))
            try await scene.broker.createTopics(
                scene.topics, partitions: FaultScene.partitions, takeLargeRecords: false)
            try await hold(.seconds(2))
            scene.play("after", 100, pace) { "s-\($0)" }
            try await eventually("the coordinator says that the partitions are not served") {
                (0..<FaultScene.partitions).allSatisfy { partition in
                    scene.fleet.log.split(separator: "\n").contains {
                        $0.contains("not served") && $0.contains(#""partition":"\#(partition)""#)
                    }
                }
            }
            let ended = scene.person.endedRequests
            try await scene.tool(["journal", "check"], endsWith: 4)
            for partition in 0..<FaultScene.partitions {
                try await scene.tool(
                    ["journal", "repair", "--partition", "\(partition)", option, "beginning"], endsWith: 0)
            }
            scene.fleet.signal("coordinator-1", SIGTERM)
            try await scene.fleet.allJoined()
            try await scene.quiet()
            let later = scene.person.endedRequests - ended
            return ["stopped, repaired with \(option) beginning; \(later) requests ended after it"]
        }
    }
}

extension DevelopmentBroker {
    /// Takes the broker down for this long.
    func goDown(for duration: Duration) async throws {
        try setDown(true)
        try await hold(duration)
        try setDown(false)
    }
}

/// Two shell commands of the environment that change a Kafka.
struct Shell: Sendable {
    /// The commands that stop and start a Kafka.
    static let broker = FaultBroker.kafkaServers == nil ? nil : Shell("FAULTS_STOP_BROKER", "FAULTS_START_BROKER")
    /// The commands that fill a Kafka's disk and make room again.
    static let disk = broker == nil ? nil : Shell("FAULTS_FILL_DISK", "FAULTS_FREE_DISK")

    private let first: String
    private let second: String

    private init?(_ first: String, _ second: String) {
        let environment = ProcessInfo.processInfo.environment
        guard let first = environment[first], let second = environment[second] else { return nil }
        (self.first, self.second) = (first, second)
    }

    /// Stops the Kafka, or fills its disk.
    func disturb() async throws { try await Self.run(first) }
    /// Starts the Kafka, or makes room on its disk.
    func repair() async throws { try await Self.run(second) }

    /// Runs a shell command without `Process`, which waits for every process that the command leaves running, such as a
    /// broker.
    static func run(_ command: String) async throws {
        let status = try await status(of: command, named: command)
        if status != 0 { throw Broken("'\(command)' ended with wait status \(status)") }
    }

    /// Runs a shell command, and returns its wait status.
    static func status(of command: String, named name: String) async throws -> Int32 {
        let statuses = Recorder<Int32>()
        Thread.detachNewThread {
            let shell = popen("{ \(command); } >/dev/null 2>&1", "w")
            statuses.record(shell.map(pclose) ?? -1)
        }
        try await eventually("'\(name)' ends", within: .seconds(120)) { !statuses.all.isEmpty }
        return statuses.all[0]
    }
}
