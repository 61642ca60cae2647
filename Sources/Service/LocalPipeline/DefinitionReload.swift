import IntentModel

/// A round in which the workers of a development pipeline read their definition files again. The first worker is asked
/// alone: if it refuses the files, no other worker reads them.
struct DefinitionReload {
    /// The workers that have not answered yet, and those that have not been asked.
    private var asked: Set<String> = []
    private var waiting: [String] = []
    /// Set when one of them has refused the files.
    private var isRefused = false
    /// The workers of the round to begin when this one has ended.
    private var next: [String]?
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

    /// Begins a round. While one is under way, the new round begins when that has ended: its late answers would count as
    /// answers to the new one.
    mutating func begin(_ workers: [String]) -> Step {
        guard asked.isEmpty else {
            next = workers
            return Step(lines: ["waiting for \(asked.sorted().joined(separator: ", ")) to read the definitions before"])
        }
        (changes, isRefused, next) = ([:], false, nil)
        asked = Set(workers.prefix(1))
        waiting = Array(workers.dropFirst())
        return Step(asks: Array(workers.prefix(1)))
    }

    /// Advances the round past the answer of a worker.
    mutating func receive(_ answer: JSONView, from worker: String) -> Step {
        let errors = (answer["errors"]?.elements ?? []).compactMap(\.string)
        var lines: [String] = []
        if !errors.isEmpty {
            if asked.contains(worker) { (isRefused, waiting) = (true, []) }
            lines = errors.prefix(20) + ["\(worker) refuses the definitions; the earlier ones stay in use"]
        }
        for kind in Self.kinds {
            changes[kind, default: []].formUnion((answer[kind]?.elements ?? []).compactMap(\.string))
        }
        let step = advance(past: worker)
        return Step(asks: step.asks, lines: lines + step.lines)
    }

    /// Advances the round past a worker that has answered or ended.
    mutating func advance(past worker: String) -> Step {
        guard asked.remove(worker) != nil, asked.isEmpty else { return Step() }
        if !waiting.isEmpty {
            defer { waiting = [] }
            asked = Set(waiting)
            return Step(asks: waiting)
        }
        let lines = isRefused ? [] : ["definitions in use: \(summary)"]
        return Step(asks: next.map { begin($0).asks } ?? [], lines: lines)
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
