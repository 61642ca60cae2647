import DevBroker
import Dispatch
import RDKafkaLog
import RecordLog
import Testing

@Suite("A Kafka client", .tags(.broker)) struct KafkaClientTests {
    private let kafka: KafkaScene

    init() throws { kafka = try KafkaScene() }

    // MARK: Deliveries

    @Test func `tokens use all bits`() async throws {
        let topic = try await kafka.topic()
        let client = try kafka.connect()
        let tokens = [0, 1, UInt64.max, 1 << 63]
        for token in tokens { try client.send(topic.record(), token: token) }
        let deliveries = try await client.poll("delivery") { $0.deliveries.count == 4 }.deliveries
        #expect(deliveries.map(\.token) == tokens)
    }

    @Test func `deliveries beyond the requested maximum are kept for the next poll`() async throws {
        let topic = try await kafka.topic()
        let client = try kafka.connect("surplus", ["linger.ms": "50"])
        for token in 0..<UInt64(100) { try client.send(topic.record(), token: token) }
        var tokens: [UInt64] = []
        try await eventually("all deliveries") {
            let events = try client.poll(maximum: 7, timeout: .seconds(1))
            #expect(events.count <= 7)
            tokens += events.deliveries.map(\.token)
            return tokens.count >= 100
        }
        #expect(tokens == Array(0..<100))
    }

    @Test func `a full queue is reported, and has room again after deliveries`() async throws {
        let topic = try await kafka.topic()
        let properties = ["queue.buffering.max.messages": "100", "linger.ms": "20"]
        let client = try kafka.connect("full", properties, subscribing: topic.topic)
        var sent: UInt64 = 0
        var delivered = 0
        // The loop sends many times the queue's size: polled deliveries must free the queue.
        for _ in 0..<20 {
            let error = #expect(throws: LogError.self) {
                while true {
                    try client.send(topic.record(), token: sent)
                    sent += 1
                }
            }
            #expect(error?.code == .queueFull && error?.disposition == .retry)
            let open = Int(sent) - delivered
            delivered += try await client.poll("room") { $0.deliveries.count >= open }.deliveries.count
        }
        #expect(sent == 2000)
    }

    /// A delivery arrives in another queue than the one that `poll` waits for. The delivery must end the wait, whenever
    /// it arrives.
    @Test func `a delivery ends every wait`() async throws {
        let topic = try await kafka.topic()
        let client = try kafka.connect(subscribing: topic.topic)
        try await client.write([topic.record()])
        var delivered = 0
        let took = try ContinuousClock().measure {
            for token in 0..<UInt64(300) {
                try client.send(topic.record(), token: token)
                while delivered <= token {
                    delivered += try client.poll(maximum: 10, timeout: .seconds(10)).deliveries.count
                }
            }
        }
        #expect(took < .seconds(9), "no wait may last its whole time")
    }

    @Test(arguments: [true, false])
    func `no wake is lost, of a member or of a client without a group`(isMember: Bool) async throws {
        let client = try kafka.connect(subscribing: isMember ? try await kafka.topic().topic : nil)
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
    }

    // MARK: The end

    @Test func `closing sends the records that linger in the queue`() async throws {
        let topic = try await kafka.topic()
        let client = try kafka.connect("lingers", ["linger.ms": "60000"])
        for token in 0..<UInt64(50) { try client.send(topic.record(), token: token) }
        let took = try ContinuousClock().measure { try client.close(timeout: .seconds(20)) }
        #expect(took < .seconds(10))
        #expect(try kafka.connect("reader").range(of: topic) == 0..<50)
    }

    @Test func `a closed member leaves its group at once`() async throws {
        let topic = try await kafka.topic(partitions: 2).topic
        let patient = ["session.timeout.ms": "120000"]
        let members = try ["first", "second"].map { try kafka.connect($0, patient, subscribing: topic) }
        // The join of the last member makes the other member share its partitions.
        try await shareAll(members)
        try members[0].close(timeout: .seconds(5))
        // If the first member had not left the group, the revocation would take the session timeout.
        try await members[1].poll("revocation", within: .seconds(90)) { !$0.revoked.isEmpty }
        try members[1].release()
    }

    @Test func `closing answers an assignment that the caller has not answered`() async throws {
        let client = try kafka.connect(subscribing: try await kafka.topic(partitions: 2).topic)
        try await client.poll("assignment") { !$0.assigned.isEmpty }
        let took = try ContinuousClock().measure { try client.close(timeout: .seconds(20)) }
        #expect(took < .seconds(15))
    }

    @Test func `calls to a closed development broker throw`() throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        broker.close()
        broker.close()
        broker.fail(.produce, with: [.disconnect])
        #expect(throws: DevelopmentBrokerError.self) { try broker.createTopic("u", partitions: 1) }
        #expect(throws: DevelopmentBrokerError.self) { try broker.setDown(true) }
    }

    @Test func `closing a client releases everything it holds`() async throws {
        let first = try await kafka.topic(partitions: 2)
        let lines = Lines()
        let log = kafka.log([:], lines.append)
        for round in 0..<5 {
            let group = round > 1 ? (id: "\(first.topic)-g", topics: [first.topic]) : nil
            let client = try log.connect(ClientConfiguration(clientID: "ends", group: group))
            for token in 0..<UInt64(1000) {
                let headers = [RecordHeader("a", "b")]
                try client.send(Record(topic: first.topic, key: nil, value: [1], headers: headers), token: token)
            }
            try client.read(first, from: .beginning)
            try client.read(TopicPartition(first.topic, 1), from: .end)
            // Events are left in every queue.
            _ = try client.poll(maximum: 10, timeout: .milliseconds(200))
            try client.close(timeout: .seconds(5))
        }
        #expect(lines.all.filter { $0.contains("left running") || $0.contains("released without") } == [])
    }

    @Test func `a client that was never closed is dropped quickly and logged`() async throws {
        let topic = try await kafka.topic()
        let lines = Lines()
        let log = kafka.log([:], lines.append)
        let took = try ContinuousClock().measure {
            let group = (id: "\(topic.topic)-g", topics: [topic.topic])
            let client = try log.connect(ClientConfiguration(clientID: "forgotten", group: group))
            try client.send(topic.record(), token: 0)
            try client.read(topic, from: .beginning)
        }
        #expect(took < .seconds(9))
        #expect(lines.all.contains { $0.contains("client forgotten was released without being closed") })
    }

    // MARK: Records that librdkafka has fetched ahead of the polls

    @Test func `a paused partition delivers nothing and loses nothing`() async throws {
        let topic = try await kafka.topic(partitions: 2, filled: 2000).topic
        let client = try await kafka.join(topic)
        var records = try await client.poll("a first record") { !$0.records.isEmpty }.records
        // By now librdkafka has fetched far ahead of the polled records. The fetched records must not be delivered.
        for round in 0..<40 {
            let paused = TopicPartition(topic, Int32(round % 2))
            try client.pause([paused])
            for _ in 0..<5 {
                let events = try client.poll(maximum: 20, timeout: .milliseconds(5))
                #expect(!events.records.contains { $0.topicPartition == paused })
                records += events.records
                await Task.yield()
            }
            try client.resume([paused])
            records += try client.poll(maximum: 10, timeout: .milliseconds(5)).records
        }
        let sofar = records.count
        records += try await client.poll("the rest") { $0.records.count >= 4000 - sofar }.records
        for index: Int32 in 0...1 { #expect(records.filter { $0.partition == index }.map(\.offset) == Array(0..<2000)) }
    }

    @Test func `a moved reader delivers no records from its old position`() async throws {
        let place = try await kafka.topic(filled: 3000)
        let client = try kafka.connect("moved")
        for round in 0..<30 {
            let start = Int64(round * 37 % 2000)
            try client.read(place, from: .offset(start))
            let reads = try await client.poll("records") { $0.reads.count >= 5 }.reads
            #expect(reads.map(\.offset) == Array(start..<start + Int64(reads.count)))
        }
        try client.stopReading(place)
        #expect(try client.poll(maximum: 1000, timeout: .milliseconds(50)).reads.isEmpty)
        try client.read(place, from: .offset(9999))
        let events = try await client.poll("the end") { !$0.ends.isEmpty }
        #expect(events.missing == [OutOfRange(place, requested: 9999, range: 0..<3000)])
        #expect(events.reads.map(\.offset) == Array(0..<3000) && events.ends == [3000])
    }
}
