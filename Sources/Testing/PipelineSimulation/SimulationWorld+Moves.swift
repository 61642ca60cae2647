import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

// Applies the moves of a script.
extension SimulationWorld {
    func apply(_ line: ScriptLine) {
        var random = SimulationRandom(seed: script.seed, "move", "\(line.number)")
        if let fault = line.move.fault { books.withLedger { $0.report.faults[fault, default: 0] += 1 } }
        switch line.move {
        case .turns(let count, let most):
            for _ in 0..<count { stepAll(atMost: most, &random) }
        case .step(let name, let most): process(name).map { _ = step($0, atMost: most) }
        case .person(let session, let move): act(session, move, line.number, &random)
        case .burst(let requests, let others): burst(requests, others, line.number, &random)
        case .finishHandlers(let count):
            for _ in 0..<count {
                if handlers.waiting == 0 || random.once(in: 3) {
                    reportDeferred(&random)
                } else {
                    handlers.finish(&random)
                }
            }
            executor.run()
        case .pass(let milliseconds): clock.advance(by: .milliseconds(milliseconds))
        case .compact(let dropping): compact(droppingTombstones: dropping)
        case .truncate(let topic): truncate(topic)
        case .duplicate(let topic): duplicate(topic, &random)
        case .poison(let topic): poison(topic, &random)
        case .forge: forge(&random)
        case .intrude(let session): intrude(session, line.number, &random)
        case .repeatOnce(let crashing): repeatOnce(crashing: crashing, &random)
        case .reopen: reopen(line.number, &random)
        case .loseAcknowledgements(let count): log.loseAcknowledgements(count)
        case .refuseRecord: log.refuseRecords(1, with: LogError(.timedOut, Self.refusal, disposition: .fatal))
        case .rebalance(ofWorkers: true): log.rebalance(group: "\(topics.prefix).handler")
        case .rebalance(ofWorkers: false):
            if random.once(in: 2) { sendEvents(line.number, &random) }
            log.rebalance(group: Coordinator.group(topics).id)
        case .meeting(let meeting): gatherRecords(meeting, line.number, &random)
        case .crashBusy(let point): busyCoordinator(&random).map { kill($0, evict: false, point) }
        case .crashWorker(let point):
            busyWorker(of: SimulationScript.workers, &random).map { crash($0, point, &random) }
        case .strand:
            guard let process = busyCoordinator(&random) else { return }
            process.isPaused = true
            process.evict(noticedAfter: polls(&random))
        case .writeQueues: for process in processes where process.isPaused { process.writeQueues() }
        case .wakeAll: for process in processes { process.isPaused = false }
        case .cluster(let move): apply(move, line.number, &random)
        case .crash, .start, .close, .evict, .pause, .wake, .writeQueue, .skew: applyToProcess(line.move, &random)
        }
    }

    /// Crashes a worker. In some histories, its outcomes wait for a leader then, and are lost.
    private func crash(_ worker: SimulatedProcess, _ point: CrashPoint, _ random: inout SimulationRandom) {
        guard random.once(in: 3) else { return kill(worker, evict: random.once(in: 2), point) }
        log.setLeaders(of: topics.outcomes, areAway: true)
        if handlers.waiting > 0 { handlers.finish(&random) }
        for _ in 0..<4 {
            step(worker)
            clock.advance(by: .milliseconds(60))
        }
        kill(worker, evict: true)
        log.setLeaders(of: topics.outcomes, areAway: false)
    }

    /// Lets a service report a deferred outcome, if it has one.
    ///
    /// - Returns: `true` if a service had a deferred outcome.
    @discardableResult
    func reportDeferred(_ random: inout SimulationRandom) -> Bool {
        guard let record = handlers.deferredOutcome(&random, at: clock.now) else { return false }
        _ = try? log.append(record)
        return true
    }

    /// Returns a coordinator with work in flight, or any running coordinator if none is busy.
    private func busyCoordinator(_ random: inout SimulationRandom) -> SimulatedProcess? {
        let running = processes.filter { $0.coordinator != nil && $0.isRunning }
        let busy = running.filter { $0.coordinator?.isSettled == false }
        guard !running.isEmpty else { return nil }
        return random.pick(busy.isEmpty ? running : busy)
    }

    /// Returns one of these workers with a running handler, or any running one of them if none is busy.
    private func busyWorker(of names: [String], _ random: inout SimulationRandom) -> SimulatedProcess? {
        let running = processes.filter { $0.worker != nil && $0.isRunning && names.contains($0.name) }
        let busy = running.filter { $0.worker?.runningHandlers ?? 0 > 0 }
        guard !running.isEmpty else { return nil }
        return random.pick(busy.isEmpty ? running : busy)
    }

