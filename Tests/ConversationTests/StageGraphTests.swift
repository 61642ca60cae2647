import Conversation
import IntentModel
import Testing

@Suite("The graph of stages: what is declared is exactly what happens")
struct StageGraphTests {
    static let seeds: [UInt64] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181]
    static let steps = 3_000

    /// A script for each declared move.
    static let scripts: [Move: @Sendable (Talk) -> Void] = [
        Move(from: .queued, to: .resolving): { $0.request() },
        Move(from: .queued, to: .awaitingAnswer): { talk in
            var request = IntentRequest(id: "r", intent: "")
            request.candidates = ["Ask", "Book"].map { IntentCandidate(intent: $0, confidence: 0.5) }
            talk.receive(.requested(request))
        },
        Move(from: .queued, to: .ended): { $0.request(deadline: .zero) },
        Move(from: .resolving, to: .awaitingAnswer): { $0.bring(to: .awaitingAnswer) },
        Move(from: .resolving, to: .confirming): { $0.bring(to: .confirming) },
        Move(from: .resolving, to: .handedOff): { talk in
            talk.request()
            talk.resolver(
                ["dropOff": Station.notThere],
                policy: IntentPolicy(asks: AskPolicy(unsupported: 0, finally: .handToApp)))
        },
        Move(from: .awaitingAnswer, to: .handedOff): { talk in
            talk.request()
            talk.resolver(["dropOff": Station.missing], policy: IntentPolicy(asks: AskPolicy(finally: .handToApp)))
            talk.waitForTimer()
        },
        Move(from: .resolving, to: .ended): { talk in
            talk.request(); talk.fails(.reject)
        },
        Move(from: .awaitingAnswer, to: .resolving): { talk in
            talk.bring(to: .awaitingAnswer); talk.answer(.accept, "Leeds")
        },
        Move(from: .awaitingAnswer, to: .confirming): { talk in
            talk.bring(to: .confirming); talk.asks(); talk.answer(.accept, "x")
        },
        Move(from: .awaitingAnswer, to: .handling): { talk in
            talk.bring(to: .handling); talk.asks(); talk.answer(.accept, "x")
        },
        Move(from: .awaitingAnswer, to: .ended): { talk in
            talk.bring(to: .awaitingAnswer); talk.answer(.cancel)
        },
        Move(from: .confirming, to: .resolving): { talk in
            talk.bring(to: .confirming); talk.correct("dropOff", "Leeds")
        },
        Move(from: .confirming, to: .awaitingAnswer): { talk in
            talk.bring(to: .confirming); talk.asks()
        },
        Move(from: .confirming, to: .awaitingConfirmation): { $0.bring(to: .awaitingConfirmation) },
        Move(from: .confirming, to: .handling): { $0.bring(to: .handling) },
        Move(from: .confirming, to: .handedOff): { $0.bring(to: .handedOff) },
        Move(from: .confirming, to: .ended): { talk in
            talk.bring(to: .confirming); talk.confirmer(.failure)
        },
        Move(from: .awaitingConfirmation, to: .resolving): { talk in
            talk.bring(to: .awaitingConfirmation); talk.correct("dropOff", "Leeds")
        },
        Move(from: .awaitingConfirmation, to: .confirming): { talk in
            talk.bring(to: .confirming); talk.asks("sure", .confirmIntent); talk.answer(.accept)
        },
        Move(from: .awaitingConfirmation, to: .handling): { talk in
            talk.bring(to: .awaitingConfirmation); talk.answer(.accept)
        },
        Move(from: .awaitingConfirmation, to: .ended): { talk in
            talk.bring(to: .awaitingConfirmation); talk.answer(.decline)
        },
        Move(from: .handling, to: .inProgress): { $0.bring(to: .inProgress) },
        Move(from: .handling, to: .awaitingAnswer): { talk in
            talk.bring(to: .handling); talk.asks()
        },
        Move(from: .handling, to: .awaitingConfirmation): { talk in
            talk.bring(to: .handling); talk.asks("sure", .confirmIntent)
        },
        Move(from: .handling, to: .handedOff): { talk in
            talk.bring(to: .handling); talk.handler(.continueInApp)
        },
        Move(from: .handling, to: .ended): { talk in
            talk.bring(to: .handling); talk.handler()
        },
        Move(from: .inProgress, to: .handling): { talk in
            talk.bring(to: .inProgress); talk.handler(.handleInApp)
        },
        Move(from: .inProgress, to: .awaitingAnswer): { talk in
            talk.bring(to: .inProgress); talk.asks()
        },
        Move(from: .inProgress, to: .awaitingConfirmation): { talk in
            talk.bring(to: .inProgress); talk.asks("sure", .confirmIntent)
        },
        Move(from: .inProgress, to: .handedOff): { talk in
            talk.bring(to: .inProgress); talk.handler(.continueInApp)
        },
        Move(from: .inProgress, to: .ended): { talk in
            talk.bring(to: .inProgress); talk.handler()
        },
        Move(from: .handedOff, to: .ended): { talk in
            talk.bring(to: .handedOff); talk.claim(); talk.complete()
        },
    ]

    @Test("every declared exit has a script, and the script takes it")
    func scripted() {
        #expect(Set(Self.scripts.keys) == Move.declared)
        for (move, script) in Self.scripts {
            let talk = Talk()
            script(talk)
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
