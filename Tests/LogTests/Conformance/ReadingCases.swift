import RecordLog
import Testing

extension ConformanceCase {
    static let reading: [ConformanceCase] = [
        ConformanceCase(
            "reading from the beginning reports the end, continues with later records, and reports the new end"
        ) { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 1)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<50))
            try probe.client.read(partition, from: .beginning)
            try await probe.eventually("the first end") { probe.ends[partition] == [50] }
            try #require(probe.reads.map(\.offset) == Array(0..<50))
            try await probe.write(numbered(partition, 50..<60))
            try await probe.eventually("the second end") { probe.ends[partition]?.last == 60 }
            try #require(probe.reads.map(\.offset) == Array(0..<60))
            try #require(probe.records.isEmpty)
        },

        ConformanceCase(
            "a follower reads on in several partitions as they grow, and in one of them again from the beginning"
        ) { log in
            let topic = try await log.uniqueTopic()
            let (one, two) = (TopicPartition(topic, 0), TopicPartition(topic, 1))
            let writer = try log.probe("writer")
            defer { writer.close() }
            var configuration = ClientConfiguration(clientID: "follower")
            configuration.isReadOnly = true
            configuration.isFollower = true
            let follower = LogProbe(try log.log.connect(configuration), name: "follower", patience: log.patience)
            defer { follower.close() }
            try await writer.write(numbered(one, 0..<50))
            for partition in [one, two] { try follower.client.read(partition, from: .beginning) }
            try await follower.eventually("the ends") {
                follower.ends[one]?.last == 50 && follower.ends[two]?.last == 0
            }
            try await writer.write(numbered(two, 0..<5))
            try await follower.eventually("the new end") { follower.ends[two]?.last == 5 }
            try follower.client.stopReading(one)
            try await writer.write(numbered(one, 50..<60))
            try follower.linger()
            try #require(follower.reads.count == 55)
            // The follower continues at its position, and then begins again.
            try follower.client.read(one, from: .offset(50))
            try await follower.eventually("the rest") { follower.ends[one]?.last == 60 }
            try #require(follower.reads.filter { $0.topicPartition == one }.map(\.offset) == Array(0..<60))
            try follower.client.read(one, from: .beginning)
            try await follower.eventually("all of it again") { follower.reads.count == 125 }
        },

        ConformanceCase("an end is reported once, as long as nothing is written") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<3))
            try probe.client.read(partition, from: .beginning)
            try await probe.eventually("the end") { probe.ends[partition] != nil }
            try probe.linger()
            try #require(probe.ends[partition] == [3])
        },

        ConformanceCase("the end of an empty partition is reported") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 3)
            let probe = try log.probe()
            defer { probe.close() }
            try probe.client.read(partition, from: .beginning)
            try await probe.eventually("the end") { probe.ends[partition] == [0] }
        },

        ConformanceCase("reading from an offset starts there") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<20))
            try probe.client.read(partition, from: .offset(17))
            try await probe.eventually("the end") { probe.ends[partition] == [20] }
            try #require(probe.reads.map(\.offset) == [17, 18, 19])
        },

        ConformanceCase("reading from the next offset of the log waits for it") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<5))
            try probe.client.read(partition, from: .offset(5))
            try await probe.eventually("the end") { probe.ends[partition] == [5] }
            try await probe.write(numbered(partition, 5..<6))
            try await probe.eventually("the new record") { probe.reads.map(\.offset) == [5] }
            try #require(probe.failures.isEmpty)
        },

        ConformanceCase("reading from the end delivers only later records", needs: [.listOffsetsLatest]) { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<20))
            try probe.client.read(partition, from: .end)
            try await probe.eventually("the end") { probe.ends[partition] == [20] }
            try await probe.write(numbered(partition, 20..<22))
            try await probe.eventually("the new end") { probe.ends[partition]?.last == 22 }
            try #require(probe.reads.map(\.offset) == [20, 21])
        },

        ConformanceCase(
            "an offset that the log does not have is reported once, and reading starts at the beginning",
            needs: [.offsetOutOfRange]
        ) {
            log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<5))
            try probe.client.read(partition, from: .offset(1_000))
            try await probe.eventually("the end") { probe.ends[partition]?.last == 5 }
            try probe.linger()
            try #require(probe.missing == [OutOfRange(partition, requested: 1_000, range: 0..<5)])
            try #require(probe.missing.map(\.side) == [.afterEnd])
            try #require(probe.missing.map(\.continuingAt) == [0])
            try #require(probe.reads.map(\.offset) == Array(0..<5))
        },

        ConformanceCase("no record of a partition is delivered after reading it was stopped, and the others continue") {
            log in
            let topic = try await log.uniqueTopic()
            let (stopped, other) = (TopicPartition(topic, 0), TopicPartition(topic, 1))
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(stopped, 0..<5) + numbered(other, 0..<5))
            try probe.client.read(stopped, from: .beginning)
            try probe.client.read(other, from: .beginning)
            try await probe.eventually("both ends") { probe.ends[stopped] == [5] && probe.ends[other] == [5] }
            try probe.client.stopReading(stopped)
            probe.forget()
            try await probe.write(numbered(stopped, 5..<10) + numbered(other, 5..<10))
            try await probe.eventually("the other's new end") { probe.ends[other]?.last == 10 }
            try probe.linger()
            try #require(probe.reads.allSatisfy { $0.topicPartition == other })
            try #require(probe.reads.count == 5)
            try #require(probe.ends[stopped] == [5])
        },

        ConformanceCase("opening a partition again moves the reader") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<10))
            try probe.client.read(partition, from: .beginning)
            try await probe.eventually("the end") { probe.ends[partition] == [10] }
            probe.forget()
            try probe.client.read(partition, from: .offset(6))
            try await probe.eventually("the end again") { probe.ends[partition]?.count == 2 }
            try #require(probe.reads.map(\.offset) == [6, 7, 8, 9])
        },

        ConformanceCase("several readers each see every record") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let (writer, reader) = (try log.probe("writer"), try log.probe("reader"))
            defer {
                writer.close()
                reader.close()
            }
            try await writer.write(numbered(partition, 0..<100))
            let (mine, theirs) = (try await writer.readAll(partition), try await reader.readAll(partition))
            try #require(mine.count == 100)
            try #require(mine == theirs)
        },

        ConformanceCase(
            "the range of a partition runs from its oldest offset to its next one", needs: [.listOffsetsLatest]
        ) { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 2)
            let probe = try log.probe()
            defer { probe.close() }
            try #require(try probe.client.range(of: partition) == 0..<0)
            try await probe.write(numbered(partition, 0..<7))
            try #require(try probe.client.range(of: partition) == 0..<7)
        },

        ConformanceCase("a poll returns no more events than asked for, and loses none") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<20))
            try probe.client.read(partition, from: .beginning)
            var offsets: [Int64] = []
            let deadline = ContinuousClock.now + log.patience
            while offsets.count < 20 && ContinuousClock.now < deadline {
                let events = try probe.client.poll(maximum: 3, timeout: .milliseconds(10))
                try #require(events.count <= 3)
                for case .read(let record) in events { offsets.append(record.offset) }
                await Task.yield()
            }
            try #require(offsets == Array(0..<20))
        },
    ]
}

/// Records for one partition, with these numbers as values.
func numbered(_ partition: TopicPartition, _ numbers: Range<Int>) -> [Record] {
    numbers.map {
        Record(topic: partition.topic, partition: partition.partition, key: text("k\($0)"), value: text("\($0)"))
    }
}
