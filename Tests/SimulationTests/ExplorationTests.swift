import PipelineSimulation
import Testing

@Suite("Every order in which a partition's owners and faults can meet")
struct ExplorationTests {
    @Test("keeps every promise, and comes to rest", arguments: JournalExploration.parts.filter { !$0.isLong })
    func all(_ part: JournalExploration.Part) {
        let outcome = JournalExploration(part.budget).run()
        print(
            "\(part.name): \(outcome.states) states, \(outcome.restingStates) of them at rest, \(outcome.depth) moves deep"
        )
        #expect(outcome.isComplete)
        #expect(outcome.restingStates > 0)
        #expect(outcome.violation == nil, "the shortest way: \(outcome.way)")
    }
}
