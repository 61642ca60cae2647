/// Creation, deletion and changes of topics.
extension LogModel {
    var descriptions: [TopicDescription] {
        topics.values.sorted { $0.specification.name < $1.specification.name }.map { topic in
            TopicDescription(
                name: topic.specification.name, partitions: topic.specification.partitions,
                replicationFactor: max(1, topic.specification.replicationFactor),
                leaderless: topic.partitions.indices.filter { topic.partitions[$0].isLeaderAway }.map { Int32($0) })
        }
    }

    mutating func createTopics(_ specifications: [TopicSpecification]) throws(LogError) {
        var refusal: LogError?
        var created: Set<String> = []
        for specification in specifications {
            if specification.partitions < 1 {
                refusal =
                    refusal ?? LogError(.invalidConfiguration, "\(specification.name) needs at least one partition")
            } else if let existing = topics[specification.name] {
                guard existing.partitions.count != Int(specification.partitions) else { continue }
                refusal =
                    refusal
                    ?? LogError(
                        .topicAlreadyExists, "\(specification.name) exists with \(existing.partitions.count) partitions"
                    )
            } else {
                topics[specification.name] = TopicModel(specification)
                created.insert(specification.name)
            }
        }
        rebalanceSubscribers(of: created)
        if let refusal { throw refusal }
    }

    /// Removes a topic, and the groups' commits for it.
    mutating func deleteTopic(_ name: String) {
        guard topics.removeValue(forKey: name) != nil else { return }
        removeCommits(in: name)
        rebalanceSubscribers(of: [name])
    }

    /// Deletes a topic and creates it again. Subscribers are rebalanced only if the number of partitions changes.
    mutating func recreateTopic(_ name: String, partitions: Int32?) {
        guard let old = topics[name] else { return }
        var specification = old.specification
        specification.partitions = max(1, partitions ?? specification.partitions)
        topics[name] = TopicModel(specification)
        removeCommits(in: name)
        if specification.partitions != old.specification.partitions { rebalanceSubscribers(of: [name]) }
    }

    mutating func addPartitions(to name: String, count: Int) {
        guard let size = topics[name]?.partitions.count, count > size else { return }
        topics[name]?.grow(to: count)
        rebalanceSubscribers(of: [name])
    }

    /// Changes a partition, if it exists.
    mutating func change(_ partition: TopicPartition, _ body: (inout PartitionModel) -> Void) {
        guard topics[partition.topic]?[partition.partition] != nil else { return }
        body(&topics[partition.topic]!.partitions[Int(partition.partition)])
    }

    /// Changes all partitions of a topic.
    mutating func changeAll(of topic: String, _ body: (inout PartitionModel) -> Void) {
        for index in topics[topic]?.partitions.indices ?? 0..<0 { change(TopicPartition(topic, Int32(index)), body) }
    }

    private mutating func removeCommits(in topic: String) {
        for (id, group) in groups { groups[id]?.committed = group.committed.filter { $0.key.topic != topic } }
    }

    /// Rebalances the subscribers immediately. With a broker, subscribers find changed topics with their next metadata
    /// request.
    private mutating func rebalanceSubscribers(of changed: Set<String>) {
        for (id, group) in groups.sorted(by: { $0.key < $1.key })
        where group.members.contains(where: { !changed.isDisjoint(with: $0.topics) }) {
            rebalance(id)
        }
    }
}
