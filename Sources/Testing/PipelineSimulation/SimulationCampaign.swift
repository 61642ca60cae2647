/// A run of many histories, played concurrently.
public struct SimulationCampaign: Sendable {
    public var simulation: Simulation
    /// The number of histories.
    public let histories: Int
    /// Returns the seed of each history, by its place in the run.
    private let seed: @Sendable (_ place: Int) -> UInt64
    /// The number of histories that are played concurrently.
    public var width: Int
    /// The number of failed histories after which the campaign stops.
    public var maximumFailures = 1

    public init(_ simulation: Simulation = Simulation(), seeds: [UInt64], width: Int = 2) {
        self.init(simulation, seeds.count, width) { seeds[$0] }
    }

    /// Creates a run of at least one history, with consecutive seeds.
    public init(_ simulation: Simulation = Simulation(), firstSeed: UInt64 = 1, histories: Int, width: Int = 2) {
        self.init(simulation, max(1, histories), width) { firstSeed &+ UInt64($0) }
    }

    private init(
        _ simulation: Simulation, _ histories: Int, _ width: Int, _ seed: @escaping @Sendable (Int) -> UInt64
    ) {
        self.simulation = simulation
        self.histories = histories
        self.seed = seed
        self.width = max(1, width)
    }

    /// Plays the histories.
    ///
    /// - Parameter progress: Called after each history, with the totals so far.
    /// - Returns: The totals, and the histories that failed, sorted by seed.
    public func run(
        progress: (SimulationReport, [SimulationOutcome]) -> Void = { _, _ in }
    ) async -> (report: SimulationReport, failures: [SimulationOutcome]) {
        var report = SimulationReport()
        var failures: [SimulationOutcome] = []
        let simulation = simulation
        await withTaskGroup(of: SimulationOutcome.self) { group in
            var started = 0
            func next(_ group: inout TaskGroup<SimulationOutcome>) {
                guard started < histories, failures.count < maximumFailures else { return }
                let seed = self.seed(started)
                started += 1
                group.addTask { await simulation.run(SimulationScript(seed: seed)) }
            }
            for _ in 0..<width { next(&group) }
            while let outcome = await group.next() {
                report += outcome.report
                if !outcome.violations.isEmpty { failures.append(outcome) }
                next(&group)
                progress(report, failures)
            }
        }
        return (report, failures.sorted { $0.script.seed < $1.script.seed })
    }
}
