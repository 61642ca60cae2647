import IntentEvents
import Pipeline
import PipelineService
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@Suite("The watch of faults") struct FaultWatchTests {
    /// A client whose brokers are silent on demand.
    private final class SilentClient: ForwardingClient, @unchecked Sendable {
        let isSilent = Mutex(false)
        let questions = Recorder<Duration>()

        override func topics(timeout: Duration) throws(LogError) -> [TopicDescription] {
            questions.record(timeout)
            if isSilent.withLock(\.self) { throw LogError(.disconnected, "silent", disposition: .retry) }
            return try inner.topics(timeout: timeout)
        }
    }

    private let topics = Topics(prefix: "home")
    private let log = InMemoryLog { 0 }
    private let seconds = Recorder<Int>()
    private let late = PipelineFault(.processLate, "worker w has not renewed its lease", advice: "start it again")

    private func watch(_ metrics: PrometheusRegistry? = nil) async throws -> (FaultWatch, SilentClient) {
        try await log.createTopics(topics.specifications(partitions: 2))
        let client = SilentClient(try log.connect(ClientConfiguration(clientID: "watch")))
        let watch = FaultWatch(topics, metrics: metrics, elapsed: { [seconds] in .seconds(seconds.all.last ?? 0) }) {
            [late] in [late]
        }
        return (watch, client)
    }

    /// Steps once in each of these seconds, and returns the faults of the last one.
    @discardableResult
    private func step(_ watch: FaultWatch, _ client: SilentClient, _ seconds: ClosedRange<Int>) -> [PipelineFault] {
        var faults: [PipelineFault] = []
        for second in seconds {
            self.seconds.record(second)
            faults = watch.step(client)
        }
        return faults
    }

    @Test func `asks the brokers every ten seconds, and tells a partition that stays without a leader`() async throws {
        let (watch, client) = try await watch()
        #expect(step(watch, client, 0...19) == [late])
        #expect(client.questions.all == [FaultWatch.timeout, FaultWatch.timeout])
        log.setLeaders(of: topics.results, areAway: true)
        #expect(step(watch, client, 20...22) == [late], "an election is no fault")
        let faults = step(watch, client, 23...23)
        #expect(faults.map(\.kind) == [.partitionWithoutLeader, .processLate])
        #expect(faults[0].message.hasPrefix("no broker leads 2 of 2 partitions of home.results (0, 1)"))
        log.setLeaders(of: topics.results, areAway: false)
        #expect(step(watch, client, 24...24) == [late])
    }

    @Test func `brokers that do not answer are the only fault, and leases count again once they can be renewed`()
        async throws
    {
        let registry = PrometheusRegistry(described: PipelineMetric.all, logger: quiet)
        let (watch, client) = try await watch(registry)
        step(watch, client, 0...0)
        client.isSilent.withLock { $0 = true }
        #expect(step(watch, client, 1...9) == [late])
        #expect(step(watch, client, 10...12).isEmpty)
        let faults = step(watch, client, 13...15)
        #expect(faults.map(\.message) == ["Kafka has not answered for 5 s: silent"])
        let text = registry.text(.prometheus)
        #expect(text.contains(#"intents_faults{kind="brokerUnreachable"} 1"#))
        #expect(text.contains(#"intents_faults{kind="processLate"} 0"#))
        client.isSilent.withLock { $0 = false }
        #expect(step(watch, client, 16...21).isEmpty)
        #expect(step(watch, client, 22...22) == [late])
    }

    @Test func `a process that was stopped reads what others have written meanwhile, before it accuses them`()
        async throws
    {
        let (watch, client) = try await watch()
        #expect(step(watch, client, 0...4) == [late])
        #expect(step(watch, client, 60...65).isEmpty)
        #expect(step(watch, client, 66...66) == [late])
    }
}
