/// Identifies what a delivery report acknowledges: its kind, the ownership, and the place of the effect, or the number of the open input.
enum Token {
    enum Kind: UInt64 { case untracked, journal, work, result, openInput, memory }

    static let untracked: UInt64 = 0

    private static let ownershipBits = 20
    /// Ownerships repeat after a million of them, in one process.
    static let ownershipMask: UInt32 = 1 << UInt32(ownershipBits) - 1
    private static let numberMask: UInt64 = 1 << UInt64(EffectPlace.bits) - 1

    /// The kind in the top 4 bits, 20 of ownership, 40 of the number.
    static func make(_ kind: Kind, _ partition: OwnedPartition, number: UInt64 = 0) -> UInt64 {
        kind.rawValue << 60 | UInt64(partition.ownership & ownershipMask) << UInt64(EffectPlace.bits) | number
            & numberMask
    }

    static func kind(_ token: UInt64) -> Kind { Kind(rawValue: token >> 60) ?? .untracked }
    static func ownership(_ token: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: token >> UInt64(EffectPlace.bits)) & ownershipMask
    }
    static func number(_ token: UInt64) -> UInt64 { token & numberMask }
}
