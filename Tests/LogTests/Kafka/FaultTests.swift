import DevBroker
import RDKafkaLog
import RecordLog
import Testing

/// Each test has its own broker, because an injected fault hits the next request of any client.
@Suite("Broker faults seen by a client", .tags(.broker)) struct FaultTests {
    private let kafka: KafkaScene
    private var broker: DevelopmentBroker { kafka.broker }

    init() throws { kafka = try KafkaScene(topics: ["t": 1]) }

    @Test(arguments: [[], ["u"]] as [Set<String>])
    func `a refused record is reported, the next one written, and retries silent`(gapless: Set<String>) async throws {
        let client = try kafka.connect(gapless: gapless)
        try await client.write([record()])
        for value in 1...3 {
            broker.fail(.produce, with: [.recordTooLarge])
            let refused = try await client.write([record(1)])
            #expect(refused.map(\.error?.code) == [.recordTooLarge] && refused.map(\.offset) == [nil])
            let written = try await client.write([record(2)])
            #expect(written.map(\.offset) == [Int64(value)], "\(written)")
        }
        broker.fail(.produce, with: [.notEnoughReplicas, .notEnoughReplicas])
        #expect(try await client.write([record(1)]).map(\.error) == [nil])
        broker.fail(.produce, with: [.topicAuthorizationFailed])
        #expect(try await client.write([record(1)]).map(\.error?.code) == [.unauthorized])
    }

    @Test func `records sent while the broker is down are written when it is back`() async throws {
        let client = try kafka.connect()
        try client.read(t0, from: .beginning)
        try await client.write([record()])
        try broker.setDown(true)
        let failures = try await client.poll("the loss of the broker") { !$0.failures.isEmpty }.failures
        #expect(failures.allSatisfy { $0.code == .disconnected && $0.disposition == .retry })
        try client.send(1...10)
        try broker.setDown(false)
        let events = try await client.poll("all") { $0.deliveries.count == 10 && $0.reads.contains { $0.offset == 10 } }
        #expect(events.deliveries.map(\.offset) == (1...10).map { $0 })
    }

    @Test func `a failed commit is reported with its reason`() async throws {
        let client = try await kafka.join()
        broker.fail(.offsetCommit, with: [.illegalGeneration])
        try client.commit([t0: CommittedOffset(offset: 1)])
        let refused = try await client.poll("the answer") { !$0.commits.isEmpty }
        #expect(refused.commits.map(\.?.code) == [.illegalGeneration])
        broker.clearFaults(of: .offsetCommit)
        try client.commit([:])
        #expect(try await client.poll("the answer") { !$0.commits.isEmpty }.commits == [nil])
    }

    @Test func `a group's commits are asked again while the broker does not coordinate the group`() async throws {
        // Between two attempts the call sleeps, and then waits until all other tests had their turn.
        let log = kafka.log(requestTimeout: .seconds(90))
        // librdkafka 2.16.0 and older crash at the response if the handle that asks has no group.
        broker.fail(.offsetFetch, with: [.coordinatorNotAvailable, .notCoordinator])
        #expect(try await log.committed(by: "g", [t0]).isEmpty)
        broker.fail(.findCoordinator, with: [.groupAuthorizationFailed, .groupAuthorizationFailed])
        let error = await #expect(throws: LogError.self) { try await log.committed(by: "g", [t0]) }
        #expect(error?.code == .unauthorized)
    }

    @Test(arguments: 1...5)
    func `the range of a partition is retried while its leader moves`(refusals: Int) async throws {
        let client = try kafka.connect()
        try await client.write([record()])
        broker.fail(.listOffsets, with: Array(repeating: .notLeader, count: refusals))
        #expect(try client.range(of: t0) == 0..<1)
    }

    @Test(arguments: [LogError.Code.unauthorized, .unknownTopicOrPartition])
    func `a forbidden group and a missing topic are reported`(code: LogError.Code) async throws {
        if code == .unauthorized {
            broker.fail(.joinGroup, with: [.groupAuthorizationFailed])
        } else {
            broker.fail(topic: "t", with: .unknownTopicOrPartition)
        }
        let client = try kafka.connect(subscribing: "t")
        let failures = try await client.poll("refusal") { !$0.failures.isEmpty }.failures
        #expect(failures.first?.code == code)
    }

    @Test func `requests about topics are unsupported on a broker without admin requests`() async throws {
        let log = kafka.log()
        let error = await #expect(throws: LogError.self) {
            try await log.createTopics([TopicSpecification(name: "new", partitions: 1, replicationFactor: 1)])
        }
        #expect(error?.code == .unsupported, "\(error!)")
        let reading = await #expect(throws: LogError.self) { try await log.configurations(of: ["any"]) }
        #expect(reading?.code == .unsupported, "\(reading!)")
        #expect(try await log.configurations(of: []).isEmpty)
        try broker.createTopic("listed", partitions: 3)
        #expect(try await log.topics().contains(TopicDescription(name: "listed", partitions: 3, replicationFactor: 1)))
    }
}

