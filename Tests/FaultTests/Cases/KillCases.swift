import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog

@testable import Pipeline

extension FaultCase {
    /// Repeated `kill -9` during work; a new process starts each time.
    static let kills: [FaultCase] =
        Fleet.Role.allCases.map { role in
            FaultCase(name: "kill -9 of the \(role)", repeats: (0, 5), size: Fleet.Size()) { scene in
                for _ in 0..<scene.repeats {
                    try await scene.progress(20)
                    scene.fleet.signal("\(role)-1", SIGKILL)
                    try await scene.fleet.allJoined()
                }
                try await scene.progress(20)
                return ["\(scene.repeats) kills"]
            }
        } + [
            FaultCase(
                name: "kill -9 of one of each role at once", repeats: (1, 4),
                size: Fleet.Size(coordinators: 2, resolvers: 1, confirmers: 1, handlers: 2)
            ) { scene in
                for _ in 0..<scene.repeats {
                    try await scene.progress(20)
                    for role in Fleet.Role.allCases { scene.fleet.signal("\(role)-1", SIGKILL) }
                    try await scene.fleet.allJoined()
                }
                try await scene.progress(20)
                return ["\(scene.repeats * Fleet.Role.allCases.count) kills"]
            }
        ]

    /// A process that is paused until others own its partitions, and continues under load. The process must decide and
    /// send nothing more.
    static let pauses: [FaultCase] = [Fleet.Role.coordinator, .handler].map { role in
        FaultCase(
            name: "SIGSTOP of a \(role), then SIGCONT", repeats: (0, 4),
            size: Fleet.Size(coordinators: role == .coordinator ? 2 : 1, handlers: role == .handler ? 2 : 1)
        ) { scene in
            for number in 0..<scene.repeats {
                let (stopped, other) =
                    number.isMultiple(of: 2) ? ("\(role)-1", "\(role)-2") : ("\(role)-2", "\(role)-1")
                try await scene.progress(20)
                scene.fleet.signal(stopped, SIGSTOP)
                try await eventually("\(other) has all partitions") {
                    scene.fleet.partitions(other)?.count == Int(FaultScene.partitions)
                }
                try await scene.progress(20)
                scene.fleet.signal(stopped, SIGCONT)
                try await eventually("both have partitions again") {
                    [stopped, other].allSatisfy { scene.fleet.partitions($0)?.count == Int(FaultScene.partitions) / 2 }
                }
                try await scene.progress(20)
            }
            return ["\(scene.repeats) stops, each until the other had taken over"]
        } judge: { scene in
            try await everyResultWasTheOwners(scene)
        }
    }

    /// Checks that every result was decided by an owner. A result that only a former owner's journal record mentions
    /// was decided by a process that was no longer the owner.
    static func everyResultWasTheOwners(_ scene: FaultScene) async throws -> [String] {
        var replays: [Int32: JournalReplay] = [:]
        var decided: [Identifier: Int] = [:]
        var void = 0
        for record in try await scene.read(scene.topics.sessions).sorted(by: { $0.offset < $1.offset }) {
            let verdict = replays[record.partition, default: JournalReplay()].apply(record)
            if verdict == .void { void += 1 }
            guard verdict == .valid, case .session(let id, let journaled?)? = try? JournalRecord(record).content else {
                continue
            }
            decided[id] = max(decided[id] ?? 0, journaled.session.sequence)
        }
        for record in try await scene.read(scene.topics.results) {
            guard let result = try? ReceivedResult(record), let session = result.session,
                let sequence = result.sequence,
                // The development broker removes old records.
                let last = decided[session]
            else { continue }
            if sequence > last {
                throw Broken("result \(sequence) of \(session) was decided by a process that did not own it")
            }
        }
        return ["journal records of former owners \(void), all void"]
    }
}
