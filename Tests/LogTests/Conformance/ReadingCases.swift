import RecordLog
import Testing

extension ConformanceCase {
    static let reading: [ConformanceCase] = [
        ConformanceCase("a reader reports the end, reads later records, and reports the new end") { log in
            let (partition, probe) = try await log.partition(1, filled: 50)
            try await probe.read(partition, to: 50)
            try #require(probe.reads.map(\.offset) == Array(0..<50))
            try await probe.write(partition.numbered(50..<60))
            try await probe.reach(60, of: partition)
            try #require(probe.reads.map(\.offset) == Array(0..<60) && probe.records.isEmpty)
        },

        ConformanceCase("a follower reads growing partitions, and one of them again from the beginning") { log in
            let (one, writer) = try await log.partition()
            let two = TopicPartition(one.topic, 1)
            let follower = try log.reader(isFollower: true)
            try await writer.write(one.numbered(0..<50))
            try await follower.read(one, to: 50)
            try await follower.read(two, to: 0)
            try await writer.write(two.numbered(0..<5))
            try await follower.reach(5, of: two)
            try follower.client.stopReading(one)
            try await writer.write(one.numbered(50..<60))
            try follower.linger()
            try #require(follower.reads.count == 55)
            // The follower continues at its position, and then begins again.
            try await follower.read(one, from: .offset(50), to: 60)
            try #require(follower.reads.filter { $0.topicPartition == one }.map(\.offset) == Array(0..<60))
            try follower.client.read(one, from: .beginning)
            try await follower.eventually("all of it again") { follower.reads.count == 125 }
        },

        ConformanceCase("an end is reported once, as long as nothing is written") { log in
            let (partition, probe) = try await log.partition(filled: 3)
            try await probe.read(partition, to: 3)
            try probe.linger()
            try #require(probe.ends(of: partition) == [3])
        },

        ConformanceCase("the end of an empty partition is reported") { log in
            let (partition, probe) = try await log.partition(3)
            try await probe.read(partition, to: 0)
        },

        ConformanceCase("reading from an offset starts there") { log in
            let (partition, probe) = try await log.partition(filled: 20)
            try await probe.read(partition, from: .offset(17), to: 20)
            try #require(probe.reads.map(\.offset) == [17, 18, 19])
        },

        ConformanceCase("reading from the next offset of the log waits for it") { log in
            let (partition, probe) = try await log.partition(filled: 5)
            try await probe.read(partition, from: .offset(5), to: 5)
            try await probe.write(partition.numbered(5..<6))
            try await probe.eventually("the new record") { probe.reads.map(\.offset) == [5] }
            try #require(probe.failures.isEmpty)
        },

        ConformanceCase("reading from the end delivers only later records") { log in
            let (partition, probe) = try await log.partition(filled: 20)
            try await probe.read(partition, from: .end, to: 20)
            try await probe.write(partition.numbered(20..<22))
            try await probe.reach(22, of: partition)
            try #require(probe.reads.map(\.offset) == [20, 21])
        },

        ConformanceCase("an offset beyond the log is reported once, and reading starts at the beginning") { log in
            let (partition, probe) = try await log.partition(filled: 5)
            try await probe.read(partition, from: .offset(1_000), to: 5)
            try probe.linger()
            try #require(probe.missing == [OutOfRange(partition, requested: 1_000, range: 0..<5)])
            try #require(probe.missing.map(\.side) == [.afterEnd] && probe.missing.map(\.continuingAt) == [0])
            try #require(probe.reads.map(\.offset) == Array(0..<5))
        },

        ConformanceCase("a stopped partition delivers no further records, and the others continue") { log in
            let (stopped, probe) = try await log.partition()
            let other = TopicPartition(stopped.topic, 1)
            try await probe.write(stopped.numbered(0..<5) + other.numbered(0..<5))
            try await probe.read(stopped, to: 5)
            try await probe.read(other, to: 5)
            try probe.client.stopReading(stopped)
            probe.forget()
            try await probe.write(stopped.numbered(5..<10) + other.numbered(5..<10))
            try await probe.reach(10, of: other)
            try probe.linger()
            try #require(probe.reads.allSatisfy { $0.topicPartition == other } && probe.reads.count == 5)
            try #require(probe.ends(of: stopped).isEmpty)
        },

        ConformanceCase("opening a partition again moves the reader") { log in
            let (partition, probe) = try await log.partition(filled: 10)
            try await probe.read(partition, to: 10)
            probe.forget()
            try probe.client.read(partition, from: .offset(6))
            try await probe.eventually("the end again") { probe.ends(of: partition) == [10] }
            try #require(probe.reads.map(\.offset) == [6, 7, 8, 9])
        },

        ConformanceCase("several readers each see every record") { log in
            let (partition, writer) = try await log.partition(filled: 100)
            let mine = try await writer.readAll(partition)
            try #require(mine.count == 100)
            try #require(try await log.probe("reader").readAll(partition) == mine)
        },

        ConformanceCase("the range of a partition runs from its oldest offset to its next one") { log in
            let (partition, probe) = try await log.partition(2)
            try #require(try probe.client.range(of: partition) == 0..<0)
            try await probe.write(partition.numbered(0..<7))
            try #require(try probe.client.range(of: partition) == 0..<7)
        },

        ConformanceCase("a poll returns no more events than asked for, and loses none") { log in
            let (partition, probe) = try await log.partition(filled: 20)
            try probe.client.read(partition, from: .beginning)
            var offsets: [Int64] = []
            try await eventually("all records", within: log.under.patience) {
                let events = try probe.client.poll(maximum: 3, timeout: .milliseconds(10))
                try #require(events.count <= 3)
                offsets += events.reads.map(\.offset)
                return offsets.count >= 20
            }
            try #require(offsets == Array(0..<20))
        },
    ]

