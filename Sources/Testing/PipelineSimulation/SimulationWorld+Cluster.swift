import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

/// The faults of the log and its topics in a history.
struct ClusterState {
    /// Topics whose record size was limited at some time.
    var limited: Set<String> = []
    /// `true` if a coordinator had no keys for new sessions at some time.
    var hasWithheldKeys = false
    /// `true` if the memory's topic refused records at some time.
    var hasRefusedMemory = false
    /// `true` if the catalogue has no leaders.
    var catalogueIsAway = false
    /// The time at which the catalogue last got its leaders back.
    var catalogueRestored = Instant(milliseconds: 0)
    /// The partitions in which another producer has an open transaction.
    var transactions: [TopicPartition] = []
    /// The offsets at which an input was cut or began again, until an operator has chosen where to continue.
    var cuts: [TopicPartition: Int64] = [:]
    /// The number of operators' repairs. Each repair is an owner of its own.
    var repairs = 0
    /// The number of newer versions that were rolled back. Each is an owner of its own.
    var newerOwners = 0
    /// `true` if the topics have more partitions than at the beginning.
    var hasGrown = false
}

// Changes to the log, its topics and the clients' records.
extension SimulationWorld {
    func apply(_ move: ClusterMove, _ line: Int, _ random: inout SimulationRandom) {
        switch move {
        case .failRecord(let name, let record):
            fail(record, of: name)
            // A failed record needs records behind it, so persons send requests and events that are refused.
            for number in 1...3 {
                let move = random.once(in: 2) ? PersonMove.request : .updatesOfNothing
                for session in script.sessions.prefix(3) { act(session, move, 2_000_000 + 10 * line + number, &random) }
            }
        case .delayAcknowledgements(let name, let topic, let polls):
            process(name)?.client?.delayDeliveries(of: topic, polls: polls)
        case .releaseAcknowledgements(let name): process(name)?.client?.releaseDeliveries()
        case .removeLeaders(let topic):
            if topic == topics.catalog { cluster.catalogueIsAway = true }
            log.setLeaders(of: topic, areAway: true)
        case .restoreLeaders: restoreLeaders()
        case .limitQueue(let name, let count): process(name)?.client?.limitQueue(to: count)
        case .limitRecords(let topic, let bytes):
            cluster.limited.insert(topic)
            log.limitRecords(of: topic, toBytes: bytes)
        case .refuseTopic(let topic):
            log.refuseRecords(for: topic, with: LogError(.unauthorized, Self.refusal))
            if topic == topics.memory { cluster.hasRefusedMemory = true }
        case .acceptTopics: acceptTopics()
        case .openTransaction(let topic):
            let place = TopicPartition(topic, Int32(random.below(Int(Self.partitions))))
            if !cluster.transactions.contains(place) { cluster.transactions.append(place) }
            log.beginTransaction(in: place)
        case .endTransactions: endTransactions()
        case .writeUnreadable(let topic): writeUnreadable(topic, &random)
        case .withholdKeys(let name, let isLong):
            cluster.hasWithheldKeys = true
            guard encryption == nil else {
                return isLong
                    ? log.refuseRecords(for: topics.keys, with: LogError(.unauthorized, Self.refusal))
                    : log.setLeaders(of: topics.keys, areAway: true)
            }
            process(name)?.limited?.stock(isLong ? .missing : .pending)
        case .releaseKeys(let name):
            process(name)?.limited?.stock(.ready)
            log.refuseRecords(for: topics.keys, with: nil)
            log.setLeaders(of: topics.keys, areAway: false)
        case .replaceKeyFile: replaceKeyFile()
        case .compactSegments(let dropping): compactSegments(droppingTombstones: dropping, &random)
        case .writeForeign: writeForeign(&random)
        case .refuseCommits(let count):
            log.refuseCommits(count, with: LogError(.rebalanceInProgress, Self.refusal, disposition: .retry))
        case .rollBack: rollBack(&random)
        case .recreate(let input):
            lose(input) {
                for number in 0..<Self.partitions { recordLoss(input, number, from: 0) }
                log.recreateTopic(input.topic(topics))
            }
        case .cutTail(let input, let count):
            let number = Int32(random.below(Int(Self.partitions)))
            let place = TopicPartition(input.topic(topics), number)
            guard let end = log.records(in: place).suffix(count).first?.offset else { return }
            lose(input) {
                recordLoss(input, number, from: end)
                log.cutTail(of: place, records: count)
            }
        case .repair: repair()
        }
    }

