import Foundation
import IntentFiles
import IntentModel
import IntentRuntime
import Logging
import Synchronization

/// Makes the one who fulfils an intent of a definition file. Called at start, and each time the files are read anew.
typealias DefinitionFulfiller = @Sendable (FulfilmentDeclaration, IntentDeclaration) throws -> any IntentFulfilment

/// The intents that a worker serves at present: those that it is built with, and those of its definition files, which can be read anew.
///
/// Who takes the ``registry`` keeps it: work that was begun with one is finished with it.
final class ServedIntents: Sendable {
    private struct State {
        var registry: IntentRegistry
        var definitions: DefinitionFiles?
    }

    private let directory: String?
    private let make: @Sendable ([IntentDeclaration]) throws -> IntentRegistry
    private let fulfil: DefinitionFulfiller
    private let state: Mutex<State>

    /// - Parameters:
    ///   - make: Makes a registry with these declarations beside what the program is built with.
    ///   - directory: Where definition files are; `nil` for none.
    ///   - fulfil: Makes those who fulfil their intents.
    /// - Throws: What is wrong with the definitions, or with the registry.
    init(
        _ make: @escaping @Sendable ([IntentDeclaration]) throws -> IntentRegistry, directory: String?,
        fulfil: @escaping DefinitionFulfiller
    ) throws {
        self.directory = directory
        self.make = make
        self.fulfil = fulfil
        let definitions = try directory.map { try DefinitionFiles(directory: $0) }
        state = Mutex(State(registry: try make(try definitions?.declarations(fulfilledBy: fulfil) ?? []), definitions: definitions))
    }

    /// Nothing but what the program is built with.
    convenience init(_ make: @escaping @Sendable ([IntentDeclaration]) throws -> IntentRegistry) throws {
        try self.init(make, directory: nil, fulfil: { throw DefinitionsMissing(intent: $1.name) })
    }

    var registry: IntentRegistry { state.withLock { $0.registry } }

    /// Reads the definition files anew and serves what they say from now on; what is wrong with them changes nothing.
    ///
    /// - Returns: What is other than it was.
    /// - Throws: What is wrong with the definitions, or with the registry.
    func reload() throws -> DefinitionFiles.Changes {
        guard let directory else { return DefinitionFiles.Changes() }
        let definitions = try DefinitionFiles(directory: directory)
        // Also if nothing has changed: a secret in the environment can't have, but a certificate can.
        let registry = try make(try definitions.declarations(fulfilledBy: fulfil))
        return state.withLock { state in
            let changes = state.definitions.map { definitions.changes(since: $0) } ?? DefinitionFiles.Changes()
            state.registry = registry
            state.definitions = definitions
            return changes
        }
    }
}

extension ServedIntents {
    /// Reads the definition files anew, and tells the log and standard output what came of it.
    func reload(role: String, logger: Logger) {
        do {
            let changes = try reload()
            let metadata: Logger.Metadata = [
                "added": .array(changes.added.map { .string($0) }), "changed": .array(changes.changed.map { .string($0) }),
                "removed": .array(changes.removed.map { .string($0) }),
            ]
            logger.notice(
                changes.isEmpty ? "the definitions were read anew; nothing has changed" : "the definitions have changed", metadata: metadata
            )
            func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
            announce(
                role,
                definitions: .object([
                    "added": names(changes.added), "changed": names(changes.changed), "removed": names(changes.removed),
                ]))
        } catch {
            let problems = Self.problems(error)
            for problem in problems { logger.error("\(problem)") }
            logger.error("the definitions have mistakes; what was served before is served on")
            announce(role, definitions: .object(["errors": .array(problems.map { .string($0) })]))
        }
    }

    /// Everything that is wrong, a line each.
    static func problems(_ error: any Error) -> [String] {
        (error as? DefinitionError)?.problems.map(\.description) ?? "\(error)".split(separator: "\n").map(String.init)
    }

    private func announce(_ role: String, definitions: JSON) {
        let line = JSON.object(["role": .string(role), "definitions": definitions])
        FileHandle.standardOutput.write(Data(line.bytes + [0x0A]))
    }
}

/// Somebody is to fulfil an intent of a definition file where there are none.
private struct DefinitionsMissing: Error { let intent: String }
