import IntentFiles
import IntentKit
import IntentModel
import IntentRuntime
import Testing

@testable import sgd_replay

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

    @Test(
        "turns required slots into required parameters, and optional ones into parameters that can be omitted or declined"
    )
    func required() throws {
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
        #expect(
            try intent("Boats.FindBoat").choice?.remembers
                == ["Boats.boat": "boat", "Boats.harbour": "harbour", "Boats.day": "day"])
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