    /// Replaces the key file as an operator does: the processes restart one after the other, and every process has a
    /// file before any process gets the next one.
    private func replaceKeyFile() {
        guard let encryption else { return }
        let behind = processes.filter { $0.body != nil && $0.keyFile < encryption.stage }
        if behind.isEmpty, encryption.replaceFile() { countFault("a key file that is replaced") }
        for process in behind.isEmpty ? processes : behind where process.isRunning {
            end(process)
            start(process)
            settle(rounds: 3)
        }
    }

    /// Counts a fault that was reached.
    func countFault(_ name: String) {
        guard simulation.isSurveyed else { return }
        books.withLedger { $0.report.coverage.count(.fault, name) }
    }

    /// Ends all lasting faults.
    func endClusterFaults() {
        log.clearFaults()
        restoreLeaders()
        acceptTopics()
        endTransactions()
        for topic in cluster.limited { log.limitRecords(of: topic, toBytes: nil) }
        for process in processes {
            process.client?.limitQueue(to: nil)
            process.client?.releaseDeliveries()
            process.client?.noticeEviction()
            process.keeperClient?.inner.noticeEviction()
            process.limited?.stock(.ready)
        }
    }

    func restoreLeaders() {
        if processes.contains(where: { $0.client?.unwritten ?? 0 > 0 }) { countFault("records that wait for a leader") }
        for topic in topics.all { log.setLeaders(of: topic, areAway: false) }
        if cluster.catalogueIsAway { (cluster.catalogueIsAway, cluster.catalogueRestored) = (false, clock.now) }
    }

    private func acceptTopics() { for topic in topics.all { log.refuseRecords(for: topic, with: nil) } }

    private func endTransactions() {
        for place in cluster.transactions {
            if let end = (try? log.client(ClientConfiguration(clientID: "operator")).range(of: place))?.upperBound,
                log.records(in: place).last.map({ $0.offset >= end }) == true
            {
                countFault("records behind an open transaction")
            }
            log.endTransaction(in: place)
        }
        cluster.transactions = []
    }

    private func writeUnreadable(_ topic: SimulatedTopic, _ random: inout SimulationRandom) {
        let place = TopicPartition(random.pick(names(topic)), Int32(random.below(Int(Self.partitions))))
        let count = random.within(1...3)
        // In a log that has replaced another one, the batch could be where the record was by which an owner recognises
        // its log.
        if cluster.cuts[place] != nil { return }
        guard let offset = try? log.appendUnreadable(count, to: place) else { return }
        // Stamps name the batch by its last offset.
        let last = offset + Int64(count) - 1
        // In a log that has replaced another one, an unreadable record can't be distinguished from the record that was
        // decided on at its offset.
        if let input = JournalInput(place.topic, topics),
            let stamp = books.withLedger({ $0.journals.stamps[place.partition] }),
            last < stamp[input].next
        {
            return
        }
        books.withLedger { $0.deadLetters.insert(unreadable: place, last) }
    }

    private func fail(_ record: FailedRecord, of name: String) {
        let isCoordinator = SimulationScript.coordinators.contains(name)
        // Two of three coordinators run in most histories, and any running coordinator will do.
        let running = processes.filter { $0.isRunning && $0.coordinator != nil }
        let named = process(name)
        guard let process = isCoordinator && named?.isRunning == false ? running.first : named,
            let client = process.client, client.isAlive
        else { return }
        client.failRecords(
            1, in: record.topic, after: record.skipped,
            with: LogError(
                record.disposition == .retry ? .timedOut : .other, Self.refusal, disposition: record.disposition),
            isWritten: record.isWritten, inFlight: record.inFlight)
        process.mayMissRecords = true
        books.withLedger { $0.mayFail[process.runName] = client }
    }

