import IntentModel
import RecordLog

/// The keys of one partition of `intents.keys`, and the session that uses each.
struct SessionKeys {
    /// A worker forgets the oldest sessions beyond this number; at most twice as many are in memory. Outcomes of a
    /// forgotten session get keys of their own.
    private static let maximumSessions = 50_000

    /// The keys by id, unwrapped once they were used, each with the time of its newest record in milliseconds.
    private var published: [String: (wrapped: String?, key: DataKey?, time: Int64)] = [:]
    /// The id of each session's key.
    private var ids: [Identifier: String] = [:]
    /// The older half of a worker's sessions.
    private var olderIDs: [Identifier: String] = [:]

    /// Applies a record of `intents.keys`.
    mutating func apply(_ record: ConsumedRecord) {
        guard let bytes = record.key else { return }
        let id = String(decoding: bytes, as: UTF8.self)
        if record.value == nil { return published[id] = nil }
        guard let wrapped = KeyRecord.wrapped(in: record) else { return }
        let key = published[id]?.key
        published[id] = (key == nil ? wrapped : nil, key, record.timestamp)
    }

    /// Adds a key that this process has written.
    mutating func publish(_ key: DataKey, at now: Int64) { published[key.id] = (nil, key, now) }

    /// Forgets the keys that were last written before a time, as the retention of their topic does.
    mutating func expire(before time: Int64) {
        if published.values.contains(where: { $0.time < time }) {
            published = published.filter { $0.value.time >= time }
        }
    }

    /// Returns the key with an id; `nil` if it is not in the log, or none of `keys` has wrapped it.
    mutating func key(_ id: String, _ keys: EncryptionKeys) -> DataKey? {
        guard let (wrapped, known, time) = published[id] else { return nil }
        guard let wrapped, let key = keys.unwrap(wrapped, id: id) else { return known }
        published[id] = (nil, key, time)
        return key
    }

    mutating func key(of session: Identifier, _ keys: EncryptionKeys) -> DataKey? {
        guard let id = ids[session] ?? olderIDs[session] else { return nil }
        return key(id, keys)
    }

    /// - Parameter isBounded: `true` to forget the oldest sessions beyond the maximum.
    mutating func assign(_ id: String, to session: Identifier, isBounded: Bool) {
        if isBounded, ids.count >= Self.maximumSessions { (olderIDs, ids) = (ids, [:]) }
        ids[session] = id
    }

    mutating func forget(_ session: Identifier) {
        ids[session] = nil
        olderIDs[session] = nil
    }

    /// Returns the keys of sessions that were last written before a time.
    mutating func aged(before time: Int64, _ keys: EncryptionKeys) -> [DataKey] {
        let aged = Set(ids.values).filter { published[$0].map { $0.time < time } ?? false }.sorted()
        return aged.compactMap { key($0, keys) }
    }
}
