public import IntentModel
import RecordLog

/// The header of each journal record: who wrote it, and the positions at that time.
///
/// The session's next timer is not in the stamp: it would be 20 bytes more for each record, and only a hint, because the next owner may have other time
/// limits. An owner reads all sessions soon after a takeover, which also finds damage.
public struct JournalStamp: Sendable, Hashable, CustomStringConvertible {
    /// The newest format of journal records that this version reads. A version reads all formats up to its own.
    public static let currentFormat = 2
    /// The format of records that the first version reads as well: all but those of sessions with an approval or an unacknowledged reminder.
    public static let usualFormat = 1

    /// Grows by one with each owner of the partition.
    public var epoch: Int
    /// The process that wrote it.
    public var owner: Identifier
    /// Counts the owner's records in this partition, from 1 and without gaps.
    public var number: Int
    /// The offset in `intents.requests` after the input that led to this record.
    public var requests: Int64
    /// The offset in `intents.outcomes` after the input that led to this record.
    public var outcomes: Int64
    /// All effects of journal records before this offset were acknowledged.
    public var settled: Int64
    /// The results of records from `settled` on are in `intents.results` at this offset or later, if at all.
    public var results: Int64
    /// The timestamp of the record before ``requests``, in milliseconds since 1970; `nil` if none was read, or before format 1. A log that has another
    /// record there is another log.
    public var lastRequest: Int64?
    /// The timestamp of the record before ``outcomes``.
    public var lastOutcome: Int64?
    /// The offset in `intents.answers` after the input that led to this record; 0 in the stamps of versions without that topic.
    public var answers: Int64 = 0
    /// The timestamp of the record before ``answers``.
    public var lastAnswer: Int64?
    /// How often an operator has said where an input continues (`intents journal repair`): positions of a higher count are newer, also where their offsets are
    /// lower. Versions before it was counted, and inputs that were never set, have 0.
    public var inputs = 0
    /// Records before ``requests`` that are decided on, and of which a dead letter or a rejection may not have been written: the next owner reads them again.
    /// In the order of the log.
    public var openRequests: [Int64] = []
    /// Those before ``answers``.
    public var openAnswers: [Int64] = []
    /// Those before ``outcomes``.
    public var openOutcomes: [Int64] = []
    /// The format of the record. Records of the versions before it was counted have none and are read as format 1.
    public var format = JournalStamp.usualFormat

    public init(
        epoch: Int, owner: Identifier, number: Int, requests: Int64, outcomes: Int64, settled: Int64, results: Int64,
        lastRequest: Int64? = nil,
        lastOutcome: Int64? = nil
    ) {
        self.epoch = epoch
        self.owner = owner
        self.number = number
        self.requests = requests
        self.outcomes = outcomes
        self.settled = settled
        self.results = results
        self.lastRequest = lastRequest
        self.lastOutcome = lastOutcome
    }

    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The text in the header of every record.
    var bytes: Bytes {
        // All names together are shorter than 200 bytes.
        let numbers = 12 + openRequests.count + openAnswers.count + openOutcomes.count
        return TextBuffer.bytes(capacity: 200 + owner.utf8.count + numbers * (TextBuffer.longestNumber + 1)) {
            write(to: &$0)
        }
    }

    private func write(to text: inout TextBuffer) {
        func append(_ name: StaticString, _ value: Int64) {
            text.append(name)
            text.append(value)
        }
        func append(_ name: StaticString, _ offsets: [Int64]) {
            if offsets.isEmpty { return }
            text.append(name)
            text.append(offsets)
        }
        append("epoch=", Int64(epoch))
        text.append(" owner=" as StaticString)
        text.append(owner)
        append(" number=", Int64(number))
        append(" requests=", requests)
        append(" outcomes=", outcomes)
        append(" settled=", settled)
        append(" results=", results)
        if let lastRequest { append(" lastRequest=", lastRequest) }
        if let lastOutcome { append(" lastOutcome=", lastOutcome) }
        if answers > 0 { append(" answers=", answers) }
        if let lastAnswer { append(" lastAnswer=", lastAnswer) }
        if inputs > 0 { append(" inputs=", Int64(inputs)) }
        append(" openRequests=", openRequests)
        append(" openAnswers=", openAnswers)
        append(" openOutcomes=", openOutcomes)
        append(" format=", Int64(format))
    }

    /// `nil` if a part is missing, or a number is negative or 2⁵³ and more. Unknown parts are passed over.
    public init?(_ text: String) { self.init(Bytes(text.utf8)) }

    init?(_ bytes: Bytes) {
        guard let stamp = bytes.withUnsafeBufferPointer({ Self.read($0) }) else { return nil }
        self = stamp
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> JournalStamp? {
        var stamp = JournalStamp(epoch: 0, owner: "", number: 0, requests: 0, outcomes: 0, settled: 0, results: 0)
        stamp.format = 1
        var missing = StampReader.Part.required
        guard var reader = StampReader(bytes) else { return nil }
        while !reader.isAtEnd {
            guard let part = reader.part() else { return nil }
            missing &= ~(1 << part.rawValue)
            switch part {
            case .owner:
                guard let owner = reader.text() else { return nil }
                stamp.owner = Identifier(owner)
            case .openRequests: guard reader.numbers(into: &stamp.openRequests) else { return nil }
            case .openAnswers: guard reader.numbers(into: &stamp.openAnswers) else { return nil }
            case .openOutcomes: guard reader.numbers(into: &stamp.openOutcomes) else { return nil }
            case .unknown: reader.passOver()
            default:
                guard let number = reader.number() else { return nil }
                stamp.set(part, to: number)
            }
        }
        return missing == 0 ? stamp : nil
    }

    private mutating func set(_ part: StampReader.Part, to number: Int64) {
        switch part {
        case .epoch: epoch = Int(number)
        case .number: self.number = Int(number)
        case .requests: requests = number
        case .outcomes: outcomes = number
        case .settled: settled = number
        case .results: results = number
        case .lastRequest: lastRequest = number
        case .lastOutcome: lastOutcome = number
        case .answers: answers = number
        case .lastAnswer: lastAnswer = number
        case .inputs: inputs = Int(number)
        case .format: format = Int(number)
        case .owner, .openRequests, .openAnswers, .openOutcomes, .unknown: break
        }
    }
}
