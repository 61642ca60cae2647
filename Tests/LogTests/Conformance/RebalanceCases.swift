import RecordLog
import Testing

extension ConformanceCase {
    static let rebalances: [ConformanceCase] = [
        ConformanceCase("a second member takes half of the partitions from the first") { log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let a = try log.probe("a", group: group)
            defer { a.close() }
            try await a.eventually("all partitions") { a.owned == partitions(topic) }
            a.answersRevoked = false
            let b = try log.probe("b", group: group)
            defer { b.close() }
            try await a.eventually("the revocation of everything", with: [b]) {
                a.revoked.map(Set.init) == Set(partitions(topic))
            }
            try #require(a.losses == 0)
            try #require(b.owned == nil)
            try a.answerRevoked()
            a.answersRevoked = true
            try await a.eventually("half of the partitions each", with: [b]) {
                a.owned?.count == 2 && b.owned?.count == 2
            }
            try #require(Set((a.owned ?? []) + (b.owned ?? [])) == Set(partitions(topic)))
        },

        ConformanceCase("the partitions of a member that leaves go to the other") { log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let (a, b) = (try log.probe("a", group: group), try log.probe("b", group: group))
            defer { a.close() }
            try await a.eventually("half of the partitions each", with: [b]) {
                a.owned?.count == 2 && b.owned?.count == 2
            }
            try b.client.close(timeout: log.patience)
            try await a.eventually("all partitions") { a.owned == partitions(topic) }
            try await a.write(every(topic, 0..<2))
            try await a.eventually("all records") { a.records.count == 8 }
        },

        ConformanceCase(
            "partitions that are left for later deliver nothing until they are started, and the others go on"
        ) { log in
            let topic = try await log.uniqueTopic()
            let places = partitions(topic)
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            member.answersAssigned = false
            try await member.write(every(topic, 0..<5))
            try await member.eventually("the assignment") { member.owned == places }
            try member.client.assign([places[0]: .offset(1)], later: Set(places[1...]))
            try await member.eventually("the first records") { member.records.count >= 4 }
            try member.linger()
            try #require(member.offsets(of: places[0]) == [1, 2, 3, 4] && member.records.count == 4)
            try member.client.start([places[1]: .offset(3)])
            try await member.write(every(topic, 5..<7))
            try await member.eventually("the records of two") { member.records.count >= 10 }
            // Partitions that have already started keep their positions.
            try member.client.start([places[0]: .beginning, places[2]: .beginning, places[3]: .offset(6)])
            try await member.write(every(topic, 7..<8))
            try await member.eventually("the records of all") { member.records.count >= 22 }
            try member.linger()
            for (place, first) in zip(places, [1, 3, 0, 6]) {
                try #require(member.offsets(of: place) == (Int64(first)..<8).map { $0 })
            }
        },

        ConformanceCase("a paused partition stays paused while another one is started") { log in
            let topic = try await log.uniqueTopic()
            let places = partitions(topic)
            let member = try log.probe(group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            member.answersAssigned = false
            try await member.write(every(topic, 0..<2))
            try await member.eventually("the assignment") { member.owned == places }
            try member.client.assign([places[0]: .beginning], later: Set(places[1...]))
            try await member.eventually("the first records") { member.records.count == 2 }
            try member.client.pause([places[0]])
            try member.client.start([places[1]: .beginning])
            try await member.write(every(topic, 2..<3))
            try await member.eventually("the records of the other") { member.offsets(of: places[1]) == [0, 1, 2] }
            try member.linger()
            try #require(member.offsets(of: places[0]) == [0, 1])
            try member.client.resume([places[0]])
            try await member.eventually("what was paused") { member.offsets(of: places[0]) == [0, 1, 2] }
        },

        ConformanceCase("a partition that was revoked before it was started is not delivered when it is started") {
            log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let a = try log.probe("a", group: group)
            defer { a.close() }
            a.startsLater = true
            try await a.write(every(topic, 0..<2))
            try await a.eventually("all partitions") { a.owned == partitions(topic) }
            let b = try log.probe("b", group: group)
            b.startsLater = true
            defer { b.close() }
            try await a.eventually("half of the partitions each", with: [b]) {
                a.owned?.count == 2 && b.owned?.count == 2
            }
            try a.client.start(Dictionary(uniqueKeysWithValues: partitions(topic).map { ($0, .beginning) }))
            try await a.eventually("what it has", with: [b]) { a.records.count >= 4 }
            try a.linger()
            try #require(Set(a.records.map(\.topicPartition)) == Set(a.owned ?? []) && a.records.count == 4)
        },

        ConformanceCase("a member without partitions gets an empty assignment") { log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let members = try (0..<5).map { try log.probe("member-\($0)", group: group) }
            defer { members.forEach { $0.close() } }
            try await members[0].eventually(
                "four members with one partition and one with none", with: Array(members[1...])
            ) {
                members.compactMap { $0.owned?.count }.sorted() == [0, 1, 1, 1, 1]
            }
        },

        ConformanceCase("no record of a partition is delivered after it was revoked") { log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let a = try log.probe("a", group: group)
            defer { a.close() }
            try await a.eventually("all partitions") { a.owned == partitions(topic) }
            a.answersRevoked = false
            let b = try log.probe("b", group: group)
            defer { b.close() }
            try await a.eventually("the revocation", with: [b]) { a.revoked != nil }
            try await b.write(every(topic, 0..<3))
            try a.linger()
            try #require(a.records.isEmpty)
            try a.answerRevoked()
            try await a.eventually("all records", with: [b]) { a.records.count + b.records.count >= 12 }
        },

        ConformanceCase("the next owner starts where the last one committed") { log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let a = try log.probe("a", group: group)
            try await a.write(every(topic, 0..<5))
            try await a.eventually("all records") { a.records.count == 20 }
            try a.client.commit([
                TopicPartition(topic, 0): CommittedOffset(offset: 2),
                TopicPartition(topic, 3): CommittedOffset(offset: 5),
            ])
            try await a.eventually("the commit") { a.commits.count == 1 }
            try #require(a.commits == [nil])
            try a.client.close(timeout: log.patience)
            let b = try log.probe("b", group: group)
            defer { b.close() }
            try await b.write(every(topic, 5..<6))
            try await b.eventually("the records from there on") { b.records.count >= 17 }
            try b.linger()
            try #require(b.offsets(of: TopicPartition(topic, 0)) == [2, 3, 4, 5])
            try #require(b.offsets(of: TopicPartition(topic, 1)) == Array(0..<6))
            try #require(b.offsets(of: TopicPartition(topic, 3)) == [5])
        },

        ConformanceCase(
            "a member can finish and commit between revocation and release, and the new owner starts there",
            needs: [.commitWhileRevoking]
        ) { log in
            let topic = try await log.uniqueTopic()
            let group = (log.uniqueName("group"), [topic])
            let a = try log.probe("a", group: group)
            defer { a.close() }
            try await a.write(every(topic, 0..<5))
            try await a.eventually("all records") { a.records.count == 20 }
            a.answersRevoked = false
            let b = try log.probe("b", group: group)
            defer { b.close() }
            try await a.eventually("the revocation", with: [b]) { a.revoked != nil }
            try a.client.commit(
                Dictionary(uniqueKeysWithValues: partitions(topic).map { ($0, CommittedOffset(offset: 4)) }))
            try await a.eventually("the commit", with: [b]) { a.commits.count == 1 }
            try #require(a.commits == [nil])
            try #require(b.owned == nil)
            a.forget()
            a.answersRevoked = true
            try a.answerRevoked()
            try await a.eventually("the last record of each partition", with: [b]) {
                a.records.count + b.records.count >= 4
            }
            try a.linger()
            try b.linger()
            try #require((a.records + b.records).map(\.offset) == [4, 4, 4, 4])
        },
    ]
}
