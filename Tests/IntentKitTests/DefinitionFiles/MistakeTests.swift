import Foundation
import IntentFiles
import PipelineTestKit
import Testing

@Suite("A definition with mistakes") struct MistakeTests {
    @Test(arguments: [
        "syntax.intents.yaml", "anchors.intents.yaml", "tabs.intents.yaml", "twice.intents.yaml",
        "documents.intents.yaml", "tabbed.intents.json", "comma.intents.json", "empty.intents.yaml",
        "top.intents.yaml", "parameters.intents.yaml", "intents.intents.yaml", "fulfilment.intents.yaml",
    ])
    func `reports each with its file, line, column, field and correction`(_ file: String) throws {
        let error = try #require(throws: DefinitionError.self) { _ = try Golden.definitions(file) }
        try Golden.expect(error.description + "\n", in: "\(file).txt")
    }

    @Test func `reports all mistakes in all files`() throws {
        let first = "version: 1\nintents: {A: {parameters: {x: {type: int, range: [2, 1]}}}}"
        let second = "version: 1\nintents: {A: {}, B: {titel: B}}"
        let error = try #require(throws: DefinitionError.self) {
            _ = try DefinitionFiles([("a.yaml", Array(first.utf8)), ("b.yaml", Array(second.utf8))]) { _, _ in [] }
        }
        #expect(
            error.problems.map(\.description) == [
                "a.yaml:2:43: intents.A.parameters.x.range: the lower bound 2 is above the upper bound 1",
                "b.yaml:2:11: intents.A: 'A' is already declared in a.yaml",
                "b.yaml:2:22: intents.B.titel: 'titel' is not known here: did you mean 'title'?",
            ])
    }

    @Test func `names the removed keys 'phrases' and 'vocabulary', and lists the known keys`() {
        let found = problems(
            "version: 1\nintents: {A: {phrases: [Tea], parameters: {kind: {type: string, vocabulary: [Lapsang]}}}}")
        let starts = [
            "test.intents.yaml:2:15: intents.A.phrases: 'phrases' is not known here; there are title, description, ",
            "test.intents.yaml:2:65: intents.A.parameters.kind.vocabulary: 'vocabulary' is not known here; there are type, title, ",
        ]
        #expect(found.count == starts.count && zip(found, starts).allSatisfy { $0.hasPrefix($1) }, "\(found)")
    }

    @Test func `is refused if it exceeds a bound on depth, length or width, or has an unsupported mark`() {
        let head = "version: 1\nintents:\n  A:\n    description: "
        let indented = (0..<300).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        let cases: [(text: String, problem: String)] = [
            (
                head + String(repeating: "x", count: 1 << 20),
                ": the file has 1048618 bytes; 1048576 are allowed: split it"
            ), (head + String(repeating: "[", count: 100_000), ":4:50: this is deeper than 32 levels"),
            (String(repeating: "- ", count: 100_000), ":1:65: this is deeper than 32 levels"),
            (indented, ":202:202: this is indented by more than 200 spaces"),
            (
                "version: 1\nintents: {A: {title: !!binary abc}}",
                ":2:22: tags are not supported: remove it, or put the text in quotes"
            ), ("? a\n: b", ":1:1: a key must be a word: write 'key: value'"),
        ]
        for (text, problem) in cases { #expect(problems(text) == ["test.intents.yaml" + problem]) }
        #expect(problems(head + "[" + String(repeating: "a,", count: 100_001) + "]").count == 1)
    }

    @Test(arguments: [
        "a:\t*b", "- a: |\n    x\n  b: *c", "- - *b", "a: [x,\n*b]", "a: {b:*c}", "a: it's\nb: *c",
        "a: x\n  'y\nb: *c", "a: 'x\n  y'\nb: *c", "a: [x\n 'y, *c]", "a: \"x\\\"\nb: y\"\nc: *d",
        "a: |2\n    x\nb: *c", "# 'it\na: *b", "a: b # 'it\nc: *d", "*a : b",
    ])
    func `can't use aliases to evade the bounds`(_ text: String) {
        let found = problems(text)
        #expect(found.count == 1 && found[0].contains("anchors and aliases are not taken"), "\(found)")
    }

    @Test func `does not include YAML marks in quotes, literal texts, comments and words`() {
        let text = """
            version: 1   # &anchor *alias
            description: |
              *bold* and &c.
                & [[[[
            intents:
              A:
                title: "*A* &b"
                description: Bed & breakfast, it's [fine]
                summary: '*it''s*'
              B: {title: 'a, *b', description: "say \\"*hi\\""}
            """
        #expect(problems(text) == [])
    }

    @Test func `includes a folder without files, and a missing file`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("definitions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func save(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: folder.appending(path: name)) }
        var error = try #require(throws: DefinitionError.self) { _ = try DefinitionFiles(directory: folder.path) }
        let missing = "there is no definition file in this folder; their names end with "
        let suffixes = ".intents.yaml, .intents.yml, .intents.json"
        #expect(error.description == "\(folder.path): \(missing)\(suffixes)")
        error = try #require(throws: DefinitionError.self) { try DefinitionFiles(paths: ["/nowhere/a.intents.yaml"]) }
        #expect(error.description == "/nowhere/a.intents.yaml: there is no such file or folder")
        try save("version: 1\nintents: {B: {}}", "b.intents.yml")
        try save(#"{"version":1,"intents":{"A":{}}}"#, "a.intents.json")
        try save("nonsense: [", "notes.yaml")
        let read = try DefinitionFiles(directory: folder.path)
        #expect(read.intents.map(\.name) == ["A", "B"])
        #expect(read.files == ["\(folder.path)/a.intents.json", "\(folder.path)/b.intents.yml"])
    }

    @Test func `is told on one line each, whatever the names in it`() {
        let found = problems("version: 1\nintents: {\"A\\nB\": {}}")
        #expect(found.count == 1 && !found[0].contains("\n") && found[0].contains("A B"), "\(found)")
    }

    @Test func `never traps, however a valid file is changed`() throws {
        let good = try Golden.bytes("restaurant.intents.yaml")
        var input = HostileInput(seed: 5)
        for _ in 0..<150 {
            var bytes = input.edited(good)
            let marks = "{[:-*&'\"|>\n ".utf8.shuffled(using: &input).prefix(input.once(in: 2) ? 3 : 0)
            bytes.insert(contentsOf: marks, at: Int.random(in: 0...bytes.count, using: &input))
            do { _ = try DefinitionFiles([("x.intents.yaml", bytes)]) { try Golden.bytes($1) } } catch {
                #expect(!error.problems.isEmpty)
            }
        }
    }
}
