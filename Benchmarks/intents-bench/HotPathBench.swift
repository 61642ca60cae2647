import ArgumentParser
import Conversation
import IntentEvents
import IntentKit
import IntentRuntime
import Pipeline
import PipelineService
import PipelineTestKit
import RecordLog

import struct Logging.Logger
import struct Logging.SwiftLogNoOpLogHandler

/// Measures one part of the hot path. A whole pipeline runs in one thread on ``InMemoryLog``; only that part is
/// counted.
///
/// The same input makes the same calls, so a count of instructions shows a change of a few percent on a busy machine,
/// where a time does not.
final class HotPathBench {
    enum Part: String, CaseIterable, ExpressibleByArgument {
        /// A coordinator reads a request or an outcome, decides, writes the journal, and sends the effects of its
        /// decision.
        case decision
        /// A worker reads a work item, binds it, calls a handler that returns at once, and writes its outcome.
        case work
        /// A coordinator takes over a partition. Each record of the partition's journal is one operation.
        case replay
        /// A work item's parameters become a Swift intent.
        case binding
        /// As ``decision`` and ``work``, with metrics, and with traces that are propagated but not recorded.
        case decisionWithTelemetry = "decision-telemetry"
        case workWithTelemetry = "work-telemetry"
        /// As ``decisionWithTelemetry`` and ``workWithTelemetry``, with each trace recorded.
        case decisionTraced = "decision-traced"
        case workTraced = "work-traced"

        /// The part that is counted, whatever its telemetry.
        fileprivate var counted: Part {
            switch self {
            case .decision, .decisionWithTelemetry, .decisionTraced: .decision
            case .work, .workWithTelemetry, .workTraced: .work
            case .replay, .binding: self
            }
        }

        fileprivate var telemetry: (registry: PrometheusRegistry, spans: SpanQueue)? {
            get throws {
                let isTraced = self == .decisionTraced || self == .workTraced
                if counted == self { return nil }
                let registry = PrometheusRegistry(described: PipelineMetric.all, logger: HotPathBench.logger)
                let variables = [
                    "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost",
                    "OTEL_TRACES_SAMPLER": isTraced ? "always_on" : "always_off",
                    "OTEL_BSP_MAX_QUEUE_SIZE": "1000000",
                ]
                let configuration = try OTLPConfiguration(
                    environment: variables, service: "bench", instance: "bench", version: "")
                return configuration.map { (registry, SpanQueue($0)) }
            }
        }
    }

    /// The number of counted operations, and the time they took.
    struct Figure {
        var operations = 0
        var duration = Duration.zero
    }

    private let part: Part
    private let log: InMemoryLog
    private let clock = ManualClock()
    private let executor = StepExecutor()
    private let topics = Topics()
    private let registry: IntentRegistry
    private let person: any LogClient
    private var encoder = EventEncoder(source: "/bench")
    private let coordinator: Coordinator
    private var workers: [Worker] = []
    private var figure = Figure()
    private var isWarm = false
    private let counting = Counting()
    fileprivate static let logger = Logger(label: "bench", factory: { _ in SwiftLogNoOpLogHandler() })
    private static let partitions: Int32 = 4

    init(_ wanted: Part) async throws {
        let part = wanted.counted
        self.part = part
        let telemetry = try wanted.telemetry
        let clock = clock
        log = InMemoryLog { clock.now.milliseconds }
        registry = try IntentRegistry([BenchRideExtension()], dependencies: AppDependencyManager())
        try await log.createTopics(topics.specifications(partitions: Self.partitions))
        person = try log.connect(ClientConfiguration(clientID: "person"))
        coordinator = try Self.coordinator("first", log, topics, clock, counting, telemetry)
        for phase in Phase.allCases {
            var configuration = WorkerConfiguration(topics: topics, phase: phase)
            configuration.incarnation = "bench"
            let client = try log.connect(ClientConfiguration(clientID: phase.rawValue, group: configuration.group))
            workers.append(
                Worker(
                    client: UncountedClient(client, counting), configuration: configuration,
                    perform: { [registry] in await registry.perform($0, report: $1) },
                    policies: registry.policy, executor: executor, clock: { clock.now }, logger: Self.logger,
                    metrics: telemetry.map { WorkerMetrics($0.registry) },
                    tracer: telemetry.map { OTLPTracer($0.spans) }))
        }
    }

    private static func coordinator(
        _ name: String, _ log: InMemoryLog, _ topics: Topics, _ clock: ManualClock, _ counting: Counting,
        _ telemetry: (registry: PrometheusRegistry, spans: SpanQueue)? = nil
    ) throws -> Coordinator {
        var configuration = CoordinatorConfiguration(topics: topics, owner: Identifier(name))
        configuration.partitions = partitions
        configuration.randomness = Randomness(seed: 1)
        configuration.limits.maximumRate = .infinity
        let client = try log.connect(Coordinator.client(name, topics))
        return Coordinator(
            client: UncountedClient(client, counting), configuration: configuration, clock: { clock.now },
            logger: logger,
            metrics: telemetry.map { CoordinatorMetrics($0.registry) }, spans: telemetry?.spans)
    }

