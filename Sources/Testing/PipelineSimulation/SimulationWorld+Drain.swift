import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

// The end of a history, after the faults. All requests must end, and all guarantees must hold.
extension SimulationWorld {
    func drain() {
        endClusterFaults()
        for process in processes { process.isPaused = false }
        // A process whose clock stays an hour off ends. The next run compares its clock before it begins.
        for process in processes where process.clock.isFarOff {
            kill(process, evict: true)
            process.latest = max(process.latest, process.clock.now)
            process.clock.skew(by: 0, mayGoBack: true)
        }
        let distant = clock.now.advanced(by: .seconds(2_000))
        distantDeadlines = books.with { ledger in
            ledger.requests.compactMapValues { book in book.deadline.flatMap { $0 > distant ? $0 : nil } }
        }
        // The memory's writer retries a refused record after a second.
        if cluster.hasRefusedMemory, settle() { clock.advance(by: .seconds(1)) }
        var random = SimulationRandom(seed: script.seed, "drain")
        if traits.isNarrow { fillWorkers(&random) }
        // Persons who stay answer their prompts. The prompts of other persons time out.
        let staying = script.sessions.filter { _ in !random.once(in: 3) }.sorted()
        var curious = Set(staying)
        // Owners check a quiet journal only now and then: in the second interval without an append.
        var waits = 0
        var isWhole = random.once(in: 2)
        // Many sessions have many timers, so several timers pass at a time. A worker whose clock is 90 s ahead returns
        // the work of each session once a second for a minute.
        let (rounds, leap) = script.isDense ? (1_000, Duration.seconds(30)) : (500, .milliseconds(1))
        for round in 0..<rounds {
            guard rest() else { return books.withLedger { $0.violated(.restless, "the processes don't come to rest") } }
            let partitions = inspect(
                waits == 0 ? forms(round) : waits == 1 ? [] : JournalForm.allCases, afterAWhile: waits > 0)
            guard books.with({ $0.violations.isEmpty }) else { return }
            guard let next = partitions.compactMap({ $0.untilNextTimer(policy) }).min() else {
                // Persons who stay start updates of requests that have succeeded.
                let done = partitions.flatMap { owned in
                    owned.inspection.sessions.keys.filter {
                        owned.inspection.sessions[$0]?.updates.isEmpty == false && curious.remove($0.text) != nil
                    }
                }
                if done.isEmpty, waits == 2, isWhole { return finish() }
                if done.isEmpty, waits == 2 {
                    isWhole = true
                    waits = 0
                    if random.once(in: 25) { flood(&random) } else { loseOneLeader(&random) }
                    continue
                }
                if done.isEmpty {
                    if waits == 0, random.once(in: 3) { writeStray(in: partitions.map(\.inspection), &random) }
                    waits += 1
                    clock.advance(by: .seconds(6))
                }
                for session in done.sorted() { act(session.text, .startUpdates, 1_000_000 + round, &random) }
                continue
            }
            let sessions = staying.compactMap { id in
                partitions.lazy.compactMap { $0.inspection.sessions[Identifier(id)] }.first
            }
            if reply(to: sessions, round, &random) { continue }
            clock.advance(by: max(next, leap))
        }
        books.withLedger { $0.violated(.stuckSession, "requests are open after \(rounds) of their timers") }
    }

    /// Lets the persons answer their prompts, and their apps act on the handoffs.
    ///
    /// - Returns: `true` if anyone had something to say.
    private func reply(to sessions: [Session], _ round: Int, _ random: inout SimulationRandom) -> Bool {
        var hasReplied = false
        for session in sessions {
            let move: PersonMove
            if session.active?.prompt != nil {
                move = .answer
            } else if session.active?.stage.handoff != nil, round < 30, !random.once(in: 4) {
                move = random.pick([.claim, .claim, .complete, .complete, .returnHandoff])
            } else if session.updates.contains(where: \.isOpen), random.once(in: 4) {
                move = .stopUpdates
            } else {
                continue
            }
            if act(session.id.text, move, 1_000_000 + round, &random) { hasReplied = true }
        }
        return hasReplied
    }

