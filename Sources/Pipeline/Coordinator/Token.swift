/// What an acknowledgement is about: the kind, which of our ownerships, and the effect group, or the number of the open input.
enum Token {
    enum Kind: UInt64 { case untracked, journal, work, result, openInput, memory }

    static let untracked: UInt64 = 0

    /// The kind in the top 4 bits, 28 of ownership, 32 of group. So ownerships repeat after 268 million of them, in one process.
    static func make(_ kind: Kind, _ partition: OwnedPartition, group: UInt64 = 0) -> UInt64 {
        kind.rawValue << 60 | UInt64(partition.ownership & 0xFFF_FFFF) << 32 | group & 0xFFFF_FFFF
    }

    static func kind(_ token: UInt64) -> Kind { Kind(rawValue: token >> 60) ?? .untracked }
    static func ownership(_ token: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: token >> 32) & 0xFFF_FFFF }
    static func group(_ token: UInt64) -> UInt64 { token & 0xFFFF_FFFF }
}
