import Conversation
import IntentEvents
import Pipeline
import RecordLog

// Nothing goes wrong any more: everything has to come to its end, and be as it was promised.
extension SimulationWorld {
    func drain() {
        log.clearFaults()
        for process in processes { process.isPaused = false }
        var random = SimulationRandom(seed: script.seed, "drain")
        // Those who stay answer what they are asked; the questions to the others run out.
        let staying = SimulationScript.sessions.filter { _ in !random.once(in: 3) }
        var curious = Set(staying)
        for round in 0..<200 {
            guard rest() else { return books.note { $0.violated(.restless, "the processes don't come to rest") } }
            let partitions = inspect(round)
            guard books.with({ $0.violations.isEmpty }) else { return }
            let open = partitions.flatMap { owned in
                owned.inspection.sessions.values.filter {
                    $0.active != nil || !$0.handoffs.isEmpty || $0.updates.contains(where: \.isOpen) || $0.ending != nil
                }
                .map { owned.now.duration(to: owned.inspection.timers[$0.id] ?? $0.nextTimer(policy)) }
            }
            guard let next = open.min() else {
                // Those who stay want to hear how things go on with what has succeeded.
                let done = partitions.flatMap(\.inspection.sessions.values).filter { !$0.updates.isEmpty && curious.remove($0.id) != nil }
                if done.isEmpty { return finish() }
                for session in done.sorted(by: { $0.id < $1.id }) { act(session.id, .startUpdates, 1_000_000 + round, &random) }
                continue
            }
            var isAnswered = false
            for session in partitions.flatMap(\.inspection.sessions.values).sorted(by: { $0.id < $1.id }) {
                guard staying.contains(session.id), session.active?.prompt != nil else { continue }
                if act(session.id, .answer, 1_000_000 + round, &random) { isAnswered = true }
            }
            if isAnswered { continue }
            clock.advance(by: max(next, .milliseconds(1)))
        }
        books.note { $0.violated(.stuckSession, "requests are open after 200 of their timers") }
    }

    /// Everyone is there, and has done what there is to do; no handler takes its time.
    private func rest() -> Bool {
        for _ in 0..<60 {
            for process in processes where process.body == nil {
                kill(process, evict: true)
                start(process)
            }
            for process in processes {
                for client in process.graves { client.evict() }
                process.graves = []
            }
            // Twice: what a coordinator begins to look through because it is time shows in its next step.
            guard settle(), settle() else { return false }
            var random = SimulationRandom(seed: script.seed, "drain")
            let hadWaiting = handlers.waiting > 0
            while handlers.waiting > 0 { handlers.finish(&random) }
            executor.run()
            if !hadWaiting, processes.allSatisfy({ $0.body != nil }) { return true }
        }
        return false
    }

    private struct Owned {
        var now: Instant
        var inspection: PartitionInspection
    }

    /// Looks at every session in memory, and at the journal beside it.
    ///
    /// - Parameter round: the journal is looked at in every way it may be compacted in the first round and without one, and in one way in the others.
    private func inspect(_ round: Int = 0) -> [Owned] {
        var owned: [Owned] = []
        for process in processes {
            guard let coordinator = process.coordinator else { continue }
            if !coordinator.isSettled {
                books.note { $0.violated(.restless, "\(process.life) has something in flight though nothing happens any more") }
            }
            owned += coordinator.inspection.map { Owned(now: process.clock.now, inspection: $0) }
        }
        let numbers = owned.map(\.inspection.partition).sorted()
        if numbers != Array(0..<Self.partitions) || !owned.allSatisfy(\.inspection.isActive) {
            books.note { $0.violated(.restless, "the partitions that are owned: \(numbers)") }
        }
        for one in owned {
            for session in one.inspection.sessions.values.sorted(by: { $0.id < $1.id }) { check(session, one) }
            checkJournal(one.inspection, round)
        }
        return owned
    }

    private func check(_ session: Session, _ owned: Owned) {
        func stuck(_ message: String) { books.note { $0.violated(.stuckSession, "\(session.id): \(message)") } }
        guard let timer = owned.inspection.timers[session.id] else { return stuck("no timer is armed") }
        if timer > max(session.nextTimer(policy), owned.now.advanced(by: .seconds(2))) { stuck("its timer comes too late") }
        if owned.inspection.unacknowledged[session.id] != nil { stuck("a result is not acknowledged") }
        guard let active = session.active else {
            if !session.queued.isEmpty || !session.suspended.isEmpty { stuck("requests wait and none is active") }
            return
        }
        // Who was permitted to begin and died is not followed by another.
        if active.phase != nil, active.retryAt == nil, active.stage.name != .inProgress, active.permit == nil, !isSkewed {
            stuck("'\(active.request.id)' is \(active.stage.name) at step \(active.step), and nobody is at it")
        }
    }

    private func checkJournal(_ inspection: PartitionInspection, _ round: Int) {
        let records = log.records(in: TopicPartition(topics.sessions, inspection.partition))
        for way in 0..<3 where round == 0 || way == round % 3 {
            let name = ["journal", "compacted journal", "journal without its tombstones"][way]
            let rest = way == 0 ? records : Self.compacted(records, droppingTombstones: way == 2)
            let rebuilt = PartitionInspection(journal: rest, partition: inspection.partition)
            if rebuilt.sessions != inspection.sessions {
                let ids = Set(rebuilt.sessions.keys).union(inspection.sessions.keys).sorted()
                let different = ids.filter { rebuilt.sessions[$0] != inspection.sessions[$0] }
                books.note {
                    $0.violated(.journalDiffers, "the \(name) of partition \(inspection.partition) tells otherwise of \(different)")
                }
            }
            if rebuilt.requests > inspection.requests || rebuilt.outcomes > inspection.outcomes {
                books.note { $0.violated(.journalDiffers, "the \(name) is ahead of the owner of partition \(inspection.partition)") }
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

    /// All requests have ended: they are counted, and another coordinator takes everything over and has nothing to add.
    private func finish() {
        books.with { $0.checkRequests() }
        guard books.note({ $0.violations.isEmpty }) else { return }
        let results = books.note { $0.report.results }
        // What is about to be forgotten may be so by the other.
        let latest = processes.map(\.clock.now).max() ?? clock.now
        func sessions() -> [String: Session] {
            inspect().reduce(into: [:]) { $0.merge($1.inspection.sessions) { $1 } }.filter { $0.value.nextTimer(policy) > latest }
        }
        let before = sessions()
        for process in processes where process.coordinator != nil { kill(process, evict: true) }
        guard let last = process("c2") else { return }
        start(last)
        guard settle() else { return books.note { $0.violated(.restless, "the last coordinator does not come to rest") } }
        if sessions() != before { books.note { $0.violated(.journalDiffers, "the last coordinator found other sessions") } }
        let said = books.with { $0.report.results }
        if said != results { books.note { $0.violated(.journalDiffers, "the last coordinator had \(said - results) results to add") } }
    }
}
