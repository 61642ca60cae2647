import Conversation
import IntentModel
import Testing

@Suite("The graph of stages: what is declared is exactly what happens")
struct StageGraphTests {
    static let seeds: [UInt64] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181]
    static let steps = 3_000

    @Test("random conversations take every declared exit, and no other")
    func random() {
        var moves: Set<Move> = []
        for seed in Self.seeds {
            var conversation = RandomConversation(seed: seed)
            for _ in 0..<Self.steps { conversation.step() }
            moves.formUnion(conversation.talk.ledger.moves)
        }
        let missing = Move.declared.subtracting(moves)
        let undeclared = moves.subtracting(Move.declared)
        #expect(missing.isEmpty, "declared, but never taken with the seeds \(Self.seeds)")
        #expect(undeclared.isEmpty, "taken, but not declared, with the seeds \(Self.seeds)")
    }

    @Test(
        "without further events every conversation ends: each timer has an effect, and finally none is due",
        arguments: seeds)
    func timersTerminate(_ seed: UInt64) {
        var conversation = RandomConversation(seed: seed)
        for step in 1...Self.steps {
            conversation.step()
            if step % 10 == 0 { letAlone(conversation.talk, "seed \(seed), step \(step)") }
        }
    }

    private func letAlone(_ talk: Talk, _ comment: Comment) {
        var session = talk.session
        var now = talk.now
        var randomness = Randomness(seed: 1)
        for _ in 0..<200 {
            now = max(now, session.nextTimer(talk.policy))
            let decision = session.receive(.timer, at: now, policy: talk.policy, randomness: &randomness)
            if decision.isIgnored {
                Issue.record("a timer that was due had no effect: \(comment)")
                return
            }
            if case .forgotten = decision {
                #expect(session.active == nil && session.queued.isEmpty && session.suspended.isEmpty, comment)
                return
            }
        }
        Issue.record("timers without end: \(comment)")
    }

    @Test("the same events at the same times make the same session and the same effects", arguments: seeds.prefix(2))
    func deterministic(_ seed: UInt64) {
        var one = RandomConversation(seed: seed)
        var two = RandomConversation(seed: seed)
        for _ in 0..<Self.steps {
            one.step()
            two.step()
            guard one.talk.session == two.talk.session, one.talk.decision == two.talk.decision else {
                Issue.record("they differ, seed \(seed)")
                return
            }
        }
    }
}