    /// Compacts the closed segments of the journal, within the bound of a compaction of the whole journal. The cleaner
    /// may stop anywhere.
    private func compactSegments(droppingTombstones: Bool, _ random: inout SimulationRandom) {
        books.with { _ in }
        let isRead = isJournalRead
        for number in 0..<Self.partitions {
            let partition = TopicPartition(topics.sessions, number)
            if random.once(in: 2) { log.rollSegment(of: partition) }
            let ends = log.segmentEnds(of: partition)
            guard !ends.isEmpty else { continue }
            let bound =
                PartitionInspection.firstOverwriting(log.records(in: partition), outlining: books.journalOutline)
                ?? .max
            let end = min(bound, random.pick(ends))
            let stop = random.once(in: 2) ? random.pick(ends) : end
            if stop < end { countFault("a compaction that was interrupted") }
            log.compactSegments(
                of: partition, upTo: end, stoppingAt: stop, droppingTombstones: droppingTombstones && isRead)
        }
    }

    // MARK: Poison in the journal

    /// Writes a foreign record under the key of a session whose owner has nothing to do.
    func writeStray(in partitions: [PartitionInspection], _ random: inout SimulationRandom) {
        let sessions = partitions.flatMap(\.sessions.keys).sorted()
        if sessions.isEmpty { return }
        let key = Bytes(random.pick(sessions).utf8)
        let record = Record(
            topic: topics.sessions, partition: Murmur2.partition(of: key, count: Self.partitions), key: key,
            value: Bytes("{}".utf8))
        guard let written = try? log.append(record) else { return }
        books.withLedger { _ = $0.journals.foreign.insert(ForeignPlace(written)) }
    }

    /// Writes a foreign record to the journal. The timestamp may be wrong.
    private func writeForeign(_ random: inout SimulationRandom) {
        let session = random.pick(script.sessions)
        let key = random.pick([session, session, "other", "other", "$positions", "$fence/7/other"])
        let value: Bytes? = random.once(in: 4) ? nil : Bytes(random.pick(["", "{}", "{\"sequence\":0}", "\u{0}"]).utf8)
        let stamp = random.pick(["", "epoch=x", "epoch=1 owner=other number=1"])
        let record = Record(
            topic: topics.sessions, partition: Murmur2.partition(of: Bytes(session.utf8), count: Self.partitions),
            key: Bytes(key.utf8),
            value: value, headers: stamp.isEmpty ? [] : [RecordHeader("intents-journal", stamp)],
            timestamp: random.once(in: 2) ? clock.now.advanced(by: .seconds(-3_600)).milliseconds : nil)
        guard let written = try? log.append(record) else { return }
        books.withLedger { _ = $0.journals.foreign.insert(ForeignPlace(written)) }
    }

    /// Lets a coordinator of a newer version take a partition over, write one session, and be rolled back. The newer
    /// version has decided nothing, so nothing is lost.
    private func rollBack(_ random: inout SimulationRandom) {
        books.with { _ in }
        let number = Int32(random.below(Int(Self.partitions)))
        var replay = JournalReplay()
        for record in books.records(in: TopicPartition(topics.sessions, number)) {
            replay.apply(record, outlining: books.journalOutline)
        }
        let open = replay.sessions.filter { _, record in
            guard let journaled = try? books.journalRecord(record), case .session(_, let session?) = journaled.content
            else { return false }
            return session.remains == nil
        }
        guard var stamp = replay.stamp, let (id, record) = open.min(by: { $0.value.offset < $1.value.offset }),
            let value = record.value
        else { return }
        cluster.newerOwners += 1
        stamp.epoch = replay.epoch + 1
        stamp.owner = "newer-\(cluster.newerOwners)"
        stamp.format = JournalStamp.currentFormat + 1
        stamp.number = 1
        let fence = JournalOutline(stamp: stamp, subject: .fence(epoch: stamp.epoch, owner: stamp.owner))
        append(fence, replay.terms.bytes, to: number)
        stamp.number = 2
        append(
            JournalOutline(stamp: stamp, subject: .session(id, isOpen: true)),
            Bytes("{\"future\":".utf8) + value + Bytes("}".utf8),
            to: number)
        log.rebalance(group: Coordinator.group(topics).id)
        guard random.once(in: 3) else { return }
        // The newer version ran for long. Records that it has overwritten are gone when it is rolled back.
        clock.advance(by: .milliseconds(Topics.compactionLag))
        let journal = log.records(in: TopicPartition(topics.sessions, number))
        if PartitionInspection.firstOverwriting(journal, outlining: books.journalOutline) == nil {
            books.with { _ in }
            log.compact(TopicPartition(topics.sessions, number), before: .max)
        }
    }

