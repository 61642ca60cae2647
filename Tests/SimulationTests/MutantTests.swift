import PipelineTestKit
import Testing

/// Tests the simulator: each test breaks what the simulation is set up with. `intents simulate --mutants` breaks the rules in the pipeline's own code.
@Suite("A pipeline that breaks a rule is detected", .tags(.slow))
struct MutantTests {
    /// - Returns: the first violation found, and the number of moves of the shortest history that shows it.
    private func find(
        within histories: Int, _ change: (inout Simulation) -> Void
    ) async -> (kind: SimulationViolation.Kind?, moves: Int, of: Int) {
        var simulation = Simulation()
        change(&simulation)
        let (_, failures) = await SimulationCampaign(simulation, firstSeed: 1, histories: histories).run()
        guard let failure = failures.first else { return (nil, 0, 0) }
        let least = await simulation.shrink(failure.script, tries: 150)
        return (least.violations.first?.kind, least.script.count, failure.script.count)
    }

    @Test("sessions that forget their requests complete a repeated one twice, and a short history shows it")
    func forgetful() async {
        let found = await find(within: 300) { $0.rememberedRequests = 0 }
        #expect(found.kind == .completedTwice || found.kind == .effectTwice)
        #expect(found.moves < 20 && found.moves < found.of)
    }

    @Test("handlers that ignore the idempotency key take effect twice")
    func keyless() async {
        let found = await find(within: 100) { $0.handlersHonourKeys = false }
        #expect(found.kind == .effectTwice)
    }

    @Test("a second call of an at-most-once handler is detected")
    func onlyOnce() async {
        let found = await find(within: 100) { $0.atMostOnce = ["Ride"] }
        #expect(found.kind == .calledTwice)
    }
}
