import Foundation
import Testing

/// Checks that the package has one version, which one file describes.
@Suite("The version and the change log")
struct ChangeLogTests {
    private let repository: Repository
    private let headings: [String]

    init() throws {
        repository = try Repository.shared.get()
        let log = Document(path: "CHANGELOG.md", text: try repository.text(of: "CHANGELOG.md"))
        headings = log.lines.filter { !$0.isCode && $0.text.hasPrefix("## ") }.map(\.text)
    }

    @Test("programs report the version of the newest release in the change log")
    func version() throws {
        let file = try #require(
            repository.paths.first { $0.hasPrefix("Sources/") && $0.hasSuffix("/PipelineVersion.swift") })
        let version = try #require(try repository.text(of: file).firstMatch(of: #/static let current = "([^"]+)"/#)?.1)
        let heading = try #require(headings.first { $0 != "## [Unreleased]" })
        let newest = try #require(heading.firstMatch(of: #/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/#)?.1)
        #expect(version == newest)
    }

    @Test("no other source file contains a version")
    func once() throws {
        for path in repository.paths
        where path.hasPrefix("Sources/") && path.hasSuffix(".swift") && !path.contains(".docc/") {
            #expect(try repository.text(of: path).firstMatch(of: #/\bversion: "[0-9]/#) == nil, "\(path)")
        }
    }

    @Test("unreleased changes come first, then releases from newest to oldest")
    func order() {
        #expect(headings.first == "## [Unreleased]")
        let releases = headings.compactMap { $0.firstMatch(of: #/\[(\d+)\.(\d+)\.(\d+)\]/#) }
            .map { [Int($0.1)!, Int($0.2)!, Int($0.3)!] }
        #expect(releases.count == headings.count - 1)
        for (newer, older) in zip(releases, releases.dropFirst()) { #expect(older.lexicographicallyPrecedes(newer)) }
    }
}
