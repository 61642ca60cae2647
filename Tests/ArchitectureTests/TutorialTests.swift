import Foundation
import Testing

@Suite("The tutorial")
struct TutorialTests {
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

    @Test("shows the files that are compiled and tested, and all of them")
    func files() throws {
        let files = repository.paths.filter { $0.hasPrefix("\(Self.folder)/") && $0.hasSuffix(".swift") }
        #expect(files.count > 5)
        #expect(Set(files) == Set(shown.keys.map { "\(Self.folder)/\($0)" }))
        for (name, code) in shown { #expect(try repository.text(of: "\(Self.folder)/\(name)") == code, "\(name)") }
        let manifest = try repository.text(of: "Package.swift")
        for target in ["Sources/Greenhouse", "Tests/GreenhouseTests"] {
            #expect(manifest.contains("path: \"\(Self.folder)/\(target)\""))
        }
    }

    @Test("its package depends on products that exist")
    func products() throws {
        let asked = lines.compactMap { $0.firstMatch(of: #/\.product\(name: "([^"]+)"/#).map { String($0.1) } }
        #expect(asked == ["IntentKit", "WorkerService", "PipelineTestKit"])
        let manifest = try repository.text(of: "Package.swift")
        for product in asked { #expect(manifest.contains(".library(name: \"\(product)\", targets: [\"\(product)\"])")) }
    }
}
