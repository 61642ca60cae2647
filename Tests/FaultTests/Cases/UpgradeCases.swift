import Foundation

extension FaultCase {
    /// Every process is replaced by one of another build, one at a time, and back again. Without another build, the
    /// processes are only restarted.
    static let upgrades: [FaultCase] = {
        let other = ProcessInfo.processInfo.environment["FAULTS_OTHER_PROGRAMS"].flatMap {
            $0.isEmpty ? nil : URL(fileURLWithPath: $0)
        }
        let size = Fleet.Size(coordinators: 2, resolvers: 1, confirmers: 1, handlers: 2)
        return [
            FaultCase(
                name: other == nil ? "rolling restart" : "rolling upgrade and back", repeats: (0, 2), size: size,
                firstPrograms: other
            ) { scene in
                let builds = [Fleet.programs, other ?? Fleet.programs]
                for number in 0..<scene.repeats * 2 {
                    // Workers must know tickets while coordinators demand them, so workers are upgraded first and
                    // downgraded last.
                    let coordinators = scene.fleet.names.filter { $0.hasPrefix("coordinator") }
                    let workers = scene.fleet.names.filter { !$0.hasPrefix("coordinator") }
                    for name in number % 2 == 0 ? workers + coordinators : coordinators + workers {
                        try await scene.progress(10)
                        try await scene.fleet.replace(name, from: builds[number % 2])
                    }
                    try await scene.progress(40)
                }
                let count = scene.repeats * 2 * scene.fleet.count
                return [
                    other == nil
                        ? "\(count) processes restarted, one at a time" : "\(count) processes replaced, one at a time"
                ]
            }
        ]
    }()
}