    static let unreadable: [ConformanceCase] = [
        unreadableCase("an unreadable batch is reported once, with its offsets, and reading continues") { log in
            let (partition, probe) = try await log.partition(1, filled: 5)
            try await log.under.appendUnreadable(partition, 1)
            try await probe.write(partition.numbered(6..<8))
            try await log.under.appendUnreadable(partition, 300)
            try await probe.write(partition.numbered(308..<310))
            try await probe.read(partition, to: 310)
            try probe.linger()
            try #require(probe.unreadable.map(\.offsets) == [5..<6, 8..<308])
            try #require(
                probe.unreadable.allSatisfy { $0.partition == partition && !$0.isAssigned && !$0.cause.isEmpty })
            try #require(probe.reads.map(\.offset) == Array(0..<5) + [6, 7, 308, 309])
        },

        unreadableCase("an unreadable batch at the end of a partition holds back no later record") { log in
            let (partition, probe) = try await log.partition()
            try await log.under.appendUnreadable(partition, 3)
            try await probe.read(partition, to: 3)
            try #require(probe.unreadable.map(\.offsets) == [0..<3])
            try await probe.write(partition.numbered(3..<5))
            try await probe.reach(5, of: partition)
            try #require(probe.reads.map(\.offset) == [3, 4])
        },

        unreadableCase("a reader that begins inside an unreadable batch reports the whole batch") { log in
            let (partition, probe) = try await log.partition(filled: 2)
            try await log.under.appendUnreadable(partition, 10)
            try await probe.write(partition.numbered(12..<13))
            try probe.client.read(partition, from: .offset(7))
            try await probe.eventually("the record after it") { probe.reads.map(\.offset) == [12] }
            try #require(probe.unreadable.map(\.offsets) == [2..<12])
        },

        unreadableCase("a member reads on after unreadable batches, and the other partitions don't wait") { log in
            let topic = try await log.topic()
            let (bad, good) = (TopicPartition(topic, 2), TopicPartition(topic, 3))
            let writer = try log.probe("writer")
            try await writer.write(bad.numbered(0..<3) + good.numbered(0..<10))
            for _ in 0..<20 { try await log.under.appendUnreadable(bad, 7) }
            try await writer.write(bad.numbered(143..<150))
            let member = try log.member(of: [topic])
            try await member.receive(20, with: [writer])
            try #require(member.records.count == 20 && member.offsets(of: bad) == Array(0..<3) + Array(143..<150))
            let starts: [Int64] = (0..<20).map { 3 + 7 * $0 }
            try #require(member.unreadable.map(\.offsets) == starts.map { $0..<$0 + 7 })
            try #require(member.unreadable.allSatisfy { $0.partition == bad && $0.isAssigned })
            // Later records are read as well.
            try await writer.write(bad.numbered(150..<152) + good.numbered(10..<12))
            try await member.receive(24, with: [writer])
            try #require(member.records.count == 24)
        },

        unreadableCase("an unreadable batch is reported in its place between the records") { log in
            let (partition, probe) = try await log.partition()
            for round in 0..<5 {
                try await probe.write(partition.numbered(round * 4..<round * 4 + 2))
                try await log.under.appendUnreadable(partition, 2)
            }
            try probe.client.read(partition, from: .beginning)
            var order: [Int64] = []
            try await eventually("all records and batches", within: log.under.patience) {
                for event in try probe.client.poll(maximum: 3, timeout: .milliseconds(10)) {
                    if case .read(let record) = event { order.append(record.offset) }
                    if case .unreadable(let range) = event { order.append(range.offsets.lowerBound) }
                }
                return order.count >= 15
            }
            let expected: [Int64] = [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18]
            try #require(order == expected)
        },
    ]

    private static func unreadableCase(
        _ requirement: String, body: @escaping @Sendable (ConformanceScene) async throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(requirement, needs: [.unreadableBatches], body: body)
    }
}