    /// Starts all processes and lets them finish their work, including slow handlers.
    private func rest() -> Bool {
        for _ in 0..<60 {
            for process in processes where process.body == nil {
                kill(process, evict: true)
                start(process)
            }
            for process in processes {
                for client in process.earlierClients { client.evict() }
                process.earlierClients = []
            }
            guard settleChecks() else { return false }
            var random = SimulationRandom(seed: script.seed, "drain")
            var hadWaiting = handlers.waiting > 0
            while handlers.waiting > 0 { handlers.finish(&random) }
            while reportDeferred(&random) { hadWaiting = true }
            executor.run()
            // The operator also acts after the faults.
            if repair() { continue }
            if !hadWaiting, processes.allSatisfy({ $0.body != nil }) { return true }
        }
        return false
    }

    /// Lets all processes come to rest more than once. A check that a coordinator's timer starts takes effect in the
    /// coordinator's next step. Meanwhile, another coordinator's check may become due.
    private func settleChecks() -> Bool {
        guard settle() else { return false }
        for _ in SimulationScript.coordinators {
            guard settle() else { return false }
            if processes.allSatisfy({ $0.coordinator?.isSettled != false }) { break }
            // After a refusal of a key, the next key is written a second later.
            if encryption != nil { clock.advance(by: .seconds(1)) }
        }
        return true
    }

    /// Gives workers more records than they accept.
    private func fillWorkers(_ random: inout SimulationRandom) {
        guard rest() else { return }
        switch random.below(4) {
        case 0...1: cancelAtFullWorkers(&random)
        case 2: gatherRecords(.workAndCopies, script.count + 1, &random)
        default: gatherRecords(.outcomesAndCancels, script.count + 1, &random)
        }
    }

    /// Cancels work at full workers, and checks that its running handlers are cancelled.
    private func cancelAtFullWorkers(_ random: inout SimulationRandom) {
        let sessions = Array(script.sessions.prefix(script.isDense ? 12 : 3))
        for number in 0...6 {
            for session in sessions { act(session, number == 0 ? .request : .answer, 5_000_000 + number, &random) }
            settle()
        }
        for session in sessions { act(session, .cancel, 5_000_007, &random) }
        settle()
        // Only a worker that stays full for a while reads ahead.
        clock.advance(by: WorkerConfiguration(topics: topics, phase: .handle).lookAheadDelay)
        settle()
        for key in handlers.handled.sorted() {
            guard let request = books.with({ $0.requests[key] }),
                request.isCancelled(in: topics.handle) || request.isCancelled(in: topics.handleInApp)
            else { continue }
            books.withLedger {
                $0.violated(
                    .cancelIgnored, "\(key): its handler is running, and has not heard of the cancel in the log")
            }
        }
    }

    /// Returns the forms in which the journal is checked in this round: all forms in the first round, and then one form
    /// every few rounds. A dense history has a long journal and many rounds.
    private func forms(_ round: Int) -> [JournalForm] {
        if round == 0 { return JournalForm.allCases }
        let interval = script.isDense ? 30 : 4
        return round % interval == 0 ? [JournalForm.allCases[round / interval % JournalForm.allCases.count]] : []
    }

    private struct Owned {
        var now: Instant
        var inspection: PartitionInspection

        /// Returns the time until the next timer of a session that is not idle; `nil` if every session is idle.
        func untilNextTimer(_ policy: SessionPolicy) -> Duration? {
            var next: Instant?
            for (id, session) in inspection.sessions {
                let isOpen =
                    session.active != nil || !session.handoffs.isEmpty || session.updates.contains(where: \.isOpen)
                    || session.ending != nil
                if isOpen {
                    next = min(next ?? Instant(milliseconds: .max), inspection.timers[id] ?? session.nextTimer(policy))
                }
            }
            return next.map { now.duration(to: $0) }
        }
    }

