public import IntentModel

/// The changes of a session in the memory for the person who owns it. The next owner of the session writes again what is not known to be done.
public struct PersonMemory: Sendable, Hashable {
    /// Names the session's changes; empty before the first.
    public var stream: Identifier
    /// How many changes there were.
    public var last: Int
    /// The number up to which they are known to be done.
    public private(set) var done: Int
    /// Changes that are not known to be done, oldest first; one of each key. Forgettings that have to be confirmed stay until they are done.
    public var pending: [MemoryChange]
    /// The newest forgetting of the person that the session has followed.
    public var told: MemoryPosition?

    public init(
        stream: Identifier = "", last: Int = 0, done: Int = 0, pending: [MemoryChange] = [], told: MemoryPosition? = nil
    ) {
        self.stream = stream
        self.last = last
        self.done = done
        self.pending = pending
        self.told = told
    }

    public var isEmpty: Bool { last == 0 && told == nil }

    /// How many forgettings may wait to be told.
    package static let maximumForgettings = 16

    package var forgettings: Int { pending.count { $0.isAwaited } }

    /// Keeps a change, and drops the oldest values to make room.
    mutating func keep(_ change: MemoryChange, keys: Int, bytes: Int) {
        pending.removeAll { !$0.isAwaited && change.replaces($0) }
        pending.append(change)
        var values = pending.filter { !$0.isAwaited }
        var size = values.reduce(0) { $0 + $1.size }
        while values.count > 1, values.count > keys || size > bytes {
            let oldest = values.removeFirst()
            size -= oldest.size
            pending.removeAll { $0.number == oldest.number }
        }
    }

    /// The number up to which the session's changes are done, as the session or the person's record says.
    package func done(_ known: RememberedPerson?) -> Int { max(done, known?.done(stream) ?? 0) }

    /// The values that are remembered for a request that comes now: the values of the topic, with the session's changes that the topic does not have yet.
    package func adding(to values: [RememberedValue], _ known: RememberedPerson?) -> [RememberedValue] {
        var values = values
        let done = done(known)
        for change in pending where change.number > done && known?.isForgotten(by: change) != true {
            change.apply(to: &values)
        }
        return values
    }

    /// Changes up to this number are done. Those whose end has to be told stay.
    mutating func note(done number: Int) {
        guard number > done else { return }
        done = min(number, last)
        pending.removeAll { !$0.isAwaited && $0.number <= number }
    }
}

extension MemoryChange {
    /// `true` for a forgetting that has to be confirmed to its sender.
    package var isAwaited: Bool { event != nil }

    private func covers(_ key: String) -> Bool {
        switch kind {
        case .remember(let value): value.key == key
        case .forget(let keys): keys?.contains(key) ?? true
        }
    }

    /// `true` if this change leaves nothing of an earlier change.
    func replaces(_ earlier: MemoryChange) -> Bool {
        switch earlier.kind {
        case .remember(let value): covers(value.key)
        case .forget(let keys): keys?.allSatisfy(covers) ?? false
        }
    }

    package func apply(to values: inout [RememberedValue]) {
        switch kind {
        case .remember(let value):
            values.removeAll { $0.key == value.key }
            values.append(value)
        case .forget(let keys): values.forget(keys)
        }
    }
}

extension [RememberedValue] {
    /// - Returns: how many values were there under these keys.
    @discardableResult
    package mutating func forget(_ keys: [String]?) -> Int {
        let before = count
        if let keys { removeAll { keys.contains($0.key) } } else { removeAll() }
        return before - count
    }
}
