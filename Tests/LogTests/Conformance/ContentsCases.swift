import RecordLog
import Testing

extension ConformanceCase {
    static let contents: [ConformanceCase] = [
        ConformanceCase("absent and empty keys and values are distinguished, both ways") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let choices: [Bytes?] = [nil, [], text("x")]
            let pairs = choices.flatMap { key in choices.map { (key, $0) } }
            try await probe.write(pairs.map { Record(topic: topic, partition: 0, key: $0.0, value: $0.1) })
            let found = try await probe.readAll(TopicPartition(topic, 0))
            try #require(found.map(\.key) == pairs.map(\.0))
            try #require(found.map(\.value) == pairs.map(\.1))
        },

        ConformanceCase("headers keep their order, may repeat, and may be absent or empty") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let headers = [
                RecordHeader("b", "1"), RecordHeader("a", nil), RecordHeader("a", Bytes()), RecordHeader("a", "2"),
                RecordHeader("b", "1"),
                RecordHeader("bytes", Bytes(0...255)), RecordHeader("été", "über"),
            ]
            try await probe.write([
                Record(topic: topic, partition: 0, key: nil, value: text("v"), headers: headers),
                Record(topic: topic, partition: 0, key: nil, value: text("v")),
            ])
            let found = try await probe.readAll(TopicPartition(topic, 0))
            try #require(found.map(\.headers) == [headers, []])
        },

        ConformanceCase("every byte of keys and values is kept") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let bytes = Bytes(0...255)
            try await probe.write([Record(topic: topic, partition: 0, key: bytes, value: bytes.reversed())])
            let found = try await probe.readAll(TopicPartition(topic, 0))
            try #require(found.map(\.key) == [bytes])
            try #require(found.map(\.value) == [Array(bytes.reversed())])
        },

        ConformanceCase("timestamps are kept, and set if the sender sets none") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let times: [Int64?] = [1_700_000_000_123, 1, nil, 1_600_000_000_000]
            try await probe.write(
                times.map { Record(topic: topic, partition: 0, key: nil, value: text("v"), timestamp: $0) })
            let found = try await probe.readAll(TopicPartition(topic, 0)).map(\.timestamp)
            try #require(found.count == 4)
            try #require([found[0], found[1], found[3]] == [1_700_000_000_123, 1, 1_600_000_000_000])
            try #require(found[2] > 0)
        },

        ConformanceCase("a tombstone is read as a record with a key and no value") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write([
                Record(topic: topic, partition: 0, key: text("k"), value: text("v")),
                Record(topic: topic, partition: 0, key: text("k"), value: nil, headers: [RecordHeader("why", "gone")]),
            ])
            let last = try #require(try await probe.readAll(TopicPartition(topic, 0)).last)
            try #require(last.key == text("k"))
            try #require(last.value == nil)
            try #require(last.header("why") == text("gone"))
        },

        ConformanceCase("records of half a MiB are kept", needs: [.largeRecords]) { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            let values = (0..<4).map { Bytes(repeating: UInt8($0), count: 500 << 10) }
            try await probe.write(values.map { Record(topic: topic, partition: 0, key: nil, value: $0) })
            let found = try await probe.readAll(TopicPartition(topic, 0))
            try #require(found.map { $0.value?.count } == values.map(\.count))
            try #require(found.map { $0.value?.last } == [0, 1, 2, 3])
        },

        ConformanceCase("compaction keeps the newest record of each key at its offset", needs: [.compaction]) { log in
            let topic = try await log.uniqueTopic()
            let partition = TopicPartition(topic, 0)
            let probe = try log.probe()
            defer { probe.close() }
            let keys = ["a", "b", "a", "c", "b", "a"]
            try await probe.write(
                keys.enumerated().map { Record(topic: topic, partition: 0, key: text($1), value: text("\($0)")) })
            try await log.compact?(topic)
            let found = try await probe.readAll(partition)
            try #require(found.map(\.offset) == [3, 4, 5])
            try #require(found.map(\.value) == [text("3"), text("4"), text("5")])
            try #require(probe.ends[partition] == [6])
        },
    ]
}
