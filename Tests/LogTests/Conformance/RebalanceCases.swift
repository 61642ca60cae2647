import RecordLog
import Testing

extension ConformanceCase {
    static let rebalances: [ConformanceCase] = [
        ConformanceCase("a second member takes half of the partitions from the first") { log in
            let (topic, a, b) = try await log.revoked()
            try #require(Set(a.revoked ?? []) == Set(partitions(topic)))
            try #require(a.losses == 0 && b.owned == nil)
            try a.answerRevoked()
            a.answersRevoked = true
            try await a.eventually("half of the partitions", with: [b]) { a.owned?.count == 2 && b.owned?.count == 2 }
            try #require(Set((a.owned ?? []) + (b.owned ?? [])) == Set(partitions(topic)))
        },

        ConformanceCase("the partitions of a member that leaves go to the other") { log in
            let (topic, a, b) = try await log.owners()
            try b.client.close(timeout: log.under.patience)
            try await a.eventually("all partitions") { a.owned == partitions(topic) }
            try await a.write(every(topic, 0..<2))
            try await a.receive(8)
            try #require(a.records.count == 8)
        },

        ConformanceCase("partitions left for later deliver nothing until started, and the others go on") { log in
            let (topic, member) = try await log.owner(answers: false, filled: 5)
            let places = partitions(topic)
            try member.client.assign([places[0]: .offset(1)], later: Set(places[1...]))
            try await member.receive(4)
            try member.linger()
            try #require(member.offsets(of: places[0]) == [1, 2, 3, 4] && member.records.count == 4)
            try member.client.start([places[1]: .offset(3)])
            try await member.write(every(topic, 5..<7))
            try await member.receive(10)
            // Partitions that have already started keep their positions.
            try member.client.start([places[0]: .beginning, places[2]: .beginning, places[3]: .offset(6)])
            try await member.write(every(topic, 7..<8))
            try await member.receive(22)
            try member.linger()
            try #require(member.offsets(of: topic) == [1, 3, 0, 6].map { Array($0..<8) })
        },

        ConformanceCase("a paused partition stays paused while another one is started") { log in
            let (topic, member) = try await log.owner(answers: false, filled: 2)
            let places = partitions(topic)
            try member.client.assign([places[0]: .beginning], later: Set(places[1...]))
            try await member.receive(2)
            try member.client.pause([places[0]])
            try member.client.start([places[1]: .beginning])
            try await member.write(every(topic, 2..<3))
            try await member.eventually("the records of the other") { member.offsets(of: places[1]) == [0, 1, 2] }
            try member.linger()
            try #require(member.offsets(of: places[0]) == [0, 1])
            try member.client.resume([places[0]])
            try await member.eventually("what was paused") { member.offsets(of: places[0]) == [0, 1, 2] }
        },

        ConformanceCase("a partition that was revoked before its start delivers nothing when started") { log in
            let topic = try await log.topic()
            let a = try log.member("a", of: [topic])
            a.startsLater = true
            try await a.write(every(topic, 0..<2))
            try await a.eventually("all partitions") { a.owned == partitions(topic) }
            let b = try a.another(in: log)
            b.startsLater = true
            try await a.eventually("half of the partitions", with: [b]) { a.owned?.count == 2 && b.owned?.count == 2 }
            try a.client.start(Dictionary(uniqueKeysWithValues: partitions(topic).map { ($0, .beginning) }))
            try await a.receive(4, with: [b])
            try a.linger()
            try #require(Set(a.records.map(\.topicPartition)) == Set(a.owned ?? []) && a.records.count == 4)
        },

        ConformanceCase("a member without partitions gets an empty assignment") { log in
            let first = try log.member(of: [try await log.topic()])
            let others = try (0..<4).map { try first.another("member-\($0)", in: log) }
            try await first.eventually("four members with one partition and one with none", with: others) {
                ([first] + others).compactMap { $0.owned?.count }.sorted() == [0, 1, 1, 1, 1]
            }
        },

        ConformanceCase("no record of a partition is delivered after it was revoked") { log in
            let (topic, a, b) = try await log.revoked()
            try await b.write(every(topic, 0..<3))
            try a.linger()
            try #require(a.records.isEmpty)
            try a.answerRevoked()
            try await a.eventually("all records", with: [b]) { a.records.count + b.records.count >= 12 }
        },

        ConformanceCase("the next owner starts where the last one committed") { log in
            let (topic, a) = try await log.owner(filled: 5)
            try await a.receive(20)
            try await a.commit([0: 2, 3: 5], of: topic)
            try a.client.close(timeout: log.under.patience)
            let b = try a.another(in: log)
            try await b.write(every(topic, 5..<6))
            try await b.receive(17)
            try b.linger()
            try #require(b.offsets(of: topic) == [[2, 3, 4, 5], Array(0..<6), Array(0..<6), [5]])
        },

        ConformanceCase("a committed offset beyond the log is reported, and its owner begins again") { log in
            let (topic, a) = try await log.owner(filled: 5)
            try await a.commit([1: 5_000], of: topic)
            try a.client.close(timeout: log.under.patience)
            let b = try a.another(in: log)
            try await b.receive(20)
            try #require(b.missing == [OutOfRange(TopicPartition(topic, 1), requested: 5_000, range: 0..<5)])
            try #require(b.offsets(of: topic) == Array(repeating: Array(0..<5), count: 4))
        },

        ConformanceCase("a member can commit between revocation and release, and the new owner starts there") { log in
            let (topic, a, b) = try await log.revoked { topic, a in
                try await a.write(every(topic, 0..<5))
                try await a.receive(20)
            }
            try await a.commit([0: 4, 1: 4, 2: 4, 3: 4], of: topic, with: [b])
            try #require(b.owned == nil)
            a.forget()
            a.answersRevoked = true
            try a.answerRevoked()
            try await a.eventually("the last records", with: [b]) { a.records.count + b.records.count >= 4 }
            try a.linger()
            try b.linger()
            try #require((a.records + b.records).map(\.offset) == [4, 4, 4, 4])
        },
    ]

