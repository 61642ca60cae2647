package import Conversation
import HeapModule
package import IntentEvents
package import IntentModel
package import RecordLog

/// One partition as its owner has it in memory, or as its journal has it: for checks that the two are the same.
package struct PartitionInspection: Sendable {
    package var partition: Int32
    /// Neither being taken over, nor being released, nor lost.
    package var isActive: Bool
    /// The sessions, by id.
    package var sessions: [Identifier: Session]
    /// Forgotten sessions whose requests are still known, by id.
    package var forgotten: [Identifier: ForgottenSession]
    /// Results that are not known to be acknowledged, by session.
    package var unacknowledged: [Identifier: Int]
    /// When each session is looked at again. A session without an entry would wait indefinitely.
    package var timers: [Identifier: Instant]
    /// The position in each input.
    package var inputs: [JournalInput: Int64]
    /// All results before this offset of `intents.results` are acknowledged.
    package var results: Int64
}

extension Coordinator {
    /// The partitions of this coordinator, in order.
    package var inspection: [PartitionInspection] {
        inOrder.filter { !$0.journal.isFollowed }.map { partition in
            var sessions = partition.sessions.open.mapValues(\.session)
            var forgotten = partition.sessions.forgotten.byID
            for (id, record) in partition.sessions.unread.remaining {
                guard let journaled = try? partition.journal.session(id, in: record) else { continue }
                if let remains = journaled.remains { forgotten[id] = remains } else { sessions[id] = journaled.session }
            }
            let armed = Set(partition.sessions.timers.unordered.map { ArmedTimer(session: $0.session, at: $0.at) })
            return PartitionInspection(
                partition: partition.number, isActive: partition.isActive, sessions: sessions, forgotten: forgotten,
                unacknowledged: partition.sessions.open.mapValues(\.unacknowledged.count).filter { $0.value > 0 },
                timers: partition.sessions.open.compactMapValues { entry in
                    entry.timer.flatMap { armed.contains(ArmedTimer(session: entry.session.id, at: $0)) ? $0 : nil }
                },
                inputs: JournalInput.positions { partition.journal[$0].next },
                results: partition.journal.effects.resultsNext)
        }
    }
}

extension PartitionInspection {
    /// What a successor would find.
    ///
    /// - Parameters:
    ///   - records: a partition of the journal, in log order, as compaction left it.
    ///   - outline: Reads the outline of a record; a check that sees the same records many times keeps what it has read.
    ///   - read: Reads a record, with its value.
    package init(
        journal records: [ConsumedRecord], partition: Int32,
        outlining outline: (ConsumedRecord) throws(EventError) -> JournalOutline = JournalOutline.init,
        reading read: (ConsumedRecord) throws(EventError) -> JournalRecord = JournalRecord.init
    ) {
        var replay = JournalReplay()
        for record in records { replay.apply(record, outlining: outline) }
        var sessions: [Identifier: Session] = [:]
        var forgotten: [Identifier: ForgottenSession] = [:]
        for (id, record) in replay.sessions {
            guard case .session(_, let journaled?)? = try? read(record).content else { continue }
            if let remains = journaled.remains { forgotten[id] = remains } else { sessions[id] = journaled.session }
        }
        self.init(
            partition: partition, isActive: false, sessions: sessions, forgotten: forgotten, unacknowledged: [:],
            timers: [:],
            inputs: JournalInput.positions { replay.position(of: $0).next },
            results: replay.stamp?.results ?? 0)
    }
}

extension PartitionInspection {
    /// The offset of the first record that is void and is not followed by one with its key that counts: what it overwrites is what counts.
    ///
    /// - Parameters:
    ///   - records: a partition of the journal, in log order.
    ///   - outline: Reads the outline of a record.
    package static func firstOverwriting(
        _ records: [ConsumedRecord],
        outlining outline: (ConsumedRecord) throws(EventError) -> JournalOutline = JournalOutline.init
    ) -> Int64? {
        var replay = JournalReplay()
        var void: [Bytes: Int64] = [:]
        for record in records {
            guard let key = record.key else { continue }
            switch replay.apply(record, outlining: outline) {
            case .valid: void[key] = nil
            case .void, .afterGap, nil: void[key] = min(void[key] ?? .max, record.offset)
            }
        }
        // Every fence has a key of its own.
        return void.filter { !$0.key.starts(with: "$fence".utf8) }.values.min()
    }
}

extension JournalInput {
    fileprivate static func positions(_ position: (JournalInput) -> Int64) -> [JournalInput: Int64] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0, position($0)) })
    }
}

private struct ArmedTimer: Hashable {
    var session: Identifier
    var at: Instant
}
