/// What an acknowledgement is about: the kind, the partition, which of our ownerships of it, and the effect group.
enum Token {
    enum Kind: UInt64 { case untracked, journal, fence, work, result, deadLetter }

    static let untracked: UInt64 = 0

    /// The kind in the top byte, 16 bits of partition, 8 of ownership, 32 of group.
    static func make(_ kind: Kind, _ partition: OwnedPartition, group: UInt64 = 0) -> UInt64 {
        kind.rawValue << 56 | UInt64(UInt16(truncatingIfNeeded: partition.number)) << 40 | UInt64(partition.ownership) << 32 | group
            & 0xFFFF_FFFF
    }

    static func kind(_ token: UInt64) -> Kind { Kind(rawValue: token >> 56) ?? .untracked }
    static func partition(_ token: UInt64) -> Int32 { Int32(UInt16(truncatingIfNeeded: token >> 40)) }
    static func ownership(_ token: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: token >> 32) }

    /// How far a group is behind the first one, both cut to 32 bits.
    static func distance(_ token: UInt64, from first: UInt64) -> Int {
        Int(UInt32(truncatingIfNeeded: token) &- UInt32(truncatingIfNeeded: first))
    }
}
