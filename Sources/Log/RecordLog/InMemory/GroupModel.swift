/// A consumer group as Kafka's group coordinator manages it, with the eager protocol. When the membership changes, all
/// members release all partitions. Then a new generation begins, and each member is assigned its partitions.
struct GroupModel: Sendable {
    /// The stage of a member.
    enum Stage: Sendable {
        /// The member has no partitions and waits for the next generation. Followed by `offered`.
        case joining
        /// The member was assigned partitions and has not accepted them. Followed by `owning`; during a rebalance,
        /// directly by `revoking`, or by `joining` if the member got no partitions.
        case offered
        /// The member processes its partitions. Followed by `revoking`, or by `joining` if it has no partitions.
        case owning
        /// The member was asked to release its partitions and has not released them. Followed by `joining`.
        case revoking
    }

    struct Member: Sendable {
        /// The number of the member's client.
        let number: Int
        let clientID: String
        let topics: [String]
        fileprivate(set) var partitions: [TopicPartition] = []
        fileprivate(set) var stage = Stage.joining

        /// Kafka sorts members by their id, which begins with the client id.
        static func precedes(_ a: Member, _ b: Member) -> Bool { (a.clientID, a.number) < (b.clientID, b.number) }
    }

    /// A notification for a member.
    enum Notice: Sendable {
        case assigned(member: Int, [TopicPartition])
        case revoked(member: Int, [TopicPartition])
    }

    /// The members in the order of Kafka's assignor.
    private(set) var members: [Member] = []
    /// The number of assignments so far.
    private(set) var generation: Int32 = 0
    private(set) var isRebalancing = false
    var committed: [TopicPartition: CommittedOffset] = [:]

    func member(_ number: Int) -> Member? { members.first { $0.number == number } }

    /// Adds a member, and starts a rebalance.
    ///
    /// - Parameter sizes: The partition counts of the existing topics.
    mutating func join(_ number: Int, clientID: String, topics: [String], sizes: [String: Int]) -> [Notice] {
        members.append(Member(number: number, clientID: clientID, topics: topics))
        members.sort(by: Member.precedes)
        return rebalance(sizes: sizes)
    }

    /// Removes a member that has left or was evicted, and starts a rebalance. The rebalance does not wait until the
    /// removed member has released its partitions.
    mutating func remove(_ number: Int, sizes: [String: Int]) -> [Notice] {
        guard let index = members.firstIndex(where: { $0.number == number }) else { return [] }
        members.remove(at: index)
        return rebalance(sizes: sizes)
    }

    /// Starts a rebalance: asks all members to release their partitions.
    mutating func rebalance(sizes: [String: Int]) -> [Notice] {
        isRebalancing = true
        var notices: [Notice] = []
        for index in members.indices where members[index].stage == .owning { notices += revoke(at: index) }
        return notices + completeIfReady(sizes: sizes)
    }

    /// Completes the assignment of a member that has accepted its partitions.
    mutating func answerAssigned(_ number: Int, sizes: [String: Int]) -> [Notice] {
        guard let index = members.firstIndex(where: { $0.number == number && $0.stage == .offered }) else { return [] }
        members[index].stage = .owning
        guard isRebalancing else { return [] }
        return revoke(at: index) + completeIfReady(sizes: sizes)
    }

    /// Completes the revocation of a member that has released its partitions.
    mutating func answerRevoked(_ number: Int, sizes: [String: Int]) -> [Notice] {
        guard let index = members.firstIndex(where: { $0.number == number && $0.stage == .revoking }) else { return [] }
        members[index].stage = .joining
        members[index].partitions = []
        return completeIfReady(sizes: sizes)
    }

    /// Asks a member to release its partitions. A member without partitions rejoins without being asked.
    private mutating func revoke(at index: Int) -> [Notice] {
        guard !members[index].partitions.isEmpty else {
            members[index].stage = .joining
            return []
        }
        members[index].stage = .revoking
        return [.revoked(member: members[index].number, members[index].partitions)]
    }

    private mutating func completeIfReady(sizes: [String: Int]) -> [Notice] {
        guard isRebalancing && members.allSatisfy({ $0.stage == .joining }) else { return [] }
        isRebalancing = false
        generation += 1
        for topic in Set(members.flatMap(\.topics)).sorted() { assignRange(topic, size: sizes[topic] ?? 0) }
        return members.indices.map { index in
            members[index].stage = .offered
            return .assigned(member: members[index].number, members[index].partitions)
        }
    }

    /// Assigns like Kafka's `range` assignor: each subscriber gets a contiguous range of partitions. If the count does
    /// not divide evenly, the first subscribers get one partition more.
    private mutating func assignRange(_ topic: String, size: Int) {
        let subscribers = members.indices.filter { members[$0].topics.contains(topic) }
        let (share, rest) = size.quotientAndRemainder(dividingBy: max(1, subscribers.count))
        var next = 0
        for (place, index) in subscribers.enumerated() {
            let end = next + share + (place < rest ? 1 : 0)
            members[index].partitions += (next..<end).map { TopicPartition(topic, Int32($0)) }
            next = end
        }
    }
}
