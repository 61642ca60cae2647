import Conversation
import IntentEvents
package import IntentModel
package import RecordLog

/// A problem of a partition of the journal for which its owner stops.
package enum JournalFinding: Sendable, Hashable, CustomStringConvertible {
    /// The newest record of a session can't be read.
    ///
    /// - Parameters:
    ///   - problem: names the session, the offset and the field.
    ///   - format: the record's, if it is newer than this version's.
    ///   - readableAt: the offset of the session's newest record that can be read, if the log still has one.
    case unreadable(session: Identifier, offset: Int64, problem: String, newerFormat: Int?, readableAt: Int64?)
    /// A record that no coordinator wrote may have overwritten a session, and what it overwrote is gone.
    case overwritten(session: Identifier, offset: Int64, problem: String)
    /// An input is not the log that was read.
    ///
    /// - Parameter range: what the log has.
    case otherInput(JournalInput, topic: String, next: Int64, range: Range<Int64>)
    /// The number of partitions has changed.
    case otherPartitions(before: Int32, now: Int32)
    /// The group has committed positions that the journal does not know.
    ///
    /// - Parameters:
    ///   - known: the journal's positions.
    ///   - committed: the group's, of which at least one is beyond the journal's or was set later.
    case behindGroup(known: [JournalInput: Int64], committed: [JournalInput: Int64])
    /// The results have a result that the journal does not know.
    case behindResults(session: Identifier, sequence: Int, offset: Int64)

    /// `true` if the journal has lost records that were acknowledged.
    package var isLoss: Bool {
        switch self {
        case .behindGroup, .behindResults: true
        case .unreadable, .overwritten, .otherInput, .otherPartitions: false
        }
    }

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
        case .behindGroup(let known, let committed):
            "records of the journal are lost that were acknowledged: the group has committed "
                + committed.sorted { $0.key.rawValue < $1.key.rawValue }
                .map {
                    "\($0.key.rawValue) up to offset \($0.value), and the journal knows them up to \(known[$0.key] ?? 0)"
                }
                .joined(separator: "; ")
                + ". Its topic was created again, or its tail was cut"
        case .behindResults(let session, let sequence, let offset):
            "records of the journal are lost that were acknowledged: result \(sequence) of the session '\(session)', at offset \(offset) of the results, was sent "
                + "after the journal's newest record. The journal's topic was created again, or its tail was cut"
        }
    }

    /// What an operator can do, the best first. Each is a sentence or the options of `intents journal repair`, with what they do.
    package var remedies: [String] {
        switch self {
        case .unreadable(let session, let offset, _, let newerFormat, let readableAt):
            (newerFormat.map { ["run the version that wrote format \($0): its sessions are unharmed"] } ?? [])
                + (readableAt.map {
                    [
                        "--restore '\(session)': go on with the record at offset \($0); decisions after it, up to offset \(offset), are lost"
                    ]
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
            [
                "nothing in this journal: bring back the old topics, or create topics with another prefix, and switch to them"
            ]
        case .behindGroup, .behindResults:
            [
                "--lost skip: continue after what was decided on; requests and answers before that whose sessions are lost are never answered, and the others go on "
                    + "from an older state",
                "--lost repeat: decide again on all that the journal does not know; handlers that are to be called only once may be called again",
            ]
        }
    }
}

extension JournalReplay {
    /// How far an input is decided on.
    package func position(of input: JournalInput) -> InputPosition { stamp?[input] ?? InputPosition() }

    /// Whether the group has committed more than the journal knows.
    package func loss(after group: GroupPositions) -> JournalFinding? {
        let known = Dictionary(uniqueKeysWithValues: JournalInput.allCases.map { ($0, position(of: $0).next) })
        let beyond = group.beyond(known, inputs: stamp?.inputs ?? 0)
        return beyond.isEmpty ? nil : .behindGroup(known: known, committed: beyond)
    }

    /// Whether a result was sent after the journal's newest record. Results follow their record, so that one must have been there.
    package func loss(shownBy record: ConsumedRecord) -> JournalFinding? {
        let newest = newestDecision ?? Instant(milliseconds: 0)
        // A replay that continues from a cached state knows only the sessions that others have changed, so it does not look for the sign.
        // A result's record is never older than the result, so the time of most need not be read.
        guard !isResumed, record.timestamp > newest.milliseconds,
            let time = record.headers.first(where: { $0.name == "ce_time" })?.text.flatMap(Instant.init(rfc3339:)),
            time > newest,
            let result = try? ReceivedResult(record), let id = result.session, let sequence = result.sequence
        else { return nil }
        if let known = sessions[id] {
            guard let session = try? JournalOutline(known).session(id, in: known), session.remains == nil,
                session.session.sequence < sequence
            else { return nil }
        }
        return .behindResults(session: id, sequence: sequence, offset: record.offset)
    }

    /// How many partitions there were, if that is another number.
    func otherPartitions(than count: Int32) -> Int32? { terms.partitions == count ? nil : terms.partitions }

    /// Records that no coordinator wrote and that may have destroyed a session, in log order. Such a record is harmless while the state of the session
    /// that it overwrites is there: compaction leaves that alone for ten minutes.
    func overwritten(at now: Instant) -> [JournalFinding] {
        foreign.sorted { $0.value.record.offset < $1.value.record.offset }.compactMap { key, foreign in
            // Only what can be the id of a session can have overwritten one.
            guard (try? SessionKey.read(foreign.record)) != nil, sessions[key] == nil,
                now.milliseconds(since: Instant(milliseconds: foreign.record.timestamp)) > Int64(Topics.compactionLag)
            else { return nil }
            return .overwritten(session: key, offset: foreign.record.offset, problem: foreign.problem.rejection.message)
        }
    }
}
