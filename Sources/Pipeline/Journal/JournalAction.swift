package import Conversation
package import IntentEvents
package import IntentModel
package import RecordLog

/// What a ``PartitionJournal`` wants done. Actions are done in order, and before the next event.
package enum JournalAction: Sendable, Hashable {
    case read(JournalSource, from: StartOffset)
    case stopReading(JournalSource)
    /// Append this record to the journal.
    ///
    /// - Parameter value: the session's or the fence's; `nil` for a record without one.
    indirect case append(JournalOutline, value: Bytes?)
    /// Send an effect of a decision that is in the journal.
    ///
    /// - Parameter place: goes back with its acknowledgement.
    case send(JournalEffect, session: Identifier, place: EffectPlace)
    /// The partition is ours, and this is what is in it. Deciding begins.
    case begin(Takeover)
    /// Append this session as it is now, or that it is forgotten: a record that does not count has overwritten it.
    case rewrite(session: Identifier)
    /// All results of this session up to this one are acknowledged.
    case acknowledged(session: Identifier, sequence: Int)
    /// For the process's log.
    case tell(JournalNotice)
    /// The partition is another's. Nothing of it may be decided or sent any more.
    case lose(to: JournalStamp)
    /// The group has not revoked the lost partition in time, so the coordinator that has fenced it is gone: take the partition over again, from the beginning.
    case reclaim
    /// This partition can't be served until an operator has acted. The others go on.
    case stop(JournalProblem)
    /// This process must not go on.
    case fail(LogError)
}

/// What the owner of a partition reads.
package enum JournalSource: Sendable, Hashable { case journal, results }

/// What is sent once the decision that it follows from is in the journal.
package enum JournalEffect: Sendable, Hashable {
    case work(Work)
    case result(EncodedResult)
    case memory(MemoryChangeRecord)
    /// What has to be told of open input, by its number.
    case openInput(UInt64)
}

/// What a new owner has found.
package struct Takeover: Sendable, Hashable {
    /// `true` if the cached sessions continue. Sessions that others have written since are in ``sessions``, ``unread`` and ``ended``.
    package var isResumed: Bool
    /// Sessions of which something may not have been sent, with the results that are not known to be in `intents.results`, in the order of the journal.
    package var sessions: [JournaledSession]
    /// The newest record of each other session. They are read later (``PartitionJournal/session(_:in:)``).
    package var unread: UnreadSessions
    /// Sessions that were kept and have ended.
    package var ended: Set<Identifier> = []
    /// Records of the journal that do not count because one before them is missing. Their input is read again.
    package var afterGap: Int
    /// Records that no coordinator wrote.
    package var foreign: Int

    /// Whether anything differs from what was kept.
    package var hasChanges: Bool { !ended.isEmpty || !sessions.isEmpty || !unread.isEmpty }
}

/// What an operator should know.
package enum JournalNotice: Sendable, Hashable {
    /// There may be a record of another writer before the one with this offset, or its offset is not known.
    case gap(from: Int64, to: Int64?)
    /// A coordinator that no longer owns the partition wrote to it.
    case staleWriter(owner: Identifier)
    /// A record that no coordinator wrote.
    case foreign(offset: Int64, problem: String)
    /// The journal seems to have lost records. It is read and fenced again.
    case loss(JournalFinding)
}

/// Why a partition is not served, and what to do.
package struct JournalProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