    private func stepAll(atMost most: Int, _ random: inout SimulationRandom) {
        var order = processes
        order.shuffle(using: &random)
        for process in order { step(process, atMost: most) }
        clock.advance(by: .milliseconds(1))
    }

    /// Returns the number of polls until a process notices its eviction from the group.
    private func polls(_ random: inout SimulationRandom) -> Int { random.once(in: 2) ? 0 : random.within(1...40) }

    /// Applies a move to one process.
    private func applyToProcess(_ move: SimulationMove, _ random: inout SimulationRandom) {
        switch move {
        case .crash(let name, let calls, let point):
            guard let process = process(name), process.body != nil, let client = process.client else { return }
            client.crash(atCall: client.calls + calls, point)
        case .start(let name): process(name).map { start($0) }
        case .close(let name): process(name).map { end($0) }
        case .evict(let name):
            guard let process = process(name) else { return }
            for client in process.earlierClients { client.evict() }
            process.earlierClients = []
            guard process.body != nil else { return }
            process.evict(noticedAfter: polls(&random))
        case .pause(let name): process(name).map { $0.isPaused = $0.body != nil }
        case .wake(let name): process(name).map { $0.isPaused = false }
        case .writeQueue(let name):
            guard let process = process(name), process.body != nil else { return }
            process.writeQueues()
        case .skew(let name, let milliseconds):
            // A process takes the machine's clock only when it starts, and its clock then never goes back
            // (SteadyClock). The next run may be on another machine whose clock is behind. Wall clocks, such as those
            // that date a person's events, may be set at any time.
            if name == SimulationScript.devices { return devices.skew(by: Int64(milliseconds), mayGoBack: true) }
            guard let process = process(name) else { return }
            let wasAhead = process.clock.now
            if process.coordinator != nil || process.body == nil {
                hasSkewedClocks = true
                // By a clock that is behind, answers in flight are in time.
                if milliseconds < 0 { books.withLedger { $0.restoreExpiredAgreements() } }
            }
            process.clock.skew(by: Int64(milliseconds), mayGoBack: process.body == nil)
            process.latest = max(process.latest, wasAhead)
            if process.runs > 0, process.clock.now < wasAhead { countFault("a clock behind that of the life before") }
        default: return
        }
    }

    // MARK: The log

    /// Compacts the journal. Brokers do not compact records that are younger than `Topics.compactionLag`. An owner
    /// detects within seconds that another writer has overwritten its records, so undetected records are always young.
    /// The drain checks that they are detected in the end.
    private func compact(droppingTombstones: Bool) {
        books.with { _ in }
        let isRead = isJournalRead
        for number in 0..<Self.partitions {
            let partition = TopicPartition(topics.sessions, number)
            let end =
                PartitionInspection.firstOverwriting(log.records(in: partition), outlining: books.journalOutline)
                ?? .max
            log.compact(partition, before: end, droppingTombstones: droppingTombstones && isRead)
        }
        log.compact(topics.memory, droppingTombstones: droppingTombstones)
    }

    /// `true` if every coordinator has read the journals. Brokers keep tombstones for a day, which is longer than a
    /// replay takes.
    var isJournalRead: Bool {
        let ends = (0..<Self.partitions).map {
            ($0, (log.records(in: TopicPartition(topics.sessions, $0)).last?.offset ?? -1) + 1)
        }
        let next = Dictionary(uniqueKeysWithValues: ends)
        return processes.allSatisfy { process in
            process.coordinator.map { $0.isSteady && $0.isSettled } ?? true && process.standby?.isBehind(next) != true
        }
    }

    private func truncate(_ topic: SimulatedTopic) {
        books.with { _ in }
        for number in 0..<Self.partitions {
            let records = books.records(in: TopicPartition(topics.sessions, number))
            let journal = PartitionInspection(
                journal: records, partition: number, outlining: books.journalOutline, reading: books.journalRecord)
            // Retention is longer than any input is open.
            let stamp = books.withLedger { $0.journals.stamps[number] }
            switch topic {
            case .requests, .answers, .outcomes:
                guard let input = JournalInput(rawValue: topic.rawValue) else { continue }
                let open = stamp?[input].open.min() ?? .max
                truncate(TopicPartition(input.topic(topics), number), before: min(journal.inputs[input] ?? 0, open))
            case .results:
                // Brokers keep results for a week, which is longer than any session is open.
                let results = log.records(in: TopicPartition(topics.results, number))
                let isOpen = Set(journal.sessions.keys.map { Bytes($0.utf8) })
                let kept = results.first { record in record.key.map { isOpen.contains($0) } ?? false }?.offset ?? .max
                log.truncate(TopicPartition(topics.results, number), before: min(journal.results, kept))
            case .work: break
            }
        }
    }

