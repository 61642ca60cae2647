import RecordLog
import Testing

extension ConformanceCase {
    static let writing: [ConformanceCase] = [
        ConformanceCase("records of one partition are in the order in which they were sent") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write(
                (0..<300).map { Record(topic: topic, partition: 1, key: text("k\($0 % 7)"), value: text("\($0)")) })
            let found = try await probe.readAll(TopicPartition(topic, 1))
            try #require(found.map(\.value) == (0..<300).map { text("\($0)") })
            try #require(found.map(\.offset) == Array(0..<300))
        },

        ConformanceCase("acknowledged offsets of one writer are correct and have no gap, in batches of ten thousand") {
            log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let answers = try await probe.write(
                (0..<10_000).map { Record(topic: topic, partition: 2, key: nil, value: text("\($0)")) })
            try #require(answers.map(\.offset) == (0..<10_000).map { Int64($0) })
            let found = try await probe.readAll(TopicPartition(topic, 2))
            try #require(found.map(\.offset) == Array(0..<10_000))
            try #require(found.map(\.value) == (0..<10_000).map { text("\($0)") })
        },

        ConformanceCase("a writer sees another writer's record as a gap in its own offsets") { log in
            let topic = try await log.uniqueTopic()
            let (first, second) = (try log.probe("first"), try log.probe("second"))
            defer {
                first.close()
                second.close()
            }
            let record = Record(topic: topic, partition: 0, key: text("k"), value: text("v"))
            try #require(try await first.write([record, record]).map(\.offset) == [0, 1])
            try #require(try await second.write([record]).map(\.offset) == [2])
            try #require(try await first.write([record]).map(\.offset) == [3])
        },

        ConformanceCase("each send is answered once, with its token, topic and partition") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let partitions = (0..<1_000).map { Int32($0 % 4) }
            try await probe.write(partitions.map { Record(topic: topic, partition: $0, key: nil, value: text("v")) })
            try probe.linger()
            let answers = probe.deliveries.sorted { $0.token < $1.token }
            try #require(answers.map(\.token) == Array(1...1_000))
            try #require(answers.map(\.partition) == partitions)
            try #require(answers.allSatisfy { $0.topic == topic && $0.error == nil })
        },

        ConformanceCase("keys choose the partition by murmur2, as in Kafka's Java clients") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            // The hashes that Kafka's own tests expect (org.apache.kafka.common.utils.UtilsTest).
            let hashes: [(String, Int32)] = [
                ("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536),
                ("a-little-bit-longer-string", -1_486_304_829),
                ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
                ("abc", 479_470_107),
            ]
            let answers = try await probe.write(hashes.map { Record(topic: topic, key: text($0.0), value: text("v")) })
            try #require(answers.map(\.partition) == hashes.map { ($0.1 & 0x7fff_ffff) % 4 })
        },

        ConformanceCase("a partition given by the sender takes precedence over the key") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let answers = try await probe.write(
                (0..<4).map { Record(topic: topic, partition: $0, key: text("same"), value: nil) })
            try #require(answers.map(\.partition) == [0, 1, 2, 3])
        },

        ConformanceCase("a record for a partition that does not exist is answered with an error") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let token = try await probe.send(Record(topic: topic, partition: 1_000, key: nil, value: text("v")))
            try await probe.eventually("the refusal") { probe.deliveries.contains { $0.token == token } }
            let answer = try #require(probe.deliveries.first { $0.token == token })
            try #require(answer.error?.code == .unknownTopicOrPartition)
            try #require(answer.offset == nil)
        },

        ConformanceCase(
            "a record that is too large is answered with an error, and the next one is accepted",
            needs: [.recordSizeLimit]
        ) {
            log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let token = try await probe.send(
                Record(topic: topic, partition: 0, key: nil, value: Bytes(repeating: 7, count: 20 << 20)))
            try await probe.eventually("the refusal") { probe.deliveries.contains { $0.token == token } }
            try #require(probe.deliveries.first { $0.token == token }?.error?.code == .recordTooLarge)
            try #require(
                try await probe.write([Record(topic: topic, partition: 0, key: nil, value: text("v"))]).map(\.offset)
                    == [0])
        },

        ConformanceCase("a full queue refuses a record, and accepts it after a poll") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let record = Record(topic: topic, partition: 0, key: nil, value: text("v"))
            var taken = 0
            var refusal: LogError?
            while refusal == nil && taken <= log.queueLimit {
                do throws(LogError) {
                    try probe.client.send(record, token: 0)
                    taken += 1
                } catch {
                    refusal = error
                }
            }
            try #require(refusal?.code == .queueFull)
            try #require(refusal?.disposition == .retry)
            try #require(taken > 0)
            try await probe.write([record])
            try await probe.eventually("all acknowledgements") { probe.deliveries.count == taken + 1 }
            try #require(probe.deliveries.allSatisfy { $0.error == nil })
        },
    ]
}

/// The UTF-8 of a text.
func text(_ string: String) -> Bytes { Bytes(string.utf8) }