    /// Checks every session in memory, and compares the sessions with the journal in these forms.
    ///
    /// - Parameter afterAWhile: `true` if the owners have had the time to detect other writers, as they have before
    ///   brokers compact the other writers' records.
    private func inspect(_ forms: [JournalForm], afterAWhile: Bool = true) -> [Owned] {
        books.with { _ in }
        for process in processes {
            guard let coordinator = process.coordinator else { continue }
            if !coordinator.isSettled {
                books.withLedger { $0.violated(.restless, "\(process.runName) has something in flight at rest") }
            }
        }
        let owned = allOwned
        let numbers = owned.map(\.inspection.partition).sorted()
        if numbers != Array(0..<Self.partitions) || !owned.allSatisfy(\.inspection.isActive) {
            books.withLedger { $0.violated(.restless, "the owned partitions are \(numbers)") }
        }
        for one in owned {
            for id in one.inspection.sessions.keys.sorted() { one.inspection.sessions[id].map { check($0, one) } }
            checkJournal(one.inspection, forms, afterAWhile: afterAWhile)
        }
        let memory = (0..<Self.partitions).flatMap { books.records(in: TopicPartition(topics.memory, $0)) }
        books.withLedger { ledger in
            ledger.checkMemories(memory, isCompacted: false)
            // A refused tombstone is written again a second later.
            ledger.checkMemories(Self.compacted(memory, droppingTombstones: true), isCompacted: afterAWhile)
        }
        return owned
    }

    /// Checks that sessions continue beside a place that is in trouble.
    ///
    /// - Parameter trouble: The predicate of the message about the place.
    func checkProgress(beside away: TopicPartition, _ trouble: String) {
        books.with { _ in }
        for owned in allOwned {
            for (place, next, end) in inputsBehind(owned, beside: away) {
                books.withLedger {
                    $0.violated(.troubleSpread, "\(away) \(trouble), and \(place) is read up to \(next) of \(end)")
                }
            }
            if owned.inspection.partition == away.partition { continue }
            for id in owned.inspection.sessions.keys.sorted() {
                owned.inspection.sessions[id].map { check($0, owned, as: .troubleSpread) }
            }
        }
    }

    /// Returns whether an owner has not read all of an input that must continue beside a place that is in trouble.
    func isBehind(beside away: TopicPartition) -> Bool { allOwned.contains { !inputsBehind($0, beside: away).isEmpty } }

    private func inputsBehind(_ owned: Owned, beside away: TopicPartition) -> [(
        place: TopicPartition, next: Int64, end: Int64
    )] {
        let isElsewhere = owned.inspection.partition != away.partition
        // A topic whose records can be refused or given up does not delay the inputs of its own partition number
        // either.
        let isGivenUp = ([topics.deadLetters] + topics.work).contains(away.topic)
        guard isElsewhere || isGivenUp else { return [] }
        return JournalInput.allCases.compactMap { input in
            let place = TopicPartition(input.topic(topics), owned.inspection.partition)
            let end = (log.records(in: place).last?.offset ?? -1) + 1
            return owned.inspection.inputs[input].flatMap { $0 < end ? (place, $0, end) : nil }
        }
    }

    private var allOwned: [Owned] {
        processes.flatMap { process in
            process.coordinator?.inspection.map { Owned(now: process.clock.now, inspection: $0) } ?? []
        }
    }

