import Foundation
import IntentKit
import IntentRuntime
import Logging
import Synchronization

/// The intents that a worker serves at present: the intents of its extensions and of its source, which can be reread.
///
/// A job uses the ``registry`` of its start until it ends.
final class ServedIntents: Sendable {
    private struct State {
        var registry: IntentRegistry
        /// The ``IntentSourceReading/state`` of the served declarations.
        var accepted: (any Sendable)?
        var observers: [@Sendable () -> Void] = []
    }

    private let extensions: [any IntentExtension]
    private let source: (any OpenIntentSource)?
    private let spokenValues: (any SpokenValueReading)?
    private let state: Mutex<State>

    /// - Throws: The problems of the source's declarations, or of the registry.
    init(
        _ extensions: [any IntentExtension], _ source: (any OpenIntentSource)?,
        _ spokenValues: (any SpokenValueReading)?
    ) throws {
        self.extensions = extensions
        self.source = source
        self.spokenValues = spokenValues
        let reading = try source?.read(after: nil)
        let registry = try IntentRegistry(extensions, declared: reading?.declarations ?? [], spokenValues: spokenValues)
        state = Mutex(State(registry: registry, accepted: reading?.state))
    }

    var registry: IntentRegistry { state.withLock { $0.registry } }

    /// Calls `body` after each accepted reading.
    func onChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(body) } }

    /// Rereads the source and serves its declarations from now on. If there is a problem, nothing changes.
    ///
    /// - Throws: The problems of the source's declarations, or of the registry.
    func reload() throws -> IntentChanges {
        guard let source else { return IntentChanges() }
        let reading = try source.read(after: state.withLock { $0.accepted })
        // The registry is replaced even without changes: a certificate or a file that a definition names may have
        // changed.
        let registry = try IntentRegistry(extensions, declared: reading.declarations, spokenValues: spokenValues)
        let observers = state.withLock { state in
            (state.registry, state.accepted) = (registry, reading.state)
            return state.observers
        }
        for observer in observers { observer() }
        return reading.changes
    }
}

extension ServedIntents {
    /// Rereads the source, and reports the changes or the problems to the log and to standard output.
    func reload(role: String, logger: Logger) {
        do {
            let changes = try reload()
            let metadata: Logger.Metadata = [
                "added": .array(changes.added.map { .string($0) }),
                "changed": .array(changes.changed.map { .string($0) }),
                "removed": .array(changes.removed.map { .string($0) }),
            ]
            logger.notice(
                changes.isEmpty
                    ? "the definitions were read again; nothing has changed" : "the definitions have changed",
                metadata: metadata)
            func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
            announce(
                role,
                definitions: .object([
                    "added": names(changes.added), "changed": names(changes.changed), "removed": names(changes.removed),
                ]))
        } catch {
            let problems = source?.problems(error) ?? ["\(error)"]
            for problem in problems { logger.error("\(problem)") }
            logger.error("the definitions have errors; the worker continues to serve the previous ones")
            announce(role, definitions: .object(["errors": .array(problems.map { .string($0) })]))
        }
    }

    private func announce(_ role: String, definitions: JSON) {
        let line = JSON.object(["role": .string(role), "definitions": definitions])
        FileHandle.standardOutput.write(Data(line.bytes + [0x0A]))
    }
}
