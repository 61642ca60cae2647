import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService
import RecordLog

/// Replays or drops dead letters in the order of the log.
struct DeadLetterWork {
    let client: OperatorClient
    let kind: DeadLetterMark.Kind
    let by: String
    /// The partition count of each topic.
    let partitions: Int32
    /// `true` to include letters that were replayed or dropped before, that this version can't read, or whose originals
    /// are gone or differ.
    let isForced: Bool
    private(set) var done = 0
    private(set) var refused = 0

    init(_ client: OperatorClient, _ kind: DeadLetterMark.Kind, partitions: Int32, by: String?, isForced: Bool) {
        self.client = client
        self.kind = kind
        self.partitions = partitions
        self.by = by ?? ProcessInfo.processInfo.environment["USER"] ?? "unknown"
        self.isForced = isForced
    }

    /// The maximum number of letters in memory, and of their bytes.
    private static let batch = (letters: 500, bytes: 16 << 20)

    mutating func process(_ places: [DeadLetterPlace]) throws {
        let partitions = Dictionary(grouping: Set(places), by: \.partition)
        for (partition, places) in partitions.sorted(by: { $0.key < $1.key }) {
            let marks = try client.deadLetterMarks(partition, 0..<(.max))
            for place in places.sorted() {
                guard let letter = try client.deadLetter(at: place) else {
                    refuse(place, "there is no dead letter; '\(PipelineProgram.tool) dead-letters list' shows them")
                    continue
                }
                try process([letter], marks)
            }
        }
    }

    /// Processes all open letters that are in the topic now. Letters that arrive meanwhile are ignored.
    mutating func processAll(_ filter: DeadLetterFilter) throws {
        for partition in 0..<partitions {
            let range = try client.range(of: TopicPartition(client.topics.deadLetters, partition))
            let marks = try client.deadLetterMarks(partition, range)
            var next = range.lowerBound
            while next < range.upperBound {
                var letters: [ReadDeadLetter] = []
                var bytes = 0
                var reached = range.upperBound
                try client.deadLetters(partition, next..<range.upperBound) { letter in
                    guard filter.matches(letter), marks[letter.offset] == nil else { return true }
                    letters.append(letter)
                    bytes += letter.original.value?.count ?? 0
                    guard letters.count >= Self.batch.letters || bytes >= Self.batch.bytes else { return true }
                    reached = letter.offset + 1
                    return false
                }
                next = reached
                try process(letters, marks)
            }
        }
    }

    /// Replays or drops letters, and marks them. The marks are written after the originals are acknowledged. A crash in
    /// between leaves a letter that can be replayed again; its id identifies the duplicate.
    private mutating func process(_ letters: [ReadDeadLetter], _ marks: [Int64: DeadLetterMark]) throws {
        var processed: [ReadDeadLetter] = []
        for letter in letters {
            if let mark = marks[letter.offset], !isForced {
                refuse(
                    letter.place, "it was \(mark.kind.rawValue) at \(mark.at) by \(mark.by); use --force to repeat it")
                continue
            }
            processed.append(letter)
        }
        if kind == .replayed { processed = try replay(processed) }
        try client.flush()
        for letter in processed {
            let mark = DeadLetterMark(kind, partition: letter.partition, offset: letter.offset, by: by, at: .now)
            try client.send(mark.record(key: letter.original.key, topics: client.topics))
        }
        try client.flush()
        for letter in processed {
            print(
                JSON.object([
                    "letter": .string("\(letter.partition)/\(letter.offset)"), "id": .string(letter.eventID),
                    kind.rawValue: .bool(true),
                ]))
        }
        done += processed.count
    }

    /// Sends the originals.
    ///
    /// - Returns: The letters that were not refused.
    private mutating func replay(_ letters: [ReadDeadLetter]) throws -> [ReadDeadLetter] {
        var replayed: [ReadDeadLetter] = []
        for (letter, original) in zip(letters, try client.originals(of: letters, partitions: partitions)) {
            do {
                let record = try letter.replay(topics: client.topics, force: isForced)
                if let why = problem(of: letter, original) {
                    refuse(letter.place, why)
                } else {
                    try client.send(record)
                    replayed.append(letter)
                }
            } catch let error as EventError {
                refuse(letter.place, error.rejection.message)
            }
        }
        return replayed
    }

    /// Returns the reason why a letter can't be replayed, given the comparison with its original; `nil` if it can be
    /// replayed.
    private func problem(of letter: ReadDeadLetter, _ original: DeadLetterOriginal) -> String? {
        let source = "\(letter.original.topic) \(letter.original.partition)/\(letter.original.offset)"
        let force = "look at it with 'dead-letters show', and use --force to write what it holds nevertheless"
        if letter.original.partition >= partitions {
            return "it names \(source), and there are \(partitions) partitions, numbered from 0"
        }
        if isForced { return nil }
        return switch original {
        case .same: nil
        case .different: "\(source) holds another record than this letter, so the letter may be forged: \(force)"
        case .missing: "there is no record at \(source) any more that the letter could be compared with: \(force)"
        }
    }

    private mutating func refuse(_ place: DeadLetterPlace, _ why: String) {
        refused += 1
        complain("\(place): \(why.printable)")
    }
}
