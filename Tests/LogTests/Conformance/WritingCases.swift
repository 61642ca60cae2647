import RecordLog
import Testing

extension ConformanceCase {
    static let writing: [ConformanceCase] = [
        ConformanceCase("records of one partition are in the order in which they were sent") { log in
            let (partition, probe) = try await log.partition(1)
            try await probe.write((0..<300).map { partition.record(key: text("k\($0 % 7)"), text("\($0)")) })
            let found = try await probe.readAll(partition)
            try #require(found.map(\.value) == (0..<300).map { text("\($0)") } && found.map(\.offset) == Array(0..<300))
        },

        ConformanceCase("acknowledged offsets of a writer are correct, without gaps, in batches of ten thousand") {
            log in
            let (partition, probe) = try await log.partition(2)
            let answers = try await probe.write((0..<10_000).map { partition.record(text("\($0)")) })
            try #require(answers.map(\.offset) == (0..<10_000).map { Int64($0) })
            let found = try await probe.readAll(partition)
            try #require(found.map(\.offset) == Array(0..<10_000))
            try #require(found.map(\.value) == (0..<10_000).map { text("\($0)") })
        },

        ConformanceCase("a writer sees another writer's record as a gap in its own offsets") { log in
            let (partition, first) = try await log.partition()
            let second = try log.probe("second")
            let record = partition.record(key: text("k"))
            try #require(try await first.write([record, record]).map(\.offset) == [0, 1])
            try #require(try await second.write([record]).map(\.offset) == [2])
            try #require(try await first.write([record]).map(\.offset) == [3])
        },

        ConformanceCase("each send is answered once, with its token, topic, partition and offset") { log in
            let topic = try await log.topic()
            let probe = try log.probe()
            let places = (0..<1_000).map { TopicPartition(topic, Int32($0 % 4)) }
            try await probe.write(places.map { $0.record() })
            try probe.linger()
            let answers = probe.deliveries.sorted { $0.token < $1.token }
            try #require(answers.map(\.token) == Array(1...1_000))
            try #require(answers.map { TopicPartition($0.topic, $0.partition) } == places)
            try #require(answers.allSatisfy { $0.error == nil && $0.offset == Int64($0.token - 1) / 4 })
        },

        ConformanceCase("keys choose the partition by murmur2, as in Kafka's Java clients") { log in
            let topic = try await log.topic()
            let probe = try log.probe()
            let answers = try await probe.write(murmur2.map { Record(topic: topic, key: text($0.key), value: nil) })
            try #require(answers.map(\.partition) == murmur2.map { ($0.hash & 0x7fff_ffff) % 4 })
        },

        ConformanceCase("a partition given by the sender takes precedence over the key") { log in
            let topic = try await log.topic()
            let probe = try log.probe()
            let answers = try await probe.write(partitions(topic).map { $0.record(key: text("same"), nil) })
            try #require(answers.map(\.partition) == [0, 1, 2, 3])
        },

        ConformanceCase("a record for a partition that does not exist is answered with an error") { log in
            let (partition, probe) = try await log.partition(1_000)
            let answer = try await probe.deliver(partition.record())
            try #require(answer.error?.code == .unknownTopicOrPartition && answer.offset == nil)
        },

        ConformanceCase("a record that is too large is answered with an error, and the next one is accepted") { log in
            let (partition, probe) = try await log.partition()
            let answer = try await probe.deliver(partition.record(Bytes(repeating: 7, count: 20 << 20)))
            try #require(answer.error?.code == .recordTooLarge)
            try #require(try await probe.write([partition.record()]).map(\.offset) == [0])
        },

        ConformanceCase("a full queue refuses a record, and accepts it after a poll") { log in
            let (partition, probe) = try await log.partition()
            var accepted = 0
            var refusal: LogError?
            while refusal == nil && accepted <= log.under.queueLimit {
                do throws(LogError) {
                    try probe.client.send(partition.record(), token: 0)
                    accepted += 1
                } catch { refusal = error }
            }
            try #require(refusal?.code == .queueFull && refusal?.disposition == .retry)
            try #require(accepted > 0)
            try await probe.write([partition.record()])
            try await probe.eventually("all acknowledgements") { probe.deliveries.count == accepted + 1 }
            try #require(probe.deliveries.allSatisfy { $0.error == nil })
        },
    ]

