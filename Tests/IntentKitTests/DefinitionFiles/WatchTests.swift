import Foundation
import Testing

@testable import IntentFiles

/// Definition files that are edited while they are watched.
@Suite("Watched definition files") struct WatchTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")
    private let main = "main.intents.yaml"

    private func write(_ name: String, _ text: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func text(_ intents: String...) -> String { "version: 1\nintents: {\(intents.joined(separator: ", "))}\n" }

    /// Writes the main file, and calls `body` with the watched folder.
    private func watching(_ text: String, _ body: (inout WatchedDefinitions) throws -> Void) throws {
        try write(main, text)
        defer { try? FileManager.default.removeItem(at: folder) }
        var watched = try WatchedDefinitions(directory: folder.path)
        for _ in 1...3 { #expect(watched.poll() == nil, "nothing has changed yet") }
        try body(&watched)
    }

    /// Returns the names of the intents after a change, or the problems.
    private func names(_ watched: inout WatchedDefinitions) -> [String]? {
        #expect(watched.poll() == nil, "the writing may go on")
        switch watched.poll() {
        case .success(let files): return files.intents.map(\.name)
        case .failure(let error): return error.problems.map(\.message)
        case nil: return nil
        }
    }

    @Test func `a change is read when it has come to rest, once`() throws {
        try watching(text("A: {}")) { watched in
            try write(main, "version: 1\nintents: {A: {")
            #expect(watched.poll() == nil)
            try write(main, text("A: {}", "Bee: {}"))
            #expect(names(&watched) == ["A", "Bee"])
            #expect(watched.files?.intents.count == 2)
            #expect(watched.poll() == nil)
        }
    }

    @Test func `a file that is written again and says the same is no change`() throws {
        try watching(text("A: {}")) { watched in
            try write(main, text("A: {}") + "# the end\n")
            #expect(names(&watched) == nil)
        }
    }

    @Test func `files that are added and deleted are changes`() throws {
        try watching(text("A: {}")) { watched in
            try write("other.intents.yaml", text("B: {}"))
            #expect(names(&watched) == ["A", "B"])
            try write("notes.yaml", "no definition")
            #expect(names(&watched) == nil)
            try FileManager.default.removeItem(at: folder.appending(path: "other.intents.yaml"))
            #expect(names(&watched) == ["A"])
            try FileManager.default.removeItem(at: folder.appending(path: main))
            #expect(names(&watched)?.first?.hasPrefix("there is no definition file in this folder") == true)
        }
    }

    @Test func `a mistake is reported once, and so is its correction`() throws {
        try watching(text("A: {}")) { watched in
            try write(main, text("A: {titel: A}"))
            #expect(names(&watched) == ["'titel' is not known here: did you mean 'title'?"])
            #expect(watched.poll() == nil && watched.files == nil)
            try write(main, text("A: {}"))
            #expect(names(&watched) == ["A"])
        }
    }

    @Test func `a catalogue that a definition names is watched, even before it exists`() throws {
        try watching(text("A: {}")) { watched in
            let city = "entities: {City: {file: cities.csv}}\n"
            try write(main, city + text("A: {parameters: {city: City}}"))
            #expect(names(&watched)?.first?.contains("there is no such file") == true)
            try write("cities.csv", "id,name\nams,Amsterdam\n")
            #expect(names(&watched) == ["A"])
            let before = watched.files
            try write("cities.csv", "id,name\nams,Amsterdam\nrtm,Rotterdam\n")
            #expect(names(&watched) == ["A"])
            #expect(watched.files != before)
        }
    }

    @Test func `a pipe and a file that is too large are refused without a wait, also behind a link`() throws {
        try write(main, text("A: {}"))
        defer { try? FileManager.default.removeItem(at: folder) }
        let (large, pipe) = (folder.appending(path: "large"), folder.appending(path: "pipe"))
        try write("large", "")
        #expect(truncate(large.path, 1 << 40) == 0 && mkfifo(pipe.path, 0o600) == 0)
        for (name, target) in [("a", large), ("b", pipe)] {
            let link = folder.appending(path: "\(name).intents.yaml")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        }
        let error = #expect(throws: DefinitionError.self) { try DefinitionFiles(directory: folder.path) }
        #expect(
            error?.problems.map(\.message) == [
                "the file can't be read: it has 1099511627776 bytes; 1048576 are allowed: split it",
                "the file can't be read: it is not a file",
            ])
    }
}
