import Foundation
import Synchronization

extension FaultCase {
    static let connections: [FaultCase] = [
        FaultCase(name: "broker connection cut and restored", repeats: (2, 12), needs: [.proxy]) { scene in
            guard let proxy = scene.proxy else { throw Broken("there is no proxy") }
            for _ in 0..<scene.repeats {
                try await scene.progress(20)
                // Each process has a connection for each of its clients.
                if proxy.counters.open < scene.fleet.count { throw Broken("the processes don't go through the proxy") }
                let refused = proxy.counters.refused
                proxy.set(.cut)
                try await eventually("the processes try to connect") {
                    proxy.counters.refused >= refused + 2 * scene.fleet.count
                }
                proxy.set(.open)
            }
            try await scene.progress(20)
            return ["\(scene.repeats) cuts, \(proxy.counters.refused) connections refused"]
        },
        FaultCase(name: "broker silent for longer than the session timeout", repeats: (0, 2), needs: [.proxy]) {
            scene in
            guard let proxy = scene.proxy else { throw Broken("there is no proxy") }
            for _ in 0..<scene.repeats {
                try await scene.progress(20)
                proxy.set(.stalled)
                try await hold(scene.broker.sessionTimeout + .seconds(3))
                proxy.set(.open)
                try await scene.progress(20)
            }
            return ["\(scene.repeats) times \(milliseconds(scene.broker.sessionTimeout + .seconds(3)))"]
        },
        // Records that the stalled coordinator has sent arrive after another coordinator has taken its partitions over.
        // Its journal records must be void.
        FaultCase(
            name: "a coordinator whose connection stalls past its timeouts", repeats: (0, 4),
            size: Fleet.Size(coordinators: 2),
            needs: [.proxy],
            proxied: "coordinator-1", properties: { _ in ["socket.timeout.ms": "3000"] }
        ) { scene in
            guard let proxy = scene.proxy else { throw Broken("there is no proxy") }
            for _ in 0..<scene.repeats {
                try await scene.progress(20)
                proxy.set(.stalled)
                try await eventually("coordinator-2 has all partitions") {
                    scene.fleet.partitions("coordinator-2")?.count == Int(FaultScene.partitions)
                }
                try await scene.progress(20)
                proxy.set(.open)
                try await eventually("both have partitions again") {
                    scene.fleet.partitions("coordinator-2")?.count == Int(FaultScene.partitions) / 2
                }
                try await scene.progress(20)
            }
            return ["\(scene.repeats) times, each until the other had taken over"]
        } judge: { scene in
            try await everyResultWasTheOwners(scene)
        },
        FaultCase(name: "broker killed and started again", repeats: (0, 3), needs: [.brokerCommands]) { scene in
            guard let commands = BrokerCommands.given else { return [] }
            for _ in 0..<scene.repeats {
                try await scene.progress(20)
                try await commands.stop()
                try await commands.start()
            }
            try await scene.progress(20)
            return ["\(scene.repeats) times"]
        },
    ]
}

/// The shell commands that stop and start a Kafka, from `FAULTS_STOP_BROKER` and `FAULTS_START_BROKER`.
struct BrokerCommands: Sendable {
    private var stopCommand: String
    private var startCommand: String

    static let given: BrokerCommands? = {
        let environment = ProcessInfo.processInfo.environment
        guard FaultBroker.kafkaServers != nil, let stop = environment["FAULTS_STOP_BROKER"],
            let start = environment["FAULTS_START_BROKER"]
        else { return nil }
        return BrokerCommands(stopCommand: stop, startCommand: start)
    }()

    func stop() async throws { try await Self.run(stopCommand) }
    func start() async throws { try await Self.run(startCommand) }

    /// Runs a shell command without `Process`, which waits for every process that the command leaves running, such as a
    /// broker.
    static func run(_ command: String) async throws {
        let status = Status()
        let thread = Thread {
            let shell = popen("{ \(command); } >/dev/null 2>&1", "w")
            status.value.withLock { $0 = shell.map(pclose) ?? -1 }
        }
        thread.start()
        try await eventually("'\(command)' ends", within: .seconds(120)) { status.value.withLock { $0 } != nil }
        if let ended = status.value.withLock({ $0 }), ended != 0 {
            throw Broken("'\(command)' ended with wait status \(ended)")
        }
    }

    private final class Status: Sendable {
        let value = Mutex<Int32?>(nil)
    }
}
