import DequeModule
import RecordLog

/// The keys of the sessions of one partition, as far as a process knows them.
final class PartitionKeys {
    /// A key in `intents.keys`.
    private struct Published {
        /// Unwrapped when it is used first.
        enum Form {
            case wrapped(String)
            case plain(DataKey)
        }

        var form: Form
        /// Milliseconds since 1970.
        var at: Int64
    }

    /// An event that waits for a key, or behind one that does.
    struct Held {
        var event: LogEvent
        /// The end of `intents.keys` at a time after the event came: a key that is not before it does not exist. `nil` until it was looked up.
        var end: Int64?
    }

    /// The order of what is read from one partition of a topic, by the group or beside it.
    struct Stream: Hashable {
        var partition: TopicPartition
        var isGroup: Bool
    }

    /// Sessions whose keys a worker remembers, at most twice as many. An outcome of any other gets a key of its own.
    private static let rememberedSessions = 50_000

    private var published: [String: Published] = [:]
    /// The id of each session's key. Of a worker the newer half: the older one makes room.
    private var assigned: [String: String] = [:]
    private var older: [String: String] = [:]
    /// Keys that are in the log and not in use.
    var spare = Deque<DataKey>()
    /// How many keys are under way to the log.
    var underWay = 0
    /// How many spare keys there should be.
    var spareTarget = 64

    /// Whether `intents.keys` is being read, and whether the end that it had at first is reached.
    var isReading = false
    var hasReachedEnd = false
    /// When its end was looked up last.
    var lastLook = Int64.min
    /// The offset after the last record that was read.
    var next: Int64 = 0
    var held: [Stream: Deque<Held>] = [:]
    /// Streams of which enough waits, and the offset at which each continues.
    var stopped: [Stream: Int64] = [:]

    /// A record of `intents.keys`.
    func take(_ record: ConsumedRecord) {
        next = max(next, record.offset + 1)
        guard let bytes = record.key else { return }
        let id = String(decoding: bytes, as: UTF8.self)
        if record.value == nil { return published[id] = nil }
        guard let wrapped = KeyRecord.wrapped(in: record) else { return }
        if case .plain(let key)? = published[id]?.form {
            published[id] = Published(form: .plain(key), at: record.timestamp)
        } else {
            published[id] = Published(form: .wrapped(wrapped), at: record.timestamp)
        }
    }

    func publish(_ key: DataKey, at now: Int64) { published[key.id] = Published(form: .plain(key), at: now) }

    /// Forgets the keys that the retention of their topic has deleted: those that were last written before that time.
    func expire(before time: Int64) {
        if published.values.contains(where: { $0.at < time }) { published = published.filter { $0.value.at >= time } }
    }

    func reachedEnd(_ end: Int64) {
        hasReachedEnd = true
        next = max(next, end)
    }

    /// The topic does not have what was read up to: it may have been made again.
    func beginAgain() {
        hasReachedEnd = false
        next = 0
        lastLook = .min
        for stream in held.keys { for index in (held[stream] ?? []).indices { held[stream]?[index].end = nil } }
    }

    /// What waits now needs no key that is not before this end.
    func expect(_ end: Int64) {
        for stream in held.keys {
            for index in (held[stream] ?? []).indices where held[stream]?[index].end == nil { held[stream]?[index].end = end }
        }
    }

    /// A key is in the log; `nil` is one that was there before, or that the log has refused.
    func written(_ key: DataKey?) {
        // It may be one from before the partition was away.
        underWay = max(0, underWay - 1)
        if let key { spare.append(key) }
    }

    /// - Returns: `nil` if it is not in the log, or not wrapped with a known key.
    func key(_ id: String, _ keys: EncryptionKeys) -> DataKey? {
        switch published[id]?.form {
        case nil: return nil
        case .plain(let key)?: return key
        case .wrapped(let wrapped)?:
            let key = keys.unwrap(wrapped, id: id)
            if let key { published[id]?.form = .plain(key) }
            return key
        }
    }

    /// The key of a session.
    func key(ofSession session: String, _ keys: EncryptionKeys) -> DataKey? {
        (assigned[session] ?? older[session]).flatMap { key($0, keys) }
    }

    /// - Parameter isBounded: Whether sessions that were not heard of for long may be forgotten.
    func assign(_ id: String, to session: String, isBounded: Bool) {
        if isBounded, assigned.count >= Self.rememberedSessions { (older, assigned) = (assigned, [:]) }
        assigned[session] = id
    }

    func forget(session: String) {
        assigned[session] = nil
        older[session] = nil
    }

    /// The keys in use that were written before that time: retention must not delete them.
    func aged(before time: Int64, _ keys: EncryptionKeys) -> [DataKey] {
        let ids = Set(assigned.values).filter { published[$0].map { $0.at < time } ?? false }
        return ids.sorted().compactMap { key($0, keys) }
    }
}
