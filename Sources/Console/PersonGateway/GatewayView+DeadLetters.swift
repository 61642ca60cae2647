import Conversation
package import IntentEvents
package import IntentModel
import RecordLog
import Synchronization

// Showing, replaying and dropping dead letters.
extension GatewayView {
    /// The number of bytes of a record's value after which ``deadLetter(at:_:)`` cuts it off.
    private static let maximumValue = 64 << 10

    /// Returns a dead letter with its record, which may contain secrets.
    ///
    /// - Throws: ``GatewayProblem`` if the viewer may not see values, or the letter does not exist.
    package func deadLetter(at place: LogPosition, _ archive: ResultArchive) async throws -> JSON {
        guard viewer.scope == .all, !viewer.isMasked else {
            throw GatewayProblem(.unauthorized, "the record may contain values: ask for it with 'reveal=true'")
        }
        return try await letter(at: place, archive).json(isWhole: true, maximumValue: Self.maximumValue)
    }

    private func letter(at place: LogPosition, _ archive: ResultArchive) async throws -> ReadDeadLetter {
        let letters = TopicPartition(gateway.topics.deadLetters, place.partition)
        guard place.partition < gateway.partitions, let record = try await archive.record(at: letters, place.offset),
            let letter = ReadDeadLetter(record)
        else { throw GatewayProblem(.unsupported, "there is no dead letter at \(place)") }
        return letter
    }

    /// Replays the record of a dead letter, or marks the letter as dropped.
    ///
    /// - Parameters:
    ///   - kind: The action.
    ///   - operator: The operator who acts.
    /// - Throws: ``GatewayProblem`` if the viewer does not see all sessions, the letter does not exist, the letter was
    ///   replayed or dropped before, its record would be refused again, or the log has another record at the place that
    ///   the letter names.
    package func resolveDeadLetter(
        at place: LogPosition, _ kind: DeadLetterMark.Kind, by operator: String, _ archive: ResultArchive
    ) async throws {
        guard viewer.scope == .all else {
            throw GatewayProblem(.unauthorized, "dead letters are for operators, who see all sessions")
        }
        let (topics, partitions) = (gateway.topics, gateway.partitions)
        let letter = try await letter(at: place, archive)
        guard let kept = gateway.state.withLock({ $0.letters[place] }) else {
            throw GatewayProblem(
                .unexpected,
                "the dead letter at \(place) is older than those that this console keeps, so it may have been dealt with: use 'intents dead-letters'"
            )
        }
        if let mark = kept.mark { throw GatewayProblem(.unexpected, "the dead letter was \(mark.rawValue) already") }
        if kind == .replayed {
            let original: Record
            do { original = try letter.replay(topics: topics, force: false) } catch {
                throw GatewayProblem(
                    .unexpected,
                    "it would be refused again: \(error.rejection.message). Have its sender send it again as it should be, and drop this one; or replay it after an upgrade that can read it"
                )
            }
            // Without this check, anyone who may write dead letters could have any record written here.
            let source = letter.original
            guard topics.all.contains(source.topic), source.partition < partitions,
                let there = try await archive.record(at: source.topicPartition, source.offset), letter.holds(there)
            else {
                throw GatewayProblem(
                    .unexpected,
                    "the record at \(source.topicPartition)@\(source.offset) is gone, or another one than the letter holds: look at it, and use 'intents dead-letters replay --force'"
                )
            }
            _ = try await gateway.write(original)
        }
        let mark = DeadLetterMark(
            kind, partition: place.partition, offset: place.offset, by: `operator`, at: gateway.clock())
        _ = try await gateway.write(mark.record(key: letter.original.key, topics: topics))
    }
}
