import Foundation
import Testing

/// Checks that everything that the documents name exists.
@Suite("Documents") struct DocumentationTests {
    private let repository: Repository

    init() throws { repository = try Repository.shared.get() }

    /// All Markdown files except the change log, which also names deleted files.
    private var documents: [Document] {
        get throws {
            try repository.paths.filter { $0.hasSuffix(".md") && $0 != "CHANGELOG.md" }
                .map { Document(path: $0, text: try repository.text(of: $0)) }
        }
    }

    @Test(arguments: [
        "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "deploy/README.md",
        "docs/operating.md",
    ])
    func `the documents that a reader expects exist`(_ path: String) { #expect(repository.has(path)) }

    @Test func `every path of the repository that a document names exists`() throws {
        for document in try documents {
            for (line, path) in document.paths {
                // In code, a path may also begin at the document's own folder.
                if repository.has(path) || repository.has(Document.resolved(path, in: document.folder)) { continue }
                Issue.record("\(document.path):\(line): there is no \(path)")
            }
        }
    }

    @Test func `every heading that a link names exists`() throws {
        for document in try documents {
            for (line, target) in document.links where target.contains("#") && !target.contains(":") {
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let path = parts[0].isEmpty ? document.path : Document.resolved(String(parts[0]), in: document.folder)
                guard path.hasSuffix(".md"), repository.has(path) else { continue }
                let anchors = Document(path: path, text: try repository.text(of: path)).anchors
                #expect(anchors.contains(parts[1].lowercased()), "\(document.path):\(line): no \(parts[1]) in \(path)")
            }
        }
    }

    @Test func `every page that an article names is in its catalogue`() throws {
        let pages = Set(
            repository.paths.filter { $0.contains(".docc/") && ($0.hasSuffix(".md") || $0.hasSuffix(".tutorial")) }.map(
                page))
        for document in try documents where document.path.contains(".docc/") {
            for line in document.lines where !line.isCode {
                for link in line.text.matches(of: #/doc:(?:\w+/)?(\w+)/#) {
                    let page = Page(catalogue: page(document.path).catalogue, name: String(link.1))
                    #expect(pages.contains(page), "\(document.path):\(line.number)")
                }
            }
        }
    }

    private struct Page: Hashable {
        var catalogue: String
        var name: String
    }

    private func page(_ path: String) -> Page {
        let parts = path.split(separator: "/")
        let file = parts.last ?? ""
        return Page(
            catalogue: parts.prefix { !$0.hasSuffix(".docc") }.joined(separator: "/"),
            name: String(file.prefix { $0 != "." }))
    }

    @Test func `every type that the glossary names is declared in the file of its link`() throws {
        let text = try repository.text(of: "ARCHITECTURE.md").components(separatedBy: "## Glossary")[1]
        let links = text.matches(of: #/\[`(\w+)`\]\(([^)]+)\)/#)
        #expect(links.count > 20)
        for link in links {
            let kinds = "struct|class|enum|protocol|actor|typealias"
            let declaration = try Regex("\\b(?:\(kinds))\\s+\(link.1)\\b")
            let isDeclared = try repository.text(of: String(link.2)).contains(declaration)
            #expect(isDeclared, "\(link.2) declares no \(link.1)")
        }
    }

    @Test func `every suite that docs/threats.md names exists`() throws {
        let suites = Set(
            try repository.paths.filter { $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") }.flatMap { path in
                try repository.text(of: path).split(separator: "\n")
                    .filter { $0.hasPrefix("@Suite") || $0.hasPrefix("struct ") }
                    .compactMap { $0.firstRange(of: "struct ").map(\.upperBound).map($0.suffix(from:)) }
                    .map { String($0.prefix(while: \.isLetter)) }
            })
        let document = Document(path: "docs/threats.md", text: try repository.text(of: "docs/threats.md"))
        let names = document.spans.filter { $0.text.hasSuffix("Tests") }
        #expect(names.count > 100)
        for (line, text) in names {
            let name = String(text.split(separator: "/").last ?? "")
            if !suites.contains(name) { Issue.record("docs/threats.md:\(line): there is no \(name)") }
        }
    }

    @Test func `a path is found in a link, a span and a command`() {
        let text = """
            # The one `heading`: a-b
            See [this](Sources/A/B.swift#L1), [that](../x.md), [home](https://example.com/a.md), [below](#the-one-heading-a-b) and `deploy/*.sh`.
            `Tests/<Target>Tests`, `intents.handle`, `a/b`, `/tmp/a.swift`, `C/Turn+X.swift`, `[no](link.md)`
            ```sh
            cat "Tests/A/B.json" | deploy/run.sh --x
            ```
            """
        let document = Document(path: "deploy/README.md", text: text)
        #expect(
            document.paths.map(\.path) == [
                "deploy/Sources/A/B.swift", "x.md", "deploy/*.sh", "C/Turn+X.swift", "Tests/A/B.json", "deploy/run.sh",
            ])
        #expect(document.anchors == ["the-one-heading-a-b"])
        #expect(["Tests/ArchitectureTests/Document*.swift", "Tests", "Tests/"].allSatisfy(repository.has))
        #expect(!repository.has("Tests/Architecture") && !repository.has("Test*/Document.swift"))
    }
}

/// Checks that the package has one version, which one file describes.
@Suite("The version and the change log") struct ChangeLogTests {
    private let repository: Repository
    private let headings: [String]

