import RecordLog
import Testing

extension ConformanceCase {
    static let groups: [ConformanceCase] = [
        ConformanceCase("a single member gets every partition, and starts at the beginning without a commit") { log in
            let topic = try await log.uniqueTopic()
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            try await member.write(every(topic, 0..<5))
            try await member.eventually("all partitions") { member.owned == partitions(topic) }
            try await member.eventually("all records") { member.records.count == 20 }
            for partition in partitions(topic) { try #require(member.offsets(of: partition) == Array(0..<5)) }
            try #require(member.reads.isEmpty)
        },

        ConformanceCase("two members share two topics by range: the same member gets equal partition numbers of both") {
            log in
            let (one, two) = (try await log.uniqueTopic(), try await log.uniqueTopic())
            let group = (log.uniqueName("group"), [one, two])
            let (a, b) = (try log.probe("a", group: group), try log.probe("b", group: group))
            defer {
                a.close()
                b.close()
            }
            try await a.eventually("half of the partitions each", with: [b]) {
                a.owned?.count == 4 && b.owned?.count == 4
            }
            let (first, second) = (a.owned ?? [], b.owned ?? [])
            try #require(Set(first + second) == Set(partitions(one) + partitions(two)))
            for member in [first, second] {
                let numbers = Set(member.map(\.partition))
                try #require(numbers == [0, 1] || numbers == [2, 3])
            }
        },

        ConformanceCase("every record goes to exactly one member of a group") { log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let (a, b) = (try log.probe("a", group: group), try log.probe("b", group: group))
            defer {
                a.close()
                b.close()
            }
            try await a.eventually("half of the partitions each", with: [b]) {
                a.owned?.count == 2 && b.owned?.count == 2
            }
            try await a.write(every(topic, 0..<10))
            try await a.eventually("all records", with: [b]) { a.records.count + b.records.count >= 40 }
            try a.linger()
            try b.linger()
            try #require(a.records.count == 20 && b.records.count == 20)
            try #require(Set(a.records.map(\.topicPartition)).isDisjoint(with: b.records.map(\.topicPartition)))
        },

        ConformanceCase("two groups each get every record") { log in
            let topic = try await log.uniqueTopic()
            let a = try log.probe("a", group: (log.uniqueName("group"), [topic]))
            let b = try log.probe("b", group: (log.uniqueName("group"), [topic]))
            defer {
                a.close()
                b.close()
            }
            try await a.write(every(topic, 0..<3))
            try await a.eventually("all records twice", with: [b]) { a.records.count >= 12 && b.records.count >= 12 }
            try #require(a.records.count == 12 && b.records.count == 12)
        },

        ConformanceCase("no record is delivered before the member has answered its assignment") { log in
            let topic = try await log.uniqueTopic()
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            member.answersAssigned = false
            try await member.write(every(topic, 0..<3))
            try await member.eventually("the assignment") { member.owned != nil }
            try member.linger()
            try #require(member.records.isEmpty)
            try member.answerAssigned()
            try await member.eventually("the records") { member.records.count == 12 }
        },

        ConformanceCase("an assignment starts at the positions that the member gives", needs: [.listOffsetsLatest]) {
            log in
            let topic = try await log.uniqueTopic()
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            member.answersAssigned = false
            try await member.write(every(topic, 0..<5))
            try await member.eventually("the assignment") { member.owned == partitions(topic) }
            member.starts = [
                TopicPartition(topic, 0): .offset(3), TopicPartition(topic, 1): .end,
                TopicPartition(topic, 2): .beginning,
            ]
            try member.answerAssigned()
            try await member.eventually("the records") { member.records.count >= 12 }
            try member.linger()
            try #require(member.offsets(of: TopicPartition(topic, 0)) == [3, 4])
            try #require(member.offsets(of: TopicPartition(topic, 1)) == [])
            try #require(member.offsets(of: TopicPartition(topic, 2)) == Array(0..<5))
            try #require(member.offsets(of: TopicPartition(topic, 3)) == Array(0..<5))
        },

        ConformanceCase("a member may read other partitions beside those of its group") { log in
            let (shared, journal) = (try await log.uniqueTopic(), try await log.uniqueTopic())
            let partition = TopicPartition(journal, 1)
            let member = try log.probe(group: (log.uniqueName("group"), [shared]))
            defer { member.close() }
            try await member.write(every(shared, 0..<3) + numbered(partition, 0..<3))
            try member.client.read(partition, from: .beginning)
            try await member.eventually("both kinds") { member.records.count == 12 && member.ends[partition] == [3] }
            try #require(member.records.allSatisfy { $0.topic == shared })
            try #require(member.reads.map(\.topicPartition) == [partition, partition, partition])
            try member.client.stopReading(partition)
            try await member.write(every(shared, 3..<4))
            try await member.eventually("the group's records") { member.records.count == 16 }
        },

        ConformanceCase("a paused partition delivers nothing, and nothing is lost or repeated when it is resumed") {
            log in
            let topic = try await log.uniqueTopic()
            let quiet = TopicPartition(topic, 1)
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            try await member.write(every(topic, 0..<5))
            try await member.eventually("the first records") { member.records.count == 20 }
            for round in 1...3 {
                try member.client.pause([quiet])
                try member.client.pause([quiet])
                try await member.write(every(topic, (5 * round)..<(5 * round + 5)))
                let heard = 20 * round + 15
                try await member.eventually("the others' records") { member.records.count >= heard }
                try member.linger()
                try #require(member.records.count == heard)
                try #require(member.offsets(of: quiet) == (0..<Int64(5 * round)).map { $0 })
                try member.client.resume([quiet])
                try await member.eventually("the paused records") { member.records.count >= heard + 5 }
            }
            try member.linger()
            for partition in partitions(topic) { try #require(member.offsets(of: partition) == Array(0..<20)) }
        },
    ]
}

/// The four partitions of a topic that ``LogUnderTest/uniqueTopic(partitions:)`` has created.
func partitions(_ topic: String) -> [TopicPartition] { (0..<4).map { TopicPartition(topic, $0) } }

/// Numbered records for each of the four partitions.
func every(_ topic: String, _ numbers: Range<Int>) -> [Record] { partitions(topic).flatMap { numbered($0, numbers) } }

extension LogProbe {
    /// The offsets of the records received from an assigned partition, in order.
    func offsets(of partition: TopicPartition) -> [Int64] {
        records.filter { $0.topicPartition == partition }.map(\.offset)
    }
}
