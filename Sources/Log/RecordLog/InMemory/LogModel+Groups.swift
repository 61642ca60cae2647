/// Consumer groups and the events of their members.
extension LogModel {
    /// Adds the client to its group, if it has one.
    mutating func join(_ number: Int) {
        guard let (id, topics) = clients[number].configuration.group else { return }
        let clientID = clients[number].configuration.clientID
        change(id) { $0.join(number, clientID: clientID, topics: topics, sizes: $1) }
    }

    /// Removes the member; its partitions are assigned to the other members.
    mutating func leave(_ number: Int) {
        guard let id = clients[number].configuration.group?.id else { return }
        change(id) { $0.remove(number, sizes: $1) }
    }

    mutating func rebalance(_ id: String) {
        guard groups[id] != nil else { return }
        change(id) { $0.rebalance(sizes: $1) }
    }

    /// Removes a member without asking it, as a broker does after the session timeout.
    mutating func evict(_ number: Int, noticedAfter polls: Int = 0) {
        guard let id = clients[number].configuration.group?.id, groups[id]?.member(number) != nil else { return }
        if clients[number].life == .alive {
            clients[number].membership.eviction = .pending
            clients[number].membership.pollsUntilNotice = polls
        }
        leave(number)
    }

    /// Notifies an evicted member when it polls. The member releases its partitions and rejoins.
    mutating func returnFromEviction(_ number: Int) {
        if clients[number].membership.pollsUntilNotice > 0 { return clients[number].membership.pollsUntilNotice -= 1 }
        switch (clients[number].membership.eviction, clients[number].membership.stage) {
        case (.none, _):
            return
        case (.pending, .revoking):
            // The member is still releasing its partitions on an earlier request. It needs no event: its commits fail
            // from now on.
            clients[number].membership.eviction = .announced
        case (.pending, .offered) where !clients[number].membership.held.isEmpty,
            (.pending, .owning) where !clients[number].membership.held.isEmpty:
            clients[number].dropUnpolledGroupEvents()
            clients[number].stopFetching()
            clients[number].events.append(.revoked(clients[number].membership.held, lost: true))
            clients[number].membership.eviction = .announced
        case (.pending, _), (.announced, .joining):
            clients[number].dropUnpolledGroupEvents()
            clients[number].stopFetching()
            clients[number].membership.stage = .joining
            clients[number].membership.eviction = .none
            join(number)
        case (.announced, _):
            return
        }
    }

    mutating func assign(
        _ number: Int, _ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>
    ) throws(LogError) {
        let id = try group(of: number)
        guard clients[number].membership.stage == .offered else {
            throw LogError(.other, "no assignment waits for an answer")
        }
        let held = clients[number].membership.held
        if let stranger = later.union(positions.keys).filter({ !held.contains($0) }).min() {
            throw LogError(.invalidConfiguration, "\(stranger) was not assigned to this member")
        }
        clients[number].membership.stage = .owning
        guard clients[number].membership.eviction == .none else { return }
        for partition in held where !later.contains(partition) {
            let start =
                positions[partition] ?? groups[id]?.committed[partition].map { .offset($0.offset) } ?? .beginning
            clients[number].assigned[partition] = ReaderModel(start, in: try self.partition(partition))
        }
        clients[number].startsLater = later
        change(id) { $0.answerAssigned(number, sizes: $1) }
    }

    mutating func start(_ number: Int, _ positions: [TopicPartition: StartOffset]) throws(LogError) {
        _ = try group(of: number)
        for (partition, start) in positions where clients[number].startsLater.remove(partition) != nil {
            clients[number].assigned[partition] = ReaderModel(start, in: try self.partition(partition))
        }
    }

    mutating func restart(_ number: Int, _ positions: [TopicPartition: StartOffset]) throws(LogError) {
        _ = try group(of: number)
        for (partition, start) in positions where clients[number].assigned[partition] != nil {
            clients[number].assigned[partition] = ReaderModel(start, in: try self.partition(partition))
        }
    }

    mutating func release(_ number: Int) throws(LogError) {
        let id = try group(of: number)
        guard clients[number].membership.stage == .revoking else {
            throw LogError(.other, "no revocation waits for an answer")
        }
        clients[number].membership.stage = .joining
        clients[number].membership.held = []
        clients[number].stopFetching()
        change(id) { $0.answerRevoked(number, sizes: $1) }
    }

    mutating func commit(_ number: Int, _ offsets: [TopicPartition: CommittedOffset]) throws(LogError) {
        let id = try group(of: number)
        let refusal = faults.commits.isEmpty ? refusal(of: offsets, by: number, in: id) : faults.commits.removeFirst()
        if refusal == nil { groups[id]?.committed.merge(offsets) { $1 } }
        clients[number].events.append(.committed(refusal))
    }

    mutating func lookUpCommitted(_ number: Int, _ partitions: [TopicPartition]) throws(LogError) {
        let id = try group(of: number)
        let wanted = Set(partitions)
        let answer: Result<[TopicPartition: CommittedOffset], LogError> =
            faults.committed.isEmpty
            ? .success((groups[id]?.committed ?? [:]).filter { wanted.contains($0.key) })
            : .failure(faults.committed.removeFirst())
        clients[number].events.append(.committedOffsets(answer))
    }

    private func refusal(of offsets: [TopicPartition: CommittedOffset], by number: Int, in id: String) -> LogError? {
        guard let group = groups[id], group.member(number) != nil else {
            return LogError(.illegalGeneration, "no longer a member of \(id)")
        }
        guard clients[number].membership.stage != .joining else {
            return group.isRebalancing
                ? LogError(.rebalanceInProgress, "\(id) is rebalancing")
                : LogError(.illegalGeneration, "generation \(clients[number].membership.generation) of \(id) has ended")
        }
        guard clients[number].membership.generation == group.generation else {
            return LogError(
                .illegalGeneration,
                "generation \(clients[number].membership.generation) of \(id) has ended; it is \(group.generation)")
        }
        for (partition, commit) in offsets.sorted(by: { $0.key < $1.key }) {
            if topics[partition.topic]?[partition.partition] == nil {
                return .unknown(partition.topic, partition.partition)
            }
            if commit.metadata.utf8.count > Self.metadataLimit {
                return LogError(.other, "the metadata of \(partition) is larger than \(Self.metadataLimit) bytes")
            }
        }
        return nil
    }

    private func group(of number: Int) throws(LogError) -> String {
        guard let id = clients[number].configuration.group?.id else {
            throw LogError(.invalidConfiguration, "\(clients[number].configuration.clientID) has no group")
        }
        return id
    }

    /// Changes a group, given the partition counts of all topics, and notifies its members of the result.
    private mutating func change(_ id: String, _ body: (inout GroupModel, [String: Int]) -> [GroupModel.Notice]) {
        var group = groups[id] ?? GroupModel()
        for notice in body(&group, topics.mapValues(\.partitions.count)) {
            switch notice {
            case .assigned(let number, let partitions):
                clients[number].events.append(.assigned(partitions))
                clients[number].membership.offeredGeneration = group.generation
            case .revoked(let number, let partitions):
                clients[number].stopFetching()
                clients[number].events.append(.revoked(partitions, lost: false))
            }
        }
        groups[id] = group
    }
}
