import IntentModel

/// The handlers of a worker that hold no slot, lane or offset.
struct DetachedHandlers {
    /// Handlers that send live updates, by session and request.
    private(set) var updating: [Identifier: Job] = [:]
    private var keys: [UInt64: Identifier] = [:]
    /// Handlers that were abandoned, and cancelled ones that sent live updates, until they return.
    private(set) var abandoned: [UInt64: Job] = [:]

    var count: Int { updating.count + abandoned.count }

    mutating func beginUpdates(_ job: Job, _ key: Identifier) {
        updating[key] = job
        keys[job.id] = key
    }

    func updating(_ id: UInt64) -> Job? { keys[id].flatMap { updating[$0] } }

    mutating func endUpdates(_ key: Identifier) -> Job? {
        guard let job = updating.removeValue(forKey: key) else { return nil }
        keys[job.id] = nil
        return job
    }

    mutating func endUpdates(_ id: UInt64) -> Job? { keys[id].flatMap { endUpdates($0) } }

    mutating func abandon(_ job: Job) { abandoned[job.id] = job }

    mutating func endAbandoned(_ id: UInt64) -> Job? { abandoned.removeValue(forKey: id) }
}
