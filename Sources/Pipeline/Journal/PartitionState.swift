package import Conversation

extension PartitionJournal {
    /// The state of a partition between the group, its log, a standby and this process. Each case names its exits; ``StateName/exits`` is the same list for machines.
    package enum State: Sendable, Hashable {
        /// Nothing of the journal is known. Journals of other partitions may be read first. Exits: `replaying`, `stopped`.
        case unread
        /// The journal is read to its end. Exits: `fencing`, `lost`, `stopped`, `kept`, `unread`.
        case replaying(JournalReplay)
        /// The owner's fence is written, and the journal is read to that fence. Exits: `replaying`, `readingResults`, `active`, `stopped`, `kept`, `unread`.
        case fencing(JournalReplay)
        /// The results are read that the previous owner may have sent. Exits: `replaying`, `active`, `stopped`, `kept`, `unread`.
        case readingResults(Recovered)
        /// The owner decides. Exits: `draining`, `lost`, `stopped`, `kept`, `unread`.
        case active
        /// The group revokes the partition. Decisions in flight are finished. Exits: `lost`, `stopped`, `kept`, `unread`.
        case draining
        /// Another coordinator has fenced. The group has to revoke the partition until then. Exit: `unread`.
        case lost(until: Instant)
        /// The partition can't be served until an operator has acted. Exit: `unread`.
        case stopped(JournalProblem)
        /// The partition was revoked. Its state is cached in case it is assigned to this process again. Exits: `replaying`, `followed`, `unread`.
        case kept(JournalReplay)
        /// Another process owns the partition, and a standby continues from the cached state. Exit: `replaying`.
        case followed
    }

    /// The states without their values.
    package enum StateName: Sendable, Hashable, CaseIterable {
        case unread, replaying, fencing, readingResults, active, draining, lost, stopped, kept, followed

        /// The other states that one event can lead to.
        package var exits: Set<StateName> {
            switch self {
            case .unread: [.replaying, .stopped]
            case .replaying: [.fencing, .lost, .stopped, .kept, .unread]
            case .fencing: [.replaying, .readingResults, .active, .stopped, .kept, .unread]
            case .readingResults: [.replaying, .active, .stopped, .kept, .unread]
            case .active: [.draining, .lost, .stopped, .kept, .unread]
            case .draining: [.lost, .stopped, .kept, .unread]
            case .lost, .stopped: [.unread]
            case .kept: [.replaying, .followed, .unread]
            case .followed: [.replaying]
            }
        }
    }
}

extension PartitionJournal.State {
    package var name: PartitionJournal.StateName {
        switch self {
        case .unread: .unread
        case .replaying: .replaying
        case .fencing: .fencing
        case .readingResults: .readingResults
        case .active: .active
        case .draining: .draining
        case .lost: .lost
        case .stopped: .stopped
        case .kept: .kept
        case .followed: .followed
        }
    }
}
