import Foundation

/// The parts of a Markdown file that the tests check.
struct Document {
    let path: String
    /// The number and text of each line, and whether it is inside a fenced block.
    let lines: [(number: Int, text: String, isCode: Bool)]

    init(path: String, text: String) {
        self.path = path
        var isCode = false
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            if line.drop(while: \.isWhitespace).hasPrefix("```") {
                isCode.toggle()
                return (index + 1, String(line), true)
            }
            return (index + 1, String(line), isCode)
        }
    }

    private var prose: [(number: Int, text: String, isCode: Bool)] { lines.filter { !$0.isCode } }

    /// The second-level headings.
    var sections: [(number: Int, text: String, isCode: Bool)] { prose.filter { $0.text.hasPrefix("## ") } }

    /// The text in single backticks, by line.
    var spans: [(line: Int, text: String)] {
        prose.flatMap { line in line.text.matches(of: #/`([^`]+)`/#).map { (line.number, String($0.1)) } }
    }

    /// The targets of links, by line.
    var links: [(line: Int, target: String)] {
        prose.flatMap { line in
            line.text.replacing(#/`[^`]*`/#, with: "x").matches(of: #/\]\(([^)\s]+)\)/#).map {
                (line.number, String($0.1))
            }
        }
    }

    /// The anchors of the headings, as made by ``anchor(_:)``.
    var anchors: Set<String> {
        Set(prose.filter { $0.text.hasPrefix("#") }.map { Self.anchor($0.text.drop { $0 == "#" }) })
    }

    /// The anchor of a heading in GitHub's form, in lower case.
    static func anchor(_ heading: some StringProtocol) -> String {
        let text = heading.trimmingCharacters(in: .whitespaces).lowercased().replacing(#/\]\([^)]*\)/#, with: "")
        return String(
            text.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }.map {
                $0 == " " ? "-" : $0
            })
    }

    /// The folder of the document, relative to the root.
    var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    /// The paths of the repository that the document names, by line: link targets, relative to the root, and words in
    /// code that look like paths, unchanged.
    var paths: [(line: Int, path: String)] {
        let linked = links.compactMap { line, target -> (Int, String)? in
            let file = target.prefix { $0 != "#" }
            guard !file.isEmpty, !target.contains(":") else { return nil }
            return (line, Self.resolved(String(file), in: folder))
        }
        let commands = lines.filter(\.isCode).flatMap { line in
            line.text.split { " \t\"'`();,=|".contains($0) }.map { (line: line.number, text: String($0)) }
        }
        let named = (spans + commands).compactMap { line, word in Self.namedPath(word).map { (line, $0) } }
        return linked + named
    }

    /// The path that a word in code names; `nil` if there is none. A path begins with a folder of the repository, or
    /// ends like a source file.
    static func namedPath(_ word: String) -> String? {
        let word = word.hasPrefix("./") ? String(word.dropFirst(2)) : word
        guard word.contains("/"), !word.hasPrefix("/"),
            word.allSatisfy({ $0.isLetter || $0.isNumber || "/._+-*".contains($0) })
        else { return nil }
        let folders = ["Sources/", "Examples/", "Benchmarks/", "Plugins/", "Tests/", "deploy/", "docs/", ".ci/"]
        return folders.contains(where: word.hasPrefix) || word.hasSuffix(".swift") ? word : nil
    }

    /// Resolves a relative path to one from the root: `../a` in `deploy` is `a`.
    static func resolved(_ path: String, in folder: String) -> String {
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
