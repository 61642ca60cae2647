import Conversation
import GatewayFixture
import HTTPTypes
import IntentEvents
import IntentModel
import Logging
import PersonGateway
import Pipeline
import PipelineService
import PipelineTestKit
import RecordLog
import Testing

@testable import Console

@Suite("The ticker of figures") struct FigureTickerTests {
    private func monitor(of running: RunningGateway) throws -> TopicMonitor {
        try TopicMonitor.of(running.pipeline.log, running.gateway.topics, partitions: 2)
    }

    private func viewer(_ name: Identifier) -> Viewer { Viewer(.own(Principal(.appUser, name)), isMasked: false) }

    @Test func `operators get figures each second, persons on changes and every fifteen seconds`() async throws {
        let running = try await RunningGateway()
        let ticker = FigureTicker(gateway: running.gateway, monitor: try monitor(of: running))
        var everyone = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        var ann = ticker.overviews(for: viewer("ann")).makeAsyncIterator()
        var bob = ticker.overviews(for: viewer("bob")).makeAsyncIterator()
        _ = (await everyone.next(), await ann.next(), await bob.next())
        try await running.ask("s", principal: Principal(.appUser, "ann"))
        ticker.publish(second: 0)
        #expect(await everyone.next()?.view["changed"]?.elements.count == 1)
        let own = try #require(await ann.next()?.view)
        #expect(own["changed"]?.elements.count == 1 && own["open"]?["prompts"]?.int == 1)
        // Bob has got nothing yet. His next event comes in his turn, and has no change.
        for second in 1..<FigureTicker.turns {
            ticker.publish(second: second)
            #expect(await everyone.next() != nil)
        }
        let his = try #require(await bob.next()?.view)
        #expect(his["changed"] == nil && his["open"]?["prompts"]?.int == 0)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a reader after the end gets one overview, and its stream ends`() async throws {
        let running = try await RunningGateway()
        let ticker = FigureTicker(gateway: running.gateway, monitor: try monitor(of: running))
        var early = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        ticker.close()
        var late = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        #expect(await early.next() != nil)
        #expect(await early.next() == nil)
        #expect(await late.next() != nil)
        #expect(await late.next() == nil)
    }

    @Test func `what was written before the console started counts in no rate`() async throws {
        let running = try await RunningGateway()
        try await running.ask("s")
        let later = Gateway(
            client: try running.pipeline.log.connect(ClientConfiguration(clientID: "later")),
            topics: running.pipeline.topics, partitions: 2, sources: Gateway.Sources(), board: SessionBoard(),
            clock: { [clock = running.pipeline.clock] in clock.now }, tracer: nil, logger: .silent)
        while try later.step(timeout: .zero) || !later.isReady {}
        let view = later.view(for: .unrestricted)
        #expect(view.session("s") != nil)
        let rates = view.overview(topics: []).view["rates"]
        #expect(rates?["requests"]?.double == 0 && rates?["prompts"]?.double == 0 && rates?["results"]?.double == 0)
        try later.close(timeout: .zero)
    }

    @Test func `the history has each figure of the last two minutes, with or without readers`() async throws {
        let running = try await RunningGateway()
        let monitor = try monitor(of: running)
        let ticker = FigureTicker(gateway: running.gateway, monitor: monitor)
        #expect(ticker.history.view["times"]?.elements.isEmpty == true)
        ticker.publish(second: 1)
        try await running.ask("s")
        try monitor.measure()
        ticker.publish(second: 2)
        let history = ticker.history.view
        #expect(history["times"]?.elements.count == 2)
        #expect(history["rates"]?["prompts"]?.elements.compactMap(\.double) == [0, 0.1])
        let waits = try #require(history["waits"]?["promptOldest"]?.elements)
        #expect(waits[0].isNull && waits[1].double != nil)
        let requests = try #require(
            history["topics"]?.elements.first { $0["topic"]?.string == running.gateway.topics.requests })
        #expect(requests["rate"]?.elements.map(\.isNull) == [true, false], "the topic was first read in second 2")
        for second in 3...FigureHistory.length + 2 { ticker.publish(second: second) }
        #expect(ticker.history.view["rates"]?["results"]?.elements.count == FigureHistory.length)
    }
}