    private func check(_ session: Session, _ owned: Owned, as kind: SimulationViolation.Kind = .stuckSession) {
        func stuck(_ message: String) { books.withLedger { $0.violated(kind, "\(session.id): \(message)") } }
        guard let timer = owned.inspection.timers[session.id] else { return stuck("no timer is armed") }
        if timer > max(session.nextTimer(policy), owned.now.advanced(by: .seconds(2))) {
            stuck("its timer is too late")
        }
        if timer <= owned.now { stuck("its timer is due and has not fired") }
        if owned.inspection.unacknowledged[session.id] != nil { stuck("a result is not acknowledged") }
        // While a partition has no leader, a forgetting may not be in the log.
        books.withLedger { $0.checkMemory(of: session, isFollowing: kind == .stuckSession) }
        for updates in session.updates where updates.isOpen && min(updates.silentAt, updates.ends) <= owned.now {
            stuck("the live updates of '\(updates.request.id)' are silent or over, and nothing is done about it")
        }
        guard let active = session.active else {
            if !session.queued.isEmpty || !session.suspended.isEmpty { stuck("requests wait although none is active") }
            return
        }
        guard let phase = active.phase, active.retryAt == nil else { return }
        let key = "\(session.id)/\(active.request.id)"
        let isDeferred =
            active.stage.name == .inProgress && books.withLedger { $0.handlers.deferred[key]?.isEmpty == false }
        if isDeferred || isHeldUp(phase, inApp: active.run.isInApp) { return }
        if let claim = active.permit {
            let claimant = processes.first { claim.hasPrefix("\($0.runName).") }
            if claimant?.worker?.inFlight ?? 0 > 0 {
                stuck(
                    "'\(active.request.id)' is permitted at step \(active.step), and \(claimant?.runName ?? "") does not call its handler"
                )
            }
            // If a worker crashes after its permit, no other worker replaces it. The time limit ends the request with
            // an unknown outcome. If the tail of an input was cut, the outcome may be in the log before the position,
            // and is read once the operator has set the position.
            if !isCut(owned) { books.withLedger { _ = $0.permitted.insert(key) } }
        } else if !books.withLedger({ $0.lostOutcomes.contains("\(key) \(active.step)") }),
            !isLate(key, phase, inApp: active.run.isInApp),
            !isCut(owned)
        {
            stuck("'\(active.request.id)' is \(active.stage.name) at step \(active.step), and no worker works on it")
        }
    }

    /// Returns whether the outcomes were cut and the owner has not looked up their end since. The owner may not have
    /// read the newest outcomes.
    private func isCut(_ owned: Owned) -> Bool {
        let end = cluster.cuts[TopicPartition(topics.outcomes, owned.inspection.partition)]
        return end.map { $0 < owned.inspection.inputs[.outcomes] ?? 0 } ?? false
    }

    /// Returns whether a handler that never returns may occupy a slot or a lane of a worker for this phase, until the
    /// worker abandons the handler.
    private func isHeldUp(_ phase: Phase, inApp: Bool) -> Bool {
        let hanging = books.withLedger { $0.handlers.hanging }
        return processes.contains { process in
            hanging.contains(process.runName) && process.worker?.inFlight ?? 0 > 0
                && SimulationScript.phase(of: process.name) == phase
                && (process.name == "app") == inApp
        }
    }

    /// Returns whether a worker may have skipped the request's work because of its deadline, as its clock is ahead of
    /// the coordinator's or was in an earlier run; or whether a coordinator whose clock was an hour ahead has set the
    /// deadline.
    private func isLate(_ key: String, _ phase: Phase, inApp: Bool) -> Bool {
        guard let deadline = books.withLedger({ $0.requests[key]?.deadline }) else { return false }
        if distantDeadlines[key] == deadline { return true }
        return processes.contains { process in
            process.worker != nil && SimulationScript.phase(of: process.name) == phase
                && (process.name == "app") == inApp
                && max(process.clock.now, process.latest) >= deadline
        }
    }

    /// A form in which a successor may find the journal.
    private enum JournalForm: String, CaseIterable {
        case whole = "journal"
        case compacted = "compacted journal"
        case withoutTombstones = "journal without its tombstones"
    }

