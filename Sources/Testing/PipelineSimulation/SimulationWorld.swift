import Conversation
import IntentEvents
import IntentModel
import Logging
import Pipeline
import PipelineTestKit
import RecordLog

/// The state of one history while it is played.
final class SimulationWorld {
    static let partitions: Int32 = 2
    /// Shorter than in production. Compaction may remove records after this time.
    static let standbyPatience: Duration = .seconds(20)

    let script: SimulationScript
    let simulation: Simulation
    let clock = ManualClock()
    let topics = Topics()
    let log: InMemoryLog
    let books: SimulationBooks
    /// The encryption of the history; `nil` in most histories.
    let encryption: SimulatedEncryption?
    let handlers: SimulatedHandlers
    let executor = StepExecutor()
    let logger = Logger(label: "simulation", factory: { _ in SwiftLogNoOpLogHandler() })
    let processes: [SimulatedProcess]
    var policy = SessionPolicy()
    var encoder = EventEncoder(source: "/person")
    /// `true` if a coordinator's clock was set to another time than the persons' clocks.
    var hasSkewedClocks = false
    /// The deadlines, by the request's key, that coordinators whose clock was an hour ahead had set when the faults
    /// ended.
    var distantDeadlines: [String: Instant] = [:]
    let traits: HistoryTraits
    /// The faults of the log and its topics.
    var cluster = ClusterState()
    /// The number of partitions that a coordinator finds when it starts.
    var partitionCount = SimulationWorld.partitions
    /// The wall clock of the persons' devices, which dates their events.
    let devices: ProcessClock

    init(_ script: SimulationScript, _ simulation: Simulation) async {
        self.script = script
        self.simulation = simulation
        let clock = clock
        log = InMemoryLog { clock.now.milliseconds }
        try? await log.createTopics(topics.specifications(partitions: Self.partitions))
        encryption = script.isEncrypted ? try? SimulatedEncryption(log, topics) : nil
        books = SimulationBooks(log: log, topics: topics, partitions: Self.partitions, encryption: encryption)
        handlers = SimulatedHandlers(
            books: books, topics: topics,
            limits: SimulatedLimits(
                seed: script.seed, honoursKeys: simulation.handlersHonourKeys,
                atMostOnce: simulation.atMostOnce.union([SimulatedHandlers.once])))
        processes = SimulationScript.processes.map { SimulatedProcess(name: $0, base: clock) }
        devices = ProcessClock(clock)
        policy.limits.maximumQueued = 3
        policy.limits.maximumSuspended = 2
        policy.limits.maximumHandoffs = 2
        policy.limits.maximumAsks = 3
        policy.limits.maximumAttempts = 3
        policy.limits.maximumOpened = 2
        policy.updatesTimeout = .seconds(130)
        // All requests of a forgotten session are known for the same time, so the journal shows when that time ends.
        policy.onceRepeatTimeout = policy.repeatTimeout
        var random = SimulationRandom(seed: script.seed, "world")
        traits = HistoryTraits(script, &random)
        if random.once(in: 2) { log.setSegmentSize(random.within(2...25), of: topics.sessions) }
        books.withLedger { [traits] in
            $0.maximumSessionBytes = traits.maximumSessionBytes
            $0.trust = traits.trust
        }
        if simulation.isTranscribed { books.withLedger { $0.transcript = [] } }
        if simulation.isSurveyed { books.withLedger { $0.survey = SimulationSurvey() } }
    }

    func play() -> SimulationOutcome {
        var random = SimulationRandom(seed: script.seed, "start")
        if encryption != nil { appendToTranscript("       encrypted") }
        if script.hasCatalogue { appendToTranscript("       with a catalogue") }
        for process in processes where process.name != "c3" && process.name != "handler2" { start(process) }
        if random.once(in: 2) { settle(rounds: 12) }
        for line in script.lines {
            appendToTranscript(line.description)
            apply(line)
            if traits.isRolling, line.number % 6 == 0 { roll() }
            if books.with({ !$0.violations.isEmpty }) { break }
        }
        if books.withLedger({ $0.violations.isEmpty }) {
            appendToTranscript("       from here on without faults")
            drain()
        }
        for process in processes { kill(process, evict: true) }
        let coordinators = processes.reduce(into: SimulationReport()) { $0 += $1.report }
        return books.with { ledger in
            ledger.report += coordinators
            ledger.report[.histories] = 1
            ledger.report[.dense] = script.isDense ? 1 : 0
            ledger.report[.moves] = script.lines.count
            return SimulationOutcome(
                script: script, trace: ledger.reading.hash.value, report: ledger.report, violations: ledger.violations,
                transcript: ledger.transcript ?? [])
        }
    }

