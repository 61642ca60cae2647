import Foundation
import Testing

@testable import sgd_replay

@Suite("The files of the dataset")
struct DatasetFilesTests {
    private static let line = #"{"dialogue_id":"1","services":["Boats"],"turns":[]}"#
    /// The line above and a line break, compressed with gzip.
    private static let compressed =
        "H4sIAAAAAAACA6tWSslMzMlPL02Nz0xRslIyVNJRKk4tKstMTi1WsopWcspPLClWitVRKiktygOJxNZyAQCjoVyVNAAAAA=="

    /// Calls `body` with the path of a temporary file, and then removes it.
    private func with<Result>(_ data: Data, suffix: String = ".jsonl", _ body: (String) throws -> Result) throws
        -> Result
    {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("dataset-\(UUID().uuidString)\(suffix)")
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }

    private func with<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        try with(Data(text.utf8), body)
    }

    /// The error's message, without the path.
    private func problem(_ path: String, _ body: (String) throws -> Void) -> String {
        do { try body(path) } catch { return "\(error)".replacingOccurrences(of: path, with: "file") }
        return "nothing"
    }

    @Test("have a dialogue on each line, and can be limited to the first ones")
    func dialogues() throws {
        let text = """
            {"dialogue_id":"1","services":["Boats"],"turns":[{"speaker":"USER","frames":[{"service":"Boats","actions":[\
            {"act":"INFORM","slot":"harbour","values":["Veere","Kampveer"]}],"active_intent":"FindBoat","slot_values":{"harbour":"Veere"}}]},\
            {"speaker":"SYSTEM","frames":[{"service":"Boats","actions":[],"service_call":{"method":"FindBoat","parameters":\
            {"harbour":"Veere"}},"service_results":[{"boat":"Gull"}]}]}]}
            \(Self.line)

            """
        let read = try with(text) { try DatasetFiles.dialogues($0, limit: nil) }
        #expect(read.count == 2)
        #expect(read[0].turns.map(\.speaker) == [.user, .system])
        #expect(read[0].turns[0].frames[0].values(of: "INFORM") == ["harbour": "Veere"])
        #expect(read[0].turns[0].frames[0].activeIntent == "FindBoat")
        #expect(read[0].calls.map(\.call) == [.find(["harbour": "Veere"])])
        #expect(read[0].calls[0].results == [["boat": "Gull"]])
        #expect(try with(text) { try DatasetFiles.dialogues($0, limit: 1) }.count == 1)
    }

    @Test("can be compressed with gzip, and a file that only has its extension is refused")
    func gzip() throws {
        let data = try #require(Data(base64Encoded: Self.compressed))
        #expect(try with(data, suffix: ".jsonl.gz") { try DatasetFiles.dialogues($0, limit: nil) }.map(\.id) == ["1"])
        let wrong = try with(Data(Self.line.utf8), suffix: ".jsonl.gz") { path in
            problem(path) { _ = try DatasetFiles.dialogues($0, limit: nil) }
        }
        #expect(wrong.hasPrefix("'file' could not be decompressed: gzip exited with status "), "\(wrong)")
    }

    @Test("are named in the error if they can't be read")
    func unreadable() {
        #expect(
            problem("/nowhere/dev.jsonl") { _ = try DatasetFiles.dialogues($0, limit: nil) }
                == "The file 'file' can't be read.")
        #expect(
            problem("/nowhere/schema.json") { _ = try DatasetFiles.services($0) } == "The file 'file' can't be read.")
    }

    @Test("with a malformed line lead to an error with its number and the reason")
    func wrongLine() throws {
        let missing = try with("\(Self.line)\n{\"dialogue_id\":\"2\",\"services\":[]}\n") { path in
            problem(path) { _ = try DatasetFiles.dialogues($0, limit: nil) }
        }
        #expect(missing.hasPrefix("'file', line 2, is not a dialogue: turns is missing"), "\(missing)")
        // Line numbers include empty lines, as in an editor.
        let text = try with("\(Self.line)\n\n\nahoy\n") { path in
            problem(path) { _ = try DatasetFiles.dialogues($0, limit: nil) }
        }
        #expect(text.hasPrefix("'file', line 4, is not a dialogue: "), "\(text)")
        // Lines beyond the limit are not read.
        #expect(try with("\(Self.line)\nahoy\n") { try DatasetFiles.dialogues($0, limit: 1) }.count == 1)
    }

    @Test("with a malformed schema lead to an error with the path of the mistake")
    func wrongSchema() throws {
        let wrong = try with(#"[{"service_name":"Boats","description":"","slots":[{"name":"boat"}],"intents":[]}]"#) {
            path in
            problem(path) { _ = try DatasetFiles.services($0) }
        }
        #expect(wrong.hasPrefix("'file' is not a schema of the Schema-Guided Dialogue dataset: "), "\(wrong)")
        #expect(wrong.contains("slots") && wrong.contains("description is missing"), "\(wrong)")
    }
}
