import Conversation
import Foundation
import Testing

@Suite("The drawn graph of stages")
struct StageDiagramTests {
    @Test("the state machine in ARCHITECTURE.md has the declared exits, and no others")
    func drawn() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let drawn = Set(try moves(in: String(contentsOf: root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)))
        let missing = Move.declared.subtracting(drawn).map(\.description).sorted()
        let extra = drawn.subtracting(Move.declared).map(\.description).sorted()
        #expect(missing.isEmpty, "declared in StageName.exits, but not drawn")
        #expect(extra.isEmpty, "drawn, but not declared in StageName.exits")
    }

    @Test("an edge is read with and without a label, and a duplicate edge is an error")
    func reading() throws {
        let text = """
            ```mermaid
            stateDiagram-v2
                [*] --> queued
                queued --> resolving : started
                resolving-->ended
                ended --> [*]
            ```
            """
        #expect(try moves(in: text) == [Move(.queued, .resolving), Move(.resolving, .ended)])
        #expect(throws: DiagramError.self) {
            try moves(in: text.replacing("resolving-->ended", with: "resolving --> over"))
        }
        #expect(throws: DiagramError.self) {
            try moves(in: text.replacing("resolving-->ended", with: "queued --> resolving"))
        }
        #expect(throws: DiagramError.self) { try moves(in: "# No diagram") }
    }

    private struct DiagramError: Error, CustomStringConvertible {
        var description: String
    }

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
            let move = Move(from, to)
            guard !moves.contains(move) else { throw DiagramError(description: "\(move) is drawn twice") }
            moves.append(move)
        }
        return moves
    }
}
