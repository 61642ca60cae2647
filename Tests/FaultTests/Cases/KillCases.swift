import Foundation

extension FaultCase {
    /// `kill -9` in the middle of work, again and again; the next process starts by itself.
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

    /// A process that stands still until others have its partitions, and goes on under load: it must decide and answer nothing more.
    static let pauses: [FaultCase] = [Fleet.Role.coordinator, .handler].map { role in
        FaultCase(
            name: "SIGSTOP of a \(role), then SIGCONT", repeats: (0, 4),
            size: Fleet.Size(coordinators: role == .coordinator ? 2 : 1, handlers: role == .handler ? 2 : 1)
        ) { scene in
            for number in 0..<scene.repeats {
                let (stopped, other) = number.isMultiple(of: 2) ? ("\(role)-1", "\(role)-2") : ("\(role)-2", "\(role)-1")
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
        }
    }
}
