/// A consumer group, with the rules of Kafka's classic protocol: a change of members lets all of them join again, and the leader among them assigns
/// the partitions.
final class Group {
    enum State {
        case empty
        /// Waits for all members to join.
        case joining
        /// Waits for the leader's assignment.
        case syncing
        case stable
    }

    /// How long a group without members waits for more after the first one.
    static let firstJoinDelay = Duration.milliseconds(500)

    let id: String
    var state = State.empty
    var generation: Int32 = 0
    var protocolType = ""
    var protocolName = ""
    var leader = ""
    /// In the order in which they joined.
    var members: [GroupMember] = []
    var offsets: [String: [Int32: GroupOffset]] = [:]
    /// When the members that have not joined until then are removed.
    var joinEnd: ContinuousClock.Instant?
    /// Whether it waits for its first members, which it does not know.
    private var isGathering = false
    /// Ids that were given to clients, which have not joined with them yet.
    var givenIDs: Set<String> = []
    private var counter = 0

    init(_ id: String) {
        self.id = id
    }

    func member(_ id: String) -> GroupMember? { members.first { $0.id == id } }

    func newMemberID(_ clientID: String) -> String {
        counter += 1
        return "\(clientID)-\(counter)-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// When ``advance(to:)`` has something to do, unless a request comes before.
    var nextDeadline: ContinuousClock.Instant? {
        members.reduce(joinEnd) { next, member in
            guard let end = member.sessionEnd else { return next }
            return next.map { min($0, end) } ?? end
        }
    }

    /// Removes members that were silent for too long, and ends what waits for them.
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

    /// Lets all members join again.
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
            member.isAlive(at: now)
            reply.joined(self, member)
        }
    }

    /// The protocol that all members have, and that most of them prefer.
    private func commonProtocol() -> String? {
        let common = members.dropFirst().reduce(members.first?.protocolNames ?? []) { names, member in
            names.filter { member.protocolNames.contains($0) }
        }
        let votes = members.compactMap { member in member.protocolNames.first(where: common.contains) }
        return common.max { a, b in votes.count { $0 == a } < votes.count { $0 == b } }
    }

    /// Whether a member with these protocols can work with the others.
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
