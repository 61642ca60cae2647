import DevBroker
import Dispatch
import RDKafkaLog
import RecordLog
import Testing

@Suite("The lifecycle of a client", .tags(.broker))
struct LifecycleTests {
    @Test("closing without a broker ends in time and counts the lost records")
    func closeWithoutBroker() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "lost", group: ("g", ["t"])))
        try await client.join()
        try await client.write([Record(topic: "t", key: nil, value: [0])])
        try broker.setDown(true)
        for token in 0..<UInt64(7) { try client.send(Record(topic: "t", key: nil, value: [1]), token: token) }
        var error: LogError?
        let took = ContinuousClock().measure {
            do throws(LogError) { try client.close(timeout: .seconds(1)) } catch let caught { error = caught }
        }
        #expect(took < .seconds(4))
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("7 records") == true)
        try client.close(timeout: .seconds(1))
    }

    @Test("closing sends the records that linger in the queue")
    func closeSends() async throws {
        let topic = try Support.topic("lingers")
        let client = try Support.log(["linger.ms": "60000"]).connect(ClientConfiguration(clientID: "lingers"))
        for token in 0..<UInt64(50) { try client.send(Record(topic: topic, key: nil, value: [1]), token: token) }
        let took = try ContinuousClock().measure { try client.close(timeout: .seconds(20)) }
        #expect(took < .seconds(10))
        let reader = try Support.log().connect(ClientConfiguration(clientID: "reader"))
        #expect(try reader.range(of: TopicPartition(topic, 0)) == 0..<50)
        try reader.close(timeout: .seconds(5))
    }

    @Test("a closed member leaves its group at once")
    func closeLeaves() async throws {
        let topic = try Support.topic("leaves", partitions: 2)
        let group = (id: "\(topic)-g", topics: [topic])
        let log = try Support.log()
        let first = try log.connect(ClientConfiguration(clientID: "first", group: group))
        let second = try log.connect(ClientConfiguration(clientID: "second", group: group))
        // The join of the last member makes the other member share its partitions.
        var owned = [0, 0]
        try await Support.eventually("a partition for each", within: .seconds(30)) {
            for (index, client) in [first, second].enumerated() {
                for event in try client.poll(maximum: 100, timeout: .milliseconds(10)) {
                    if case .assigned(let partitions) = event {
                        owned[index] = partitions.count
                        try client.assign([:])
                    } else if case .revoked = event {
                        owned[index] = 0
                        try client.release()
                    }
                }
            }
            return owned == [1, 1]
        }
        try first.close(timeout: .seconds(5))
        // If the first member had not left the group, the revocation would take the session timeout of 6 s.
        try await second.poll("revocation", within: .seconds(4)) { !$0.revoked.isEmpty }
        try second.release()
        try second.close(timeout: .seconds(5))
    }

    @Test("closing answers an assignment that the caller has not answered")
    func closeUnanswered() async throws {
        let topic = try Support.topic("unanswered", partitions: 2)
        let client = try Support.log().connect(
            ClientConfiguration(clientID: "unanswered", group: ("\(topic)-g", [topic])))
        try await client.poll("assignment") { !$0.assigned.isEmpty }
        let took = try ContinuousClock().measure { try client.close(timeout: .seconds(20)) }
        #expect(took < .seconds(5))
    }

    @Test("calls to a closed development broker throw")
    func closedBroker() throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        broker.close()
        broker.close()
        broker.fail(.produce, with: [.disconnect])
        #expect(throws: DevelopmentBrokerError.self) { try broker.createTopic("u", partitions: 1) }
        #expect(throws: DevelopmentBrokerError.self) { try broker.setDown(true) }
    }

    @Test("closing a client releases everything it holds")
    func cleanUp() async throws {
        let topic = try Support.topic("ends", partitions: 2)
        let lines = Lines()
        let servers = try Support.broker.get().bootstrapServers
        let log = KafkaLog(
            KafkaConfiguration(bootstrapServers: servers, properties: Support.quick) { _, facility, line in
                lines.append("\(facility) \(line)")
            })
        for round in 0..<5 {
            let client = try log.connect(
                ClientConfiguration(clientID: "ends", group: round > 1 ? ("\(topic)-g", [topic]) : nil))
            for token in 0..<UInt64(1000) {
                try client.send(Record(topic: topic, key: nil, value: [1], headers: [.init("a", "b")]), token: token)
            }
            try client.read(TopicPartition(topic, 0), from: .beginning)
            try client.read(TopicPartition(topic, 1), from: .end)
            // Events are left in every queue.
            _ = try client.poll(maximum: 10, timeout: .milliseconds(200))
            try client.close(timeout: .seconds(5))
        }
        #expect(lines.all.filter { $0.contains("left running") || $0.contains("released without") } == [])
    }

    @Test("a client that was never closed is dropped quickly and logged")
    func dropped() async throws {
        let topic = try Support.topic("forgotten")
        let lines = Lines()
        let servers = try Support.broker.get().bootstrapServers
        let log = KafkaLog(KafkaConfiguration(bootstrapServers: servers) { _, _, line in lines.append(line) })
        let took = try ContinuousClock().measure {
            let client = try log.connect(ClientConfiguration(clientID: "forgotten", group: ("\(topic)-g", [topic])))
            try client.send(Record(topic: topic, key: nil, value: [1]), token: 0)
            try client.read(TopicPartition(topic, 0), from: .beginning)
        }
        #expect(took < .seconds(2))
        #expect(lines.all.contains { $0.contains("client forgotten was released without being closed") })
    }

    /// A delivery arrives in another queue than the one that `poll` waits for. The delivery must end the wait, whenever
    /// it arrives.
    @Test("a delivery ends every wait")
    func deliveryWakes() async throws {
        let topic = try Support.topic("waits")
        let client = try Support.log().connect(ClientConfiguration(clientID: "waits", group: ("\(topic)-g", [topic])))
        try await client.write([Record(topic: topic, key: nil, value: [1])])
        var delivered = 0
        let took = try ContinuousClock().measure {
            for token in 0..<UInt64(300) {
                try client.send(Record(topic: topic, key: nil, value: [1]), token: token)
                while delivered <= token {
                    delivered += try client.poll(maximum: 10, timeout: .seconds(10)).deliveries.count
                }
            }
        }
        #expect(took < .seconds(9), "no wait may last its whole time")
        try client.close(timeout: .seconds(5))
    }

    @Test("no wake is lost")
    func wakes() async throws {
        let topic = try Support.topic("wakes")
        let client = try Support.log().connect(ClientConfiguration(clientID: "wakes", group: ("\(topic)-g", [topic])))
        let queue = DispatchQueue(label: "waker")
        let took = try ContinuousClock().measure {
            for round in 0..<500 {
                queue.async {
                    for _ in 0..<(round * 97 % 2000) {}  // Each time at a different moment.
                    client.wake()
                }
                _ = try client.poll(maximum: 10, timeout: .seconds(10))
                queue.sync {}
                // The wake may have come after another event ended the poll.
                client.wake()
                _ = try client.poll(maximum: 10, timeout: .seconds(10))
            }
        }
        #expect(took < .seconds(9))
        try client.close(timeout: .seconds(5))
    }
}