    private func checkJournal(_ inspection: PartitionInspection, _ forms: [JournalForm], afterAWhile: Bool) {
        if forms.isEmpty { return }
        let records = books.records(in: TopicPartition(topics.sessions, inspection.partition))
        let isYoung =
            !afterAWhile && PartitionInspection.firstOverwriting(records, outlining: books.journalOutline) != nil
        for form in forms where !isYoung || form == .whole {
            let name = form.rawValue
            let rest =
                form == .whole ? records : Self.compacted(records, droppingTombstones: form == .withoutTombstones)
            let rebuilt = PartitionInspection(
                journal: rest, partition: inspection.partition, outlining: books.journalOutline,
                reading: books.journalRecord)
            if rebuilt.sessions != inspection.sessions {
                let ids = Set(rebuilt.sessions.keys).union(inspection.sessions.keys).sorted()
                let different = ids.filter { rebuilt.sessions[$0] != inspection.sessions[$0] }
                books.withLedger {
                    $0.violated(
                        .journalDiffers, "the \(name) of partition \(inspection.partition) differs for \(different)")
                }
            }
            if rebuilt.forgotten != inspection.forgotten {
                books.withLedger {
                    $0.violated(
                        .journalDiffers,
                        "the \(name) of partition \(inspection.partition) differs for forgotten sessions")
                }
            }
            if rebuilt.inputs.contains(where: { $0.value > inspection.inputs[$0.key] ?? 0 }) {
                books.withLedger {
                    $0.violated(
                        .journalDiffers, "the \(name) is ahead of the owner of partition \(inspection.partition)")
                }
            }
        }
    }

    static func compacted(_ records: [ConsumedRecord], droppingTombstones: Bool) -> [ConsumedRecord] {
        var newest: [Bytes: Int64] = [:]
        for record in records { if let key = record.key { newest[key] = record.offset } }
        return records.filter { record in
            guard let key = record.key else { return true }
            return newest[key] == record.offset && !(droppingTombstones && record.value == nil)
        }
    }

    /// Checks that nothing is left to do: no worker holds back records of the work topics, and every unreadable record
    /// has a dead letter.
    private func checkWork() {
        // Handlers that never return, and claims that were not permitted, end some time after the deadline of their
        // work, which is at most 15 minutes away.
        for _ in 0..<100 where processes.contains(where: { $0.worker?.inFlight ?? 0 > 0 }) {
            clock.advance(by: .seconds(10))
            guard rest() else { return books.withLedger { $0.violated(.restless, "the processes don't come to rest") } }
        }
        for process in processes where process.worker?.inFlight ?? 0 > 0 {
            books.withLedger {
                $0.violated(
                    .heldBack,
                    "\(process.runName) has \(process.worker?.inFlight ?? 0) records of its topic that are not done")
            }
        }
        let missing = books.with { $0.deadLetters.missing }
        let refused = processes.reduce(0) { $0 + $1.deadLettersLost }
        if missing.count > refused {
            books.withLedger {
                $0.violated(.deadLetterMissing, "\(missing) have no dead letter, and the log has refused \(refused)")
            }
        }
    }

    /// Checks all requests at the end, and that another coordinator can take over every partition without adding
    /// results.
    private func finish() {
        books.with { $0.checkRequests() }
        checkWork()
        guard books.withLedger({ $0.violations.isEmpty }) else { return }
        let results = books.withLedger { $0.report[.results] }
        // The other coordinator may act on timers that are due or fall due during its takeover.
        let latest = (processes.map(\.clock.now).max() ?? clock.now).advanced(by: .seconds(10))
        func sessions(_ forms: [JournalForm]) -> [Identifier: Session] {
            inspect(forms).reduce(into: [:]) { $0.merge($1.inspection.sessions) { $1 } }.filter {
                $0.value.nextTimer(policy) > latest
            }
        }
        let before = sessions([])
        for process in processes where process.coordinator != nil { kill(process, evict: true) }
        guard let last = process("c2") else { return }
        start(last)
        guard settle() else {
            return books.withLedger { $0.violated(.restless, "the last coordinator does not come to rest") }
        }
        let after = sessions(JournalForm.allCases)
        let different = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
        if !different.isEmpty {
            books.withLedger { $0.violated(.journalDiffers, "the last coordinator found other sessions: \(different)") }
        }
        let said = books.with { $0.report[.results] }
        if said != results {
            books.withLedger {
                $0.violated(.journalDiffers, "the last coordinator had \(said - results) results to add")
            }
        }
        var random = SimulationRandom(seed: script.seed, "grow")
        if script.older != nil { return }
        switch random.below(16) {
        case 0: grow()
        case 1...2: loseJournal(&random)
        case 3...6 where script.hasCatalogue: replaceIntents()
        default: break
        }
    }
}