    private func truncate(_ place: TopicPartition, before position: Int64) {
        // Until the cut input is repaired, the position belongs to the log that is gone.
        if cluster.cuts[place] == nil { log.truncate(place, before: position) }
    }

    func names(_ topic: SimulatedTopic) -> [String] {
        switch topic {
        case .requests: [topics.requests]
        case .answers: [script.older == nil ? topics.answers : topics.requests]
        case .outcomes: [topics.outcomes]
        case .work: [topics.resolve, topics.confirm, topics.handle, topics.handleInApp]
        case .results: [topics.results]
        }
    }

    /// Writes one of the newest five records again. The newest records are the most likely duplicates.
    private func duplicate(_ topic: SimulatedTopic, _ random: inout SimulationRandom) {
        let records = log.records(in: random.pick(names(topic)))
        guard !records.isEmpty else { return }
        let record = records[records.count - 1 - min(records.count - 1, random.below(5))]
        var headers = record.headers
        // An event without an id gets an id from its offset. The copy needs the id of the original.
        if topic == .requests || topic == .answers, record.header("ce_id") == nil {
            headers.append(RecordHeader("ce_id", SessionKey.derivedID(record)))
        }
        writeAgain(record, headers: headers)
    }

    /// Writes the newest work of a once-only handler again, and lets another worker get it.
    private func repeatOnce(crashing: Bool, _ random: inout SimulationRandom) {
        let work = log.records(in: topics.handle).suffix(20).last { record in
            guard case .item(let item)? = (try? WorkEvent(books.inPlain(record)))?.work else { return false }
            return item.effect == .atMostOnce
        }
        guard let work else { return }
        if random.once(in: 3) { return returnWork(work) }
        writeAgain(work)
        if crashing {
            busyWorker(of: ["handler1", "handler2"], &random).map { kill($0, evict: true) }
        } else {
            log.rebalance(group: "\(topics.prefix).handler")
        }
    }

    /// Lets a full worker return a copy of the work. The worker knows nothing of another worker that may have called
    /// the handler.
    private func returnWork(_ work: ConsumedRecord) {
        guard let event = try? WorkEvent(books.inPlain(work)), let item = event.work.item else { return }
        let full = IntentFailure(.retry(after: .seconds(1)), reason: .busy, message: "no room for a copy")
        var encoder = EventEncoder(source: "/intents/handler/full")
        let outcome = Outcome(
            request: item.request, step: item.step, phase: .handle, content: .finished(.failed(full)),
            ticket: item.ticket)
        _ = try? log.append(
            encoder.record(outcome, session: event.session, topics: topics, partition: work.partition, at: clock.now))
    }

    /// Returns the partition of a session.
    func partition(of session: String) -> Int32 { Murmur2.partition(of: Bytes(session.utf8), count: Self.partitions) }

    /// Lets persons send events, and the coordinators begin to process them.
    private func sendEvents(_ line: Int, _ random: inout SimulationRandom) {
        for number in 0...2 {
            for session in script.sessions.prefix(3) {
                act(
                    session, random.pick([.answer, .request, .updatesOfNothing]), 4_000_000 + 10 * line + number,
                    &random)
            }
            for process in processes where process.coordinator != nil {
                step(process, atMost: random.pick([1, 3, 500]))
            }
        }
    }

    /// Pauses processes until two kinds of records wait for them. The processes then read all waiting records in one
    /// step.
    func gatherRecords(_ meeting: SimulatedMeeting, _ line: Int, _ random: inout SimulationRandom) {
        let sessions = script.sessions.prefix(script.isDense ? 10 : 3)
        func send(_ move: PersonMove, _ number: Int) {
            for session in sessions { act(session, move, 4_500_000 + 10 * line + number, &random) }
        }
        let running = processes.filter(\.isRunning)
        let handling = running.filter { $0.worker != nil && SimulationScript.phase(of: $0.name) == .handle }
        let coordinators = running.filter { $0.coordinator != nil }
        if meeting != .outcomesAndCancels { for process in handling { process.isPaused = true } }
        for number in 0...5 {
            send(number > 0 ? .answer : meeting == .workAndCopies ? .requestOnce : .request, number)
            settle(rounds: 20)
        }
        switch meeting {
        case .workAndCancels:
            send(.cancel, 6)
            settle(rounds: 20)
        case .workAndCopies:
            for record in log.records(in: topics.handle).suffix(2 * sessions.count) { writeAgain(record) }
        case .outcomesAndCancels:
            for process in coordinators { process.isPaused = true }
            while handlers.waiting > 0 { handlers.finish(&random) }
            settle(rounds: 20)
            send(.cancel, 6)
        }
        for process in meeting == .outcomesAndCancels ? coordinators : handling {
            process.isPaused = false
            step(process)
        }
    }

