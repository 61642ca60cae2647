/// A consumer group with the rules of Kafka's classic protocol: when the members change, all members rejoin, and their
/// leader assigns the partitions.
final class Group {
    enum State {
        case empty
        /// The group waits for all members to join.
        case joining
        /// The group waits for the leader's assignment.
        case syncing
        case stable
    }

    /// The time that an empty group waits for more members after the first one.
    static let firstJoinDelay = Duration.milliseconds(500)

    let id: String
    var state = State.empty
    var generation: Int32 = 0
    var protocolType = ""
    var protocolName = ""
    var leader = ""
    /// The members, in the order of their joins.
    var members: [GroupMember] = []
    var offsets: [String: [Int32: GroupOffset]] = [:]
    /// The deadline of a join. Members that have not joined by then are removed.
    var joinEnd: ContinuousClock.Instant?
    /// `true` while an empty group waits for its first members.
    private var isGathering = false
    /// Member ids that were assigned to clients that have not joined yet.
    var issuedIDs: Set<String> = []
    private var counter = 0

    init(_ id: String) {
        self.id = id
    }

    func member(_ id: String) -> GroupMember? { members.first { $0.id == id } }

    func newMemberID(_ clientID: String) -> String {
        counter += 1
        return "\(clientID)-\(counter)-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// The time at which ``advance(to:)`` has something to do, unless a request arrives earlier.
    var nextDeadline: ContinuousClock.Instant? {
        members.reduce(joinEnd) { next, member in
            guard let end = member.sessionEnd else { return next }
            return next.map { min($0, end) } ?? end
        }
    }

    /// Removes members whose session has timed out, and completes a join whose deadline has passed.
    func advance(to now: ContinuousClock.Instant) {
        for member in members where member.sessionEnd.map({ $0 <= now }) ?? false { remove(member, at: now) }
        if state == .joining, joinEnd.map({ $0 <= now }) ?? false { completeJoin(at: now) }
    }

    // MARK: Members

    func remove(_ member: GroupMember, at now: ContinuousClock.Instant) {
        members.removeAll { $0 === member }
        member.refuse(.unknownMember)
        switch state {
        case .syncing, .stable: rebalance(at: now)
        case .joining: completeJoinIfAll(at: now)
        case .empty: break
        }
    }

    /// Makes all members rejoin.
    func rebalance(at now: ContinuousClock.Instant) {
        if state == .syncing { for member in members { member.refuseSync(.rebalanceInProgress, at: now) } }
        isGathering = state == .empty
        state = .joining
        joinEnd = now + (isGathering ? Self.firstJoinDelay : members.map(\.rebalanceTimeout).max() ?? .zero)
        completeJoinIfAll(at: now)
    }

    func completeJoinIfAll(at now: ContinuousClock.Instant) {
        if state == .joining, !isGathering, members.allSatisfy({ $0.joinReply != nil }) { completeJoin(at: now) }
    }

    private func completeJoin(at now: ContinuousClock.Instant) {
        members.removeAll { $0.joinReply == nil && $0.instance == nil }
        joinEnd = nil
        isGathering = false
        generation += 1
        guard let first = members.first(where: { $0.joinReply != nil }) else {
            state = members.isEmpty ? .empty : .joining
            if !members.isEmpty { joinEnd = now + (members.map(\.rebalanceTimeout).max() ?? .zero) }
            return
        }
        state = .syncing
        if member(leader)?.joinReply == nil { leader = first.id }
        protocolName = commonProtocol() ?? protocolName
        for member in members {
            member.assignment = []
            guard let reply = member.joinReply else { continue }
            member.joinReply = nil
            member.renewSession(at: now)
            reply.joined(self, member)
        }
    }

    /// Returns the protocol that all members support and most members prefer.
    private func commonProtocol() -> String? {
        let common = members.dropFirst().reduce(members.first?.protocolNames ?? []) { names, member in
            names.filter { member.protocolNames.contains($0) }
        }
        let votes = members.compactMap { member in member.protocolNames.first(where: common.contains) }
        return common.max { a, b in votes.count { $0 == a } < votes.count { $0 == b } }
    }

    /// `true` if all members support one of these protocols.
    func agrees(_ protocols: [GroupMember.SupportedProtocol]) -> Bool {
        let names = Set(protocols.map(\.name))
        return members.isEmpty || names.contains { name in members.allSatisfy { $0.protocolNames.contains(name) } }
    }
}

/// A position that a group has committed.
struct GroupOffset {
    var offset: Int64
    var metadata: String?
}