    func appendToTranscript(_ line: @autoclosure () -> String) {
        guard simulation.isTranscribed else { return }
        let line = line()
        books.withLedger { $0.transcript?.append(line) }
    }

    /// Ends a coordinator, or starts it again, while the other coordinators continue.
    private func roll() {
        guard let process = process("c1"), !process.isPaused else { return }
        if process.body == nil { start(process) } else { end(process) }
        settle(rounds: 12)
    }

    // MARK: Processes

    func process(_ name: String) -> SimulatedProcess? { processes.first { $0.name == name } }

    func start(_ process: SimulatedProcess) {
        guard process.body == nil else { return }
        process.runs += 1
        process.isPaused = false
        process.keyFile = encryption?.stage ?? 0
        process.encrypting = []
        books.withLedger { _ = $0.living.insert(process.runName) }
        let clock = process.clock
        if SimulationScript.coordinators.contains(process.name) {
            startStandby(of: process)
            startKeeper(of: process)
            startCatalogue(of: process)
            let client = connect(process, Coordinator.client(process.name, topics), makesKeys: true)
            var configuration = CoordinatorConfiguration(
                topics: topics, policy: policy, owner: Identifier(process.runName))
            configuration.partitions = partitionCount
            configuration.positionsInterval = 9
            configuration.sessionsReadPerStep = 1
            configuration.handoffTokens = traits.tokens
            configuration.trust = traits.trust
            if let limits = traits.senderLimits {
                (configuration.limits.maximumRate, configuration.limits.maximumBurst) = limits
            }
            var random = SimulationRandom(seed: script.seed, process.runName)
            configuration.randomness = Randomness(seed: random.next())
            if traits.isNarrow {
                (configuration.limits.maximumInFlight, configuration.limits.maximumUnacknowledgedRecords) = (2, 1)
            }
            if let maximum = traits.maximumSessionBytes { configuration.limits.maximumSessionBytes = maximum }
            process.body = .coordinator(
                Coordinator(
                    client: client, configuration: configuration, standby: process.standby,
                    catalogue: process.catalogue.follower,
                    memory: process.keeper, clock: { clock.now }, logger: logger))
        } else {
            process.sideRandom = SimulationRandom(seed: script.seed, "catalogue", process.runName)
            startCatalogue(of: process)
            var configuration = WorkerConfiguration(
                topics: topics, phase: SimulationScript.phase(of: process.name), isInApp: process.name == "app")
            configuration.instance = process.runName
            configuration.incarnation = process.runName
            configuration.commitInterval = traits.isNarrow ? .milliseconds(50) : .zero
            if traits.isNarrow {
                (configuration.maximumInFlight, configuration.maximumWaiting) = (2, script.seed % 2 == 0 ? 0 : 3)
            }
            let client = connect(process, ClientConfiguration(clientID: process.name, group: configuration.group))
            let limited = process.limited
            let perform = handlers.perform(in: process.runName, clock: clock) { limited?.next($0) ?? 0 }
            process.body = .worker(
                Worker(
                    client: client, configuration: configuration, perform: perform,
                    policies: SimulatedHandlers.policy, executor: executor, clock: { clock.now }, logger: logger))
        }
    }

    /// Starts the standby of a process. Some standbys read journals before the process joins its group.
    private func startStandby(of process: SimulatedProcess) {
        process.sideRandom = SimulationRandom(seed: script.seed, "standby", process.runName)
        guard traits.standby > 0, script.older != process.name else { return }
        let client = SimulatedClient(log.client(Standby.client(process.name)), watching: false, exposing: exposed)
        var configuration = Standby.Configuration(topics: topics, partitions: Self.partitions, maximum: traits.standby)
        configuration.patience = Self.standbyPatience
        let clock = process.clock
        process.follower = client
        process.standby = Standby(
            client: encrypting(client, of: process), configuration: configuration, clock: { clock.now }, logger: logger)
        for _ in 0..<process.sideRandom.pick([0, 2, 200]) { stepStandby(of: process) }
    }

