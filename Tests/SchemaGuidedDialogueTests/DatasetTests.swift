import Foundation
import IntentFiles
import IntentKit
import IntentModel
import IntentRuntime
import Testing

@testable import sgd_replay

@Suite("The files of the dataset") struct DatasetFilesTests {
    private static let line = #"{"dialogue_id":"1","services":["Boats"],"turns":[]}"#
    /// The line above and a line break, compressed with gzip.
    private static let compressed =
        "H4sIAAAAAAACA6tWSslMzMlPL02Nz0xRslIyVNJRKk4tKstMTi1WsopWcspPLClWitVRKiktygOJxNZyAQCjoVyVNAAAAA=="

    /// Calls `body` with the path of a temporary file. Returns the result, or the error's message without the path.
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
        #expect(read.count == 2 && read[0].turns.map(\.speaker) == [.user, .system])
        #expect(read[0].turns[0].frames[0].values(of: "INFORM") == ["harbour": "Veere"])
        #expect(read[0].turns[0].frames[0].activeIntent == "FindBoat")
        #expect(read[0].calls.map(\.call) == [Boats.call("FindBoat harbour=Veere")])
        #expect(try read[0].calls[0].results == [["boat": "Gull"]] && dialogues(text, limit: 1).result?.count == 1)
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

@Suite("A service of the dataset as a definition file") struct SchemaDefinitionsTests {
    /// The intents that the pipeline reads from the file.
    private func defined() throws -> [FileIntent] {
        let files = SchemaDefinitions(services: Boats.services, url: "http://127.0.0.1:8080/").files
        return try DefinitionFiles(files.map { ($0.name, Array($0.text.utf8)) }) { _, _ in [] }.intents
    }

    private func intent(_ name: String) throws -> IntentDeclaration {
        try #require(try defined().first { $0.name == name }).declaration
    }

    private func parameter(_ name: String, of intent: String) throws -> ParameterDeclaration {
        try #require(try self.intent(intent).parameters.first { $0.name == name })
    }

    /// A parameter's options; `nil` if they are not fixed.
    private func cases(_ name: String, of intent: String) throws -> [String]? {
        guard case .enumeration(let values) = try parameter(name, of: intent).type else { return nil }
        return values.cases.map(\.id)
    }

    @Test func `is accepted by the pipeline, with one file for each service`() throws {
        let other = ServiceSchema(name: "Trains", description: "", slots: [], intents: [])
        let files = SchemaDefinitions(services: Services([Boats.service, other]), url: "").files
        #expect(files.map(\.name) == ["Boats.intents.json", "Trains.intents.json"])
        #expect(try defined().map(\.name) == ["Boats.FindBoat", "Boats.HireBoat"])
    }

    @Test func `required slots become required parameters; optional ones can be omitted or declined`() throws {
        #expect(try intent("Boats.FindBoat").parameters.map(\.name) == ["harbour", "hull"])
        let hire = try intent("Boats.HireBoat").parameters
        #expect(hire.map(\.name) == ["boat", "harbour", "day", "crew", "wish"])
        #expect(hire.map(\.isRequired) == [true, true, true, false, false])
        #expect(hire.map(\.noneWords) == [[], [], [], ["dontcare"], ["dontcare"]])
    }

    @Test func `turns the possible values of categorical slots into options`() throws {
        #expect(try cases("hull", of: "Boats.FindBoat") == ["wood", "steel"])
        #expect(try cases("crew", of: "Boats.HireBoat") == ["1", "2", "3"])
        #expect(try parameter("harbour", of: "Boats.FindBoat").type == .string)
    }

    @Test func `uses defaults only for transactional intents, and never the value for no preference`() throws {
        #expect(try parameter("hull", of: "Boats.FindBoat").defaults.isEmpty)
        #expect(try parameter("crew", of: "Boats.HireBoat").defaults == [.constant(.string("2"))])
        #expect(try parameter("wish", of: "Boats.HireBoat").defaults.isEmpty)
    }

