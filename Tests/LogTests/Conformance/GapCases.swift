import RecordLog
import Testing

extension ConformanceCase {
    static let gaps: [ConformanceCase] = [
        ConformanceCase("a record fails, and later ones of its client get the next offsets") { log in
            let topic = try await log.uniqueTopic()
            let probe = try log.probe()
            defer { probe.close() }
            try await probe.write([Record(topic: topic, partition: 0, key: nil, value: text("first"))])
            let failed = try await probe.failRecord(of: topic)
            try #require(failed.error?.code == .unknownTopicOrPartition)
            let later = try await probe.write([Record(topic: topic, partition: 0, key: nil, value: text("later"))])
            try #require(later.map(\.offset) == [1])
        },

        ConformanceCase(
            "after a failed record of a gapless topic nothing is written, sends throw, and the client still reads"
        ) { log in
            let (topic, other) = (try await log.uniqueTopic(), try await log.uniqueTopic())
            let probe = try log.probe(gaplessTopics: [topic])
            defer { probe.close() }
            let places = [TopicPartition(topic, 0), TopicPartition(other, 0)]
            for place in places { try await probe.write(numbered(place, 0..<1)) }
            let failed = try await probe.failRecord(of: topic)
            try #require(failed.error?.code == .unknownTopicOrPartition)
            try #require(failed.error?.disposition == .fatal)
            for place in places {
                let error = #expect(throws: LogError.self) {
                    try probe.client.send(numbered(place, 1..<2)[0], token: 0)
                }
                try #require(error?.code == .closed)
                try #require(error?.disposition == .fatal)
                try #require(error?.message.contains(topic) == true, "\(error!)")
                try #require(try await probe.readAll(place).map(\.offset) == [0])
            }
        },

        ConformanceCase("records that wait behind the failed one of a gapless topic fail as well") { log in
            let topic = try await log.uniqueTopic()
            let partition = TopicPartition(topic, 0)
            let probe = try log.probe(gaplessTopics: [topic])
            defer { probe.close() }
            try await probe.write(numbered(partition, 0..<1))
            let failed = try probe.sendUnknown(topic)
            var later: [UInt64] = []
            do throws(LogError) {
                for token in failed + 1...failed + 10 {
                    try probe.client.send(
                        Record(topic: topic, partition: 0, key: nil, value: text("later")), token: token)
                    later.append(token)
                }
            } catch { try #require(error.code == .closed) }
            try await probe.eventually("all deliveries") { probe.deliveries.count == 2 + later.count }
            try #require(probe.deliveries.filter { later.contains($0.token) }.allSatisfy { $0.error?.code == .closed })
            try #require(try await probe.readAll(partition).map(\.offset) == [0])
        },

        ConformanceCase("a failed record of another topic stops no client with gapless topics") { log in
            let (topic, other) = (try await log.uniqueTopic(), try await log.uniqueTopic())
            let probe = try log.probe(gaplessTopics: [topic])
            defer { probe.close() }
            for name in [topic, other] { try await probe.write(numbered(TopicPartition(name, 0), 0..<1)) }
            let failed = try await probe.failRecord(of: other)
            try #require(failed.error?.disposition != .fatal)
            for name in [topic, other] {
                try #require(try await probe.write(numbered(TopicPartition(name, 0), 1..<2)).map(\.offset) == [1])
            }
        },
    ]
}

extension LogProbe {
    /// Sends a record for a partition that does not exist, which every log refuses. Returns the record's token.
    fileprivate func sendUnknown(_ topic: String) throws -> UInt64 {
        let token = UInt64.max / 4
        try client.send(Record(topic: topic, partition: 1_000, key: nil, value: text("v")), token: token)
        return token
    }

    /// Sends a record that every log refuses, and waits for its delivery.
    fileprivate func failRecord(of topic: String) async throws -> Delivery {
        let token = try sendUnknown(topic)
        try await eventually("the refusal") { deliveries.contains { $0.token == token } }
        return try #require(deliveries.first { $0.token == token })
    }
}
