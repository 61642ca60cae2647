import IntentModel

/// A round in which the workers of a development pipeline read their definition files again, one after the other. After
/// a worker that refuses the files, no other worker reads them.
struct DefinitionReload {
    /// The time in which a worker has to answer. After that it is ended and started again, which reads the files, too.
    static let patience = Duration.seconds(10)

    /// The worker that has not answered yet, and those to be asked after it.
    private var asked: String?
    private var waiting: [String] = []
    /// The number of the question that ``asked`` has not answered.
    private(set) var question = 0
    /// The workers that have read the files in this round.
    private var readers: [String] = []
    /// Set when a worker has refused the files.
    private var isRefused = false
    /// The workers of the round to begin when this one has ended.
    private var next: [String]?
    /// The workers that have ended and can't start with the definitions as they are.
    var stopped: Set<String> = []
    /// The names of the added, changed and removed intents, as any of the workers has reported them.
    private var changes: [String: Set<String>] = [:]

    private static let kinds = ["added", "changed", "removed"]

    /// The consequences of an event: a worker to ask, and lines for the user.
    struct Step: Equatable {
        var ask: String?
        var lines: [String] = []
    }

    /// Begins a round. While one is under way, the new round begins when that has ended.
    mutating func begin(_ workers: [String]) -> Step {
        if let asked {
            next = workers
            return Step(lines: ["waiting for \(asked) to read the definitions before"])
        }
        (changes, readers, isRefused, next) = ([:], [], false, nil)
        waiting = workers
        return askNext()
    }

    /// Advances the round past the answer of a worker.
    mutating func receive(_ answer: JSONView, from worker: String) -> Step {
        let errors = (answer["errors"]?.elements ?? []).compactMap(\.string)
        var lines: [String] = []
        if !errors.isEmpty {
            let exception = readers.isEmpty ? "" : ", except by \(readers.joined(separator: ", "))"
            lines = errors.shortened + ["\(worker) refuses the definitions; the earlier ones stay in use\(exception)"]
        }
        guard worker == asked else { return Step(lines: lines) }
        if errors.isEmpty { readers.append(worker) } else { (isRefused, waiting) = (true, []) }
        for kind in Self.kinds {
            changes[kind, default: []].formUnion((answer[kind]?.elements ?? []).compactMap(\.string))
        }
        let step = advance(past: worker)
        return Step(ask: step.ask, lines: lines + step.lines)
    }

    /// Advances the round past a worker that has answered or ended.
    mutating func advance(past worker: String) -> Step {
        guard worker == asked else { return Step() }
        asked = nil
        return askNext()
    }

    /// Returns the worker that has not answered a question in time; `nil` if it has answered or ended.
    func late(_ question: Int) -> String? { question == self.question ? asked : nil }

    /// Asks the next worker; after the last, ends the round and begins the next one.
    private mutating func askNext() -> Step {
        if !waiting.isEmpty {
            asked = waiting.removeFirst()
            question += 1
            return Step(ask: asked)
        }
        let lines = isRefused ? [] : ["definitions in use: \(summary)"]
        return Step(ask: next.map { begin($0).ask } ?? nil, lines: lines)
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

extension [String] {
    /// The first 20 lines, and the number of the others.
    package var shortened: [String] { count > 20 ? prefix(20) + ["and \(count - 20) more"] : self }
}
