import Foundation
import IntentFiles
import IntentModel
import Testing

/// The files in `Golden`, and their expected results.
enum Golden {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")

    static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    /// Compares the text with the file, or writes the file with `GOLDEN=write`.
    static func expect(_ text: String, in name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            return try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let expected = try self.text(name)
        #expect(text == expected, "\(name)", sourceLocation: sourceLocation)
    }

    static func definitions(_ name: String) throws -> DefinitionFiles {
        try DefinitionFiles([(name, try bytes(name))]) { _, path in
            do { return try bytes(path) } catch { throw Missing() }
        }
    }

    struct Missing: Error, CustomStringConvertible { let description = "there is no such file" }
}

/// Reads a definition from a test's text.
func definitions(_ text: String) throws -> DefinitionFiles {
    try DefinitionFiles([("test.intents.yaml", Array(text.utf8))]) { _, _ in throw CocoaError(.fileNoSuchFile) }
}

func problems(_ text: String) -> [String] {
    do { _ = try DefinitionFiles([("test.intents.yaml", Array(text.utf8))]) { _, _ in [] } } catch {
        return error.problems.map(\.description)
    }
    return []
}
