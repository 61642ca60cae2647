import IntentEvents
import Logging
import PersonGateway
import PipelineTestKit
import RecordLog
import Testing

@testable import Console

@Suite("What the console sees of the topics")
struct TopicMonitorTests {
    @Test("how far coordinators are is known of all that they read: requests, answers and outcomes")
    func lag() async throws {
        let topics = Topics()
        let log = InMemoryLog(clock: { 0 })
        try await log.createTopics(topics.specifications(partitions: 1))
        let inputs = [topics.requests, topics.answers, topics.outcomes]
        let coordinator = try log.connect(
            ClientConfiguration(clientID: "c", group: (id: "intents.coordinator", topics: inputs)))
        for topic in inputs {
            for _ in 0..<3 {
                try coordinator.send(Record(topic: topic, partition: 0, key: [0x61], value: [0x31]), token: 0)
            }
        }
        _ = try coordinator.poll(maximum: 100, timeout: .zero)
        let places = inputs.map { TopicPartition($0, 0) }
        try coordinator.assign(Dictionary(uniqueKeysWithValues: places.map { ($0, .beginning) }))
        try coordinator.commit(Dictionary(uniqueKeysWithValues: places.map { ($0, CommittedOffset(offset: 1)) }))
        let monitor = TopicMonitor(
            client: try log.connect(ClientConfiguration(clientID: "monitor")), log: log, topics: topics, partitions: 1,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        // A cancelled task asks no further group.
        await withTaskGroup(of: Void.self) { tasks in
            tasks.cancelAll()
            tasks.addTask { await monitor.queryCommittedOffsets(of: []) }
        }
        try monitor.measure()
        #expect(monitor.figures.allSatisfy { $0.lag == nil })
        await monitor.queryCommittedOffsets(of: [])
        try monitor.measure()
        let lags = Dictionary(
            uniqueKeysWithValues: monitor.figures.filter { inputs.contains($0.topic) }.map { ($0.topic, $0.lag) })
        #expect(lags == [topics.requests: 2, topics.answers: 2, topics.outcomes: 2])
        #expect(monitor.figures.first { $0.topic == topics.results }?.lag == nil, "no group works it off")
    }

    @Test(
        "a look is given up between two questions, so that a broker that is away holds up neither the sign of life nor the end"
    )
    func givenUp() async throws {
        let topics = Topics()
        let log = InMemoryLog(clock: { 0 })
        try await log.createTopics(topics.specifications(partitions: 4))
        let monitor = TopicMonitor(
            client: try log.connect(ClientConfiguration(clientID: "monitor")), log: log, topics: topics, partitions: 4,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        var questions = 0
        try monitor.measure {
            questions += 1
            return questions < 3
        }
        #expect(questions == 3 && monitor.figures.isEmpty)
        try monitor.measure()
        #expect(!monitor.figures.isEmpty)
    }
}
