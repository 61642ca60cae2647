import Conversation
import IntentModel
import Testing

@Suite("The graph of stages: what is declared is exactly what happens")
struct StageGraphTests {
    static let seeds: [UInt64] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181]
    static let steps = 3_000

    /// A script for each declared move.
    static let scripts: [Move: [Step]] = [
        Move(.queued, .resolving): [.request()],
        Move(.queued, .awaitingAnswer): [
            .request { $0.candidates = ["Ask", "Book"].map { IntentCandidate(intent: $0, confidence: 0.5) } }
        ],
        Move(.queued, .ended): [.request(deadline: 0)],
        Move(.resolving, .awaitingAnswer): [.at(.awaitingAnswer)],
        Move(.resolving, .confirming): [.at(.confirming)],
        Move(.resolving, .handedOff): [
            .request(),
            .resolver(
                ["dropOff": .notThere], policy: IntentPolicy(asks: AskPolicy(unsupported: 0, finally: .handToApp))),
        ],
        Move(.resolving, .ended): [.request(), .fails(.reject)],
        Move(.awaitingAnswer, .resolving): [.at(.awaitingAnswer), .answer(.accept, "Leeds")],
        Move(.awaitingAnswer, .confirming): [.at(.confirming), .asks(), .answer(.accept, "x")],
        Move(.awaitingAnswer, .handling): [.at(.handling), .asks(), .answer(.accept, "x")],
        Move(.awaitingAnswer, .handedOff): [
            .at(.awaitingAnswer, intent: IntentPolicy(asks: AskPolicy(finally: .handToApp))), .timer(),
        ],
        Move(.awaitingAnswer, .ended): [.at(.awaitingAnswer), .answer(.cancel)],
        Move(.confirming, .resolving): [.at(.confirming), .correct("dropOff", "Leeds")],
        Move(.confirming, .awaitingAnswer): [.at(.confirming), .asks()],
        Move(.confirming, .awaitingConfirmation): [.at(.awaitingConfirmation)],
        Move(.confirming, .handling): [.at(.handling)],
        Move(.confirming, .handedOff): [.at(.handedOff)],
        Move(.confirming, .ended): [.at(.confirming), .confirmer(.failure)],
        Move(.awaitingConfirmation, .resolving): [.at(.awaitingConfirmation), .correct("dropOff", "Leeds")],
        Move(.awaitingConfirmation, .confirming): [.at(.confirming), .asks("sure", .confirmIntent), .answer(.accept)],
        Move(.awaitingConfirmation, .handling): [.at(.awaitingConfirmation), .answer(.accept)],
        Move(.awaitingConfirmation, .ended): [.at(.awaitingConfirmation), .answer(.decline)],
        Move(.handling, .inProgress): [.at(.inProgress)],
        Move(.handling, .awaitingAnswer): [.at(.handling), .asks()],
        Move(.handling, .awaitingConfirmation): [.at(.handling), .asks("sure", .confirmIntent)],
        Move(.handling, .handedOff): [.at(.handling), .handler(.continueInApp)],
        Move(.handling, .ended): [.at(.handling), .handler()],
        Move(.inProgress, .handling): [.at(.inProgress), .handler(.handleInApp)],
        Move(.inProgress, .awaitingAnswer): [.at(.inProgress), .asks()],
        Move(.inProgress, .awaitingConfirmation): [.at(.inProgress), .asks("sure", .confirmIntent)],
        Move(.inProgress, .handedOff): [.at(.inProgress), .handler(.continueInApp)],
        Move(.inProgress, .ended): [.at(.inProgress), .handler()],
        Move(.handedOff, .ended): [.at(.handedOff), .claim(), .complete()],
    ]

    @Test("every declared exit has a script, and the script takes it")
    func scripted() {
        #expect(Set(Self.scripts.keys) == Move.declared)
        for (move, script) in Self.scripts {
            let talk = Talk()
            for step in script { talk.play(step) }
            #expect(talk.ledger.moves.contains(move), "\(move)")
        }
    }

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