/// After a record of a gapless topic fails, no later record of its client may be written. Each test has its own broker.
@Suite("Gapless topics of a Kafka client", .tags(.broker)) struct GaplessTests {
    /// The properties that send each record in its own request, so that one request can fail while others are in
    /// flight.
    private static let single = ["batch.num.messages": "1"]
    private let kafka: KafkaScene
    private var broker: DevelopmentBroker { kafka.broker }

    init() throws { kafka = try KafkaScene(topics: ["t": 1, "u": 1]) }

    /// Connects a client that waits for each response before it sends the next record, has written one record, and then
    /// has a slow broker that refuses the next record.
    private func connect(refusing fault: DevelopmentBroker.Fault, roundTripTime: Int32) async throws -> any LogClient {
        let client = try kafka.connect("gapless", Self.single.merging(["max.in.flight": "1"]) { $1 }, gapless: ["t"])
        try await client.write([record()])
        try broker.setRoundTripTime(milliseconds: roundTripTime)
        broker.fail(.produce, with: [fault])
        return client
    }

    /// The numbers of the records in "t".
    private func contents() async throws -> [UInt8] {
        try broker.setRoundTripTime(milliseconds: 0)
        let client = try kafka.connect("reader")
        try client.read(t0, from: .beginning)
        return try await client.poll("the end") { !$0.ends.isEmpty }.reads.compactMap { $0.value?.first }
    }

    @Test func `without gapless topics, a record times out and a later one gets the next offset`() async throws {
        let client = try kafka.connect("gaps", ["message.timeout.ms": "300"])
        // The first records may time out too: newer versions of librdkafka may need half a second to start.
        while try await client.write([record(0)]).first?.offset == nil {}
        try broker.setDown(true)
        try client.send(1...1)
        let deliveries = try await client.poll("the timeout") { !$0.deliveries.isEmpty }.deliveries
        #expect(deliveries.map(\.error?.code) == [.timedOut])
        try broker.setDown(false)
        // Further records time out until the client has connected again.
        var written: Delivery?
        while written?.offset == nil { written = try await client.write([record(2)]).first }
        #expect(written?.offset == 1)
    }

    @Test func `at the first refused record, the client drops its queue and throws at later sends`() async throws {
        let client = try kafka.connect("gapless", Self.single, gapless: ["t"])
        for topic in ["t", "u"] { try await client.write([record(0, in: topic)]) }
        try broker.setRoundTripTime(milliseconds: 300)
        broker.fail(.produce, with: [.recordTooLarge])
        try client.send(1...200)
        let failed = try client.deliveries(200).filter { $0.error != nil }
        #expect(failed.first?.token == 1 && failed.first?.error?.code == .recordTooLarge)
        #expect(failed.allSatisfy { $0.error?.disposition == .fatal })
        #expect(failed.dropFirst().allSatisfy { $0.error?.code == .closed })
        let error = try #require(throws: LogError.self) { try client.send(record(1, in: "u"), token: 201) }
        #expect(error.code == .closed && error.disposition == .fatal)
        #expect(error.message.contains("t[0]") && error.message.contains("recordTooLarge"), "\(error)")
        // Records that were in flight with the refused one: librdkafka has up to five requests in flight, and has built
        // as many more.
        let written = try await contents()
        #expect(written.first == 0 && !written.contains(1) && written.count <= 20, "\(written)")
        #expect(try client.poll(maximum: 10, timeout: .milliseconds(20)).deliveries.isEmpty)
        try client.close(timeout: .seconds(5))
        #expect(try await contents() == written)
    }

    @Test func `when the broker no longer permits writing, nothing that was not in flight is written`() async throws {
        let client = try await connect(refusing: .topicAuthorizationFailed, roundTripTime: 100)
        try client.send(1...100)
        let deliveries = try client.deliveries(100)
        #expect(deliveries.allSatisfy { $0.error != nil } && deliveries.first?.error?.code == .unauthorized)
        let written = try await contents()
        #expect(written == [0] || written == [0, 2], "\(written)")
    }

    @Test func `when a record fails while the client closes, nothing that was not in flight is written`() async throws {
        let client = try await connect(refusing: .recordTooLarge, roundTripTime: 200)
        try client.send(1...20)
        let error = try #require(throws: LogError.self) { try client.close(timeout: .seconds(10)) }
        #expect(error.message.contains("20 records"), "\(error)")
        // One request is in flight, and the next one is built.
        let written = try await contents()
        #expect(written == [0] || written == [0, 2], "\(written)")
    }

    @Test func `a record that librdkafka itself refuses stops the client inside the call`() async throws {
        let client = try kafka.connect("gapless", ["message.max.bytes": "2000"], gapless: ["t"])
        try await client.write([record()])
        try client.send(t0.record(Bytes(repeating: 1, count: 5_000)), token: 7)
        let error = try #require(throws: LogError.self) { try client.send(record(1, in: "u"), token: 8) }
        #expect(error.code == .closed && error.message.contains("recordTooLarge"), "\(error)")
        let deliveries = try await client.poll("the delivery") { !$0.deliveries.isEmpty }.deliveries
        #expect(deliveries.map(\.token) == [7] && deliveries.first?.error?.code == .recordTooLarge)
        #expect(try await contents() == [0])
    }

    @Test func `records have no timeout, and properties that would let them fail are refused by name`() async throws {
        for name in ["message.timeout.ms", "delivery.timeout.ms", "message.send.max.retries", "retries"] {
            let error = #expect(throws: LogError.self) { try kafka.connect("c", [name: "1000"], gapless: ["t"]) }
            #expect(error?.code == .invalidConfiguration && error?.message.contains(name) == true)
            _ = try kafka.connect("c", [name: "1000"])
        }
        let lines = Lines()
        let client = try kafka.log(["debug": "conf"], lines.append).connect(
            ClientConfiguration(clientID: "c", gaplessTopics: ["t"]))
        try await client.poll("the configuration") { _ in lines.all.contains { $0.contains("message.timeout.ms = 0") } }
        try client.close(timeout: .seconds(5))
    }

    @Test(arguments: [[], ["t"]] as [Set<String>])
    func `closing without a broker times out with the number of lost records`(gapless: Set<String>) async throws {
        let client = gapless.isEmpty ? try await kafka.join() : try kafka.connect("gapless", gapless: gapless)
        try await client.write([record()])
        try broker.setDown(true)
        try client.send(1...10)
        let started = ContinuousClock.now
        let error = try #require(throws: LogError.self) { try client.close(timeout: .seconds(1)) }
        #expect(ContinuousClock.now - started < .seconds(9))
        #expect(error.code == .timedOut && error.message.contains("10 records"), "\(error)")
        try broker.setDown(false)
        #expect(try await contents() == [0])
    }
}

extension LogClient {
    /// Polls until there are this many deliveries. The thread is never yielded, because librdkafka sends until a
    /// failure is polled.
    fileprivate func deliveries(_ count: Int, within timeout: Duration = .seconds(90)) throws -> [Delivery] {
        let deadline = ContinuousClock.now + timeout
        var deliveries: [Delivery] = []
        while deliveries.count < count {
            if ContinuousClock.now > deadline { throw Missing("\(count) deliveries: \(deliveries.count) came") }
            deliveries += try poll(maximum: 1000, timeout: .seconds(1)).deliveries
        }
        return deliveries
    }
}
