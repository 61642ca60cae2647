import DequeModule
import IntentModel
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
        /// Whether `intents.keys` was read to an end that it had after the event came: a key that is not before that does not exist.
        var look = Look.needed
    }

    enum Look {
        /// A reading has to begin.
        case needed
        /// One has begun, and is not at the end.
        case begun
        case done
    }

    /// The order of what is read from one partition of a topic, by the group or beside it.
    struct Stream: Hashable, Comparable {
        var partition: TopicPartition
        var isGroup: Bool

        static func < (one: Stream, other: Stream) -> Bool {
            one.partition == other.partition ? !one.isGroup && other.isGroup : one.partition < other.partition
        }
    }

    /// Sessions whose keys a worker remembers, at most twice as many. An outcome of any other gets a key of its own.
    private static let rememberedSessions = 50_000

    private var published: [String: Published] = [:]
    /// The id of each session's key. Of a worker the newer half: the older one makes room.
    private var assigned: [Identifier: String] = [:]
    private var older: [Identifier: String] = [:]
    /// Keys that are in the log and not in use.
    var spare = Deque<DataKey>()
    /// How many keys are under way to the log.
    var underWay = 0
    /// How many spare keys there should be.
    var spareTarget = 64
    /// Since when there is none although one was needed, in milliseconds since 1970; `nil` if there is one.
    var lacksSince: Int64?
    /// The log has refused a key, and gets no other one before that time.
    var refusedUntil = Int64.min

    /// Whether `intents.keys` is being read, and whether the end that it had at first is reached.
    var isReading = false
    var hasReachedEnd = false
    /// When it was read again last, for an end.
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

    /// The reading that began with the last look, or before it, is at the end.
    func reachedEnd(_ end: Int64) {
        hasReachedEnd = true
        next = max(next, end)
        for stream in held.keys {
            for index in (held[stream] ?? []).indices where held[stream]?[index].look == .begun {
                held[stream]?[index].look = .done
            }
        }
    }

    /// The topic does not have what was read up to: it may have been made again.
    func beginAgain() {
        hasReachedEnd = false
        next = 0
        lastLook = .min
        for stream in held.keys { for index in (held[stream] ?? []).indices { held[stream]?[index].look = .needed } }
    }

    /// Whether something waits for a reading that has not begun. One that has begun goes to its end first, or those that began later would never come to it.
    var needsLook: Bool {
        let all = held.values.lazy.joined()
        return all.contains { $0.look == .needed } && !all.contains { $0.look == .begun }
    }

    /// A reading begins. What waits now needs no key that is not before its end.
    func look(at now: Int64) {
        lastLook = now
        for stream in held.keys {
            for index in (held[stream] ?? []).indices where held[stream]?[index].look != .done {
                held[stream]?[index].look = .begun
            }
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
    func key(ofSession session: Identifier, _ keys: EncryptionKeys) -> DataKey? {
        (assigned[session] ?? older[session]).flatMap { key($0, keys) }
    }

    /// - Parameter isBounded: Whether sessions that were not heard of for long may be forgotten.
    func assign(_ id: String, to session: Identifier, isBounded: Bool) {
        if isBounded, assigned.count >= Self.rememberedSessions { (older, assigned) = (assigned, [:]) }
        assigned[session] = id
    }

    func forget(session: Identifier) {
        assigned[session] = nil
        older[session] = nil
    }

    /// The keys in use that were written before that time: retention must not delete them.
    func aged(before time: Int64, _ keys: EncryptionKeys) -> [DataKey] {
        let ids = Set(assigned.values).filter { published[$0].map { $0.at < time } ?? false }
        return ids.sorted().compactMap { key($0, keys) }
    }
}
