public import IntentModel

/// What a session remembers of its requests, so that later ones can use it. It ends with the session, or on request.
///
/// What is remembered about a person beyond the session is in ``PersonMemory``.
public struct SessionMemory: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public var key: String
        public var value: JSON

        public init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }

        var size: Int { key.utf8.count + value.bytes.count }
    }

    /// Oldest first; no key twice.
    public private(set) var entries: [Entry] = []

    /// - Parameter entries: oldest first; of those with the same key the last counts.
    public init(_ entries: [Entry] = []) {
        for entry in entries {
            self.entries.removeAll { $0.key == entry.key }
            self.entries.append(entry)
        }
    }

    /// All of it by key.
    public var values: [String: JSON] {
        if entries.isEmpty { return [:] }
        return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    func value(_ key: String) -> JSON? { entries.first { $0.key == key }?.value }

    /// Remembers a value, and forgets the oldest ones to make room. A value that is too large by itself is not remembered, and the previous value of its
    /// key is forgotten.
    mutating func remember(_ value: JSON, as key: String, keys: Int, bytes: Int) {
        entries.removeAll { $0.key == key }
        let entry = Entry(key: key, value: value)
        guard keys > 0, entry.size <= bytes else { return }
        entries.append(entry)
        var size = entries.reduce(0) { $0 + $1.size }
        while entries.count > keys || size > bytes { size -= entries.removeFirst().size }
    }

    /// - Parameter keys: which; `nil` for all.
    /// - Returns: whether there was something to forget.
    mutating func forget(_ keys: [String]?) -> Bool {
        let count = entries.count
        if let keys { entries.removeAll { keys.contains($0.key) } } else { entries = [] }
        return entries.count < count
    }
}
