/// How often the group gave a process its partitions, took them back, and gave them to others without asking.
public struct RebalanceCounts: Sendable, Hashable {
    public var assigned = 0
    public var revoked = 0
    public var lost = 0

    public init() {}

    mutating func countRevoked(isLost: Bool) {
        if isLost { lost += 1 } else { revoked += 1 }
    }
}
