import RecordLog
import Testing

extension ConformanceCase {
    static let topics: [ConformanceCase] = [
        ConformanceCase("topics are created with the requested partitions, and listed by name", needs: [.createTopics])
        { log in
            let names = [log.uniqueName("b"), log.uniqueName("a")]
            try await log.log.createTopics([
                TopicSpecification(name: names[0], partitions: 3), TopicSpecification(name: names[1], partitions: 1),
            ])
            let probe = try log.probe()
            defer { probe.close() }
            var listed: [TopicDescription] = []
            let deadline = ContinuousClock.now + log.patience
            while listed.count < 2 && ContinuousClock.now < deadline {
                listed = try await log.log.topics().filter { names.contains($0.name) }
                try probe.step()
            }
            try #require(listed.map(\.name) == names.sorted())
            try #require(
                Dictionary(uniqueKeysWithValues: listed.map { ($0.name, $0.partitions) }) == [names[0]: 3, names[1]: 1])
        },

        ConformanceCase("creating a topic again with the same partitions changes nothing", needs: [.createTopics]) {
            log in
            let partition = TopicPartition(log.uniqueName("again"), 1)
            let specification = TopicSpecification(name: partition.topic, partitions: 2)
            try await log.log.createTopics([specification])
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<3))
            try await log.log.createTopics([specification])
            try #require(try await probe.readAll(partition).count == 3)
        },

        ConformanceCase("creating a topic again with other partitions is an error", needs: [.createTopics]) { log in
            let topic = log.uniqueName("mismatch")
            try await log.log.createTopics([TopicSpecification(name: topic, partitions: 2)])
            let error = await #expect(throws: LogError.self) {
                try await log.log.createTopics([TopicSpecification(name: topic, partitions: 3)])
            }
            try #require(error?.code == .topicAlreadyExists)
        },
    ]
}
