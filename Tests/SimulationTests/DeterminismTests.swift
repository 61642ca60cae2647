import PipelineSimulation
import Testing

@Suite("A history", .tags(.slow))
struct DeterminismTests {
    @Test("is the same for the same seed, byte for byte", arguments: [1, 7, 23, 60, 99, 512, 1_000_003] as [UInt64])
    func again(_ seed: UInt64) async {
        let first = await Simulation().run(SimulationScript(seed: seed))
        let second = await Simulation().run(SimulationScript(seed: seed))
        #expect(first.trace == second.trace)
        #expect(first.report == second.report)
        #expect(first.report.records > 0)
    }

    @Test("differs from that of any other seed")
    func others() async {
        var traces: Set<UInt64> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            traces.insert(await Simulation().run(SimulationScript(seed: seed)).trace)
        }
        #expect(traces.count == 40)
    }
}