    init() throws {
        repository = try Repository.shared.get()
        headings = Document(path: "CHANGELOG.md", text: try repository.text(of: "CHANGELOG.md")).sections.map(\.text)
    }

    @Test func `programs report the version of the newest release in the change log`() throws {
        let file = try #require(repository.swiftFiles(in: "Sources/").first { $0.hasSuffix("/PipelineVersion.swift") })
        let version = try #require(try repository.text(of: file).firstMatch(of: #/static let current = "([^"]+)"/#)?.1)
        let heading = try #require(headings.first { $0 != "## [Unreleased]" })
        let newest = try #require(heading.firstMatch(of: #/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/#)?.1)
        #expect(version == newest)
    }

    @Test func `no other source file contains a version`() throws {
        for path in repository.swiftFiles(in: "Sources/") where !path.contains(".docc/") {
            #expect(try repository.text(of: path).firstMatch(of: #/\bversion: "[0-9]/#) == nil, "\(path)")
        }
    }

    @Test func `unreleased changes come first, then releases from newest to oldest`() {
        #expect(headings.first == "## [Unreleased]")
        let releases = headings.compactMap { $0.firstMatch(of: #/\[(\d+)\.(\d+)\.(\d+)\]/#) }
            .map { [Int($0.1)!, Int($0.2)!, Int($0.3)!] }
        #expect(releases.count == headings.count - 1)
        for (newer, older) in zip(releases, releases.dropFirst()) { #expect(older.lexicographicallyPrecedes(newer)) }
    }
}

@Suite("The tutorial") struct TutorialTests {
    private static let folder = "Examples/Greenhouse"

    private let repository: Repository
    private let lines: [String]

    init() throws {
        repository = try Repository.shared.get()
        lines = try repository.text(of: "\(Self.folder)/README.md").components(separatedBy: "\n")
    }

    /// The code blocks of the tutorial, by the name of the file in the line before the block.
    private var shown: [String: String] {
        var shown: [String: String] = [:]
        for (index, line) in lines.enumerated() {
            guard let name = line.wholeMatch(of: #/`((Sources|Tests)/[^`]+\.swift)`:/#)?.1,
                lines.dropFirst(index + 2).first == "```swift"
            else { continue }
            shown[String(name)] = lines.dropFirst(index + 3).prefix { $0 != "```" }.map { $0 + "\n" }.joined()
        }
        return shown
    }

    @Test func `the tutorial shows all files that are compiled and tested`() throws {
        let files = repository.swiftFiles(in: "\(Self.folder)/")
        #expect(files.count > 5)
        #expect(Set(files) == Set(shown.keys.map { "\(Self.folder)/\($0)" }))
        for (name, code) in shown { #expect(try repository.text(of: "\(Self.folder)/\(name)") == code, "\(name)") }
        let manifest = try repository.text(of: "Package.swift")
        for target in ["Sources/Greenhouse", "Tests/GreenhouseTests"] {
            #expect(manifest.contains("path: \"\(Self.folder)/\(target)\""))
        }
    }

    @Test func `the tutorial's package depends on products that exist`() throws {
        let asked = lines.compactMap { $0.firstMatch(of: #/\.product\(name: "([^"]+)"/#).map { String($0.1) } }
        #expect(asked == ["IntentKit", "WorkerService", "PipelineTestKit"])
        let manifest = try repository.text(of: "Package.swift")
        for product in asked { #expect(manifest.contains(".library(name: \"\(product)\", targets: [\"\(product)\"])")) }
    }
}

/// Checks the length of the documents. Pages in docs/reference are generated from code, and do not count.
@Suite("The words of the documents") struct WordTests {
    private let documents: [(path: String, text: String)]

    init() throws {
        let repository = try Repository.shared.get()
        let paths = repository.paths.filter { $0.hasSuffix(".md") && !$0.hasPrefix("docs/reference/") }
        documents = try paths.map { ($0, try repository.text(of: $0)) }
    }

    private static func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    @Test(arguments: [
        ("README.md", 700), ("ARCHITECTURE.md", 4_000), ("CONTRIBUTING.md", 1_300), ("SECURITY.md", 800),
        ("CHANGELOG.md", 1_500),
        ("docs/", 14_000), ("Sources/Authoring/IntentKit/IntentKit.docc/", 9_000), ("", 36_000),
    ])
    func `documents stay within their budgets of words`(_ prefix: String, _ most: Int) {
        let counts = documents.filter { $0.path.hasPrefix(prefix) }.map { (path: $0.path, words: Self.words($0.text)) }
        let sum = counts.reduce(0) { $0 + $1.words }
        let largest = counts.sorted { $0.words > $1.words }.prefix(5)
        #expect(!counts.isEmpty && sum <= most, "\(sum) words, of which \(largest)")
    }

    @Test func `lines of documents have at most 100 columns, except tables, code and links`() {
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