    /// Starts the memory keeper of a process. Version 0.1.0 remembers nothing about persons. A history with an older
    /// coordinator tests the journal, so that coordinator keeps the memory like all others.
    private func startKeeper(of process: SimulatedProcess) {
        let client = SimulatedClient(
            log.client(MemoryKeeper.client(process.name, topics)), watching: false, exposing: exposed)
        let clock = process.clock
        process.keeperClient = client
        process.keeper = MemoryKeeper(
            client: encrypting(client, of: process), topics: topics, partitions: Self.partitions, clock: { clock.now },
            logger: logger)
        for _ in 0..<process.sideRandom.pick([0, 2, 200]) { stepKeeper(of: process) }
    }

    /// Steps the keeper of a process once.
    @discardableResult
    private func stepKeeper(of process: SimulatedProcess) -> Bool {
        guard let keeper = process.keeper else { return false }
        process.keeperClient?.limit(process.sideRandom.pick([1, 3, 500, 500]))
        do throws(LogError) { return try keeper.step(timeout: .zero) } catch {
            recordDeath(error, of: process)
            return true
        }
    }

    /// Steps the standby of a process once.
    @discardableResult
    private func stepStandby(of process: SimulatedProcess) -> Bool {
        guard let standby = process.standby else { return false }
        process.follower?.limit(process.sideRandom.pick([1, 3, 500, 500]))
        do throws(LogError) { return try standby.step(timeout: .zero) } catch {
            books.withLedger { $0.violated(.processEnded, "the standby of \(process.runName) crashed: \(error)") }
            return false
        }
    }

    private func connect(
        _ process: SimulatedProcess, _ configuration: ClientConfiguration, makesKeys: Bool = false
    ) -> any LogClient {
        let client = log.client(configuration)
        let limited = SimulatedClient(client, watching: simulation.isSurveyed, exposing: exposed)
        process.client = client
        process.limited = limited
        process.mayMissRecords = false
        return script.older == process.name
            ? OldVersion(limited) : encrypting(limited, of: process, makesKeys: makesKeys)
    }

    /// Crashes the process if it runs, and optionally evicts it from its group.
    func kill(_ process: SimulatedProcess, evict: Bool, _ point: CrashPoint = .beforeSending) {
        if process.body != nil { endRun(of: process, point) }
        if evict {
            for client in process.earlierClients { client.evict() }
            process.earlierClients = []
        }
    }

    private func endRun(of process: SimulatedProcess, _ point: CrashPoint = .beforeSending) {
        if let coordinator = process.coordinator { process.report += coordinator.counters }
        if let restarts = process.standby?.restarts, restarts > 0 {
            process.report.coverage.count(.fault, "a standby that has to read again", times: restarts)
        }
        if let worker = process.worker { process.report.countLost(deadLetters: worker.counters.deadLetters.lost) }
        if let faults = process.limited?.faults {
            for (name, count) in faults { process.report.coverage.count(.fault, name, times: count) }
        }
        handlers.kill(process.runName)
        process.end()
        if let client = process.client {
            client.crash(point)
            process.earlierClients.append(client)
        }
        executor.run()
        // The books read the last records of the process before its replacement stops excusing copies.
        books.with { ledger in
            ledger.living.remove(process.runName)
            ledger.mayFail[process.runName] = nil
        }
    }

    /// Steps a process once.
    ///
    /// - Returns: `true` if something happened.
    @discardableResult
    func step(_ process: SimulatedProcess, atMost events: Int = 500) -> Bool {
        guard process.isRunning, let body = process.body else { return false }
        process.limited?.limit(events)
        // A fence is judged by the records written before it.
        let isTakingOver = process.coordinator.map { !$0.isSteady } ?? false
        if isTakingOver { books.with { _ in } }
        let unserved = process.coordinator?.counters.unserved ?? 0
        var isBusy: Bool
        do throws(LogError) {
            switch body {
            case .coordinator(let coordinator): isBusy = try coordinator.step(timeout: .zero)
            case .worker(let worker): isBusy = try worker.step(timeout: .zero)
            }
        } catch {
            recordDeath(error, of: process)
            isBusy = true
        }
        if !isBusy || process.sideRandom.once(in: 2), stepStandby(of: process) { isBusy = true }
        if !isBusy || process.sideRandom.once(in: 2), stepKeeper(of: process) { isBusy = true }
        checkServed(by: process, before: unserved)
        if script.hasCatalogue, !isBusy || process.sideRandom.once(in: 2), followCatalogue(process) { isBusy = true }
        if isTakingOver { books.with { _ in } }
        if cluster.hasWithheldKeys, let sessions = process.limited?.removeSessionsWithoutKey(), !sessions.isEmpty {
            books.withLedger {
                $0.violated(
                    .keyMissing,
                    "\(process.runName) opened \(sessions.map { String(decoding: $0, as: UTF8.self) }) without a key")
            }
        }
        if let plain = process.removeExposedRecord() {
            books.withLedger {
                $0.violated(.valueExposed, "\(process.runName) writes a value in plain to \(plain.topic)")
            }
        }
        if !isBusy, process.isReadingKeys, hasLeaders(topics.keys) { isBusy = true }
        if !isBusy, process.coordinator != nil {
            expireCopyPermissions()
        }
        if executor.run() { isBusy = true }
        if simulation.isTranscribed { books.with { _ in } }
        return isBusy
    }

