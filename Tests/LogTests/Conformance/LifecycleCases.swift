import RecordLog
import Testing

extension ConformanceCase {
    static let lifecycle: [ConformanceCase] = [
        ConformanceCase("closing sends what is queued") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let writer = try log.probe("writer")
            for record in numbered(partition, 0..<100) { try await writer.send(record) }
            try writer.client.close(timeout: log.patience)
            let reader = try log.probe("reader")
            defer { reader.close() }
            try #require(try await reader.readAll(partition).count == 100)
        },

        ConformanceCase("closing twice is harmless, and every other call then fails as closed") { log in
            let topic = try await log.uniqueTopic()
            let partition = TopicPartition(topic, 0)
            let client = try log.probe(group: (log.uniqueName("group"), [topic])).client
            try client.close(timeout: log.patience)
            try client.close(timeout: log.patience)
            client.wake()
            let calls: [(String, () throws(LogError) -> Void)] = [
                ("poll", { () throws(LogError) in _ = try client.poll(maximum: 1, timeout: .zero) }),
                (
                    "send",
                    { () throws(LogError) in try client.send(Record(topic: topic, key: nil, value: nil), token: 1) }
                ),
                ("assign", { () throws(LogError) in try client.assign([:]) }),
                ("release", { () throws(LogError) in try client.release() }),
                ("lookUpCommitted", { () throws(LogError) in try client.lookUpCommitted([partition]) }),
                ("commit", { () throws(LogError) in try client.commit([partition: CommittedOffset(offset: 0)]) }),
                ("pause", { () throws(LogError) in try client.pause([partition]) }),
                ("resume", { () throws(LogError) in try client.resume([partition]) }),
                ("read", { () throws(LogError) in try client.read(partition, from: .beginning) }),
                ("stopReading", { () throws(LogError) in try client.stopReading(partition) }),
                ("range", { () throws(LogError) in _ = try client.range(of: partition) }),
            ]
            for (name, call) in calls {
                let error = #expect(throws: LogError.self, "\(name)") { try call() }
                try #require(error?.code == .closed, "\(name)")
                try #require(error?.disposition == .fatal, "\(name)")
            }
        },

        ConformanceCase("a client that only reads does, and refuses to send") { log in
            let partition = TopicPartition(try await log.uniqueTopic(), 0)
            let writer = try log.probe("writer")
            for record in numbered(partition, 0..<10) { try await writer.send(record) }
            try writer.client.close(timeout: log.patience)
            var configuration = ClientConfiguration(clientID: "reader")
            configuration.isReadOnly = true
            let reader = LogProbe(try log.log.connect(configuration), name: "reader", patience: log.patience)
            defer { reader.close() }
            try #require(try await reader.readAll(partition).count == 10)
            let record = Record(topic: partition.topic, key: nil, value: nil)
            let error = #expect(throws: LogError.self) { try reader.client.send(record, token: 1) }
            try #require(error?.code == .unsupported)
        },

        ConformanceCase("a poll with a timeout of zero does not wait") { log in
            let probe = try log.probe()
            defer { probe.close() }
            let took = try ContinuousClock().measure { _ = try probe.client.poll(maximum: 10, timeout: .zero) }
            try #require(took < .seconds(1))
        },

        ConformanceCase("waking ends the next poll", needs: [.waitingPoll]) { log in
            let probe = try log.probe()
            defer { probe.close() }
            probe.client.wake()
            let took = try ContinuousClock().measure { _ = try probe.client.poll(maximum: 10, timeout: .seconds(120)) }
            try #require(took < .seconds(120))
        },

        ConformanceCase("waking from another thread ends a waiting poll", needs: [.waitingPoll]) { log in
            let probe = try log.probe()
            defer { probe.close() }
            let client = probe.client
            // A task may wait long for its turn while many tests run, so the limit is generous.
            let waker = Task.detached { client.wake() }
            let took = try ContinuousClock().measure { _ = try client.poll(maximum: 10, timeout: .seconds(120)) }
            await waker.value
            try #require(took < .seconds(120))
        },
    ]
}
