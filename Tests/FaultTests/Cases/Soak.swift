import DevBroker
import Foundation
import IntentEvents
import PipelineTestKit
import RecordLog
import Synchronization

@testable import RDKafkaLog

extension FaultCase {
    /// Random faults for a long time. `FAULTS_SOAK` selects them and is the duration in minutes, `FAULTS_SEED` repeats
    /// the choices of another run, and `FAULTS_RATE` sets the requests per second.
    static let soak: FaultCase? = {
        let environment = ProcessInfo.processInfo.environment
        guard let minutes = environment["FAULTS_SOAK"].flatMap(Double.init), minutes > 0 else { return nil }
        let seed = FaultRun.seed ?? UInt64.random(in: 0..<1_000_000)
        let rate = environment["FAULTS_RATE"].flatMap(Double.init) ?? 80
        return FaultCase(
            name: "random faults for \(Int(minutes)) min", repeats: (1, 1),
            size: Fleet.Size(coordinators: 2, resolvers: 2, confirmers: 2, handlers: 2),
            pace: Person.Pace(window: 400, rate: rate), requestCount: Int(minutes * 60 * rate) + 10_000
        ) { scene in
            try await disturbAtRandom(scene, for: .seconds(minutes * 60), seed: seed)
        }
    }()

    /// The number of hostile records per second, of all kinds, in one partition.
    private static let hostileRate = 20.0

    private enum Disturbance: String, CaseIterable {
        case kill = "kill -9"
        case terminate = "SIGTERM"
        case stop = "SIGSTOP"
        case broker = "broker restarts"
        case bomb = "bombs"
        case refusal = "refusals"
    }

    /// The disturbances in their proportions, in sixteenths. A broker that restarts disturbs all processes.
    private static let choices: [Disturbance] =
        Array(repeating: .kill, count: 4) + Array(repeating: .terminate, count: 3) + Array(repeating: .stop, count: 4)
        + [.broker, .bomb, .bomb, .refusal, .refusal]

    private static func disturbAtRandom(_ scene: FaultScene, for duration: Duration, seed: UInt64) async throws
        -> [String]
    {
        var random = SeededRandom(seed: seed)
        var counts: [Disturbance: Int] = [:]
        let started = ContinuousClock.now
        var progress = (ended: scene.person.endedRequests, at: started)
        var told = 0
        print("fault: the seed is \(seed)")
        let isOver = Atomic(false)
        let hostileFailure = Mutex<String?>(nil)
        async let hostile = hostileRecords(scene, seed: seed, within: duration + .seconds(300), failure: hostileFailure)
        { isOver.load(ordering: .relaxed) }
        defer { isOver.store(true, ordering: .relaxed) }
        while started.duration(to: .now) < duration {
            try await hold(.milliseconds(Int.random(in: 2_000...12_000, using: &random)))
            let ended = scene.person.endedRequests
            if ended > progress.ended { progress = (ended, .now) }
            if progress.at.duration(to: .now) > .seconds(120) {
                throw Broken("no request has ended for two minutes; the seed is \(seed)")
            }
            if let failure = scene.person.failure ?? hostileFailure.withLock(\.self) { throw Broken(failure) }
            let minutes = Int(started.duration(to: .now) / .seconds(60))
            if minutes > told {
                told = minutes
                let open = scene.person.openRequests
                print("fault: minute \(minutes): \(ended) requests have ended, \(open) are open; \(text(counts))")
                fflush(nil)
            }
            let disturbance = random.pick(choices)
            let name = random.pick(scene.fleet.names)
            let pause = Duration.milliseconds(Int.random(in: 500...15_000, using: &random))
            switch disturbance {
            case .kill: scene.fleet.signal(name, SIGKILL)
            case .terminate: scene.fleet.signal(name, SIGTERM)
            case .stop:
                scene.fleet.signal(name, SIGSTOP)
                Task {
                    try await hold(pause)
                    scene.fleet.signal(name, SIGCONT)
                }
            case .broker:
                // A Kafka is killed and starts again. The development broker is down for a second.
                if let broker = Shell.broker {
                    try await broker.disturb()
                    try await broker.repair()
                } else if let broker = scene.broker.development {
                    try await broker.goDown(for: .seconds(1))
                } else {
                    continue
                }
            case .bomb:
                // The topics that programs other than coordinators write.
                let topics = [scene.topics.requests, scene.topics.answers, scene.topics.outcomes]
                guard try await scene.writeBomb(to: random.pick(topics)) else { continue }
            case .refusal:
                let topics = [scene.topics.deadLetters, scene.topics.memory, scene.topics.memoryChanges]
                let topic = random.pick(topics)
                // Only the topics of a Kafka can be changed.
                guard scene.broker.development == nil else { continue }
                try await scene.limitRecords(of: topic, toBytes: "100") { try await hold(pause) }
            }
            counts[disturbance, default: 0] += 1
        }
        isOver.store(true, ordering: .relaxed)
        let records = try await hostile
        // A paused process continues after at most 15 s.
        try await hold(.seconds(15))
        try await scene.fleet.allJoined()
        try await scene.progress(100)
        let endings = scene.fleet.endings.sorted { $0.value > $1.value }.map { "\($0.value) with \($0.key)" }
        return ["seed \(seed)", text(counts), records, "ended: \(endings.joined(separator: ", "))"]
    }

    private static func hostileRecords(
        _ scene: FaultScene, seed: UInt64, within limit: Duration, failure: borrowing Mutex<String?>,
        until isOver: () -> Bool
    ) async throws -> String {
        // With open trust, records about open requests would take effect. Only coordinators write the journal and the
        // results, and a result that the journal does not know stops its partition.
        let harmless = try HostileKind.selection(2_000, seed: seed).filter {
            !$0.isLive && $0.topic != "results" && $0.topic != "sessions"
        }
        let writer = try HostileWriter(scene, harmless, partition: QuietSessions.near.partition, rate: hostileRate)
        do { try await writer.write(within: limit, live: { nil }, until: isOver) } catch {
            failure.withLock { $0 = "the writer of hostile records has ended: \(error)" }
            throw error
        }
        return
            "\(writer.count) hostile records of \(harmless.count) kinds, \(writer.refusals) were not taken by the broker, \(writer.unknown) perhaps not"
    }

    private static func text(_ counts: [Disturbance: Int]) -> String {
        Disturbance.allCases.compactMap { kind in counts[kind].map { "\(kind.rawValue) \($0)" } }
            .joined(separator: ", ")
    }
}

extension FaultScene {
    /// Writes a record of 40 MB that is small when it is compressed. The broker must refuse the record.
    ///
    /// - Returns: `true` if the broker has refused the record; `false` if the broker was away.
    func writeBomb(to topic: String) async throws -> Bool {
        let bomb = Record(
            topic: topic, partition: 0, key: Bytes("bomb".utf8), value: Bytes(repeating: 0, count: 40_000_000))
        let deliveries = try await write([bomb], ["compression.type": "zstd", "message.max.bytes": "100000000"])
        if let offset = deliveries.first?.offset { throw Broken("the broker has taken a bomb: \(topic) \(offset)") }
        return deliveries.first?.error?.code == .recordTooLarge
    }
}
