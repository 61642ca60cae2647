import PipelineTestKit
import Testing

@Suite("Whole conversations under every kind of fault", .tags(.slow))
struct HistoryTests {
    @Test("300 histories violate no rule")
    func histories() async {
        let (report, failures) = await SimulationCampaign(firstSeed: 1, histories: 300).run()
        for failure in failures {
            let least = await Simulation().shrink(failure.script)
            Issue.record(
                """
                seed \(failure.script.seed) (intents simulate --seed \(failure.script.seed)), the smallest script that fails:
                \(least.script)
                \(least.violations.map(\.description).joined(separator: "\n"))
                """)
        }
        // If there were no faults, or no completed requests, nothing would be tested.
        #expect(report.histories == 300 || !failures.isEmpty)
        #expect(report.effects > report.requests / 10 && report.completions.values.reduce(0, +) > report.requests / 2)
        #expect(report.faults.count == 17, "\(report.faults.keys.sorted())")
        #expect(report.faults.values.allSatisfy { $0 > 15 }, "\(report.faults)")
        #expect(report.deaths > 75 && report.gaps > 75 && report.takeovers > 750)
        #expect(report.permits > 75 && report.questions > 75 && report.updates > 15)
    }
}
