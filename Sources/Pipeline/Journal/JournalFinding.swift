import Conversation
import IntentEvents
import RecordLog

/// A problem of a partition of the journal for which its owner stops.
package enum JournalFinding: Sendable, Hashable, CustomStringConvertible {
    /// The newest record of a session can't be read.
    ///
    /// - Parameters:
    ///   - problem: names the session, the offset and the field.
    ///   - format: the record's, if it is newer than this version's.
    ///   - readableAt: the offset of the session's newest record that can be read, if the log still has one.
    case unreadable(session: String, offset: Int64, problem: String, newerFormat: Int?, readableAt: Int64?)
    /// A record that no coordinator wrote may have overwritten a session, and what it overwrote is gone.
    case overwritten(session: String, offset: Int64, problem: String)
    /// An input is not the log that was read.
    ///
    /// - Parameter range: what the log has.
    case otherInput(JournalInput, topic: String, next: Int64, range: Range<Int64>)
    /// The number of partitions has changed.
    case otherPartitions(before: Int32, now: Int32)

    package var description: String {
        switch self {
        case .unreadable(_, _, let problem, _, _): problem
        case .overwritten(let session, let offset, let problem):
            "the record at offset \(offset) was not written by a coordinator (\(problem)), and may have overwritten the session '\(session)'"
        case .otherInput(_, let topic, let next, let range):
            "\(topic) is not the log that the journal has read up to offset \(next): the topic was created again, or its tail was cut. It has the offsets "
                + "from \(range.lowerBound) to \(range.upperBound)"
        case .otherPartitions(let before, let now):
            "the topics had \(before) partitions when the journal was written and have \(now) now. A session's partition follows from the number, so it can't "
                + "be changed while there are sessions: create topics with another prefix, and switch to them"
        }
    }

    /// What an operator can do, the best first. Each is a sentence or the options of `intents journal repair`, with what they do.
    package var remedies: [String] {
        switch self {
        case .unreadable(let session, let offset, _, let newerFormat, let readableAt):
            (newerFormat.map { ["run the version that wrote format \($0): its sessions are unharmed"] } ?? [])
                + (readableAt.map {
                    ["--restore '\(session)': go on with the record at offset \($0); decisions after it, up to offset \(offset), are lost"]
                } ?? [])
                + ["--forget '\(session)': the session ends without a word, and its requests get no completion"]
        case .overwritten(let session, _, _):
            ["--forget '\(session)': nothing of the session is left to restore; its requests get no completion"]
        case .otherInput(let input, _, _, let range):
            [
                "\(input.option) beginning: decide on all that the topic has (from offset \(range.lowerBound)); what was decided on before and is "
                    + "still in it is decided on again, unless its session remembers the request",
                "\(input.option) end: pass over all that the topic has (up to offset \(range.upperBound))",
                "\(input.option) OFFSET: continue there",
            ]
        case .otherPartitions:
            ["nothing in this journal: bring back the old topics, or create topics with another prefix, and switch to them"]
        }
    }
}

extension JournalReplay {
    /// How far an input is decided on.
    package func position(of input: JournalInput) -> InputPosition { stamp?[input] ?? InputPosition() }

    /// How many partitions there were, if that is another number.
    func otherPartitions(than count: Int32) -> Int32? { terms.partitions == count ? nil : terms.partitions }

    /// Records that no coordinator wrote and that may have destroyed a session, in log order. Such a record is harmless while the state of the session
    /// that it overwrites is there: compaction leaves that alone for ten minutes.
    func overwritten(at now: Instant) -> [JournalFinding] {
        foreign.sorted { $0.value.record.offset < $1.value.record.offset }.compactMap { key, foreign in
            // Only what can be the id of a session can have overwritten one.
            guard (try? SessionKey.read(foreign.record)) != nil, sessions[key] == nil,
                foreign.record.timestamp < now.milliseconds - Int64(Topics.compactionLag)
            else { return nil }
            return .overwritten(session: key, offset: foreign.record.offset, problem: foreign.problem.rejection.message)
        }
    }
}
