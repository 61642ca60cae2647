package import IntentEvents
package import RecordLog

/// One of the inputs of a partition.
package enum JournalInput: String, Sendable, Hashable, CaseIterable {
    case requests, answers, outcomes

    /// `nil` if the topic is none of the inputs.
    package init?(_ topic: String, _ topics: Topics) {
        switch topic {
        case topics.requests: self = .requests
        case topics.answers: self = .answers
        case topics.outcomes: self = .outcomes
        default: return nil
        }
    }

    package func topic(_ topics: Topics) -> String {
        switch self {
        case .requests: topics.requests
        case .answers: topics.answers
        case .outcomes: topics.outcomes
        }
    }

    /// The option of `intents journal repair` that sets it.
    package var option: String { "--\(rawValue)-at" }
}

extension JournalStamp {
    /// How far an input is decided on.
    package subscript(_ input: JournalInput) -> InputPosition {
        get {
            switch input {
            case .requests: InputPosition(next: requests, last: lastRequest, open: openRequests)
            case .answers: InputPosition(next: answers, last: lastAnswer, open: openAnswers)
            case .outcomes: InputPosition(next: outcomes, last: lastOutcome, open: openOutcomes)
            }
        }
        set {
            switch input {
            case .requests: (requests, lastRequest, openRequests) = (newValue.next, newValue.last, newValue.open)
            case .answers: (answers, lastAnswer, openAnswers) = (newValue.next, newValue.last, newValue.open)
            case .outcomes: (outcomes, lastOutcome, openOutcomes) = (newValue.next, newValue.last, newValue.open)
            }
        }
    }
}

/// The positions up to which all inputs of a partition are decided on.
struct InputPositions: Sendable, Hashable {
    var requests = InputPosition()
    var answers = InputPosition()
    var outcomes = InputPosition()
    /// The number of times that an operator has set the positions.
    var repairs = 0

    subscript(_ input: JournalInput) -> InputPosition {
        get {
            switch input {
            case .requests: requests
            case .answers: answers
            case .outcomes: outcomes
            }
        }
        _modify {
            switch input {
            case .requests: yield &requests
            case .answers: yield &answers
            case .outcomes: yield &outcomes
            }
        }
    }

    var hasOpen: Bool { !requests.open.isEmpty || !answers.open.isEmpty || !outcomes.open.isEmpty }

    /// The next record of each input.
    var offsets: InputOffsets { InputOffsets(requests: requests.next, answers: answers.next, outcomes: outcomes.next) }

    /// The content of a record of the positions.
    struct Summary: Sendable, Hashable {
        var next: [Int64]
        var open: [[Int64]]
    }

    var summary: Summary {
        Summary(
            next: [requests.next, answers.next, outcomes.next], open: [requests.open, answers.open, outcomes.open])
    }
}

/// How far one of the inputs of a partition is decided on.
package struct InputPosition: Sendable, Hashable {
    /// The offset of the next record to decide on.
    package private(set) var next: Int64
    /// The mark of the timestamp of the record before it, if that is known: it tells this log from another one with the same name.
    package private(set) var last: Int64?
    /// Records before ``next`` that are decided on, and of which something still has to be told that the journal does not hold: a dead letter, or a
    /// rejection outside of a session. One of which both have to be told is here twice.
    package private(set) var open: [Int64] = []
    /// Those of them that an earlier owner has left. They are read again.
    private var left: [Int64]
    /// Offsets of ``left`` whose records were read, and wait until reading has shown that the log is the one that was read before.
    private var waiting: Set<Int64> = []
    /// Whether the record before ``next`` still has to be seen, and compared.
    private var isChecking: Bool
    /// Where reading begins.
    private let first: Int64

    package enum Verdict: Sendable, Hashable {
        case next
        /// It was decided on before.
        case known
        /// It was decided on by an earlier owner, and what had to be told of it may not have been.
        case open
        /// The record's offset is open, and reading has not shown yet that the log is the one that was read before.
        case unchecked
        /// The log is not the one that was read before: its topic was created again, or its tail was cut.
        case otherLog
    }

    package init(next: Int64 = 0, last: Int64? = nil, open: [Int64] = []) {
        self.next = next
        self.last = last
        self.open = Set(open).filter { $0 < next }.sorted()
        left = self.open
        isChecking = last != nil && next > 0
        first = min(left.first ?? next, isChecking ? next - 1 : next)
    }

    /// Whether reading has not shown yet that this is the log that was read before.
    package var isUnchecked: Bool { isChecking }

    /// Where to begin to read: at the oldest record that is open, and one record earlier than needed where that is compared.
    package var start: StartOffset { first == 0 ? .beginning : .offset(first) }

    /// Where to look whether this is the log that was read before.
    package var checkpoint: StartOffset { next <= 1 ? .beginning : .offset(next - 1) }

    /// What the next record of the log is.
    package mutating func judge(_ record: ConsumedRecord) -> Verdict {
        if record.offset >= next {
            isChecking = false
            forgetMissing()
            return .next
        }
        if isChecking {
            // A record before `first` comes only if the log did not have that one.
            let isOther = record.offset < first || record.offset == next - 1 && record.timestampMark != last
            if isOther { return .otherLog }  // rule: otherLogsAreNoticed
            if record.offset == next - 1 { isChecking = false }
        }
        guard let index = left.firstIndex(of: record.offset) else { return .known }
        if isChecking {  // rule: otherLogsAreNoticed
            waiting.insert(record.offset)
            return .unchecked
        }
        left.remove(at: index)
        close(record.offset)
        return .open
    }

    /// What the next batch of the log is, if it can't be read.
    package mutating func judge(unreadable offsets: Range<Int64>) -> Verdict {
        // There is nothing to compare.
        if offsets.upperBound >= next { isChecking = false }
        if offsets.upperBound > next {
            forgetMissing()
            return .next
        }
        let found = left.filter(offsets.contains)
        if isChecking, !found.isEmpty {  // rule: otherLogsAreNoticed
            waiting.formUnion(found)
            return .unchecked
        }
        left.removeAll(where: offsets.contains)
        for offset in found { close(offset) }
        return found.isEmpty ? .known : .open
    }

    /// The log no longer has the open records that were not read.
    private mutating func forgetMissing() {
        guard !left.isEmpty else { return }
        open.removeAll { left.contains($0) && !waiting.contains($0) }
        left.removeAll { !waiting.contains($0) }
    }

    /// Whether nothing is lost if the log begins at this offset: all records before the offset are decided on, and told of or read.
    package func isDone(before offset: Int64) -> Bool {
        offset <= next && !left.contains { $0 < offset && !waiting.contains($0) }
    }

    /// The record is decided on.
    package mutating func take(_ record: ConsumedRecord) {
        next = record.offset + 1
        last = record.timestampMark
    }

    /// A batch that can't be read is passed over.
    package mutating func pass(_ offsets: Range<Int64>) {
        next = max(next, offsets.upperBound)
        last = nil
    }

    /// Something has to be told of a record that is decided on, and the journal does not hold it.
    mutating func leaveOpen(_ offset: Int64) { open.append(offset) }

    /// What had to be told of the record is in the log.
    mutating func close(_ offset: Int64) { if let index = open.firstIndex(of: offset) { open.remove(at: index) } }
}
