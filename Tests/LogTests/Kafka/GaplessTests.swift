import DevBroker
import RDKafkaLog
import RecordLog
import Testing

/// After a record of a gapless topic fails, no later record of its client may be written. Each test has its own broker.
@Suite("Gapless topics of a Kafka client", .tags(.broker))
struct GaplessTests {
    private static let place = TopicPartition("t", 0)
    /// The properties that send each record in its own request, so that one request can fail while others are in
    /// flight.
    private static let single = ["batch.num.messages": "1"]

    private func connect(_ broker: DevelopmentBroker, _ properties: [String: String] = [:], gapless: Set<String>) throws
        -> any LogClient
    {
        try Support.log(properties, on: broker).connect(
            ClientConfiguration(clientID: "gapless", gaplessTopics: gapless))
    }

    private func record(_ number: Int, in topic: String = "t") -> Record {
        Record(topic: topic, partition: 0, key: nil, value: [UInt8(number & 255)])
    }

    /// The numbers of the records in the log.
    private func contents(_ broker: DevelopmentBroker, _ place: TopicPartition = place) async throws -> [UInt8] {
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "reader"))
        try client.read(place, from: .beginning)
        let reads = try await client.poll("the end") { !$0.ends.isEmpty }.reads
        try client.close(timeout: .seconds(5))
        return reads.compactMap { $0.value?.first }
    }

    @Test("without gapless topics, a record times out and a later one is written at the next offset")
    func gap() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try connect(broker, ["message.timeout.ms": "300"], gapless: [])
        // The first records may time out too: newer versions of librdkafka may need half a second to start.
        while try await client.write([record(0)]).first?.offset == nil {}
        try broker.setDown(true)
        try client.send(record(1), token: 1)
        let deliveries = try await client.poll("the timeout") { !$0.deliveries.isEmpty }.deliveries
        #expect(deliveries.map(\.error?.code) == [.timedOut])
        try broker.setDown(false)
        // Further records time out until the client has connected again.
        var written: Delivery?
        while written?.offset == nil { written = try await client.write([record(2)]).first }
        #expect(written?.offset == 1)
        try client.close(timeout: .seconds(5))
    }

    @Test("at the first refused record the client drops what it has not sent, and throws at every later send")
    func refused() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1, "u": 1])
        let client = try connect(broker, Self.single, gapless: ["t"])
        for topic in ["t", "u"] { try await client.write([record(0, in: topic)]) }
        try broker.setRoundTripTime(milliseconds: 300)
        broker.fail(.produce, with: [.recordTooLarge])
        for number in 1...200 { try client.send(record(number), token: UInt64(number)) }
        let deliveries = try client.deliveries(200)
        let failed = deliveries.filter { $0.error != nil }
        #expect(failed.first?.token == 1)
        #expect(failed.first?.error?.code == .recordTooLarge)
        #expect(failed.allSatisfy { $0.error?.disposition == .fatal })
        #expect(failed.dropFirst().allSatisfy { $0.error?.code == .closed })
        let error = #expect(throws: LogError.self) { try client.send(record(1, in: "u"), token: 201) }
        #expect(error?.code == .closed && error?.disposition == .fatal)
        #expect(
            error?.message.contains("t[0]") == true && error?.message.contains("recordTooLarge") == true, "\(error!)")
        try broker.setRoundTripTime(milliseconds: 0)
        // Records that were in flight with the refused one: librdkafka has up to five requests in flight, and has built
        // as many more.
        let written = try await contents(broker)
        #expect(written.first == 0 && !written.contains(1) && written.count <= 20, "\(written)")
        #expect(try client.poll(maximum: 10, timeout: .milliseconds(20)).deliveries.isEmpty)
        try client.close(timeout: .seconds(5))
        #expect(try await contents(broker) == written)
    }

    @Test("when the broker no longer permits writing, nothing that was not under way is written")
    func unauthorized() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try connect(broker, Self.single.merging(["max.in.flight": "1"]) { $1 }, gapless: ["t"])
        try await client.write([record(0)])
        try broker.setRoundTripTime(milliseconds: 100)
        broker.fail(.produce, with: [.topicAuthorizationFailed])
        for number in 1...100 { try client.send(record(number), token: UInt64(number)) }
        let deliveries = try client.deliveries(100)
        #expect(deliveries.allSatisfy { $0.error != nil })
        #expect(deliveries.first?.error?.code == .unauthorized)
        try broker.setRoundTripTime(milliseconds: 0)
        let written = try await contents(broker)
        #expect(written == [0] || written == [0, 2], "\(written)")
        try client.close(timeout: .seconds(5))
    }

    @Test("a record that librdkafka itself refuses stops the client inside the call")
    func refusedLocally() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1, "u": 1])
        let client = try connect(broker, ["message.max.bytes": "2000"], gapless: ["t"])
        try await client.write([record(0)])
        try client.send(Record(topic: "t", partition: 0, key: nil, value: Bytes(repeating: 1, count: 5_000)), token: 7)
        let error = #expect(throws: LogError.self) { try client.send(record(1, in: "u"), token: 8) }
        #expect(error?.code == .closed && error?.message.contains("recordTooLarge") == true, "\(error!)")
        let deliveries = try await client.poll("the delivery") { !$0.deliveries.isEmpty }.deliveries
        #expect(deliveries.map(\.token) == [7] && deliveries.first?.error?.code == .recordTooLarge)
        #expect(try await contents(broker) == [0])
        try client.close(timeout: .seconds(5))
    }

    @Test("a refused record of another topic stops nothing")
    func otherTopic() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1, "u": 1])
        let client = try connect(broker, gapless: ["t"])
        try await client.write([record(0), record(0, in: "u")])
        broker.fail(.produce, with: [.recordTooLarge])
        #expect(try await client.write([record(1, in: "u")]).map(\.error?.code) == [.recordTooLarge])
        #expect(try await client.write([record(2)]).map(\.offset) == [1])
        try client.close(timeout: .seconds(5))
    }

    @Test("records have no timeout, and properties that would let them fail are refused by name")
    func properties() async throws {
        for name in ["message.timeout.ms", "delivery.timeout.ms", "message.send.max.retries", "retries"] {
            let log = KafkaLog(
                KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: [name: "1000"]) { _, _, _ in })
            let error = #expect(throws: LogError.self) {
                _ = try log.connect(ClientConfiguration(clientID: "c", gaplessTopics: ["t"]))
            }
            #expect(error?.code == .invalidConfiguration && error?.message.contains(name) == true)
            try log.connect(ClientConfiguration(clientID: "c")).close(timeout: .seconds(5))
        }
        let lines = Lines()
        let debug = ["debug": "conf"]
        let configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: debug) { _, _, line in
            lines.append(line)
        }
        let client = try KafkaLog(configuration).connect(ClientConfiguration(clientID: "c", gaplessTopics: ["t"]))
        try await client.poll("the configuration") { _ in lines.all.contains { $0.contains("message.timeout.ms = 0") } }
        try client.close(timeout: .seconds(5))
    }

    @Test("closing without a broker ends at its own timeout, and says how many records are lost")
    func closing() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try connect(broker, gapless: ["t"])
        try await client.write([record(0)])
        try broker.setDown(true)
        for number in 1...10 { try client.send(record(number), token: UInt64(number)) }
        let started = ContinuousClock.now
        let error = #expect(throws: LogError.self) { try client.close(timeout: .milliseconds(500)) }
        #expect(ContinuousClock.now - started < .seconds(10))
        #expect(error?.code == .timedOut && error?.message.contains("10 records") == true, "\(error!)")
        try broker.setDown(false)
        #expect(try await contents(broker) == [0])
    }

    @Test("a record that fails while the client closes lets nothing be written that was not under way")
    func failedWhileClosing() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try connect(broker, Self.single.merging(["max.in.flight": "1"]) { $1 }, gapless: ["t"])
        try await client.write([record(0)])
        try broker.setRoundTripTime(milliseconds: 200)
        broker.fail(.produce, with: [.recordTooLarge])
        for number in 1...20 { try client.send(record(number), token: UInt64(number)) }
        let error = #expect(throws: LogError.self) { try client.close(timeout: .seconds(10)) }
        #expect(error?.message.contains("20 records") == true, "\(error!)")
        try broker.setRoundTripTime(milliseconds: 0)
        let written = try await contents(broker)
        // One request is in flight, and the next one is built.
        #expect(written == [0] || written == [0, 2], "\(written)")
    }
}

extension LogClient {
    /// Polls until there are this many deliveries. The thread is never yielded, because librdkafka sends until a
    /// failure is polled.
    fileprivate func deliveries(_ count: Int, within timeout: Duration = .seconds(20)) throws -> [Delivery] {
        let deadline = ContinuousClock.now + timeout
        var deliveries: [Delivery] = []
        while deliveries.count < count {
            if ContinuousClock.now > deadline {
                throw Missing(description: "\(count) deliveries did not come: \(deliveries.count) did")
            }
            deliveries += try poll(maximum: 1000, timeout: .seconds(1)).deliveries
        }
        return deliveries
    }
}
