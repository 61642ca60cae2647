import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

extension FaultCase {
    /// Each kind of hostile record once or more, on every topic, while the pipeline is under full load. `FAULTS_SEED`
    /// repeats the choice of another run.
    static let hostile: [FaultCase] = {
        // On a development broker, the full number takes more than ten minutes.
        let isFull = FaultRun.isFull && FaultBroker.kafkaServers != nil
        let fault = FaultCase(
            name: "hostile records at full load", repeats: (1, 40), size: Fleet.Size(coordinators: 2),
            pace: Person.Pace(window: 40, rate: 100_000), requestCount: isFull ? 200_000 : 20_000,
            coordinator: FaultScene.patient + ["--trust", "separate"]
        ) { scene in
            let seed = FaultRun.seed ?? (isFull ? UInt64.random(in: 0..<1_000_000) : 1)
            print("fault: the seed of the hostile records is \(seed)")
            let kinds = try HostileKind.selection(isFull ? 300 * scene.repeats : 300, seed: seed)
            // At this rate, the records take about as long as the quiet sessions.
            let writer = try HostileWriter(
                scene, kinds, partition: QuietSessions.near.partition, rate: isFull ? 400 : 100)
            let reader = try HostileReader(scene)
            defer { reader.end() }
            let count = isFull ? 300 : 20
            try await QuietSessions.play("warmth", count: 10, scene) {}
            try await QuietSessions.play("before", count: count, scene) {}
            try await QuietSessions.play("beside", count: count, scene) {
                try await writer.write(live: { scene.person.newest("near-beside") }) {
                    QuietSessions.allCases.allSatisfy { scene.person.ended("\($0)-beside") >= count }
                }
            }
            try await QuietSessions.play("after", count: count, scene) {}
            let records =
                "\(writer.count) records of \(kinds.count) kinds, seed \(seed); \(writer.refusals) were not taken by the broker"
            return [records] + QuietSessions.notes(scene) + (try await reader.judge(writer.written))
        } judge: { scene in
            if !scene.fleet.deaths.isEmpty {
                throw Broken("processes ended: \(scene.fleet.deaths.joined(separator: ", "))")
            }
            try QuietSessions.judge(scene)
            for arguments in [
                ["dead-letters", "list"], ["session", "list"], ["watch", "--from-beginning", "--exit-at-end"],
                ["journal", "check"],
            ] { try await scene.tool(arguments) }
            return []
        }
        return [fault]
    }()
}

/// Sessions that make one request after the other.
enum QuietSessions: String, CaseIterable, CustomStringConvertible {
    /// The session in the partition of the hostile records.
    case near
    /// The session in another partition, of another coordinator.
    case far

    var partition: Int32 { self == .near ? 0 : 3 }
    var description: String { rawValue }

    /// Lets each session make this number of requests, and waits until the requests have ended.
    static func play(_ name: String, count: Int, _ scene: FaultScene, _ meanwhile: () async throws -> Void) async throws
    {
        for quiet in allCases {
            let session = HostileKind.key("\(quiet)-\(name)", in: quiet.partition, of: FaultScene.partitions)
            let lines = Script.plain(named: "\(quiet)-\(name)", count: count) { _ in session }
            scene.person.play("\(quiet)-\(name)", lines, Person.Pace(window: 1, rate: 100_000))
        }
        try await meanwhile()
        try await eventually("the quiet sessions end", within: .seconds(300)) {
            allCases.allSatisfy { scene.person.ended("\($0)-\(name)") >= count } || scene.person.failure != nil
        }
    }

    static func judge(_ scene: FaultScene) throws {
        for (id, request) in scene.person.ledger.requests where allCases.contains(where: { id.hasPrefix("\($0)-") }) {
            if request.ending != Completion.Status.success.rawValue {
                throw Broken("\(id) ended as \(request.ending ?? "nothing")")
            }
        }
    }

    /// Returns the times of the sessions' requests before, beside and after the hostile records.
    static func notes(_ scene: FaultScene) -> [String] {
        allCases.map { quiet in
            let times = ["before", "beside", "after"].map { scene.latencies("\(quiet)-\($0)-") }
            func text(_ share: Double) -> String {
                times.map { milliseconds($0.percentile(share)) }.joined(separator: ", ")
            }
            let ratio = times[1].percentile(0.99) / max(times[0].percentile(0.99), .microseconds(1))
            return
                "\(quiet) quiet session before, beside, after: p50 \(text(0.5)), p99 \(text(0.99)): ratio \(String(format: "%.2f", ratio))"
        }
    }
}

extension HostileReader {
    /// Checks that each record met its fate, and no other.
    func judge(_ written: [HostileWriter.Written]) async throws -> [String] {
        try? await eventually("all is told", within: .seconds(60)) {
            failure != nil || written.allSatisfy { shows($0.fate, at: $0.place) }
        }
        if let failure { throw Broken(failure) }
        let missing = written.filter { !shows($0.fate, at: $0.place) }
        var wrong = missing.map { "\($0.kind) at \($0.place): not \($0.fate)" }
        for record in written where hasLetter(of: record.place) && !record.fate.mayBeLetter {
            wrong.append("\(record.kind) at \(record.place): a dead letter, not \(record.fate)")
        }
        if !wrong.isEmpty {
            throw Broken("\(wrong.count) hostile records: \(wrong.prefix(20).joined(separator: "; "))")
        }
        let counts = Dictionary(grouping: written, by: \.fate.name).map { "\($0.key) \($0.value.count)" }
        return [counts.sorted().joined(separator: ", ")]
    }
}