    static let topics: [ConformanceCase] = [
        ConformanceCase("topics are created with their partitions, and listed by name", needs: [.createTopics]) { log in
            let names = [log.name("b"), log.name("a")]
            try await log.log.createTopics([
                TopicSpecification(name: names[0], partitions: 3), TopicSpecification(name: names[1], partitions: 1),
            ])
            var listed: [TopicDescription] = []
            let deadline = ContinuousClock.now + log.under.patience
            while listed.count < 2 && ContinuousClock.now < deadline {
                listed = try await log.log.topics().filter { names.contains($0.name) }
            }
            try #require(listed.map { "\($0.name) \($0.partitions)" } == ["\(names[1]) 1", "\(names[0]) 3"].sorted())
        },

        ConformanceCase("creating a topic again with its partitions changes nothing", needs: [.createTopics]) { log in
            let (partition, probe) = try await log.partition(filled: 3)
            try await log.log.createTopics([TopicSpecification(name: partition.topic, partitions: 4)])
            try #require(try await probe.readAll(partition).count == 3)
        },

        ConformanceCase("creating a topic again with other partitions is an error", needs: [.createTopics]) { log in
            let topic = TopicSpecification(name: try await log.topic(), partitions: 3)
            let error = await #expect(throws: LogError.self) { try await log.log.createTopics([topic]) }
            try #require(error?.code == .topicAlreadyExists)
        },
    ]

    static let lifecycle: [ConformanceCase] = [
        ConformanceCase("closing sends the queue, and a read-only client finds it and refuses to send") { log in
            let (partition, writer) = try await log.partition()
            for record in partition.numbered(0..<100) { try await writer.send(record) }
            try writer.client.close(timeout: log.under.patience)
            let reader = try log.reader()
            try #require(try await reader.readAll(partition).count == 100)
            let error = #expect(throws: LogError.self) { try reader.client.send(partition.record(), token: 1) }
            try #require(error?.code == .unsupported)
        },

        ConformanceCase("closing twice is harmless, and every other call then fails as closed") { log in
            let topic = try await log.topic()
            let partition = TopicPartition(topic, 0)
            let client = try log.member(of: [topic]).client
            try client.close(timeout: log.under.patience)
            try client.close(timeout: log.under.patience)
            client.wake()
            let calls: [(String, () throws -> Void)] = [
                ("poll", { _ = try client.poll(maximum: 1, timeout: .zero) }),
                ("send", { try client.send(partition.record(), token: 1) }),
                ("assign", { try client.assign([:]) }), ("release", { try client.release() }),
                ("lookUpCommitted", { try client.lookUpCommitted([partition]) }),
                ("commit", { try client.commit([partition: CommittedOffset(offset: 0)]) }),
                ("pause", { try client.pause([partition]) }), ("resume", { try client.resume([partition]) }),
                ("read", { try client.read(partition, from: .beginning) }),
                ("stopReading", { try client.stopReading(partition) }),
                ("range", { _ = try client.range(of: partition) }),
            ]
            for (name, call) in calls {
                let error = #expect(throws: LogError.self, "\(name)") { try call() }
                try #require(error?.code == .closed && error?.disposition == .fatal, "\(name)")
            }
        },

        ConformanceCase("a poll with a timeout of zero does not wait") { log in
            let client = try log.probe().client
            let took = try ContinuousClock().measure { _ = try client.poll(maximum: 10, timeout: .zero) }
            try #require(took < .seconds(1))
        },
    ]
}

extension ConformanceScene {
    /// A new topic, a member whose partitions are revoked and not yet released, and the member that causes this.
    ///
    /// - Parameter work: The work of the first member before the second one joins.
    fileprivate func revoked(
        after work: (_ topic: String, LogProbe) async throws -> Void = { _, _ in }
    ) async throws -> (topic: String, LogProbe, LogProbe) {
        let (topic, a) = try await owner()
        try await work(topic, a)
        a.answersRevoked = false
        let b = try a.another(in: self)
        try await a.eventually("the revocation", with: [b]) { a.revoked != nil }
        return (topic, a, b)
    }
}
