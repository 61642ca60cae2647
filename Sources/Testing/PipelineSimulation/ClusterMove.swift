import Pipeline
import RecordLog

/// A change to the log, its topics or the clients' records. A lasting change ends with a move of its own, or when the
/// faults end.
enum ClusterMove: Sendable, Hashable {
    /// A record of the process fails.
    case failRecord(String, FailedRecord)
    /// The process gets the acknowledgements of its records for a topic, or for all topics, late: after some polls, or
    /// with ``releaseAcknowledgements(_:)``.
    case delayAcknowledgements(String, of: String?, polls: Int?)
    case releaseAcknowledgements(String)
    /// A topic has no leaders.
    case removeLeaders(of: String)
    case restoreLeaders
    /// The client of the process accepts only this number of unacknowledged records; `nil` restores the usual limit.
    case limitQueue(String, to: Int?)
    /// The topic rejects larger records; `nil` restores the limit with which the topic was created.
    case limitRecords(of: String, toBytes: Int?)
    /// The broker refuses all records for a topic, from every client.
    case refuseTopic(String)
    case acceptTopics
    /// A producer of another pipeline opens a transaction in one partition of a topic, and does not end it.
    case openTransaction(of: String)
    case endTransactions
    /// A topic gets a batch that no client can decompress.
    case writeUnreadable(SimulatedTopic)
    /// An encrypting coordinator has no key for a new session: a key is on its way, or, if `isLong`, none has arrived
    /// for long.
    case withholdKeys(String, isLong: Bool)
    case releaseKeys(String)
    /// The key file changes, and all processes that aren't paused restart with it. If some processes lack the newest
    /// file, only they restart.
    case replaceKeyFile
    /// The log cleaner compacts some segments of the journal. An interruption between two segments is possible.
    case compactSegments(droppingTombstones: Bool)
    /// The next commits of all groups fail.
    case refuseCommits(Int)
    /// A program that is not a coordinator writes to the journal.
    case writeForeign
    /// A coordinator of a newer version owns a partition for a moment and is rolled back. This version can't read its
    /// records.
    case rollBack
    /// An input topic is deleted and created again.
    case recreate(JournalInput)
    /// An input topic loses its newest records, although they were acknowledged.
    case cutTail(JournalInput, records: Int)
    /// The operator repairs the stopped partitions.
    case repair

    /// The name of the fault in the summary; `nil` if the move is not a fault.
    var fault: String? {
        switch self {
        case .failRecord: "records failed"
        case .delayAcknowledgements: "acknowledgements delayed"
        case .removeLeaders: "leaders away"
        case .limitQueue(_, to: .some): "queues limited"
        case .limitRecords(_, toBytes: .some): "record sizes limited"
        case .refuseTopic: "topics refused"
        case .openTransaction: "transactions left open"
        case .writeUnreadable: "unreadable batches"
        case .withholdKeys: "keys withheld"
        case .replaceKeyFile: "key files replaced"
        case .compactSegments: "segments compacted"
        case .refuseCommits: "commits refused"
        case .writeForeign: "foreign records in the journal"
        case .rollBack: "newer versions rolled back"
        case .recreate: "inputs created again"
        case .cutTail: "inputs cut"
        case .releaseAcknowledgements, .restoreLeaders, .acceptTopics, .endTransactions, .releaseKeys, .limitQueue,
            .limitRecords, .repair:
            nil
        }
    }

    var text: String {
        switch self {
        case .failRecord(let name, let record): "a record of \(name) for \(record.topic) will fail\(record.text)"
        case .delayAcknowledgements(let name, let topic, let polls):
            "\(name) is told \(polls.map { "\($0) polls later" } ?? "later") that its records\(topic.map { " for \($0)" } ?? "") are written"
        case .releaseAcknowledgements(let name): "\(name) is told which of its records are written"
        case .removeLeaders(let topic): "\(topic) has no leaders"
        case .restoreLeaders: "all topics have leaders"
        case .limitQueue(let name, let count):
            "the queue of \(name) takes \(count.map { "\($0)" } ?? "as many") records\(count == nil ? " as before" : "")"
        case .limitRecords(let topic, let bytes):
            "\(topic) takes records of \(bytes.map { "\($0) bytes" } ?? "the same size as before")"
        case .refuseTopic(let topic): "\(topic) takes no records"
        case .acceptTopics: "all topics take records"
        case .openTransaction(let topic): "someone opens a transaction in \(topic)"
        case .endTransactions: "all transactions end"
        case .writeUnreadable(let topic): "a batch that can't be decompressed is written to the \(topic.rawValue)"
        case .withholdKeys(let name, let isLong): "\(name) gets no keys\(isLong ? " for long" : "")"
        case .releaseKeys(let name): "\(name) gets keys"
        case .replaceKeyFile: "the key file is replaced"
        case .compactSegments(let dropping):
            "segments of the journal are compacted\(dropping ? " without their tombstones" : "")"
        case .refuseCommits(let count): "the next \(count) commits are refused"
        case .writeForeign: "someone else writes to the journal"
        case .rollBack: "a newer version writes to the journal and is rolled back"
        case .recreate(let input): "the topic of the \(input.rawValue) is created again"
        case .cutTail(let input, let count): "the \(input.rawValue) lose their newest \(count) records"
        case .repair: "the operator repairs what has stopped"
        }
    }
}

/// The way in which a record fails.
struct FailedRecord: Sendable, Hashable {
    var topic: String
    /// The number of records for the topic that are written before this one.
    var skipped: Int
    var disposition: LogError.Disposition
    /// `true` if the record is in the log nevertheless.
    var isWritten: Bool
    /// The number of later records that are in the log nevertheless, in a topic where a failed record should be the
    /// last.
    var inFlight: Int

    fileprivate var text: String {
        (skipped > 0 ? " after \(skipped)" : "") + ", with \(disposition.rawValue)"
            + (isWritten ? ", though it is written" : "")
            + (inFlight > 0 ? ", with \(inFlight) more under way" : "")
    }
}