    /// - Parameter intents: The number of intents to carry out, each in a session of its own.
    /// - Throws: A `ValidationError` if not all intents were completed.
    func measure(intents: Int) throws -> Figure {
        // Work that is done once in a process is not part of the hot path.
        try perform(intents: 50, round: 0)
        figure = Figure()
        isWarm = true
        try perform(intents: intents, round: 1)
        if part == .replay { try takeOver() }
        return figure
    }

    private func perform(intents: Int, round: Int) throws {
        let completed = coordinator.counters.results
        for number in 0..<intents {
            let id = "\(round)-\(number)"
            let request = IntentRequest(
                id: Identifier(id), intent: Identifier(BenchRide.name), parameters: BindingBench.parameters)
            let event = encoder.record(
                .requested(request), session: "session-\(id)", id: Identifier(id), topics: topics, at: clock.now)
            if let event { try person.send(event, token: 0) }
        }
        while try person.poll(maximum: 1_000, timeout: .zero).isEmpty == false {}
        let (decisions, items) = (coordinator.counters.decisions, workers.reduce(0) { $0 + $1.counters.started })
        while try step() { clock.advance(by: .milliseconds(5)) }
        guard coordinator.counters.results - completed == intents else {
            throw ValidationError("\(coordinator.counters.results - completed) of \(intents) intents were completed")
        }
        switch part {
        case .decision: figure.operations += coordinator.counters.decisions - decisions
        case .work: figure.operations += workers.reduce(0) { $0 + $1.counters.started } - items
        case .binding: try bind(times: intents)
        default: break
        }
    }

    private func step() throws -> Bool {
        var isBusy = false
        try measured(.decision) { if try coordinator.step(timeout: .zero) { isBusy = true } }
        try measured(.work) {
            for worker in workers where try worker.step(timeout: .zero) { isBusy = true }
            if executor.run() { isBusy = true }
        }
        return isBusy
    }

    private func takeOver() throws {
        try coordinator.close(timeout: .seconds(1))
        let records = log.records(in: topics.sessions).count
        let successor = try Self.coordinator("second", log, topics, clock, counting)
        try measured(.replay) { for _ in 0..<1_000 where !successor.isSteady { try successor.step(timeout: .zero) } }
        guard successor.isSteady else { throw ValidationError("the partitions were not taken over in 1,000 steps") }
        figure.operations = records
    }

    private func bind(times: Int) throws {
        let (parameters, name) = (BindingBench.parameters, BenchRide.name)
        try measured(.binding) { for _ in 0..<times { _ = try registry.bind(parameters, of: name) } }
        figure.operations += times
    }

    private func measured(_ part: Part, _ body: () throws -> Void) rethrows {
        guard part == self.part, isWarm else { return try body() }
        counting.isOn = true
        defer { counting.isOn = false }
        let start = ContinuousClock.now
        try countedPart(body)
        figure.duration += start.duration(to: .now)
    }
}

/// deploy/instructions.sh starts to count at the beginning of this function and stops at its end.
@inline(never)
private func countedPart(_ body: () throws -> Void) rethrows { try body() }

/// deploy/instructions.sh stops to count at the beginning of this function and starts again at its end. Outside of
/// ``countedPart(_:)`` it would do the opposite.
@inline(never)
private func uncountedCall<Value>(_ body: () throws(LogError) -> Value) throws(LogError) -> Value { try body() }

/// Tells the clients whether the counted part runs.
private final class Counting: @unchecked Sendable { var isOn = false }

/// A client whose calls are not counted, because the cost of the in-memory log is not the pipeline's.
private final class UncountedClient: ForwardingClient, @unchecked Sendable {
    private let counting: Counting

    init(_ inner: any LogClient, _ counting: Counting) {
        self.counting = counting
        super.init(inner)
    }

    private func uncounted<Value>(_ body: () throws(LogError) -> Value) throws(LogError) -> Value {
        if counting.isOn { try uncountedCall(body) } else { try body() }
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try uncounted { () throws(LogError) in try inner.poll(maximum: maximum, timeout: timeout) }
    }

    override func send(_ record: Record, token: UInt64) throws(LogError) {
        try uncounted { () throws(LogError) in try inner.send(record, token: token) }
    }

    override func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) {
        try uncounted { () throws(LogError) in try inner.commit(offsets) }
    }

    override func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        try uncounted { () throws(LogError) in try inner.read(partition, from: start) }
    }

    override func stopReading(_ partition: TopicPartition) throws(LogError) {
        try uncounted { () throws(LogError) in try inner.stopReading(partition) }
    }

    override func pause(_ partitions: [TopicPartition]) throws(LogError) {
        try uncounted { () throws(LogError) in try inner.pause(partitions) }
    }

    override func resume(_ partitions: [TopicPartition]) throws(LogError) {
        try uncounted { () throws(LogError) in try inner.resume(partitions) }
    }

    override func knownEnd(of partition: TopicPartition) -> Int64? {
        try? uncounted { () throws(LogError) in inner.knownEnd(of: partition) }
    }

    override var unwritten: Int { (try? uncounted { () throws(LogError) in inner.unwritten }) ?? 0 }
}
