import Foundation
import Testing

/// Checks that everything that the documents name exists.
@Suite("Documents")
struct DocumentationTests {
    private let repository: Repository

    init() throws { repository = try Repository.shared.get() }

    /// All Markdown files except the change log, which also names deleted files.
    private var documents: [Document] {
        get throws {
            try repository.paths.filter { $0.hasSuffix(".md") && $0 != "CHANGELOG.md" }
                .map { Document(path: $0, text: try repository.text(of: $0)) }
        }
    }

    @Test(
        "the documents that a reader expects exist",
        arguments: [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "deploy/README.md",
            "docs/operating.md",
        ])
    func present(_ path: String) {
        #expect(repository.has(path))
    }

    @Test("every path of the repository that a document names exists")
    func paths() throws {
        for document in try documents {
            for (line, path) in document.paths {
                // In code, a path may also begin at the document's own folder.
                if repository.has(path) || repository.has(Document.resolved(path, in: document.folder)) { continue }
                Issue.record("\(document.path):\(line): there is no \(path)")
            }
        }
    }

    @Test("every heading that a link names exists")
    func anchors() throws {
        for document in try documents {
            for (line, target) in document.links where target.contains("#") && !target.contains(":") {
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let path = parts[0].isEmpty ? document.path : Document.resolved(String(parts[0]), in: document.folder)
                guard path.hasSuffix(".md"), repository.has(path) else { continue }
                let anchors = Document(path: path, text: try repository.text(of: path)).anchors
                #expect(
                    anchors.contains(parts[1].lowercased()),
                    "\(document.path):\(line): \(path) has no heading '\(parts[1])'")
            }
        }
    }

    @Test("every page that an article names is in its catalogue")
    func pages() throws {
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

    @Test("every type that the glossary names exists")
    func glossary() throws {
        let code = try Codebase.shared.get()
        let declared = #/\b(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)/#
        let types = Set(
            code.files.values.joined().flatMap { file in
                file.lines.flatMap { $0.matches(of: declared).map { String($0.1) } }
            })
        let document = Document(path: "ARCHITECTURE.md", text: try repository.text(of: "ARCHITECTURE.md"))
        let headings = document.lines.filter { !$0.isCode && $0.text.hasPrefix("## ") }
        let start = try #require(headings.firstIndex { $0.text == "## Glossary" })
        let range = headings[start].number..<(headings.dropFirst(start + 1).first?.number ?? .max)
        // `Session.receive` is looked up as Session. Names like intents.sessions are not types.
        let names = document.spans.filter { range.contains($0.line) }
            .map { ($0.line, String($0.text.prefix { $0.isLetter || $0.isNumber })) }
            .filter { $0.1.first?.isUppercase == true }
        #expect(names.count > 20)
        for (line, name) in names where !types.contains(name) {
            Issue.record("ARCHITECTURE.md:\(line): no type is named \(name)")
        }
    }

    @Test("a path is found in a link, a span and a command")
    func forms() {
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
        #expect(
            repository.has("Tests/ArchitectureTests/Document*.swift") && repository.has("Tests")
                && repository.has("Tests/"))
        #expect(!repository.has("Tests/Architecture") && !repository.has("Test*/Document.swift"))
    }
}
