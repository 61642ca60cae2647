import PipelineSimulation
import Testing

@Suite("Whole conversations under every kind of fault", .tags(.slow))
struct HistoryTests {
    @Test("1,000 histories, one in twenty of them dense, violate no rule")
    func histories() async {
        let count = 1_000
        let (report, failures) = await SimulationCampaign(firstSeed: 1, histories: count).run()
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
        #expect(report[.histories] == count || !failures.isEmpty)
        #expect(report[.dense] == count / 20 || !failures.isEmpty)
        #expect(
            report[.effects] > report[.requests] / 10 && report.completions.values.reduce(0, +) > report[.requests] / 2)
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