@Suite("What the console sees of the topics") struct TopicMonitorTests {
    @Test func `the coordinators' lag is known for requests, answers and outcomes`() async throws {
        let topics = Topics()
        let log = InMemoryLog(clock: { 0 })
        try await log.createTopics(topics.specifications(partitions: 1))
        let inputs = [topics.requests, topics.answers, topics.outcomes]
        let coordinator = try log.connect(
            ClientConfiguration(clientID: "c", group: (id: "intents.coordinator", topics: inputs)))
        for topic in inputs + inputs + inputs {
            try coordinator.send(Record(topic: topic, partition: 0, key: [0x61], value: [0x31]), token: 0)
        }
        _ = try coordinator.poll(maximum: 100, timeout: .zero)
        let places = inputs.map { TopicPartition($0, 0) }
        try coordinator.assign(Dictionary(uniqueKeysWithValues: places.map { ($0, .beginning) }))
        try coordinator.commit(Dictionary(uniqueKeysWithValues: places.map { ($0, CommittedOffset(offset: 1)) }))
        let monitor = try TopicMonitor.of(log, topics, partitions: 1)
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

    @Test func `a measurement stops between two queries when it is cancelled`() async throws {
        let topics = Topics()
        let log = InMemoryLog(clock: { 0 })
        try await log.createTopics(topics.specifications(partitions: 4))
        let monitor = try TopicMonitor.of(log, topics, partitions: 4)
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

@Suite("Metrics of the console") struct ConsoleMetricsTests {
    private let registry = PrometheusRegistry(described: PipelineMetric.all, logger: .silent)

    @Test func `response times are labelled by route and status, without values of the path`() async throws {
        let console = try await RunningConsole(metrics: registry)
        _ = try await console.post("requests", #"{"session":"planted-name","intent":"Order"}"#)
        try await console.running.untilPrompt("planted-name")
        #expect(try await console.get("sessions/planted-name").status == 200)
        #expect(try await console.get("sessions/other").status == 404)
        #expect(try await console.call(.get, "/nothing/planted-name").status == 404)
        let text = registry.text(.prometheus)
        let session = "/api/v1/sessions/{session}"
        for (method, path, code) in [("POST", "/api/v1/requests", 202), ("GET", session, 200), ("GET", session, 404)] {
            let series =
                "intents_console_request_duration_seconds_count{method=\"\(method)\",route=\"\(path)\",status=\"\(code)\"} 1"
            #expect(text.contains(series), "\(series) is not in \(text)")
        }
        #expect(!text.contains("planted-name"))
    }

    @Test func `the metrics of readers, queue, sessions and gaps exist from the beginning`() {
        var metrics = ConsoleMetrics(registry)
        func expect(_ lines: [String]) {
            #expect(Set(registry.text(.prometheus).split(separator: "\n").map(String.init)).isSuperset(of: lines))
        }
        metrics.publish(.init(readers: 3, readersCut: 0, waiting: 2, sessions: 1, gaps: 0))
        expect([
            "intents_console_readers 3", "intents_console_readers_cut_total 0", "intents_console_sessions 1",
            "intents_send_queue_records{role=\"console\"} 2", "intents_console_result_gaps_total 0",
            "intents_console_descriptions_left_out_total 0",
        ])
        metrics.publish(.init(readers: 1, readersCut: 2, waiting: 0, sessions: 4, gaps: 1))
        metrics.publish(.init(readers: 1, readersCut: 2, waiting: 0, sessions: 4, gaps: 1, descriptionsLeftOut: 3))
        let counts = ["readers 1", "readers_cut_total 2", "result_gaps_total 1", "descriptions_left_out_total 3"]
        expect(counts.map { "intents_console_\($0)" })
    }
}