    static let gaps: [ConformanceCase] = [
        ConformanceCase("a record fails, and later ones of its client get the next offsets") { log in
            let (partition, probe) = try await log.partition()
            try await probe.write([partition.record()])
            let failed = try await probe.deliver(TopicPartition(partition.topic, 1_000).record())
            try #require(failed.error?.code == .unknownTopicOrPartition)
            try #require(try await probe.write([partition.record()]).map(\.offset) == [1])
        },

        ConformanceCase("after a failed record of a gapless topic, the client only reads, and sends throw") { log in
            let topic = try await log.topic()
            let places = [TopicPartition(topic, 0), TopicPartition(try await log.topic(), 0)]
            let probe = try log.probe(gapless: [topic])
            for place in places { try await probe.write(place.numbered(0..<1)) }
            let failed = try await probe.deliver(TopicPartition(topic, 1_000).record())
            try #require(failed.error?.code == .unknownTopicOrPartition && failed.error?.disposition == .fatal)
            for place in places {
                let error = try #require(throws: LogError.self) { try probe.client.send(place.record(), token: 0) }
                try #require(error.code == .closed && error.disposition == .fatal)
                try #require(error.message.contains(topic), "\(error)")
                try #require(try await probe.readAll(place).map(\.offset) == [0])
            }
        },

        ConformanceCase("records that wait behind the failed one of a gapless topic fail as well") { log in
            let partition = TopicPartition(try await log.topic(), 0)
            let probe = try log.probe(gapless: [partition.topic])
            try await probe.write([partition.record()])
            try probe.client.send(TopicPartition(partition.topic, 1_000).record(), token: 100)
            var later: [UInt64] = []
            do throws(LogError) {
                for token: UInt64 in 101...110 {
                    try probe.client.send(partition.record(), token: token)
                    later.append(token)
                }
            } catch { try #require(error.code == .closed) }
            try await probe.eventually("all deliveries") { probe.deliveries.count == 2 + later.count }
            try #require(probe.deliveries.filter { later.contains($0.token) }.allSatisfy { $0.error?.code == .closed })
            try #require(try await probe.readAll(partition).map(\.offset) == [0])
        },

        ConformanceCase("a failed record of another topic stops no client with gapless topics") { log in
            let (topic, other) = (try await log.topic(), try await log.topic())
            let probe = try log.probe(gapless: [topic])
            for name in [topic, other] { try await probe.write([TopicPartition(name, 0).record()]) }
            let failed = try await probe.deliver(TopicPartition(other, 1_000).record())
            try #require(failed.error != nil && failed.error?.disposition != .fatal)
            let later = try await probe.write([topic, other].map { TopicPartition($0, 0).record() })
            try #require(later.map(\.offset) == [1, 1])
        },
    ]

    static let contents: [ConformanceCase] = [
        ConformanceCase("absent and empty keys and values are distinguished, and every byte is kept") { log in
            let (partition, probe) = try await log.partition()
            let choices: [Bytes?] = [nil, [], text("x"), Bytes(0...255), Bytes(repeating: 7, count: 1_000)]
            let pairs = choices.flatMap { key in choices.map { (key, $0) } }
            try await probe.write(pairs.map { partition.record(key: $0.0, $0.1) })
            let found = try await probe.readAll(partition)
            try #require(found.map(\.key) == pairs.map(\.0) && found.map(\.value) == pairs.map(\.1))
        },

        ConformanceCase("headers keep their order, may repeat, and may be absent or empty") { log in
            let (partition, probe) = try await log.partition()
            let headers = [
                RecordHeader("b", "1"), RecordHeader("a", nil), RecordHeader("a", Bytes()), RecordHeader("a", "2"),
                RecordHeader("b", "1"), RecordHeader("bytes", Bytes(0...255)), RecordHeader("été", "über"),
                RecordHeader("", [1]),
            ]
            try await probe.write([partition.record(headers: headers), partition.record()])
            try #require(try await probe.readAll(partition).map(\.headers) == [headers, []])
        },

        ConformanceCase("timestamps are kept, and set if the sender sets none") { log in
            let (partition, probe) = try await log.partition()
            let times: [Int64?] = [1_700_000_000_123, 1, nil, 1_600_000_000_000]
            try await probe.write(times.map { partition.record(timestamp: $0) })
            let found = try await probe.readAll(partition).map(\.timestamp)
            try #require(found.count == 4 && found[2] >= 1_700_000_000_000)
            try #require([found[0], found[1], found[3]] == [1_700_000_000_123, 1, 1_600_000_000_000])
        },

        ConformanceCase("a tombstone is read as a record with a key and no value") { log in
            let (partition, probe) = try await log.partition()
            try await probe.write([
                partition.record(key: text("k")),
                partition.record(key: text("k"), nil, headers: [RecordHeader("why", "gone")]),
            ])
            let last = try #require(try await probe.readAll(partition).last)
            try #require(last.key == text("k") && last.value == nil && last.header("why") == text("gone"))
        },

        ConformanceCase("records of half a MiB are kept") { log in
            let (partition, probe) = try await log.partition()
            let values = (0..<4).map { Bytes(repeating: UInt8($0), count: 500 << 10) }
            try await probe.write(values.map { partition.record($0) })
            try #require(try await probe.readAll(partition).map(\.value) == values)
        },
    ]
}
