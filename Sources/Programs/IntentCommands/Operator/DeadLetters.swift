import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The options that select dead letters.
struct DeadLetterFilter: ParsableArguments {
    @Option(name: .shortAndLong, help: "Only letters of this session.")
    var session: Identifier?

    @Option(help: ArgumentHelp("Only letters from this topic, such as intents.requests.", valueName: "topic"))
    var from: String?

    @Option(help: "Only letters that this stage rejected: coordinator, resolver, confirmer or handler.")
    var stage: String?

    @Option(help: "Only letters with this reason: \(RejectionReason.allCases.map(\.rawValue).joined(separator: ", ")).")
    var reason: String?

    func validate() throws {
        if let reason, RejectionReason(rawValue: reason) == nil {
            throw ValidationError(
                "'\(reason)' is none of \(RejectionReason.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
    }

    var isEmpty: Bool { session == nil && from == nil && stage == nil && reason == nil }

    func matches(_ letter: ReadDeadLetter) -> Bool {
        (session == nil || letter.session == session) && (from == nil || letter.original.topic == from)
            && (stage == nil || letter.stage == stage) && (reason == nil || letter.reason == reason)
    }
}

extension OperatorClient {
    /// Returns the last mark of each letter of a partition, by the letter's offset.
    func deadLetterMarks(_ partition: Int32, _ range: Range<Int64>) throws -> [Int64: DeadLetterMark] {
        var marks: [Int64: DeadLetterMark] = [:]
        try scan(TopicPartition(topics.deadLetters, partition), range) { record in
            if let mark = DeadLetterMark(record) { marks[mark.offset] = mark }
            return true
        }
        return marks
    }

    /// Calls `body` with the letters of a partition, oldest first. Other records are skipped.
    ///
    /// - Parameter body: Returns `false` to stop.
    func deadLetters(_ partition: Int32, _ range: Range<Int64>, _ body: (ReadDeadLetter) throws -> Bool) throws {
        try scan(TopicPartition(topics.deadLetters, partition), range) { record in
            guard DeadLetterMark(record) == nil, let letter = ReadDeadLetter(record) else { return true }
            return try body(letter)
        }
    }

    /// Returns the letter at this position; `nil` if there is none.
    func deadLetter(at place: DeadLetterPlace) throws -> ReadDeadLetter? {
        var found: ReadDeadLetter?
        try deadLetters(place.partition, place.offset..<place.offset + 1) { letter in
            found = letter
            return false
        }
        return found
    }
}
