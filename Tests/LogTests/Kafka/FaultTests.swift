import DevBroker
import RDKafkaLog
import RecordLog
import Testing

/// Each test has its own broker, because an injected fault hits the next request of any client.
@Suite("Broker faults seen by a client", .tags(.broker))
struct FaultTests {
    @Test("a refused record is reported, and the next one is written")
    func refusedRecord() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "refused"))
        try await client.write([Record(topic: "t", partition: 0, key: nil, value: [0])])
        for value in UInt8(1)...3 {
            broker.fail(.produce, with: [.recordTooLarge])
            let refused = try await client.write([Record(topic: "t", partition: 0, key: nil, value: [1])])
            #expect(refused.map(\.error?.code) == [.recordTooLarge])
            #expect(refused.map(\.offset) == [nil])
            let written = try await client.write([Record(topic: "t", partition: 0, key: nil, value: [2])])
            #expect(written.map(\.offset) == [Int64(value)], "\(written)")
        }
        broker.fail(.produce, with: [.topicAuthorizationFailed])
        let forbidden = try await client.write([Record(topic: "t", partition: 0, key: nil, value: [1])])
        #expect(forbidden.map(\.error?.code) == [.unauthorized])
        try client.close(timeout: .seconds(5))
    }

    @Test("a transient error is retried without a report")
    func transientError() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "passing"))
        broker.fail(.produce, with: [.notEnoughReplicas, .notEnoughReplicas])
        #expect(try await client.write([Record(topic: "t", partition: 0, key: nil, value: [0])]).map(\.error) == [nil])
        try client.close(timeout: .seconds(5))
    }

    @Test("records sent while the broker is down are written when it is back")
    func brokerDown() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "away"))
        try client.read(TopicPartition("t", 0), from: .beginning)
        try await client.write([Record(topic: "t", partition: 0, key: nil, value: [0])])
        try broker.setDown(true)
        let failures = try await client.poll("the loss of the broker") { !$0.failures.isEmpty }.failures
        #expect(failures.allSatisfy { $0.code == .disconnected && $0.disposition == .retry })
        for token in 1...UInt64(10) {
            try client.send(Record(topic: "t", partition: 0, key: nil, value: [UInt8(token)]), token: token)
        }
        try broker.setDown(false)
        let events = try await client.poll("everything") {
            $0.deliveries.count == 10 && $0.reads.contains { $0.offset == 10 }
        }
        #expect(events.deliveries.map(\.offset) == (1...10).map { $0 })
        try client.close(timeout: .seconds(5))
    }

    @Test("a failed commit is reported with its reason")
    func failedCommit() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "commit", group: ("g", ["t"])))
        try await client.join()
        let place = TopicPartition("t", 0)
        broker.fail(.offsetCommit, with: [.illegalGeneration])
        try client.commit([place: CommittedOffset(offset: 1)])
        let refused = try await client.poll("the answer") { !$0.commits.isEmpty }
        #expect(refused.commits.map(\.?.code) == [.illegalGeneration])
        broker.clearFaults(of: .offsetCommit)
        try client.commit([:])
        #expect(try await client.poll("the answer") { !$0.commits.isEmpty }.commits == [nil])
        try client.close(timeout: .seconds(5))
    }

    @Test("what a group has committed is asked again while the broker does not coordinate the group")
    func noCoordinator() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let log = try Support.log(on: broker)
        // librdkafka 2.16.0 and older crash at the response if the handle that asks has no group.
        broker.fail(.offsetFetch, with: [.coordinatorNotAvailable, .notCoordinator])
        #expect(try await log.committed(by: "g", [TopicPartition("t", 0)]).isEmpty)
        broker.fail(.findCoordinator, with: [.groupAuthorizationFailed, .groupAuthorizationFailed])
        let error = await #expect(throws: LogError.self) { try await log.committed(by: "g", [TopicPartition("t", 0)]) }
        #expect(error?.code == .unauthorized)
    }

    @Test(
        "the range of a partition is asked again while another broker is to lead it, whichever of its ends was refused",
        arguments: 1...5)
    func movingLeader(refusals: Int) async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        let client = try Support.log(on: broker).connect(ClientConfiguration(clientID: "moving"))
        try await client.write([Record(topic: "t", partition: 0, key: nil, value: [0])])
        broker.fail(.listOffsets, with: Array(repeating: .notLeader, count: refusals))
        #expect(try client.range(of: TopicPartition("t", 0)) == 0..<1)
        try client.close(timeout: .seconds(5))
    }

    @Test("a forbidden group is reported")
    func forbiddenGroup() async throws {
        let broker = try DevelopmentBroker(topics: ["t": 1])
        broker.fail(.joinGroup, with: [.groupAuthorizationFailed])
        let client = try Support.log(on: broker).connect(
            ClientConfiguration(clientID: "forbidden", group: ("g", ["t"])))
        let failures = try await client.poll("refusal") { !$0.failures.isEmpty }.failures
        #expect(failures.first?.code == .unauthorized)
        try client.close(timeout: .seconds(5))
    }

    @Test("a missing topic is reported")
    func missingTopic() async throws {
        let broker = try DevelopmentBroker(topics: ["absent": 1])
        broker.fail(topic: "absent", with: .unknownTopicOrPartition)
        let client = try Support.log(on: broker).connect(
            ClientConfiguration(clientID: "absent", group: ("g", ["absent"])))
        let failures = try await client.poll("absence") { !$0.failures.isEmpty }.failures
        #expect(failures.first?.code == .unknownTopicOrPartition)
        try client.close(timeout: .seconds(5))
    }

    @Test("creating topics, and reading their settings, on a broker without admin requests fails as unsupported")
    func adminRequests() async throws {
        let log = try Support.log()
        let error = await #expect(throws: LogError.self) {
            try await log.createTopics([TopicSpecification(name: "new", partitions: 1, replicationFactor: 1)])
        }
        #expect(error?.code == .unsupported, "\(error!)")
        let reading = await #expect(throws: LogError.self) { try await log.configurations(of: ["any"]) }
        #expect(reading?.code == .unsupported, "\(reading!)")
        #expect(try await log.configurations(of: []).isEmpty)
        let topic = try Support.topic("listed", partitions: 3)
        #expect(try await log.topics().contains(TopicDescription(name: topic, partitions: 3, replicationFactor: 1)))
    }
}
