package import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

// Checks of records: the journal, the catalogue, the newest times, the dead letters.
extension Doctor {
    func examineJournal(_ partitions: Int32, _ report: (Diagnosis) -> Void) async {
        if let refusal = refusal("journal", of: topics.sessions) { return report(refusal) }
        do {
            var checks: [(check: JournalCheck, inputs: [InputLog])] = []
            var isEncrypted = false
            let reader = try PartitionReader(log, encryption, patience: patience)
            defer { reader.close() }
            // The group's commits and the end of the results are read before the journal, because coordinators may be
            // writing: the journal then covers all commits and results that are compared with it.
            let committed = await committedInputs(partitions)
            for partition in 0..<partitions {
                let results = TopicPartition(topics.results, partition)
                let resultsEnd = try reader.range(of: results).upperBound
                var check = JournalCheck(partition: partition, topics: topics)
                check.group = GroupPositions(committed, partition: partition, topics: topics)
                try reader.read(TopicPartition(topics.sessions, partition)) { record in
                    if record.header(EncryptedValue.header) != nil { isEncrypted = true }
                    check.apply(record)
                }
                try reader.read(results, last: resultsEnd - check.resultsNext) { record in
                    if record.offset < resultsEnd { check.apply(result: record) }
                }
                var inputs: [InputLog] = []
                for input in JournalInput.allCases {
                    let place = TopicPartition(input.topic(topics), partition)
                    inputs.append(InputLog(input, range: try reader.range(of: place), before: nil))
                }
                checks.append((check, inputs))
            }
            if isEncrypted, encryption == nil {
                return report(
                    Diagnosis(
                        "journal", .skipped,
                        "it is encrypted: use --encryption-key-file, with the keys that the coordinators have"))
            }
            report(Self.journal(checks, partitions, at: now()))
        } catch {
            report(problem("journal", error))
        }
    }

    /// Returns the coordinators' committed positions of their inputs; empty if the request fails. The check of the
    /// group reports the reason.
    private func committedInputs(_ partitions: Int32) async -> [TopicPartition: CommittedOffset] {
        let places = JournalInput.allCases.flatMap { input in
            (0..<partitions).map { TopicPartition(input.topic(topics), $0) }
        }
        return (try? await log.committed(by: Coordinator.group(topics).id, places)) ?? [:]
    }

    /// Reports the faults that would stop a new owner.
    static func journal(_ checks: [(check: JournalCheck, inputs: [InputLog])], _ partitions: Int32, at now: Instant)
        -> Diagnosis
    {
        let findings = checks.flatMap { check, inputs in
            check.findings(partitions: partitions, inputs: inputs, at: now).map {
                "partition \(check.partition): \($0)"
            }
        }
        guard findings.isEmpty else {
            return Diagnosis(
                "journal", .failed, findings.joined(separator: "; "),
                advice: "'\(PipelineProgram.tool) journal repair --partition N' says what can be done"
            )
        }
        let sum = { (number: (JournalCheck) -> Int) in checks.reduce(0) { $0 + number($1.check) } }
        let text =
            "\(sum(\.records)) records, \(sum { $0.replay.sessions.count }) sessions, \(sum(\.void)) records of writers that did not own the partition"
        let gaps = sum { $0.replay.afterGap }
        if gaps == 0 { return Diagnosis("journal", .ok, "\(text), no gaps") }
        return Diagnosis(
            "journal", .warning,
            "\(text), and \(gaps) after a gap, which do not count: a coordinator could not write, and its successor has read its "
                + "input again", advice: "look into the coordinators' logs for what could not be written")
    }

    // MARK: Times

    func examineClock(_ partitions: Int32, _ report: (Diagnosis) -> Void) {
        let sources = [topics.results, topics.outcomes, topics.catalog, topics.requests].filter(access.reads.contains)
        if sources.isEmpty {
            return report(Diagnosis("clock", .skipped, "the \(role.rawValue) reads no topic whose records tell a time"))
        }
        do {
            let reader = try PartitionReader(log, nil, patience: patience)
            defer { reader.close() }
            var newest: Instant?
            for topic in sources {
                for partition in 0..<partitions {
                    try reader.read(TopicPartition(topic, partition), last: 1) {
                        newest = max(newest ?? .earliest, Instant(milliseconds: $0.timestamp))
                    }
                }
            }
            report(Self.clock(newest: newest, at: now()))
        } catch { report(problem("clock", error)) }
    }

    /// Compares the newest record with this machine's clock.
    ///
    /// - Parameter newest: The time of the newest record by the clock of its writer (CreateTime).
    package static func clock(newest: Instant?, at now: Instant) -> Diagnosis {
        guard let newest, newest.milliseconds > 0 else {
            return Diagnosis("clock", .skipped, "there is no record to compare with")
        }
        let ahead = newest.milliseconds(since: now)
        if ahead <= 5_000 {
            return Diagnosis(
                "clock", .ok,
                "the newest record is \(age(newest, now)) old by this machine's clock: no writer is ahead of it")
        }
        // Intents are served for this long without a renewal.
        let isFar = ahead >= Int64(WorkerLease.duration)
        return Diagnosis(
            "clock", isFar ? .failed : .warning,
            "the newest record is \(ahead / 1_000) s ahead of this machine's clock: its writer's clock is ahead, or this one is behind",
            advice: "compare the clocks of all machines, and let NTP set them")
    }

    private static func age(_ time: Instant, _ now: Instant) -> String {
        let seconds = max(0, now.milliseconds(since: time)) / 1_000
        return seconds < 120 ? "\(seconds) s" : seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
    }

    // MARK: Dead letters

    func examineDeadLetters(_ partitions: Int32, _ report: (Diagnosis) -> Void) {
        if let refusal = refusal("dead letters", of: topics.deadLetters) { return report(refusal) }
        do {
            let reader = try PartitionReader(log, nil, patience: patience)
            defer { reader.close() }
            var reasons: [String: Int] = [:]
            for partition in 0..<partitions {
                var open: [Int64: String] = [:]
                try reader.read(TopicPartition(topics.deadLetters, partition)) { record in
                    if let mark = DeadLetterMark(record) {
                        open[mark.offset] = nil
                    } else {
                        open[record.offset] = ReadDeadLetter(record)?.reason ?? "unknown"
                    }
                }
                for reason in open.values { reasons[reason, default: 0] += 1 }
            }
            report(Self.deadLetters(reasons))
        } catch { report(problem("dead letters", error)) }
    }

    /// Reports the open dead letters.
    ///
    /// - Parameter reasons: The number of open dead letters for each reason.
    package static func deadLetters(_ reasons: [String: Int]) -> Diagnosis {
        let count = reasons.values.reduce(0, +)
        if count == 0 { return Diagnosis("dead letters", .ok, "none is open") }
        let text = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }.joined(
            separator: ", ")
        return Diagnosis(
            "dead letters", .warning, "\(count) open: \(text)",
            advice: "'\(PipelineProgram.tool) dead-letters list' lists them; 'replay' and 'drop' deal with them")
    }
}