    /// Writes a record of a topic again.
    ///
    /// - Parameter headers: The headers of the copy. Defaults to the headers of the record.
    private func writeAgain(_ record: ConsumedRecord, headers: [RecordHeader]? = nil) {
        _ = try? log.append(
            Record(
                topic: record.topic, partition: record.partition, key: record.key, value: record.value,
                headers: headers ?? record.headers,
                timestamp: record.timestamp))
    }

    /// Ends, forgets and reopens a session, whose new results have the same numbers as the old ones. Meanwhile, the
    /// work of another session in the partition waits for a leader. The next owner therefore looks for results from an
    /// offset before the old results, and finds the old results.
    private func reopen(_ line: Int, _ random: inout SimulationRandom) {
        let session = random.pick(script.sessions)
        let others = script.sessions.filter { $0 != session && partition(of: $0) == partition(of: session) }
        guard let other = others.first else { return }
        func send(_ who: String, _ move: PersonMove, _ number: Int) {
            act(who, move, 3_000_000 + 10 * line + number, &random)
            settle(rounds: 20)
        }
        log.setLeaders(of: topics.resolve, areAway: true)
        send(other, .request, 1)
        send(session, .request, 2)
        send(session, .updatesOfNothing, 3)
        send(session, .endSession, 4)
        clock.advance(by: .seconds(1))
        settle(rounds: 20)
        repeatRequest(of: session)
        log.setLeaders(of: topics.results, areAway: true)
        send(session, .request, 5)
        send(session, .updatesOfNothing, 6)
        let owner = processes.first {
            $0.isRunning && $0.coordinator?.ownedPartitions.contains(partition(of: session)) == true
        }
        if let owner { kill(owner, evict: true) }
        for topic in [topics.resolve, topics.results] { log.setLeaders(of: topic, areAway: false) }
        send(session, .updatesOfNothing, 7)
    }

    /// Writes the newest request of the session again.
    private func repeatRequest(of session: String) {
        let newest = [topics.requests, topics.answers].compactMap { topic in
            log.records(in: TopicPartition(topic, partition(of: session))).suffix(40).last { record in
                guard record.key == Bytes(session.utf8), case .requested? = (try? RequestEvent(record))?.event else {
                    return false
                }
                return true
            }
        }
        if let newest = newest.max(by: { $0.timestamp < $1.timestamp }) { writeAgain(newest) }
    }

    /// Values that are unreadable in one of the topics.
    private static let poison = [
        "", "{", "[]", "{\"type\":\"intent.resolved.v9\"}", "{\"type\":\"intent.handled.v9\"}", "{\"intent\":7}",
        "{\"type\":\"no.such.thing\"}", "{\"type\":\"intent.requested.v9\"}", "\u{0}\u{1}",
        "{\"request\":\"q1\",\"step\":\"x\"}", "{\"intent\":\"Ride\",\"phases\":[\"handle\"]}",
        String(repeating: "x", count: 7_000),
        String(repeating: "x", count: 5_000),
    ].map { Bytes($0.utf8) }

    private func poison(_ topic: SimulatedTopic, _ random: inout SimulationRandom) {
        let session = random.pick(script.sessions)
        let key: Bytes? = random.once(in: 5) ? Bytes("$fence".utf8) : Bytes(session.utf8)
        var value: Bytes? = random.once(in: 6) ? nil : random.pick(Self.poison)
        // If dead letters are limited in size, the longest ones matter most.
        if cluster.limited.contains(topics.deadLetters), random.once(in: 2) {
            value = Bytes(repeating: 0x78, count: 7_000)
        }
        let partition = Murmur2.partition(of: Bytes(session.utf8), count: Self.partitions)
        _ = try? log.append(Record(topic: random.pick(names(topic)), partition: partition, key: key, value: value))
        if topic != .work, random.once(in: 3) { crashWithOpenInput(&random) }
    }

    /// Crashes a coordinator while its dead letters wait for their leader. The coordinator may have decided on later
    /// input.
    private func crashWithOpenInput(_ random: inout SimulationRandom) {
        log.setLeaders(of: topics.deadLetters, areAway: true)
        for _ in 0..<4 {
            for process in processes where process.coordinator != nil { step(process) }
            clock.advance(by: .milliseconds(60))
        }
        busyCoordinator(&random).map { kill($0, evict: true) }
        log.setLeaders(of: topics.deadLetters, areAway: false)
    }
}
