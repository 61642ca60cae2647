import RecordLog
import Testing

extension ConformanceCase {
    static let unreadable: [ConformanceCase] = [
        ConformanceCase(
            "a reader reports a batch that can't be read once, with its offsets, and reads on after it",
            needs: [.unreadableBatches]
        ) { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 1)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<5))
            try await log.appendUnreadable?(partition, 1)
            try await probe.write(numbered(partition, 6..<8))
            try await log.appendUnreadable?(partition, 300)
            try await probe.write(numbered(partition, 308..<310))
            try probe.client.read(partition, from: .beginning)
            try await probe.eventually("the end") { probe.ends[partition]?.last == 310 }
            try probe.linger()
            try #require(probe.unreadable.map(\.offsets) == [5..<6, 8..<308])
            try #require(
                probe.unreadable.allSatisfy { $0.partition == partition && !$0.isAssigned && !$0.cause.isEmpty })
            try #require(probe.reads.map(\.offset) == Array(0..<5) + [6, 7, 308, 309])
        },

        ConformanceCase(
            "a batch that can't be read at the end of a partition holds nothing back that comes later",
            needs: [.unreadableBatches]
        ) { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await log.appendUnreadable?(partition, 3)
            try probe.client.read(partition, from: .beginning)
            try await probe.eventually("the end") { probe.ends[partition]?.last == 3 }
            try #require(probe.unreadable.map(\.offsets) == [0..<3])
            try await probe.write(numbered(partition, 3..<5))
            try await probe.eventually("the rest") { probe.ends[partition]?.last == 5 }
            try #require(probe.reads.map(\.offset) == [3, 4])
        },

        ConformanceCase(
            "a reader that begins inside a batch that can't be read reports the whole batch",
            needs: [.unreadableBatches]
        ) {
            log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<2))
            try await log.appendUnreadable?(partition, 10)
            try await probe.write(numbered(partition, 12..<13))
            try probe.client.read(partition, from: .offset(7))
            try await probe.eventually("the record after it") { probe.reads.map(\.offset) == [12] }
            try #require(probe.unreadable.map(\.offsets) == [2..<12])
        },

        ConformanceCase(
            "a member of a group reads on after batches that can't be read, and the other partitions don't wait",
            needs: [.unreadableBatches]
        ) {
            log in
            let topic = try await log.uniqueTopic()
            let (bad, good) = (TopicPartition(topic, 2), TopicPartition(topic, 3))
            let writer = try log.probe("writer")
            defer { writer.close() }
            try await writer.write(numbered(bad, 0..<3) + numbered(good, 0..<10))
            for _ in 0..<20 { try await log.appendUnreadable?(bad, 7) }
            try await writer.write(numbered(bad, 143..<150))
            let member = try log.probe("member", group: (log.uniqueName("group"), [topic]))
            defer { member.close() }
            for number in 0..<4 { member.starts[TopicPartition(topic, Int32(number))] = .beginning }
            try await member.eventually("all records", with: [writer]) { member.records.count == 20 }
            let read: [Int64] = Array(0..<3) + Array(143..<150)
            try #require(member.records.filter { $0.topicPartition == bad }.map(\.offset) == read)
            let starts: [Int64] = (0..<20).map { 3 + 7 * $0 }
            try #require(member.unreadable.map(\.offsets) == starts.map { $0..<$0 + 7 })
            try #require(member.unreadable.allSatisfy { $0.partition == bad && $0.isAssigned })
            // Later records are read as well.
            try await writer.write(numbered(bad, 150..<152) + numbered(good, 10..<12))
            try await member.eventually("the new records", with: [writer]) { member.records.count == 24 }
        },

        ConformanceCase(
            "a batch that can't be read is reported in its place between the records", needs: [.unreadableBatches]
        ) { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            for round in 0..<5 {
                try await probe.write(numbered(partition, round * 4..<round * 4 + 2))
                try await log.appendUnreadable?(partition, 2)
            }
            try probe.client.read(partition, from: .beginning)
            var order: [Int64] = []
            let deadline = ContinuousClock.now + log.patience
            while order.count < 15, ContinuousClock.now < deadline {
                for event in try probe.client.poll(maximum: 3, timeout: .milliseconds(10)) {
                    switch event {
                    case .read(let record): order.append(record.offset)
                    case .unreadable(let range): order.append(range.offsets.lowerBound)
                    default: break
                    }
                }
                await Task.yield()
            }
            let expected = (0..<5).flatMap { round -> [Int64] in [0, 1, 2].map { Int64(round * 4 + $0) } }
            try #require(order == expected)
        },
    ]
}
