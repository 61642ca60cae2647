import Foundation
import IntentEvents
import IntentModel
import Testing

@Suite("The events in the articles")
struct ArticleTests {
    /// An example in an article: the name of a golden file, and the JSON below it.
    struct Example: Sendable, CustomTestStringConvertible {
        var article: String
        var golden: String
        var json: String

        var testDescription: String { "\(golden) in \(article)" }
    }

    static let articles = ["Events", "RequestEvents", "ResultEvents", "WorkEvents", "Catalogue", "Memory"]

    static func text(_ article: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(article).md"), encoding: .utf8)
    }

    /// Every "`Golden/NAME.json`:" followed by a block of JSON.
    static var examples: [Example] {
        articles.flatMap { article in
            ((try? text(article)) ?? "").split(separator: "`Golden/").dropFirst().compactMap { part in
                guard let name = part.firstRange(of: ".json`:\n\n```json\n"), let end = part.firstRange(of: "\n```\n") else { return nil }
                return Example(
                    article: article, golden: String(part[..<name.lowerBound]), json: String(part[name.upperBound..<end.lowerBound]))
            }
        }
    }

    @Test("every example is the value of its golden file", arguments: examples)
    func isGolden(_ example: Example) throws {
        #expect(try JSONView(parsing: Array(example.json.utf8), limits: .journal).compact == Golden(named: example.golden).value)
    }

    @Test("every event type has a section and an example", arguments: EventType.allCases)
    func isDescribed(_ type: EventType) throws {
        let all = try Self.articles.map { try Self.text($0) }.joined()
        #expect(all.contains("## \(type.rawValue)\n"))
        #expect(Self.examples.contains { $0.golden.contains(type.rawValue) })
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Authoring/IntentKit/IntentKit.docc/Articles")
}