    func append(_ outline: JournalOutline, _ value: Bytes?, to partition: Int32) {
        _ = try? log.append(outline.record(value: value, topic: topics.sessions, partition: partition, at: clock.now))
    }

    // MARK: Lost input

    /// Removes records of an input, and lets the owners of its partitions notice before more records are written.
    ///
    /// A reader notices only by its position. A position beyond the end is reported, unless as many records were
    /// written since the reader's last poll. The reader then continues behind those records and notices nothing, here
    /// as with Kafka. Therefore, all owners either are at rest and poll next, or begin again with the positions in
    /// their journals.
    private func lose(_ input: JournalInput, _ change: () -> Void) {
        guard hasLeaders(input.topic(topics)), isKnown(input) else { return }
        // Records in flight may be decisions on input that is lost now.
        let coordinators = processes.filter { $0.coordinator != nil }
        let areAtRest = coordinators.allSatisfy {
            $0.isRunning && $0.coordinator?.isSteady == true && $0.coordinator?.isSettled == true
        }
        if !areAtRest { for process in coordinators { kill(process, evict: true) } }
        books.with { _ in }
        // No two records have the same timestamp before and after the change. An owner recognises its log by the
        // timestamp of the record before its position.
        clock.advance(by: .milliseconds(1))
        change()
        clock.advance(by: .milliseconds(1))
        for process in coordinators {
            start(process)
            step(process)
        }
    }

    /// Returns whether all owners can distinguish the log of an input from another one: the record before their
    /// position has a timestamp. An unreadable batch has no timestamp that they know.
    private func isKnown(_ input: JournalInput) -> Bool {
        let owned = processes.compactMap(\.coordinator).flatMap(\.inspection)
        return (0..<Self.partitions).allSatisfy { number in
            let place = TopicPartition(input.topic(topics), number)
            let held = owned.filter { $0.partition == number }.compactMap { $0.inputs[input] }
            let offsets = Set(log.records(in: place).map(\.offset))
            return ([check(number).check.replay.position(of: input).next] + held).allSatisfy {
                $0 == 0 || offsets.contains($0 - 1)
            }
        }
    }

    /// Records which records an input loses, from this offset on. Only undecided input and open input may be lost.
    private func recordLoss(_ input: JournalInput, _ number: Int32, from end: Int64) {
        let place = TopicPartition(input.topic(topics), number)
        let found = check(number)
        let isStopped = found.findings.contains { if case .otherInput(input, _, _, _) = $0 { true } else { false } }
        cluster.cuts[place] = isStopped ? min(end, cluster.cuts[place] ?? .max) : end
        let position = found.check.replay.position(of: input)
        let lost = books.records(in: place).filter {
            $0.offset >= end && (isStopped || $0.offset >= position.next || position.open.contains($0.offset))
        }
        books.withLedger { ledger in
            ledger.reading.next[place] = end
            for record in lost { ledger.lose(record, of: input) }
            ledger.deadLetters.loseBatches(place, from: end)
            for record in lost where position.open.contains(record.offset) {
                ledger.deadLetters.recordLostOpenInput(record)
            }
        }
    }
}