    @Test func `fills required parameters from the chosen item, and optional ones not`() throws {
        let remembered = ["Boats.boat": "boat", "Boats.harbour": "harbour", "Boats.day": "day"]
        #expect(try intent("Boats.FindBoat").choice?.remembers == remembered)
        let boat = try parameter("boat", of: "Boats.HireBoat")
        #expect(boat.memory == .session(as: "Boats.boat") && boat.defaults == [.remembered])
        #expect(try parameter("crew", of: "Boats.HireBoat").memory == .none)
        // A search uses only given values.
        #expect(try parameter("harbour", of: "Boats.FindBoat").defaults.isEmpty)
        #expect(try intent("Boats.HireBoat").choice == nil)
    }

    @Test func `lets the person and the service confirm a transaction, and the service fulfil every intent`() throws {
        let all = try defined()
        #expect(all.map(\.declaration.confirmation) == [.never, .always])
        #expect(all.map(\.declaration.phases) == [[.handle], [.confirm, .handle]])
        #expect(all.map(\.fulfilment?.url) == ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/"])
        #expect(all.map(\.fulfilment?.timeout) == [.seconds(30), .seconds(30)])
    }
}

@Suite("The score of a replay") struct ScoreTests {
    /// The score of a dialogue in which each letter stands for a call.
    private func score(
        _ expected: String, _ made: String, tally: RecordedPerson.Tally = .init(), surprises: [String] = []
    ) -> DialogueScore {
        func calls(_ letters: String) -> [ServiceCall] { letters.map { Boats.call("FindBoat harbour=\($0)") } }
        return DialogueScore(
            dialogue: "\(expected)-\(made)", expected: calls(expected), made: calls(made), tally: tally,
            surprises: surprises)
    }

    @Test(arguments: [
        ("", "", 0), ("ab", "", 0), ("", "ab", 0), ("abc", "abc", 3), ("abc", "ac", 2), ("ac", "abc", 2),
        ("ab", "ba", 1), ("aab", "aba", 2), ("abcb", "bcab", 3), ("aa", "a", 1), ("a", "aa", 1), ("abc", "xyz", 0),
    ])
    func `counts the calls that are the same in the same order`(_ expected: String, _ made: String, _ count: Int) {
        #expect(score(expected, made).identical == count && score(expected, made).isPerfect == (expected == made))
    }

    @Test func `treats a call with another method or parameter as a different call`() {
        let call = Boats.call("FindBoat harbour=Veere")
        for other in ["HireBoat harbour=Veere", "FindBoat harbour=Goes", "FindBoat harbour=Veere hull=wood"] {
            let score = DialogueScore(
                dialogue: "", expected: [call], made: [Boats.call(other)], tally: .init(), surprises: [])
            #expect(score.identical == 0)
        }
    }

    private var report: ReplayReport {
        ReplayReport(
            scores: [
                score("ab", "ab", tally: .init(prompts: 3, needless: 0, choices: 1)),
                score("abc", "ac", tally: .init(prompts: 4, needless: 2, choices: 0), surprises: ["rejected: later"]),
            ], duration: .milliseconds(2_500), gaps: 1, copies: 2)
    }

    @Test func `is written as JSON`() {
        #expect(
            "\(report.json)" == """
                {"dialogues":2,"perfect":1,"calls":5,"identical":4,"made":4,"prompts":7,"needless":2,"choices":1,"gaps":1,"copies":2,\
                "seconds":2.5,"turnsToCompletion":1.75,"dialoguesPerSecond":0.8}
                """)
    }

    @Test func `of no dialogues is 0, and contains only numbers that JSON has`() throws {
        let json = ReplayReport(scores: [], duration: .zero, gaps: 0, copies: 0).json.view
        let names = ["calls", "turnsToCompletion", "dialoguesPerSecond"]
        #expect(names.map { json[$0]?.double } == [0, 0, 0])
    }

    @Test func `lists each differing dialogue with its calls and surprises`() {
        #expect(
            report.disagreements(5) == """
                1 of 2 dialogues differ from their recording. The first:

                  abc-ac
                    = FindBoat harbour=a
                    - FindBoat harbour=b
                    + FindBoat harbour=c
                    - FindBoat harbour=c
                    + nothing
                    ! rejected: later
                """)
        #expect(ReplayReport(scores: [score("a", "a")], duration: .zero, gaps: 0, copies: 0).disagreements(5).isEmpty)
    }
}
