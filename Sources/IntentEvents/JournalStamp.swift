import RecordLog

/// The header of each journal record: who wrote it, and the positions at that time.
public struct JournalStamp: Sendable, Hashable, CustomStringConvertible {
    /// The newest format of journal records that this version reads, and the one that it writes. A version reads all formats up to its own.
    public static let currentFormat = 1

    /// Grows by one with each owner of the partition.
    public var epoch: Int
    /// The process that wrote it.
    public var owner: String
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
    public var format = JournalStamp.currentFormat

    public init(
        epoch: Int, owner: String, number: Int, requests: Int64, outcomes: Int64, settled: Int64, results: Int64, lastRequest: Int64? = nil,
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
        var bytes = Bytes()
        bytes.reserveCapacity(208)
        func append(_ name: StaticString, _ value: Int64) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            Self.append(value, to: &bytes)
        }
        func append(_ name: StaticString, _ offsets: [Int64]) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            bytes.append(contentsOf: offsets.map { String($0) }.joined(separator: ",").utf8)
        }
        append("epoch=", Int64(epoch))
        bytes.append(contentsOf: " owner=".utf8)
        bytes.append(contentsOf: owner.utf8)
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
        if !openRequests.isEmpty { append(" openRequests=", openRequests) }
        if !openAnswers.isEmpty { append(" openAnswers=", openAnswers) }
        if !openOutcomes.isEmpty { append(" openOutcomes=", openOutcomes) }
        append(" format=", Int64(format))
        return bytes
    }

    /// Its digits, as `String(value)` has them, without a string.
    private static func append(_ value: Int64, to bytes: inout Bytes) {
        var rest = value.magnitude
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            repeat {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            bytes.append(contentsOf: digits[start...])
        }
    }

    /// `nil` if a part is missing, or a number is negative or 2⁵³ and more. Unknown parts are passed over.
    public init?(_ text: String) { self.init(Bytes(text.utf8)) }

    init?(_ bytes: Bytes) {
        guard let stamp = bytes.withUnsafeBufferPointer({ Self.read($0) }) else { return nil }
        self = stamp
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> JournalStamp? {
        var owner: String?
        var (epoch, number, requests, outcomes, settled, results): (Int64?, Int64?, Int64?, Int64?, Int64?, Int64?)
        var (lastRequest, lastOutcome, answers, lastAnswer): (Int64?, Int64?, Int64?, Int64?)
        var (inputs, format): (Int64?, Int64?)
        var (openRequests, openAnswers, openOutcomes): ([Int64], [Int64], [Int64]) = ([], [], [])
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
            guard let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let value = UnsafeBufferPointer(rebasing: bytes[equals + 1..<end])
            let part = Part(UnsafeBufferPointer(rebasing: bytes[start..<equals]))
            start = end + 1
            guard let part else { continue }
            if part == .owner {
                guard let text = String(validating: value, as: UTF8.self) else { return nil }
                owner = text
                continue
            }
            if part == .openRequests || part == .openAnswers || part == .openOutcomes {
                var offsets: [Int64] = []
                for piece in value.split(separator: UInt8(ascii: ",")) {
                    guard let offset = Int64(decimal: UnsafeBufferPointer(rebasing: piece)) else { return nil }
                    offsets.append(offset)
                }
                switch part {
                case .openRequests: openRequests = offsets
                case .openAnswers: openAnswers = offsets
                default: openOutcomes = offsets
                }
                continue
            }
            guard let count = Int64(decimal: value) else { return nil }
            switch part {
            case .owner, .openRequests, .openAnswers, .openOutcomes: break
            case .epoch: epoch = count
            case .number: number = count
            case .requests: requests = count
            case .outcomes: outcomes = count
            case .settled: settled = count
            case .results: results = count
            case .lastRequest: lastRequest = count
            case .lastOutcome: lastOutcome = count
            case .answers: answers = count
            case .lastAnswer: lastAnswer = count
            case .inputs: inputs = count
            case .format: format = count
            }
        }
        guard let owner, let epoch, let number, let requests, let outcomes, let settled, let results else { return nil }
        var stamp = JournalStamp(
            epoch: Int(epoch), owner: owner, number: Int(number), requests: requests, outcomes: outcomes, settled: settled,
            results: results, lastRequest: lastRequest, lastOutcome: lastOutcome)
        (stamp.answers, stamp.lastAnswer) = (answers ?? 0, lastAnswer)
        stamp.inputs = Int(inputs ?? 0)
        stamp.openRequests = openRequests
        stamp.openAnswers = openAnswers
        stamp.openOutcomes = openOutcomes
        stamp.format = Int(format ?? 1)
        return stamp
    }
}

/// The parts of a stamp that are read.
private enum Part: Int, CaseIterable {
    case owner, epoch, number, requests, outcomes, settled, results, lastRequest, lastOutcome, answers, lastAnswer, inputs, openRequests,
        openAnswers, openOutcomes, format

    init?(_ name: UnsafeBufferPointer<UInt8>) {
        guard let part = Self.allCases.first(where: { name.elementsEqual($0.name) }) else { return nil }
        self = part
    }

    private var name: UnsafeBufferPointer<UInt8> {
        let name: StaticString =
            switch self {
            case .owner: "owner"
            case .epoch: "epoch"
            case .number: "number"
            case .requests: "requests"
            case .outcomes: "outcomes"
            case .settled: "settled"
            case .results: "results"
            case .lastRequest: "lastRequest"
            case .lastOutcome: "lastOutcome"
            case .answers: "answers"
            case .lastAnswer: "lastAnswer"
            case .inputs: "inputs"
            case .openRequests: "openRequests"
            case .openAnswers: "openAnswers"
            case .openOutcomes: "openOutcomes"
            case .format: "format"
            }
        return UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }
}

extension Int64 {
    /// `nil` if it is no number, or one of 2⁵³ and more: what a JSON number can say exactly. Nothing counts that far, and there is room to count on.
    fileprivate init?(decimal text: UnsafeBufferPointer<UInt8>) {
        guard !text.isEmpty else { return nil }
        self = 0
        for digit in text {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            self = self * 10 + Int64(digit - UInt8(ascii: "0"))
            if self >= 1 << 53 { return nil }
        }
    }
}
