import IntentFiles
import IntentKit
import IntentModel
import IntentRuntime
import Testing

@testable import sgd_replay

@Suite("A service of the dataset as a definition file")
struct SchemaDefinitionsTests {
    /// The intents that the pipeline reads in the file.
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

    /// What a parameter may be, if that is fixed.
    private func cases(_ name: String, of intent: String) throws -> [String]? {
        guard case .enumeration(let values) = try parameter(name, of: intent).type else { return nil }
        return values.cases.map(\.id)
    }

    @Test("is accepted by the pipeline without problems, a file a service")
    func accepted() throws {
        let other = ServiceSchema(name: "Trains", description: "", slots: [], intents: [])
        #expect(
            SchemaDefinitions(services: Services([Boats.service, other]), url: "").files.map(\.name) == [
                "Boats.intents.json", "Trains.intents.json",
            ])
        #expect(try defined().map(\.name) == ["Boats.FindBoat", "Boats.HireBoat"])
    }

    @Test("makes required slots required parameters, and optional ones what may be left out or be none")
    func required() throws {
        #expect(try intent("Boats.FindBoat").parameters.map(\.name) == ["harbour", "hull"])
        #expect(try intent("Boats.HireBoat").parameters.map(\.name) == ["boat", "harbour", "day", "crew", "wish"])
        #expect(try intent("Boats.HireBoat").parameters.map(\.isRequired) == [true, true, true, false, false])
        #expect(try intent("Boats.HireBoat").parameters.map(\.noneWords) == [[], [], [], ["dontcare"], ["dontcare"]])
    }

    @Test("makes possible values options, of those slots that have a fixed set of them")
    func options() throws {
        #expect(try cases("hull", of: "Boats.FindBoat") == ["wood", "steel"])
        #expect(try cases("crew", of: "Boats.HireBoat") == ["1", "2", "3"])
        #expect(try parameter("harbour", of: "Boats.FindBoat").type == .string)
    }

    @Test("lets the defaults count only where something is done, and never one that says that it does not matter")
    func defaults() throws {
        #expect(try parameter("hull", of: "Boats.FindBoat").defaults.isEmpty)
        #expect(try parameter("crew", of: "Boats.HireBoat").defaults == [.constant(.string("2"))])
        #expect(try parameter("wish", of: "Boats.HireBoat").defaults.isEmpty)
    }

    @Test("takes up what is required from what was chosen, and not what may be left out")
    func memory() throws {
        #expect(
            try intent("Boats.FindBoat").choice?.remembers
                == ["Boats.boat": "boat", "Boats.harbour": "harbour", "Boats.day": "day"])
        let boat = try parameter("boat", of: "Boats.HireBoat")
        #expect(boat.memory == .session(as: "Boats.boat") && boat.defaults == [.remembered])
        #expect(try parameter("crew", of: "Boats.HireBoat").memory == .none)
        // A search is about what is said.
        #expect(try parameter("harbour", of: "Boats.FindBoat").defaults.isEmpty)
        #expect(try intent("Boats.HireBoat").choice == nil)
    }

    @Test("has the person and the service confirm what is done, and its service fulfil all")
    func confirmation() throws {
        let all = try defined()
        #expect(all.map(\.declaration.confirmation) == [.never, .always])
        #expect(all.map(\.declaration.phases) == [[.handle], [.confirm, .handle]])
        #expect(all.map(\.fulfilment?.url) == ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/"])
        #expect(all.map(\.fulfilment?.timeout) == [.seconds(30), .seconds(30)])
    }
}
