import PipelineSimulation
import Testing

/// Tests the simulator: each test breaks a setting of the simulation. `intents-simulator --mutants` breaks the rules in
/// the pipeline's own code.
@Suite("A pipeline that breaks a rule is detected", .tags(.slow))
struct MutantTests {
    /// Returns the simulation and the first history that breaks a promise.
    private func find(within histories: Int, _ change: (inout Simulation) -> Void) async -> (
        Simulation, SimulationOutcome?
    ) {
        var simulation = Simulation()
        change(&simulation)
        let (_, failures) = await SimulationCampaign(simulation, firstSeed: 1, histories: histories).run()
        return (simulation, failures.first)
    }

    @Test("handlers that ignore the idempotency key take effect twice, and a short history shows it")
    func keyless() async throws {
        let (simulation, found) = await find(within: 100) { $0.handlersHonourKeys = false }
        let failure = try #require(found)
        #expect(failure.violations.first?.kind == .effectTwice)
        let least = await simulation.shrink(failure.script, tries: 150)
        #expect(least.violations.first?.kind == .effectTwice)
        #expect(least.script.count < 20 && least.script.count < failure.script.count)
    }

    @Test("a second call of an at-most-once handler is detected")
    func onlyOnce() async {
        let (_, failure) = await find(within: 100) { $0.atMostOnce = ["Ride"] }
        #expect(failure?.violations.first?.kind == .calledTwice)
    }
}
