import PipelineSimulation
import Testing

@Suite("A history", .tags(.slow)) struct DeterminismTests {
    @Test(arguments: [1, 7, 23, 60, 99, 512, 1_000_003] as [UInt64])
    func `is the same for the same seed, byte for byte`(_ seed: UInt64) async {
        let first = await Simulation().run(SimulationScript(seed: seed))
        let second = await Simulation().run(SimulationScript(seed: seed))
        #expect(first.trace == second.trace && first.report == second.report && first.report[.records] > 0)
    }

    @Test func `differs from that of any other seed`() async {
        var traces: Set<UInt64> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            traces.insert(await Simulation().run(SimulationScript(seed: seed)).trace)
        }
        #expect(traces.count == 40)
    }
}

@Suite("Every order in which a partition's owners and faults can meet") struct ExplorationTests {
    @Test(arguments: JournalExploration.parts.filter { !$0.isLong })
    func `keeps every promise, and comes to rest`(_ part: JournalExploration.Part) {
        let outcome = JournalExploration(part.budget).run()
        print("\(part.name): \(outcome.states) states, \(outcome.restingStates) at rest, \(outcome.depth) moves deep")
        #expect(outcome.isComplete && outcome.restingStates > 0)
        #expect(outcome.violation == nil, "the shortest way: \(outcome.way)")
    }
}

@Suite("Whole conversations under every kind of fault", .tags(.slow)) struct HistoryTests {
    @Test func `1,000 histories, five of them dense, violate no rule`() async {
        // A dense history takes as long as twelve others. CI also plays all of the first 5,000, in a release build.
        let seeds = (1...1_047).filter { !SimulationScript(seed: $0).isDense || $0 <= 100 } as [UInt64]
        let (report, failures) = await SimulationCampaign(seeds: seeds).run()
        for failure in failures {
            let least = await Simulation().shrink(failure.script, tries: 300)
            Issue.record(
                """
                seed \(failure.script.seed) (intents-simulator --seed \(failure.script.seed)), the smallest script that fails:
                \(least.script)
                \(least.violations.map(\.description).joined(separator: "\n"))
                """)
        }
        // Without faults or completed requests, the histories would test nothing.
        #expect(report[.histories] == 1_000 || !failures.isEmpty)
        #expect(report[.dense] == 5 || !failures.isEmpty)
        #expect(report[.effects] > report[.requests] / 10)
        #expect(report.completions.values.reduce(0, +) > report[.requests] / 2)
        #expect(report.faults.count == 40, "\(report.faults.keys.sorted())")
        // Each of these faults stops a partition until an operator acts.
        let rare = [
            "foreign records in the journal", "inputs created again", "inputs cut", "newer versions rolled back",
        ]
        #expect(report.faults.allSatisfy { $0.value > (rare.contains($0.key) ? 1 : 10) }, "\(report.faults)")
        #expect(report[.deaths] > 75 && report[.gaps] > 75 && report[.takeovers] > 750)
        #expect(report[.permits] > 75 && report[.questions] > 75 && report[.updates] > 15)
        #expect(report[.opened] > 50 && report[.choices] > 50)
    }
}

/// Tests the simulator: each test breaks a setting of the simulation. `deploy/mutants.sh` breaks the rules in a copy of
/// the pipeline's own code.
@Suite("A pipeline that breaks a rule is detected", .tags(.slow)) struct MutantTests {
    /// Returns the simulation and the first history that breaks a promise.
    private func find(within histories: Int, _ change: (inout Simulation) -> Void) async
        -> (Simulation, SimulationOutcome?)
    {
        var simulation = Simulation()
        change(&simulation)
        let (_, failures) = await SimulationCampaign(simulation, firstSeed: 1, histories: histories).run()
        return (simulation, failures.first)
    }

    @Test func `a handler that ignores its key takes effect twice, and a short history shows it`() async throws {
        let (simulation, found) = await find(within: 100) { $0.handlersHonourKeys = false }
        let failure = try #require(found)
        #expect(failure.violations.first?.kind == .effectTwice)
        let least = await simulation.shrink(failure.script, tries: 150)
        #expect(least.violations.first?.kind == .effectTwice)
        #expect(least.script.count < 20 && least.script.count < failure.script.count)
    }

    @Test func `a second call of an at-most-once handler is detected`() async {
        let (_, failure) = await find(within: 100) { $0.atMostOnce = ["Ride"] }
        #expect(failure?.violations.first?.kind == .calledTwice)
    }
}

extension Tag {
    /// A test that takes more than ten seconds.
    @Tag static var slow: Self
}
