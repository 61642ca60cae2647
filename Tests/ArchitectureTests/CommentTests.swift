import Foundation
import Testing

/// How comments read. Conversation, Wire and Pipeline follow when they are rewritten.
@Suite("Comments") struct CommentTests {
    private static let rings = [
        "Sources/Authoring/", "Sources/Log/", "Sources/Service/", "Sources/Fulfilment/", "Sources/Console/",
        "Sources/Testing/", "Sources/Programs/", "Examples/", "Benchmarks/", "Tests/", "Plugins/",
    ]
    /// Beginnings that leave the noun to the reader.
    private static let openings: Set<Substring> = ["What", "Those", "It", "That", "Which"]
    /// Phrases in place of the field's verbs.
    private static let phrases = [
        "has it back", "goes on with", "is told", "gone without", "is known of", "comes across", "has it down for",
        "as far as", "but for", "what is left of it",
    ]

    private let files: [(path: String, lines: [String])]

    init() throws {
        let repository = try Repository.shared.get()
        let paths = repository.paths.filter { path in
            path.hasSuffix(".swift") && Self.rings.contains { path.hasPrefix($0) }
        }
        files = try paths.map { ($0, try repository.text(of: $0).components(separatedBy: "\n")) }
    }

    /// The text of a comment on a line of its own; `nil` for code.
    private static func comment(_ line: String) -> Substring? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("//") else { return nil }
        return text.drop { $0 == "/" }.drop { $0 == " " }
    }

    @Test func `begin with a noun or a verb, not with a pronoun`() {
        #expect(files.count > 500)
        for file in files {
            let comments = file.lines.map(Self.comment)
            for (number, text) in comments.enumerated() where number == 0 || comments[number - 1] == nil {
                guard let text, let first = text.split(separator: " ").first, Self.openings.contains(first) else {
                    continue
                }
                Issue.record("\(file.path):\(number + 1): \(text)")
            }
        }
    }

    @Test func `use the field's verbs`() {
        for file in files where file.path != "Tests/ArchitectureTests/CommentTests.swift" {
            for (number, text) in file.lines.map(Self.comment).enumerated() {
                guard let text, let phrase = Self.phrases.first(where: { text.contains($0) }) else { continue }
                Issue.record("\(file.path):\(number + 1) says '\(phrase)': \(text)")
            }
        }
    }
}
