/// A run of many histories, played concurrently.
public struct SimulationCampaign: Sendable {
    public var simulation: Simulation
    /// The seeds of the histories, in order.
    public var seeds: [UInt64]
    /// The number of histories that are played concurrently.
    public var width: Int
    /// The number of failed histories after which the campaign stops.
    public var maximumFailures = 1

    public init(_ simulation: Simulation = Simulation(), seeds: [UInt64], width: Int = 2) {
        self.simulation = simulation
        self.seeds = seeds
        self.width = max(1, width)
    }

    /// Creates a run of at least one history, with consecutive seeds.
    public init(_ simulation: Simulation = Simulation(), firstSeed: UInt64 = 1, histories: Int, width: Int = 2) {
        self.init(simulation, seeds: (0..<UInt64(max(1, histories))).map { firstSeed &+ $0 }, width: width)
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
        let (simulation, seeds) = (simulation, seeds)
        await withTaskGroup(of: SimulationOutcome.self) { group in
            var started = 0
            func next(_ group: inout TaskGroup<SimulationOutcome>) {
                guard started < seeds.count, failures.count < maximumFailures else { return }
                let seed = seeds[started]
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
