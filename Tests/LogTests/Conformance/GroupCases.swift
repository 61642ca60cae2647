import RecordLog
import Testing

extension ConformanceCase {
    static let groups: [ConformanceCase] = [
        ConformanceCase("a single member gets every partition, and starts at the beginning without a commit") { log in
            let (topic, member) = try await log.owner(filled: 5)
            try await member.receive(20)
            try #require(member.offsets(of: topic) == Array(repeating: Array(0..<5), count: 4))
            try #require(member.reads.isEmpty && member.failures.isEmpty)
        },

        ConformanceCase("two members share two topics by range: each gets equal partition numbers of both") { log in
            let topics = [try await log.topic(), try await log.topic()]
            let a = try log.member("a", of: topics)
            let b = try a.another(in: log)
            try await a.eventually("half of the partitions", with: [b]) { a.owned?.count == 4 && b.owned?.count == 4 }
            let (first, second) = (a.owned ?? [], b.owned ?? [])
            try #require(Set(first + second) == Set(topics.flatMap(partitions)))
            for member in [first, second] {
                let numbers = Set(member.map(\.partition))
                try #require(numbers == [0, 1] || numbers == [2, 3])
            }
        },

        ConformanceCase("every record goes to exactly one member of a group") { log in
            let (topic, a, b) = try await log.owners()
            try await a.write(every(topic, 0..<10))
            try await a.eventually("all records", with: [b]) { a.records.count + b.records.count >= 40 }
            try a.linger()
            try b.linger()
            try #require(a.records.count == 20 && b.records.count == 20)
            try #require(Set(a.records.map(\.topicPartition)).isDisjoint(with: b.records.map(\.topicPartition)))
        },

        ConformanceCase("two groups each get every record") { log in
            let topic = try await log.topic()
            let (a, b) = (try log.member("a", of: [topic]), try log.member("b", of: [topic]))
            try await a.write(every(topic, 0..<3))
            try await a.eventually("all records twice", with: [b]) { a.records.count >= 12 && b.records.count >= 12 }
            try #require(a.records.count == 12 && b.records.count == 12)
        },

        ConformanceCase("no record is delivered before the member has answered its assignment") { log in
            let (topic, member) = try await log.owner(answers: false, filled: 3)
            try member.linger()
            try #require(member.records.isEmpty)
            try member.answerAssigned()
            try await member.receive(12)
            try #require(member.records.count == 12)
        },

        ConformanceCase("an assignment starts at the member's positions, and elsewhere at the beginning") { log in
            let (topic, member) = try await log.owner(answers: false, filled: 5)
            let places = partitions(topic)
            try member.client.assign([places[0]: .offset(3), places[1]: .end, places[2]: .offset(1_000)], later: [])
            try await member.receive(12)
            try member.linger()
            try #require(member.offsets(of: topic) == [[3, 4], [], Array(0..<5), Array(0..<5)])
            try #require(member.missing == [OutOfRange(places[2], requested: 1_000, range: 0..<5)])
            try #require(member.failures.isEmpty)
        },

        ConformanceCase("a member may read other partitions beside those of its group") { log in
            let (shared, member) = try await log.owner()
            let partition = TopicPartition(try await log.topic(), 1)
            try await member.write(every(shared, 0..<3) + partition.numbered(0..<3))
            try await member.read(partition, to: 3)
            try await member.receive(12)
            try #require(member.records.count == 12 && member.records.allSatisfy { $0.topic == shared })
            try #require(member.reads.map(\.topicPartition) == [partition, partition, partition])
            try member.client.stopReading(partition)
            try await member.write(every(shared, 3..<4))
            try await member.receive(16)
            try #require(member.records.count == 16)
        },

        ConformanceCase("a paused partition delivers nothing, and loses and repeats nothing when resumed") { log in
            let (topic, member) = try await log.owner()
            let quiet = TopicPartition(topic, 1)
            try await member.write(every(topic, 0..<5))
            try await member.receive(20)
            for round in 1...3 {
                try member.client.pause([quiet])
                try member.client.pause([quiet])
                try await member.write(every(topic, (5 * round)..<(5 * round + 5)))
                let heard = 20 * round + 15
                try await member.receive(heard)
                try member.linger()
                try #require(member.records.count == heard && member.offsets(of: quiet) == Array(0..<Int64(5 * round)))
                try member.client.resume([quiet])
                try await member.receive(heard + 5)
            }
            try member.linger()
            try #require(member.offsets(of: topic) == Array(repeating: Array(0..<20), count: 4))
        },
    ]

    static let commits: [ConformanceCase] = [
        ConformanceCase("each look-up of committed offsets is answered once, with committed partitions only") { log in
            let (topic, member) = try await log.owner(filled: 3)
            try #require(try await member.committed(topic).isEmpty)
            try await member.commit([1: 2], of: topic)
            try #require(member.commits == [nil])
            try #require(try await member.committed(topic).mapValues(\.offset) == [TopicPartition(topic, 1): 2])
            try member.linger()
            try #require(member.committedOffsets.count == 2)
        },

        ConformanceCase("the newest commit counts, even if it is lower") { log in
            let (topic, member) = try await log.owner()
            let partition = TopicPartition(topic, 0)
            try await member.write(partition.numbered(0..<9))
            for offset: Int64 in [3, 9, 5] { try member.client.commit([partition: CommittedOffset(offset: offset)]) }
            try await member.eventually("the commits") { member.commits.count == 3 }
            try #require(try await member.committed(topic)[partition]?.offset == 5)
        },

        ConformanceCase("metadata is returned with the committed offset, also outside of the group") { log in
            let (topic, member) = try await log.owner()
            let metadata = ["done 3,5-9 ü", String(repeating: "x", count: 4_000), ""]
            let commits = zip(partitions(topic), metadata).map { ($0, CommittedOffset(offset: 0, metadata: $1)) }
            try member.client.commit(Dictionary(uniqueKeysWithValues: commits))
            try await member.eventually("the commit") { member.commits.count == 1 }
            let found = try await member.committed(topic)
            try #require(found == Dictionary(uniqueKeysWithValues: commits))
            try #require(try await log.log.committed(by: member.group, partitions(topic)) == found)
        },

        ConformanceCase("a group's committed offsets can be read from outside of it") { log in
            let (topic, member) = try await log.owner()
            try #require(try await log.log.committed(by: member.group, partitions(topic)).isEmpty)
            try await member.commit([1: 2, 2: 0], of: topic)
            let found = try await log.log.committed(by: member.group, partitions(topic))
            try #require(found.mapValues(\.offset) == [TopicPartition(topic, 1): 2, TopicPartition(topic, 2): 0])
            try #require(try await log.log.committed(by: member.group, [TopicPartition(topic, 0)]).isEmpty)
            try #require(member.owned?.count == 4, "asking moves no partition")
        },

        ConformanceCase("the members of a group can be listed from outside of it", needs: [.describeGroups]) { log in
            try #require(try await log.log.members(of: log.name("group")).isEmpty)
            let (topic, member) = try await log.owner()
            let found = try await log.log.members(of: member.group)
            try #require(found == [GroupMember(clientID: "member", partitions: partitions(topic).sorted())])
        },

        ConformanceCase("commits of another group are separate") { log in
            let (topic, a) = try await log.owner()
            let b = try log.member("b", of: [topic])
            try await b.eventually("all partitions", with: [a]) { b.owned?.count == 4 }
            try await a.commit([0: 0], of: topic, with: [b])
            try #require(try await a.committed(topic).count == 1)
            try #require(try await b.committed(topic).isEmpty)
        },
    ]
}
