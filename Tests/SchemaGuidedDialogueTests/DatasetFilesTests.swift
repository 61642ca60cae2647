import Foundation
import Testing

@testable import sgd_replay

@Suite("The files of the dataset") struct DatasetFilesTests {
    private static let line = #"{"dialogue_id":"1","services":["Boats"],"turns":[]}"#
    /// The line above and a line break, compressed with gzip.
    private static let compressed =
        "H4sIAAAAAAACA6tWSslMzMlPL02Nz0xRslIyVNJRKk4tKstMTi1WsopWcspPLClWitVRKiktygOJxNZyAQCjoVyVNAAAAA=="

    /// Calls `body` with the path of a temporary file.
    ///
    /// - Returns: The result, or the error's message without the path.
    private func reading<Result>(_ data: Data, suffix: String = ".jsonl", _ body: (String) throws -> Result) throws
        -> (result: Result?, problem: String)
    {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("dataset-\(UUID().uuidString)\(suffix)")
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return attempt(url.path, body)
    }

    private func attempt<Result>(_ path: String, _ body: (String) throws -> Result) -> (Result?, String) {
        do { return (try body(path), "nothing") } catch {
            return (nil, "\(error)".replacingOccurrences(of: path, with: "file"))
        }
    }

    private func dialogues(_ text: String, limit: Int? = nil) throws -> (result: [Dialogue]?, problem: String) {
        try reading(Data(text.utf8)) { try DatasetFiles.dialogues($0, limit: limit) }
    }

    @Test func `have a dialogue on each line, and can be limited to the first ones`() throws {
        let text = """
            {"dialogue_id":"1","services":["Boats"],"turns":[{"speaker":"USER","frames":[{"service":"Boats","actions":[\
            {"act":"INFORM","slot":"harbour","values":["Veere","Kampveer"]}],"active_intent":"FindBoat","slot_values":{"harbour":"Veere"}}]},\
            {"speaker":"SYSTEM","frames":[{"service":"Boats","actions":[],"service_call":{"method":"FindBoat","parameters":\
            {"harbour":"Veere"}},"service_results":[{"boat":"Gull"}]}]}]}
            \(Self.line)

            """
        let read = try #require(try dialogues(text).result)
        #expect(read.count == 2)
        #expect(read[0].turns.map(\.speaker) == [.user, .system])
        #expect(read[0].turns[0].frames[0].values(of: "INFORM") == ["harbour": "Veere"])
        #expect(read[0].turns[0].frames[0].activeIntent == "FindBoat")
        #expect(read[0].calls.map(\.call) == [Boats.call("FindBoat harbour=Veere")])
        #expect(read[0].calls[0].results == [["boat": "Gull"]])
        #expect(try dialogues(text, limit: 1).result?.count == 1)
    }

    @Test func `can be compressed with gzip, and a file that only has its extension is refused`() throws {
        let data = try #require(Data(base64Encoded: Self.compressed))
        let read = try reading(data, suffix: ".jsonl.gz") { try DatasetFiles.dialogues($0, limit: nil) }
        #expect(read.result?.map(\.id) == ["1"])
        let wrong = try reading(Data(Self.line.utf8), suffix: ".jsonl.gz") {
            try DatasetFiles.dialogues($0, limit: nil)
        }.problem
        #expect(wrong.hasPrefix("'file' could not be decompressed: gzip exited with status "), "\(wrong)")
    }

    @Test func `are named in the error if they can't be read`() {
        let dialogues = attempt("/nowhere/dev.jsonl") { try DatasetFiles.dialogues($0, limit: nil) }
        let services = attempt("/nowhere/schema.json") { try DatasetFiles.services($0) }
        #expect([dialogues.1, services.1] == ["The file 'file' can't be read.", "The file 'file' can't be read."])
    }

    @Test func `with a malformed line lead to an error with its number and the reason`() throws {
        let missing = try dialogues("\(Self.line)\n{\"dialogue_id\":\"2\",\"services\":[]}\n").problem
        #expect(missing.hasPrefix("'file', line 2, is not a dialogue: turns is missing"), "\(missing)")
        // Line numbers include empty lines, as in an editor.
        let text = try dialogues("\(Self.line)\n\n\nahoy\n").problem
        #expect(text.hasPrefix("'file', line 4, is not a dialogue: "), "\(text)")
        // Lines beyond the limit are not read.
        #expect(try dialogues("\(Self.line)\nahoy\n", limit: 1).result?.count == 1)
    }

    @Test func `with a malformed schema lead to an error with the path of the mistake`() throws {
        let schema = #"[{"service_name":"Boats","description":"","slots":[{"name":"boat"}],"intents":[]}]"#
        let wrong = try reading(Data(schema.utf8)) { try DatasetFiles.services($0) }.problem
        #expect(wrong.hasPrefix("'file' is not a schema of the Schema-Guided Dialogue dataset: "), "\(wrong)")
        #expect(wrong.contains("slots") && wrong.contains("description is missing"), "\(wrong)")
    }
}
