public import Conversation
import IntentModel
public import RecordLog

/// A record of `intents.sessions`, the coordinator's journal.
public struct JournalRecord: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// A session after a decision, with the results that the person's side may not have yet; `nil`: the session is forgotten.
        case session(id: String, JournaledSession?)
        /// The owner takes the partition over.
        case fence
        /// Nothing but the stamp: the positions, kept where no session's end can take them away.
        case positions
        /// An old fence is forgotten.
        case forgottenFence
    }

    public var stamp: JournalStamp
    public var content: Content

    public init(stamp: JournalStamp, content: Content) {
        self.stamp = stamp
        self.content = content
    }

    /// A session's value in the journal.
    public static func value(_ session: JournaledSession) -> Bytes {
        var writer = JSONWriter(reserving: 1_024)
        writer.session(session)
        return writer.bytes
    }

    /// The record to append to a partition of the journal.
    ///
    /// - Parameter encoded: the session's value, if it is known.
    public func record(topic: String, partition: Int32, at now: Instant, value encoded: Bytes? = nil) -> Record {
        let key: String
        var value: Bytes?
        switch content {
        case .session(let id, let session):
            key = id
            value = encoded ?? session.map(Self.value)
        case .fence, .forgottenFence:
            key = Self.fenceKey(stamp)
            value = Bytes("{}".utf8)
        case .positions:
            key = Self.positionsKey
            value = Bytes("{}".utf8)
        }
        return Record(
            topic: topic, partition: partition, key: Bytes(key.utf8), value: value, headers: [RecordHeader(Self.header, stamp.bytes)],
            timestamp: now.milliseconds)
    }

    /// The tombstone of an older owner's fence, written under this owner's stamp.
    public static func tombstone(ofFence fence: String, stamp: JournalStamp, topic: String, partition: Int32, at now: Instant) -> Record {
        Record(
            topic: topic, partition: partition, key: Bytes(fence.utf8), value: nil, headers: [RecordHeader(header, stamp.bytes)],
            timestamp: now.milliseconds)
    }

    /// - Throws: ``EventError`` if somebody else wrote it: nothing but coordinators may write to the journal.
    public init(_ record: ConsumedRecord) throws(EventError) {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            let text = record.headers.first(where: { $0.name == Self.header })?.text, let stamp = JournalStamp(text)
        else {
            throw .unreadable("only a coordinator may write to the journal", "key")
        }
        self.stamp = stamp
        if key == Self.positionsKey {
            content = .positions
        } else if key.hasPrefix(Self.fencePrefix) {
            content = record.value == nil ? .forgottenFence : .fence
        } else if let value = record.value {
            let view: JSONView
            do { view = try JSONView(parsing: value, limits: .journal) } catch { throw EventError(error) }
            guard let session = JournaledSession(view, id: key) else { throw .unreadable("a session that can't be read", "value") }
            content = .session(id: key, session)
        } else {
            content = .session(id: key, nil)
        }
    }

    public static func fenceKey(_ stamp: JournalStamp) -> String { "\(fencePrefix)\(stamp.epoch)/\(stamp.owner)" }

    private static let header = "intents-journal"
    private static let fencePrefix = "$fence/"
    private static let positionsKey = "$positions"
}

/// What every record of the journal carries beside its value: who wrote it, and how far everything was.
public struct JournalStamp: Sendable, Hashable, CustomStringConvertible {
    /// Grows by one with each owner of the partition.
    public var epoch: Int
    /// The process that wrote it.
    public var owner: String
    /// Counts the owner's records in this partition, from 1.
    public var number: Int
    /// The offset in `intents.requests` after the input that led to this record.
    public var requests: Int64
    /// The offset in `intents.outcomes` after the input that led to this record.
    public var outcomes: Int64
    /// All effects of journal records before this offset were acknowledged.
    public var settled: Int64
    /// The results of records from `settled` on stand in `intents.results` at this offset or later, if at all.
    public var results: Int64

    public init(epoch: Int, owner: String, number: Int, requests: Int64, outcomes: Int64, settled: Int64, results: Int64) {
        self.epoch = epoch
        self.owner = owner
        self.number = number
        self.requests = requests
        self.outcomes = outcomes
        self.settled = settled
        self.results = results
    }

    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The text, as it stands in a header of every record.
    var bytes: Bytes {
        var bytes = Bytes()
        bytes.reserveCapacity(160)
        func append(_ name: StaticString, _ value: Int64) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            bytes.append(contentsOf: String(value).utf8)
        }
        append("epoch=", Int64(epoch))
        bytes.append(contentsOf: " owner=".utf8)
        bytes.append(contentsOf: owner.utf8)
        append(" number=", Int64(number))
        append(" requests=", requests)
        append(" outcomes=", outcomes)
        append(" settled=", settled)
        append(" results=", results)
        return bytes
    }

    /// `nil` if a part is missing, or a number is negative or 2⁵³ and more.
    public init?(_ text: String) {
        var fields: [Substring: Substring] = [:]
        for pair in text.split(separator: " ") {
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            fields[pair[..<equals]] = pair[pair.index(after: equals)...]
        }
        // What a JSON number can say exactly: nothing counts that far, and there is room to count on.
        func number(_ name: Substring) -> Int64? { fields[name].flatMap { Int64($0) }.flatMap { 0..<1 << 53 ~= $0 ? $0 : nil } }
        guard let epoch = number("epoch"), let owner = fields["owner"], let count = number("number"), let requests = number("requests"),
            let outcomes = number("outcomes"), let settled = number("settled"), let results = number("results")
        else { return nil }
        self.init(
            epoch: Int(epoch), owner: String(owner), number: Int(count), requests: requests, outcomes: outcomes, settled: settled,
            results: results)
    }
}

/// A session with what was said for it and not known to be acknowledged.
public struct JournaledSession: Sendable, Hashable {
    public var session: Session
    public var unacknowledged: [EncodedResult]

    public init(_ session: Session, unacknowledged: [EncodedResult] = []) {
        self.session = session
        self.unacknowledged = unacknowledged
    }
}
