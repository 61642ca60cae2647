/// A JoinGroup request.
struct JoinRequest {
    var member: String
    var instance: String?
    var clientID: String
    var protocolType: String
    var protocols: [GroupMember.SupportedProtocol]
    var sessionTimeout: Duration
    var rebalanceTimeout: Duration
    /// `true` if a client must ask for its member id before it joins.
    var needsID: Bool
}

extension Group {
    func join(_ request: JoinRequest, _ reply: Reply, at now: ContinuousClock.Instant) {
        if state != .empty, request.protocolType != protocolType || !agrees(request.protocols) {
            return reply.joinRefused(.inconsistentGroupProtocol, member: request.member)
        }
        if request.member.isEmpty {
            if let old = request.instance.flatMap({ name in members.first { $0.instance == name } }) {
                return replace(old, request, reply, at: now)
            }
            let id = newMemberID(request.instance ?? request.clientID)
            if request.needsID, request.instance == nil {
                issuedIDs.insert(id)
                return reply.joinRefused(.memberIDRequired, member: id)
            }
            return add(id, request, reply, at: now)
        }
        guard let member = member(request.member) else {
            if issuedIDs.remove(request.member) != nil { return add(request.member, request, reply, at: now) }
            let isFenced = request.instance.map { name in members.contains { $0.instance == name } } ?? false
            return reply.joinRefused(isFenced ? .fencedInstance : .unknownMember, member: request.member)
        }
        let isSame = member.protocols == request.protocols
        member.update(request)
        switch state {
        case .stable where isSame && member.id != leader, .syncing where isSame:
            member.renewSession(at: now)
            return reply.joined(self, member)
        case .syncing, .stable:
            member.joinReply = reply
            rebalance(at: now)
        case .joining, .empty:
            member.joinReply = reply
            completeJoinIfAll(at: now)
        }
    }

    private func add(_ id: String, _ request: JoinRequest, _ reply: Reply, at now: ContinuousClock.Instant) {
        let member = GroupMember(id, instance: request.instance)
        member.update(request)
        member.joinReply = reply
        if members.isEmpty { protocolType = request.protocolType }
        members.append(member)
        if state == .joining { completeJoinIfAll(at: now) } else { rebalance(at: now) }
    }

    /// Replaces a static member that has restarted. With the same protocols, it gets its earlier assignment, and the
    /// other members notice nothing.
    private func replace(_ member: GroupMember, _ request: JoinRequest, _ reply: Reply, at now: ContinuousClock.Instant)
    {
        member.refuse(.fencedInstance)
        let isSame = member.protocols == request.protocols
        let wasLeader = member.id == leader
        member.id = newMemberID(request.instance ?? request.clientID)
        member.update(request)
        if state == .stable, isSame {
            member.renewSession(at: now)
            // The response names the member's earlier id as the leader, so that the member does not assign partitions.
            reply.joined(self, member)
            if wasLeader { leader = member.id }
            return
        }
        if wasLeader { leader = member.id }
        member.joinReply = reply
        if state == .joining { completeJoinIfAll(at: now) } else { rebalance(at: now) }
    }

    func sync(
        _ id: String, _ instance: String?, _ generation: Int32, _ assignments: [(String, [UInt8])], _ reply: Reply,
        at now: ContinuousClock.Instant
    ) {
        if let fault = fault(id, instance, generation) { return reply.synced(fault, []) }
        guard let member = member(id), state != .joining else { return reply.synced(.rebalanceInProgress, []) }
        if state == .stable {
            member.renewSession(at: now)
            return reply.synced(nil, member.assignment)
        }
        member.syncReply = reply
        guard id == leader else { return }
        for (id, assignment) in assignments { self.member(id)?.assignment = assignment }
        state = .stable
        for member in members {
            guard let reply = member.syncReply else { continue }
            member.syncReply = nil
            member.renewSession(at: now)
            reply.synced(nil, member.assignment)
        }
    }

    func heartbeat(_ id: String, _ instance: String?, _ generation: Int32, at now: ContinuousClock.Instant)
        -> DevelopmentBroker.Fault?
    {
        if let fault = fault(id, instance, generation) { return fault }
        member(id)?.renewSession(at: now)
        return state == .joining ? .rebalanceInProgress : nil
    }

    func leave(_ id: String, at now: ContinuousClock.Instant) -> DevelopmentBroker.Fault? {
        guard let member = member(id) else { return issuedIDs.remove(id) == nil ? .unknownMember : nil }
        remove(member, at: now)
        return nil
    }

    /// Returns the error of committing positions; `nil` if the commit is allowed.
    func commitFault(_ id: String, _ instance: String?, _ generation: Int32, at now: ContinuousClock.Instant)
        -> DevelopmentBroker.Fault?
    {
        // A client outside the group, such as a tool.
        if generation < 0, members.isEmpty { return nil }
        if let fault = fault(id, instance, generation) { return fault }
        member(id)?.renewSession(at: now)
        return state == .syncing ? .rebalanceInProgress : nil
    }

    private func fault(_ id: String, _ instance: String?, _ generation: Int32) -> DevelopmentBroker.Fault? {
        if let instance, let member = members.first(where: { $0.instance == instance }), member.id != id {
            return .fencedInstance
        }
        guard member(id) != nil else { return .unknownMember }
        return generation == self.generation ? nil : .illegalGeneration
    }
}

extension GroupMember {
    func update(_ request: JoinRequest) {
        protocols = request.protocols
        sessionTimeout = request.sessionTimeout
        rebalanceTimeout = request.rebalanceTimeout
    }
}
