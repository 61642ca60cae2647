import Foundation
import Testing

@Suite("The tutorial")
struct TutorialTests {
    private let tutorial: Tutorial

    init() throws { tutorial = try Tutorial() }

    @Test("every step shows an existing file")
    func files() {
        #expect(tutorial.steps.count > 10)
        for step in tutorial.steps { #expect(tutorial.resources[step.file] != nil, "\(step.file)") }
    }

    @Test("every file is shown")
    func shown() {
        #expect(Set(tutorial.resources.keys) == Set(tutorial.steps.map(\.file)))
    }

    @Test("lines that an earlier step shows of a file are still in it at the end")
    func growing() {
        for (name, files) in tutorial.filesByName where name.hasSuffix(".swift") {
            for (earlier, later) in zip(files, files.dropFirst()) {
                var rest = tutorial.lines(of: later)[...]
                for line in tutorial.lines(of: earlier) {
                    guard let place = rest.firstIndex(of: line) else {
                        Issue.record("\(name): \(later) lacks, or has elsewhere, '\(line)' of \(earlier)")
                        break
                    }
                    rest = rest[(place + 1)...]
                }
            }
        }
    }

    @Test("its final Swift files are those that are compiled and tested here")
    func compiled() throws {
        let manifest = try Tutorial.manifest()
        for folder in Tutorial.compiledFolders {
            #expect(manifest.contains("path: \"Sources/Authoring/IntentKit/IntentKit.docc/Resources/\(folder)\""))
        }
        let compiled = try Set(Tutorial.compiledFolders.flatMap { try Tutorial.files(in: $0) })
        let last = tutorial.filesByName.filter { $0.key.hasSuffix(".swift") && $0.key != "Package.swift" }.compactMap(\.value.last)
        #expect(Set(last) == compiled)
    }

    @Test("the products that its package depends on exist")
    func products() throws {
        let asked = try tutorial.text(of: "Manifest.swift").matches(of: /\.product\(name: "([^"]+)"/).map { String($0.1) }
        #expect(asked == ["IntentKit", "WorkerService", "PipelineTestKit"])
        let manifest = try Tutorial.manifest()
        for product in asked { #expect(manifest.contains(".library(name: \"\(product)\", targets: [\"\(product)\"])")) }
    }
}
