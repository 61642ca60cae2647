import Conversation
import DevBroker
import IntentEvents
import IntentModel
import RecordLog

extension FaultCase {
    /// More unreadable records than get a dead letter each, and batches that no client can decompress.
    static let floods: [FaultCase] = [
        FaultCase(
            name: "a flood of records that can't be read delays nobody by more than a second", repeats: (1, 3),
            hasTravellers: false
        ) { scene in
            try await QuietSessions.play("before", count: 20, scene) {}
            let garbage = Garbage(scene)
            try await QuietSessions.play("beside", count: 100, scene) { try await garbage.write() }
            try await QuietSessions.play("after", count: 20, scene) {}
            return [
                "\(garbage.count) unreadable requests in one partition, and \(garbage.batches) batches that can't be decompressed"
            ]
                + QuietSessions.notes(scene)
        } judge: { scene in
            try await Garbage(scene).judge()
        }
    ]
}

/// Unreadable records in the partition of the near quiet session.
private struct Garbage {
    /// The maximum time by which a request of another session may exceed the slowest request before the flood: a second
    /// for release builds. Debug builds, which read some ten times slower, took 0.9 s to 2.9 s on two cores.
    private static let patience = Duration.seconds(FaultRun.hasOtherPrograms ? 1 : 10)

    let scene: FaultScene
    /// The number of unreadable requests: 100,000 for other builds of the programs, such as those of `swift build -c
    /// release`. Debug builds read some ten times slower.
    let count: Int
    let batches: Int
    private let topics: [String]
    private let batchesOfTopic = 20
    private let partition = QuietSessions.near.partition

    init(_ scene: FaultScene) {
        self.scene = scene
        count = FaultRun.hasOtherPrograms ? 100_000 : FaultRun.isFull ? 20_000 : 5_000
        let topics = scene.topics
        self.topics = [topics.requests, topics.answers, topics.outcomes, topics.resolve, topics.confirm, topics.handle]
        batches = scene.broker.development == nil ? 0 : self.topics.count * batchesOfTopic
    }

    func write() async throws {
        if let broker = scene.broker.development {
            for number in 0..<batches {
                try broker.appendUnreadable(1 + number % 40, to: topics[number % topics.count], partition: partition)
            }
        }
        let garbage = Record(
            topic: scene.topics.requests, partition: partition, key: Bytes("garbage".utf8), value: Bytes("{".utf8))
        _ = try await scene.write(Array(repeating: garbage, count: count), ["queue.buffering.max.messages": "200000"])
    }

    func judge() async throws -> [String] {
        func slowest(_ name: String) -> Duration {
            QuietSessions.allCases.compactMap { scene.latencies("\($0)-\(name)-").last }.max() ?? .zero
        }
        let (before, beside) = (slowest("before"), slowest("beside"))
        if beside > before + Self.patience {
            throw Broken("the slowest request took \(milliseconds(beside)), and \(milliseconds(before)) before")
        }
        if !scene.fleet.deaths.isEmpty {
            throw Broken("processes ended: \(scene.fleet.deaths.joined(separator: ", "))")
        }
        var letters: [ReadDeadLetter] = []
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        repeat {
            letters = try await scene.read(scene.topics.deadLetters).compactMap { ReadDeadLetter($0) }
        } while (named(in: letters) < count || letters.count { $0.message.contains("ecompress") } < batches)
            && ContinuousClock.now < deadline
        let named = named(in: letters)
        if named != count { throw Broken("the dead letters name \(named) of \(count) unreadable requests") }
        let unread = letters.count { $0.message.contains("ecompress") }
        if unread < batches { throw Broken("\(unread) dead letters of \(batches) batches that can't be decompressed") }
        return [
            "\(letters.count) dead letters, slowest request before \(milliseconds(before)), beside \(milliseconds(beside))"
        ]
    }

    /// Returns the number of unreadable requests that the letters name, without batches.
    private func named(in letters: [ReadDeadLetter]) -> Int {
        letters.filter { $0.original.topic == scene.topics.requests && !$0.message.contains("ecompress") }
            .reduce(0) { $0 + ($1.range?.records ?? 1) }
    }
}
