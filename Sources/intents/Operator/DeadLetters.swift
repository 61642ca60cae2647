import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// Which dead letters a command is about.
struct DeadLetterFilter: ParsableArguments {
    @Option(name: .shortAndLong, help: "Only those of this session.")
    var session: String?

    @Option(help: ArgumentHelp("Only those that come from this topic, such as intents.requests.", valueName: "topic"))
    var from: String?

    @Option(help: "Only those that this stage gave up: coordinator, resolver, confirmer or handler.")
    var stage: String?

    @Option(help: "Only those with this reason: \(RejectionReason.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reason: String?

    func validate() throws {
        if let reason, RejectionReason(rawValue: reason) == nil {
            throw ValidationError("'\(reason)' is none of \(RejectionReason.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
    }

    var isEmpty: Bool { session == nil && from == nil && stage == nil && reason == nil }

    func takes(_ letter: ReadDeadLetter) -> Bool {
        (session == nil || letter.session == session) && (from == nil || letter.original.topic == from)
            && (stage == nil || letter.stage == stage) && (reason == nil || letter.reason == reason)
    }
}

extension OperatorClient {
    /// The marks of a partition's letters, by the letters' offsets: the last one of each.
    func deadLetterMarks(_ partition: Int32, _ range: Range<Int64>) throws -> [Int64: DeadLetterMark] {
        var marks: [Int64: DeadLetterMark] = [:]
        try scan(TopicPartition(topics.deadLetters, partition), range) { record in
            if let mark = DeadLetterMark(record) { marks[mark.offset] = mark }
            return true
        }
        return marks
    }

    /// The letters of a partition, oldest first; what is no letter is passed over.
    ///
    /// - Parameter body: `false` ends it.
    func deadLetters(_ partition: Int32, _ range: Range<Int64>, _ body: (ReadDeadLetter) throws -> Bool) throws {
        try scan(TopicPartition(topics.deadLetters, partition), range) { record in
            guard DeadLetterMark(record) == nil, let letter = ReadDeadLetter(record) else { return true }
            return try body(letter)
        }
    }

    /// The letter that stands there.
    func deadLetter(at place: DeadLetterPlace) throws -> ReadDeadLetter? {
        var found: ReadDeadLetter?
        try deadLetters(place.partition, place.offset..<place.offset + 1) { letter in
            found = letter
            return false
        }
        return found
    }
}
