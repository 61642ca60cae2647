public import Conversation
public import IntentModel
public import RecordLog

/// A record of the journal without its value: who wrote it, and what it is about. Whose records count is decided by outlines alone, so a value is only
/// read if it is the newest of its key.
public struct JournalOutline: Sendable, Hashable {
    public enum Subject: Sendable, Hashable {
        /// The state of a session; not open: the session is forgotten.
        case session(Identifier, isOpen: Bool)
        /// The owner takes the partition over. The fence has this key.
        case fence(Identifier)
        /// The fence with this key is forgotten.
        case forgottenFence(Identifier)
        /// Nothing but the stamp: the positions, kept where no session's end can take them away.
        case positions
    }

    public var stamp: JournalStamp
    public var subject: Subject

    public init(stamp: JournalStamp, subject: Subject) {
        self.stamp = stamp
        self.subject = subject
    }

    /// - Throws: ``EventError`` if no coordinator wrote it.
    public init(_ record: ConsumedRecord) throws(EventError) {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            let stamp = record.headers.first(where: { $0.name == Self.header })?.value.flatMap({ JournalStamp($0) })
        else {
            throw .unreadable("only a coordinator may write to the journal", "key")
        }
        self.init(stamp: stamp, subject: Subject(key: Identifier(key), hasValue: record.value != nil))
    }

    /// The record to append to a partition of the journal.
    ///
    /// - Parameter value: the session's, of an open session; the terms, of a fence.
    public func record(value: Bytes? = nil, topic: String, partition: Int32, at now: Instant) -> Record {
        Record(
            topic: topic, partition: partition, key: Bytes(subject.key.utf8),
            value: subject.hasValue ? value ?? Self.nothing : nil,
            headers: [RecordHeader(Self.header, stamp.bytes)], timestamp: now.milliseconds)
    }

    /// The session in the value of its record.
    ///
    /// - Throws: ``EventError`` if a newer version wrote it, or if a field can't be read. It names the session, the field and the offset.
    public func session(_ id: Identifier, in record: ConsumedRecord) throws(EventError) -> JournaledSession {
        guard stamp.format <= JournalStamp.currentFormat else {
            throw .unreadable(
                "the session '\(id)' at offset \(record.offset) was written by a newer version, in format \(stamp.format); this version reads "
                    + "formats up to \(JournalStamp.currentFormat)",
                "value")
        }
        let view: JSONView
        do { view = try JSONView(parsing: record.value ?? [], limits: .journal) } catch {
            throw EncryptedValue.problem(record) ?? EventError(error)
        }
        do { return try JournaledSession(view, id: id) } catch {
            throw .unreadable(
                "the session '\(id)' can't be read at offset \(record.offset): \(error.field.isEmpty ? "it" : "'\(error.field)'") \(error.problem)",
                "value")
        }
    }

    /// Whether nothing shows without the value that it can't be read: another version's format, or that this process lacks its key.
    package func isLegible(_ record: ConsumedRecord) -> Bool {
        stamp.format <= JournalStamp.currentFormat
            && (record.headers.count == 1 || EncryptedValue.problem(record) == nil)
    }

    /// Whether its writer takes the partition over with it.
    package var isFence: Bool { if case .fence = subject { true } else { false } }

    private static let header = "intents-journal"
    private static let nothing = Bytes("{}".utf8)
}

extension JournalOutline.Subject {
    /// - Parameter hasValue: whether the record has a value and is no tombstone.
    public init(key: Identifier, hasValue: Bool) {
        if key.utf8.first != UInt8(ascii: "$") {
            self = .session(key, isOpen: hasValue)
        } else if key == Self.positionsKey {
            self = .positions
        } else if key.utf8.starts(with: Self.fencePrefix.utf8) {
            self = hasValue ? .fence(key) : .forgottenFence(key)
        } else {
            self = .session(key, isOpen: hasValue)
        }
    }

    /// The fence of an owner.
    public static func fence(epoch: Int, owner: Identifier) -> Self { .fence("\(fencePrefix)\(epoch)/\(owner)") }

    /// The key of its records.
    public var key: Identifier {
        switch self {
        case .session(let key, _), .fence(let key), .forgottenFence(let key): key
        case .positions: Self.positionsKey
        }
    }

    /// Whether its records have a value; the others are tombstones.
    var hasValue: Bool {
        switch self {
        case .session(_, let isOpen): isOpen
        case .fence, .positions: true
        case .forgottenFence: false
        }
    }

    private static let fencePrefix = "$fence/"
    private static let positionsKey: Identifier = "$positions"
}
