/// A consumer group as Kafka's coordinator keeps it, with the eager protocol: on a change of members everyone gives back everything, and when
/// all have, a new generation begins and everyone is given their share.
struct GroupModel: Sendable {
    /// Where a member stands.
    enum Stage: Sendable {
        /// Holds nothing and waits for the next generation. Goes to `offered`.
        case joining
        /// Was given its partitions and has not answered. Goes to `owning`, or to `revoking` at once if a rebalance is under way.
        case offered
        /// Works on its partitions. Goes to `revoking`.
        case owning
        /// Was asked to give its partitions back and has not answered. Goes to `joining`.
        case revoking
    }

    struct Member: Sendable {
        /// Which client it is.
        let number: Int
        let clientID: String
        let topics: [String]
        fileprivate(set) var partitions: [TopicPartition] = []
        fileprivate(set) var stage = Stage.joining

        /// Kafka orders members by their id, which begins with the client id.
        static func precedes(_ a: Member, _ b: Member) -> Bool { (a.clientID, a.number) < (b.clientID, b.number) }
    }

    /// What a member must be told.
    enum Notice: Sendable {
        case assigned(member: Int, [TopicPartition])
        case revoked(member: Int, [TopicPartition])
    }

    /// Ordered as Kafka's assignor orders them.
    private(set) var members: [Member] = []
    /// Counts the assignments.
    private(set) var generation: Int32 = 0
    private(set) var isRebalancing = false
    var committed: [TopicPartition: CommittedOffset] = [:]

    func member(_ number: Int) -> Member? { members.first { $0.number == number } }

    /// A client joins. `sizes` are the partition counts of the topics there are.
    mutating func join(_ number: Int, clientID: String, topics: [String], sizes: [String: Int]) -> [Notice] {
        members.append(Member(number: number, clientID: clientID, topics: topics))
        members.sort(by: Member.precedes)
        return rebalance(sizes: sizes)
    }

    /// A member is gone, with or without a goodbye. What it held may be given away at once.
    mutating func remove(_ number: Int, sizes: [String: Int]) -> [Notice] {
        guard let index = members.firstIndex(where: { $0.number == number }) else { return [] }
        members.remove(at: index)
        return rebalance(sizes: sizes)
    }

    /// Asks everyone to give back what they hold.
    mutating func rebalance(sizes: [String: Int]) -> [Notice] {
        isRebalancing = true
        var notices: [Notice] = []
        for index in members.indices where members[index].stage == .owning { notices += revoke(at: index) }
        return notices + completeIfReady(sizes: sizes)
    }

    /// A member has taken what it was given.
    mutating func answerAssigned(_ number: Int, sizes: [String: Int]) -> [Notice] {
        guard let index = members.firstIndex(where: { $0.number == number && $0.stage == .offered }) else { return [] }
        members[index].stage = .owning
        guard isRebalancing else { return [] }
        return revoke(at: index) + completeIfReady(sizes: sizes)
    }

    /// A member has given back what it held.
    mutating func answerRevoked(_ number: Int, sizes: [String: Int]) -> [Notice] {
        guard let index = members.firstIndex(where: { $0.number == number && $0.stage == .revoking }) else { return [] }
        members[index].stage = .joining
        members[index].partitions = []
        return completeIfReady(sizes: sizes)
    }

    /// Someone who holds nothing is not asked to give it back.
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

    /// Kafka's `range` assignor: each subscriber gets a run of partitions, the first ones a longer run where the count does not divide.
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
