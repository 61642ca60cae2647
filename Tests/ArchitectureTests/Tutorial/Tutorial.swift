import Foundation

/// The tutorial of the documentation catalogue, with the files that its steps show.
struct Tutorial {
    struct Step {
        /// The file's name for the reader.
        var name: String
        /// The file's name among the resources.
        var file: String
    }

    let steps: [Step]
    /// The contents, by name.
    let resources: [String: String]

    init() throws {
        let text = try String(contentsOf: Self.catalogue.appending(path: "Tutorials/WaterAPlant.tutorial"), encoding: .utf8)
        steps = text.matches(of: /@Code\(name: "([^"]+)", file: "([^"]+)"/).map { Step(name: String($0.1), file: String($0.2)) }
        var resources: [String: String] = [:]
        for folder in Self.compiledFolders + ["Steps"] {
            for name in try Self.files(in: folder) {
                resources[name] = try String(contentsOf: Self.resources.appending(path: "\(folder)/\(name)"), encoding: .utf8)
            }
        }
        self.resources = resources
    }

    /// The files that are targets of this package.
    static let compiledFolders = ["Greenhouse", "GreenhouseTests"]

    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: resources.appending(path: folder).path).filter { !$0.hasPrefix(".") }
    }

    /// The resources that show a file, in the order of the steps.
    var filesByName: [String: [String]] {
        steps.reduce(into: [:]) { files, step in
            if files[step.name]?.last != step.file { files[step.name, default: []].append(step.file) }
        }
    }

    func text(of file: String) throws -> String {
        guard let text = resources[file] else { throw CocoaError(.fileNoSuchFile) }
        return text
    }

    func lines(of file: String) -> [Substring] { (resources[file] ?? "").split(separator: "\n") }

    static func manifest() throws -> String { try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8) }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let catalogue = root.appending(path: "Sources/Authoring/IntentKit/IntentKit.docc")
    private static let resources = catalogue.appending(path: "Resources")
}
