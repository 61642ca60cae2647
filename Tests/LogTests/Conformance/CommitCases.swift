import RecordLog
import Testing

extension ConformanceCase {
    static let commits: [ConformanceCase] = [
        ConformanceCase("committed offsets are returned, and partitions without a commit are absent") { log in
            let topic = try await log.uniqueTopic()
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            try await member.write(every(topic, 0..<3))
            try await member.eventually("all partitions") { member.owned != nil }
            try #require(try await member.committed(partitions(topic)).isEmpty)
            try member.client.commit([TopicPartition(topic, 1): CommittedOffset(offset: 2)])
            try await member.eventually("the commit") { member.commits.count == 1 }
            try #require(member.commits == [nil])
            let found = try await member.committed(partitions(topic))
            try #require(found.mapValues(\.offset) == [TopicPartition(topic, 1): 2])
        },

        ConformanceCase("committed offsets that are looked up come as events, one for each look-up, in their order") {
            log in
            let topic = try await log.uniqueTopic()
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            try await member.eventually("all partitions") { member.owned != nil }
            try member.client.lookUpCommitted(partitions(topic))
            try await member.eventually("the first answer") { member.committedOffsets.count == 1 }
            try member.client.commit([TopicPartition(topic, 1): CommittedOffset(offset: 2)])
            try await member.eventually("the commit") { member.commits == [nil] }
            try member.client.lookUpCommitted(partitions(topic))
            try await member.eventually("the second answer") { member.committedOffsets.count == 2 }
            let found = try member.committedOffsets.map { (answer) throws(LogError) in
                try answer.get().mapValues(\.offset)
            }
            try #require(found == [[:], [TopicPartition(topic, 1): 2]])
        },

        ConformanceCase("the newest commit counts, even if it is lower") { log in
            let topic = try await log.uniqueTopic()
            let partition = TopicPartition(topic, 0)
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            try await member.write(numbered(partition, 0..<9))
            try await member.eventually("all partitions") { member.owned != nil }
            for offset: Int64 in [3, 9, 5] { try member.client.commit([partition: CommittedOffset(offset: offset)]) }
            try await member.eventually("the commits") { member.commits.count == 3 }
            try #require(try await member.committed([partition])[partition]?.offset == 5)
        },

        ConformanceCase("metadata is returned with the committed offset", needs: [.commitMetadata]) { log in
            let topic = try await log.uniqueTopic()
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            try await member.eventually("all partitions") { member.owned != nil }
            let commits = [
                TopicPartition(topic, 0): CommittedOffset(offset: 0, metadata: "done 3,5-9 ü"),
                TopicPartition(topic, 1): CommittedOffset(offset: 0, metadata: String(repeating: "x", count: 4_000)),
                TopicPartition(topic, 2): CommittedOffset(offset: 0),
            ]
            try member.client.commit(commits)
            try await member.eventually("the commit") { member.commits.count == 1 }
            try #require(try await member.committed(partitions(topic)) == commits)
        },

        ConformanceCase("what a group has committed is told to one that does not join it") { log in
            let topic = try await log.uniqueTopic()
            let group = log.uniqueName("group")
            let places = partitions(topic)
            try #require(try await log.log.committed(by: group, places).isEmpty)
            let member = try log.probe(group: (group, [topic]))
            defer { member.close() }
            try await member.eventually("all partitions") { member.owned != nil }
            try member.client.commit([
                TopicPartition(topic, 1): CommittedOffset(offset: 2),
                TopicPartition(topic, 2): CommittedOffset(offset: 0),
            ])
            try await member.eventually("the commit") { member.commits == [nil] }
            let found = try await log.log.committed(by: group, places)
            try #require(found.mapValues(\.offset) == [TopicPartition(topic, 1): 2, TopicPartition(topic, 2): 0])
            try #require(try await log.log.committed(by: group, [TopicPartition(topic, 0)]).isEmpty)
            try #require(member.owned?.count == 4, "asking moves no partition")
        },

        ConformanceCase("the members of a group are told to one that does not join it", needs: [.describeGroups]) {
            log in
            let topic = try await log.uniqueTopic()
            let group = log.uniqueName("group")
            try #require(try await log.log.members(of: group).isEmpty)
            let member = try log.probe("the member", group: (group, [topic]))
            defer { member.close() }
            try await member.eventually("all partitions") { member.owned != nil }
            let found = try await log.log.members(of: group)
            try #require(found == [GroupMember(clientID: "the member", partitions: partitions(topic).sorted())])
        },

        ConformanceCase("commits of another group are separate") { log in
            let topic = try await log.uniqueTopic()
            let a = try log.probe("a", group: (log.uniqueName("group"), [topic]))
            let b = try log.probe("b", group: (log.uniqueName("group"), [topic]))
            defer {
                a.close()
                b.close()
            }
            try await a.eventually("all partitions each", with: [b]) { a.owned?.count == 4 && b.owned?.count == 4 }
            try a.client.commit([TopicPartition(topic, 0): CommittedOffset(offset: 0)])
            try await a.eventually("the commit", with: [b]) { a.commits.count == 1 }
            try #require(try await a.committed(partitions(topic)).count == 1)
            try #require(try await b.committed(partitions(topic)).isEmpty)
        },
    ]
}
