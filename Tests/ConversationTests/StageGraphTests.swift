import Conversation
import Foundation
import IntentModel
import Testing

@Suite("The graph of stages: what is declared is exactly what happens") struct StageGraphTests {
    static let seeds: [UInt64] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181]
    static let steps = 3_000

    @Test func `random conversations take every declared exit, and no other`() {
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

    @Test(arguments: seeds)
    func `without further events every conversation ends, and each due timer has an effect`(_ seed: UInt64) {
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

    @Test(arguments: seeds.prefix(2))
    func `the same events at the same times make the same session and the same effects`(_ seed: UInt64) {
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

@Suite("The drawn graph of stages") struct StageDiagramTests {
    @Test func `the state machine in ARCHITECTURE.md has the declared exits, and no others`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let drawn = Set(try moves(in: String(contentsOf: root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)))
        let missing = Move.declared.subtracting(drawn).map(\.description).sorted()
        let extra = drawn.subtracting(Move.declared).map(\.description).sorted()
        #expect(missing.isEmpty, "declared in StageName.exits, but not drawn")
        #expect(extra.isEmpty, "drawn, but not declared in StageName.exits")
    }

    @Test func `an edge is read with and without a label, and a duplicate edge is an error`() throws {
        let text = """
            ```mermaid
            stateDiagram-v2
                [*] --> queued
                queued --> resolving : started
                resolving-->ended
                ended --> [*]
            ```
            """
        #expect(try moves(in: text) == [Move(from: .queued, to: .resolving), Move(from: .resolving, to: .ended)])
        #expect(throws: DiagramError.self) {
            try moves(in: text.replacing("resolving-->ended", with: "resolving --> over"))
        }
        #expect(throws: DiagramError.self) {
            try moves(in: text.replacing("resolving-->ended", with: "queued --> resolving"))
        }
        #expect(throws: DiagramError.self) { try moves(in: "# No diagram") }
    }

    private struct DiagramError: Error, CustomStringConvertible { var description: String }

    /// The moves of the only state diagram in a document, without moves from and to `[*]`.
    private func moves(in text: String) throws -> [Move] {
        let blocks = text.matches(of: #/```mermaid\n(stateDiagram-v2\n.*?)```/#.dotMatchesNewlines())
        guard blocks.count == 1 else {
            throw DiagramError(description: "\(blocks.count) state diagrams instead of one")
        }
        var moves: [Move] = []
        for edge in blocks[0].1.matches(of: #/([\w\[\]*]+) *--> *([\w\[\]*]+)/#)
        where edge.1 != "[*]" && edge.2 != "[*]" {
            guard let from = StageName(rawValue: String(edge.1)), let to = StageName(rawValue: String(edge.2)) else {
                throw DiagramError(description: "'\(edge.0)': no stage has that name")
            }
            let move = Move(from: from, to: to)
            guard !moves.contains(move) else { throw DiagramError(description: "\(move) is drawn twice") }
            moves.append(move)
        }
        return moves
    }
}
