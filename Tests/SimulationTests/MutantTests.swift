import PipelineTestKit
import RecordLog
import Testing

/// What the simulator is for: each of these breaks one rule of the pipeline from outside, and has to be found.
@Suite("A pipeline that breaks a rule is found out")
struct MutantTests {
    /// - Returns: what was found first, and how many moves the shortest such history has.
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

    @Test("sessions that forget their requests complete a repeated one again, and few moves show it")
    func forgetful() async {
        let found = await find(within: 300) { $0.rememberedRequests = 0 }
        #expect(found.kind == .completedTwice || found.kind == .effectTwice)
        #expect(found.moves < 20 && found.moves < found.of)
    }

    @Test("handlers that don't look at the key take effect twice")
    func keyless() async {
        let found = await find(within: 100) { $0.handlersHonourKeys = false }
        #expect(found.kind == .effectTwice)
    }

    @Test("handlers that may be called once are watched")
    func onlyOnce() async {
        let found = await find(within: 100) { $0.atMostOnce = ["Ride"] }
        #expect(found.kind == .calledTwice)
    }

    @Test("a coordinator that does not read what the one before it has said says it again")
    func noTail() async {
        let found = await find(within: 600) { $0.interposer = { $0.isCoordinator ? BlindToResults($1) : $1 } }
        #expect(found.kind == .unexplainedCopy)
    }

    @Test("a coordinator that never sees another's fence gives two contents to one number, or worse")
    func noFence() async {
        let found = await find(within: 600) { $0.interposer = { $0.isCoordinator ? BlindToFences($1) : $1 } }
        #expect(found.kind != nil)
    }

    @Test("a coordinator that takes its journal for written before it is says what a successor says otherwise")
    func hasty() async {
        let found = await find(within: 600) { $0.interposer = { $0.isCoordinator ? Hasty($1) : $1 } }
        #expect(found.kind != nil)
    }

    @Test("a worker that commits what is not finished leaves a session waiting for it")
    func committing() async {
        let found = await find(within: 600) { $0.interposer = { $0.isCoordinator ? $1 : CommitsAhead($1) } }
        #expect(found.kind == .stuckSession || found.kind == .lostRequest)
    }
}
