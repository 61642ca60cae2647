import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The states of a partition") struct PartitionStateTests {
    private var random = SeededRandom(seed: 1)

    @Test mutating func `random events take every declared exit, and no other`() {
        var moves: Set<[PartitionJournal.StateName]> = []
        let declared = Set(PartitionJournal.StateName.allCases.flatMap { from in from.exits.map { [from, $0] } })
        var runs = 0
        while runs < 100 || runs < 3_000 && !declared.isSubset(of: moves) {
            runs += 1
            var owner = ScriptedJournal()
            for _ in 0..<random.pick([4, 40]) { step(&owner) }
            moves.formUnion(owner.moves)
        }
        #expect(moves.subtracting(declared).isEmpty, "taken, but not declared")
        #expect(declared.subtracting(moves).isEmpty, "declared, but never taken")
    }

    private mutating func step(_ owner: inout ScriptedJournal) {
        let (now, log) = (owner.now, owner.log)
        let lost = ScriptedJournal.committed(requests: 5)
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: owner.apply { $0.takeOver() }
        case 2: owner.apply { $0.takeOver(from: log.replay()) }
        case 3, 4, 5:
            switch owner.journal.state {
            case .replaying(let replay), .fencing(let replay): owner.read(from: Int(replay.next))
            default: owner.read()
            }
        case 6, 7: owner.reachEnd()
        case 8, 9:
            let before = log.records.count
            owner.land()
            for offset in before..<log.records.count { owner.acknowledge(offset) }
        case 10:
            if random.once(in: 3) {
                owner.apply { $0.read(ScriptedJournal.resultRecord(9, at: now), from: .results, at: now) }
            }
            owner.apply { $0.reachedEnd(of: .results, next: 1) }
        case 11: if random.once(in: 2) { owner.verify() } else { owner.apply { $0.drain() } }
        case 12:
            let isEvicted = random.once(in: 3)
            owner.apply { $0.giveBack(isEvicted: isEvicted) }
        case 13:
            if random.once(in: 2) { owner.apply { $0.follow() } } else { _ = owner.successor() }
        case 14:
            if owner.journal.isActive { owner.decide("s", results: []) }
            if random.once(in: 4) { owner.apply { $0.lookUpCommitted() } }
        default:
            let batch = UnreadableRange(
                TopicPartition("intents.sessions", 0), 0..<1, cause: "damage", isAssigned: false)
            if random.once(in: 3) { owner.apply { $0.isUnreadable(batch) } }
            owner.apply { $0.found(committed: lost, at: now) }
        }
    }
}
