import Testing

/// Checks the length of the documents. Pages in docs/reference are generated from code, and do not count.
@Suite("The words of the documents")
struct WordTests {
    private let documents: [(path: String, text: String)]

    init() throws {
        let repository = try Repository.shared.get()
        let paths = repository.paths.filter { $0.hasSuffix(".md") && !$0.hasPrefix("docs/reference/") }
        documents = try paths.map { ($0, try repository.text(of: $0)) }
    }

    private static func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    @Test(
        "stay within their budgets",
        arguments: [
            ("README.md", 700), ("ARCHITECTURE.md", 4_000), ("CONTRIBUTING.md", 1_300), ("SECURITY.md", 800),
            ("CHANGELOG.md", 1_500),
            ("docs/", 14_000), ("Sources/Authoring/IntentKit/IntentKit.docc/", 9_000), ("", 36_000),
        ])
    func budget(_ prefix: String, _ most: Int) {
        let counts = documents.filter { $0.path.hasPrefix(prefix) }.map { (path: $0.path, words: Self.words($0.text)) }
        let sum = counts.reduce(0) { $0 + $1.words }
        let largest = counts.sorted { $0.words > $1.words }.prefix(5).map { "\($0.path) \($0.words)" }.joined(
            separator: ", ")
        #expect(!counts.isEmpty && sum <= most, "\(sum) words, of which \(largest)")
    }

    @Test("are in lines of at most 100 columns, except tables, code and links")
    func columns() {
        for document in documents {
            for line in Document(path: document.path, text: document.text).lines
            where !line.isCode && line.text.count > 100 {
                let isTable = line.text.hasPrefix("|")
                // A link or a word that is too long can't be wrapped.
                let hasBreak = line.text.drop { $0 == " " }.dropFirst(2).prefix(98).contains(" ")
                if isTable || !hasBreak || line.text.contains("](") { continue }
                Issue.record("\(document.path):\(line.number): \(line.text.count) columns")
            }
        }
    }
}