    /// Ends the permission to write copies when all coordinators are at rest: replaced owners and their successors have
    /// then written their last copies.
    private func expireCopyPermissions() {
        guard books.withLedger({ !$0.journals.replaced.isEmpty }) else { return }
        let areAtRest = processes.allSatisfy { process in
            guard let coordinator = process.coordinator else { return true }
            // A partition may have been released while its results waited for a leader.
            return coordinator.isSettled && (coordinator.isSteady || process.isPaused) && process.client?.unwritten == 0
        }
        if areAtRest { books.with { $0.journals.replaced.removeAll() } }
    }

    func recordDeath(_ error: LogError, of process: SimulatedProcess) {
        process.report[.deaths] += 1
        appendToTranscript("         \(process.runName) crashed: \(error)")
        if !isExpected(error, of: process) {
            books.withLedger { $0.violated(.processEnded, "\(process.runName) crashed: \(error)") }
        }
        endRun(of: process)
    }

    /// Returns whether an error is expected: a planned crash, a refusal by the log, a fenced coordinator that was out
    /// of its group for a minute, or a fault of the log.
    private func isExpected(_ error: LogError, of process: SimulatedProcess) -> Bool {
        switch error.code {
        case .closed, .illegalGeneration: true
        // A refusal by a topic other than the journal or the results ends no process.
        case .unauthorized: false
        case .recordTooLarge: cluster.limited.contains { error.message.contains($0) }
        // A client that closes reports its unwritten records as lost.
        case .timedOut where error.message.contains("was closed with"): true
        // A later record was read in the log before the failed one was reported.
        case .other where error.message.contains("is missing in"): process.mayMissRecords
        case .invalidConfiguration: cluster.hasGrown
        default: error.message.hasSuffix(Self.refusal)
        }
    }

    static let refusal = "refused by the simulation"

    func end(_ process: SimulatedProcess) {
        guard process.isRunning, let body = process.body else { return }
        let error = process.clock.ticking { () -> LogError? in
            do throws(LogError) {
                switch body {
                case .coordinator(let coordinator): try coordinator.close(timeout: .seconds(5))
                case .worker(let worker): try worker.close(timeout: .seconds(5))
                }
                try process.catalogue.publisher?.close(timeout: .seconds(5), withdraws: process.runs.isMultiple(of: 2))
                return nil
            } catch { return error }
        }
        if let error, error.code != .closed { recordDeath(error, of: process) } else { endRun(of: process) }
    }

    /// Steps all processes in turn until nothing more happens.
    ///
    /// - Returns: `true` if the processes came to rest.
    @discardableResult
    func settle(rounds: Int = 2_000) -> Bool {
        for _ in 0..<rounds {
            var isBusy = false
            for process in processes where step(process) { isBusy = true }
            if !isBusy { return true }
            clock.advance(by: .milliseconds(1))
        }
        return false
    }
}

extension SimulationReport {
    mutating func countLost(deadLetters count: Int) {
        if count > 0 { coverage.count(.fault, "a dead letter that the log refuses for good", times: count) }
    }

    static func += (sum: inout SimulationReport, counters: CoordinatorCounters) {
        sum[.takeovers] += counters.takeovers.all
        sum[.gaps] += counters.gaps
        if counters.takeovers.followed > 0 {
            sum.coverage.count(.fault, "a takeover of what a standby has followed", times: counters.takeovers.followed)
        }
        if counters.takeovers.back > 0 {
            sum.coverage.count(
                .fault, "a partition that came back, with what another has written", times: counters.takeovers.back)
        }
        sum.countLost(deadLetters: counters.deadLetters.lost)
        for (reason, count) in counters.ignored { sum.coverage.count(.ignored, reason.rawValue, times: count) }
    }
}
