import IntentModel

/// A round in which the workers of a development pipeline read their definition files again. The first worker is asked
/// alone: if it refuses the files, no other worker reads them.
struct DefinitionReload {
    /// The workers that have not answered yet, and those that have not been asked.
    private var asked: Set<String> = []
    private var waiting: [String] = []
    /// The workers that have ended and can't start with the definitions as they are.
    var stopped: Set<String> = []
    /// The names of the added, changed and removed intents, as any of the workers has reported them.
    private var changes: [String: Set<String>] = [:]

    private static let kinds = ["added", "changed", "removed"]

    /// The consequences of an event: workers to ask, and lines for the user.
    struct Step: Equatable {
        var asks: [String] = []
        var lines: [String] = []
    }

    /// Begins a round, in place of one that has not ended.
    mutating func begin(_ workers: [String]) -> Step {
        changes = [:]
        asked = Set(workers.prefix(1))
        waiting = Array(workers.dropFirst())
        return Step(asks: Array(workers.prefix(1)))
    }

    /// Advances the round past the answer of a worker.
    mutating func receive(_ answer: JSONView, from worker: String) -> Step {
        let errors = (answer["errors"]?.elements ?? []).compactMap(\.string)
        if !errors.isEmpty {
            (asked, waiting) = ([], [])
            return Step(lines: errors.prefix(20) + ["\(worker) refuses the definitions; the earlier ones stay in use"])
        }
        for kind in Self.kinds {
            changes[kind, default: []].formUnion((answer[kind]?.elements ?? []).compactMap(\.string))
        }
        return advance(past: worker)
    }

    /// Advances the round past a worker that has answered or ended.
    mutating func advance(past worker: String) -> Step {
        guard asked.remove(worker) != nil, asked.isEmpty else { return Step() }
        if waiting.isEmpty { return Step(lines: ["definitions in use: \(summary)"]) }
        defer { waiting = [] }
        asked = Set(waiting)
        return Step(asks: waiting)
    }

    private var summary: String {
        let parts = Self.kinds.compactMap { kind -> String? in
            guard let names = changes[kind]?.sorted(), !names.isEmpty else { return nil }
            let more = names.count > 10 ? " and \(names.count - 10) more" : ""
            return "\(kind) \(names.prefix(10).joined(separator: ", "))\(more)"
        }
        return parts.isEmpty ? "nothing has changed" : parts.joined(separator: "; ")
    }
}
