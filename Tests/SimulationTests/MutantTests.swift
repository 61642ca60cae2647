import PipelineTestKit
import RecordLog
import Testing

/// Tests the simulator: each test breaks one rule of the pipeline from outside, and the simulator has to find it.
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

    @Test("a coordinator that does not read its predecessor's results sends them again")
    func noTail() async {
        let found = await find(within: 600) { $0.interposer = { $0.isCoordinator ? BlindToResults($1) : $1 } }
        #expect(found.kind == .unexplainedCopy)
    }

    @Test("a coordinator that never sees another's fence uses one sequence number for two contents, or worse")
    func noFence() async {
        let found = await find(within: 600) { $0.interposer = { $0.isCoordinator ? BlindToFences($1) : $1 } }
        #expect(found.kind != nil)
    }

    @Test("a coordinator that sends results before its journal is written contradicts its successor")
    func hasty() async {
        let found = await find(within: 600) { $0.interposer = { $0.isCoordinator ? Hasty($1) : $1 } }
        #expect(found.kind != nil)
    }

    @Test("a worker that commits unfinished work leaves a session waiting for it")
    func committing() async {
        let found = await find(within: 4_000) { $0.interposer = { $0.isCoordinator ? $1 : CommitsAhead($1) } }
        #expect(found.kind == .stuckSession || found.kind == .lostRequest, "\(found)")
    }
}
