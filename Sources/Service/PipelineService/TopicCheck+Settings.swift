package import IntentEvents
package import Logging
package import RecordLog

extension TopicCheck {
    /// Faults of the topics' settings, each as a sentence with advice.
    package struct Findings: Sendable, Hashable {
        /// The faults that break the pipeline.
        package var problems: [String] = []
        /// The faults that can lose records, grow topics or readers' memory, or hide a wrong clock.
        package var warnings: [String] = []

        package init() {}
    }

    /// Reads and checks the settings of the topics if one of these roles checks them. Settings that the broker can't or
    /// must not report are not an error.
    ///
    /// - Parameter report: Receives a warning for each of ``Findings/warnings``, or a notice that the settings could
    ///   not be read.
    /// - Throws: ``RecordLog/LogError/Code/invalidConfiguration``, fatal, with all ``Findings/problems``.
    package static func checkSettings(
        of topics: Topics, as roles: [AccessRole], _ existing: [TopicDescription], in log: any LogCluster,
        report: (Logger.Level, String) -> Void
    ) async throws(LogError) {
        let checked = Set(roles.map { $0.access(topics) }.filter(\.checksSettings).flatMap(\.describes))
        if checked.isEmpty { return }
        let settings: [String: [String: String]]
        do { settings = try await log.configurations(of: topics.all.filter(checked.contains)) } catch {
            return report(
                .notice, "the settings of the topics were not checked, because they could not be read: \(error.message)"
            )
        }
        let findings = findings(existing, settings, topics)
        for warning in findings.warnings { report(.warning, warning) }
        if findings.problems.isEmpty { return }
        throw LogError(.invalidConfiguration, findings.problems.joined(separator: "; "), disposition: .fatal)
    }

    /// Checks settings. Settings that the broker did not report are not checked.
    ///
    /// - Parameter settings: The settings of each topic, by topic name and setting name.
    package static func findings(
        _ existing: [TopicDescription], _ settings: [String: [String: String]], _ topics: Topics
    ) -> Findings {
        var findings = Findings()
        let journal = settings[topics.sessions] ?? [:]
        if let policy = journal["cleanup.policy"], policy.replacing(" ", with: "") != "compact" {
            findings.problems.append(
                "\(topics.sessions) has cleanup.policy=\(policy), so that open sessions would be lost: "
                    + setting("cleanup.policy=compact", of: topics.sessions))
        }
        if let lag = journal["min.compaction.lag.ms"].flatMap({ Int($0) }), lag < Topics.compactionLag {
            findings.problems.append(
                "\(topics.sessions) has min.compaction.lag.ms=\(lag), so that compaction could remove a record that a paused coordinator has "
                    + "overwritten: " + setting("min.compaction.lag.ms=\(Topics.compactionLag)", of: topics.sessions))
        }
        for (name, size) in [
            (topics.sessions, Topics.maximumSessionBytes), (topics.deadLetters, Topics.maximumDeadLetterBytes),
        ] {
            guard let limit = settings[name]?["max.message.bytes"].flatMap({ Int($0) }) else { continue }
            let remedy = setting("max.message.bytes=\(size)", of: name)
            if limit < Topics.minimumRecordLimit {
                findings.problems.append(
                    "\(name) has max.message.bytes=\(limit), so that the pipeline could not write its largest records: \(remedy)"
                )
            } else if name == topics.deadLetters, limit < size {
                findings.warnings.append(
                    "\(name) has max.message.bytes=\(limit), so that only an excerpt is kept of the largest unreadable records: \(remedy)"
                )
            }
        }
        findings.problems += compacted(settings, topics)
        findings.problems += unwritable(existing, settings, topics)
        findings.warnings += short(settings, topics)
        findings.warnings += shortRetention(settings, topics)
        findings.warnings += uncompacted(settings, topics)
        findings.warnings += inputs(settings, topics)
        findings.warnings += undated(settings, topics)
        findings.warnings += compressed(settings, topics)
        findings.warnings += durability(existing, settings, topics)
        return findings
    }

    /// Reports compacted streams. Compaction keeps only one record of a session.
    private static func compacted(_ settings: [String: [String: String]], _ topics: Topics) -> [String] {
        let streams = topics.inputs + [topics.results, topics.memoryChanges, topics.deadLetters]
        let compacted = streams.filter { settings[$0]?["cleanup.policy"]?.contains("compact") == true }
        if compacted.isEmpty { return [] }
        return [
            "\(subject(compacted, "has", "have")) cleanup.policy=compact, so that all but the newest record of each session can be lost: "
                + setting("cleanup.policy=delete", of: pronoun(compacted))
        ]
    }

    /// Reports topics of which Kafka rejects every record.
    private static func unwritable(
        _ existing: [TopicDescription], _ settings: [String: [String: String]], _ topics: Topics
    ) -> [String] {
        let ours = Set(topics.all)
        return existing.filter { ours.contains($0.name) }.compactMap { topic in
            guard let least = settings[topic.name]?["min.insync.replicas"].flatMap({ Int($0) }),
                least > topic.replicationFactor
            else {
                return nil
            }
            return
                "\(topic.name) has min.insync.replicas=\(least) and a replication factor of \(topic.replicationFactor), so Kafka refuses every "
                + "record: "
                + setting("min.insync.replicas=\(max(1, topic.replicationFactor - 1))", of: topic.name)
        }
    }

    /// Reports topics with too small a record limit. Processes write them beside the journal: outcomes have up to 256
    /// KiB, results and work up to the maximum size of a session.
    private static func short(_ settings: [String: [String: String]], _ topics: Topics) -> [String] {
        let written = topics.all.filter {
            ![topics.sessions, topics.deadLetters, topics.requests, topics.answers].contains($0)
        }
        let short = written.filter {
            settings[$0]?["max.message.bytes"].flatMap { Int($0) } ?? .max < Topics.minimumRecordLimit
        }
        if short.isEmpty { return [] }
        return [
            "\(subject(short, "has", "have")) a max.message.bytes of less than \(Topics.minimumRecordLimit), so that the largest records can't be written: "
                + setting("max.message.bytes=\(Topics.maximumInputBytes)", of: pronoun(short))
        ]
    }

    /// The minimum retention, in milliseconds. A process that is away for a shorter time loses no record.
    package static let leastRetention = 3_600_000

    private static func shortRetention(_ settings: [String: [String: String]], _ topics: Topics) -> [String] {
        let streams = topics.inputs + [topics.results, topics.deadLetters]
        let brief = streams.filter {
            guard let kept = settings[$0]?["retention.ms"].flatMap({ Int($0) }) else { return false }
            return 0..<leastRetention ~= kept
        }
        if brief.isEmpty { return [] }
        return [
            "\(subject(brief, "keeps", "keep")) records for less than an hour, so a process that is away for longer loses some: "
                + setting("retention.ms=604800000", of: pronoun(brief))
        ]
    }

    private static func uncompacted(_ settings: [String: [String: String]], _ topics: Topics) -> [String] {
        let tables = [topics.catalog, topics.memory, topics.keys]
        let uncompacted = tables.filter { settings[$0]?["cleanup.policy"]?.contains("compact") == false }
        if uncompacted.isEmpty { return [] }
        return [
            "\(subject(uncompacted, "is", "are")) not compacted, so that what was replaced or destroyed in them can be read until retention.ms, and "
                + "starting takes longer and longer: "
                + setting("cleanup.policy=compact,delete", of: pronoun(uncompacted))
        ]
    }

    /// Reports a catalogue without the broker's timestamps, by which processes compare their clocks with the broker's.
    private static func undated(_ settings: [String: [String: String]], _ topics: Topics) -> [String] {
        guard let type = settings[topics.catalog]?[Topics.timestampType], type != Topics.appendTime else { return [] }
        return [
            "\(topics.catalog) has \(Topics.timestampType)=\(type), so that a process can't notice that its clock is wrong: "
                + setting("\(Topics.timestampType)=\(Topics.appendTime)", of: topics.catalog)
        ]
    }

    /// Reports topics that store compressed batches. A few kilobytes can inflate to any size, and no client can limit
    /// their memory.
    private static func compressed(_ settings: [String: [String: String]], _ topics: Topics) -> [String] {
        let compressed = topics.writtenByOthers.filter {
            settings[$0]?[Topics.compressionType].map { $0 != Topics.uncompressed } == true
        }
        if compressed.isEmpty { return [] }
        return [
            "\(subject(compressed, "is", "are")) not stored with \(Topics.compressionType)=\(Topics.uncompressed), so that whoever writes there can fill the memory of each reader "
                + "with a small batch that inflates, and batches that can't be decompressed are skipped one by one: "
                + setting("\(Topics.compressionType)=\(Topics.uncompressed)", of: pronoun(compressed))
        ]
    }

    /// Reports inputs with too large a record limit. A record of an input must fit into the dead letters, together with
    /// the reason.
    private static func inputs(_ settings: [String: [String: String]], _ topics: Topics) -> [String] {
        func limit(_ topic: String) -> Int? { settings[topic]?["max.message.bytes"].flatMap { Int($0) } }
        guard let deadLetters = limit(topics.deadLetters) else { return [] }
        let large = topics.inputs.filter { limit($0) ?? 0 >= deadLetters }
        if large.isEmpty { return [] }
        return [
            "\(subject(large, "has", "have")) a max.message.bytes that is not below that of \(topics.deadLetters), \(deadLetters), so that only an excerpt is kept of "
                + "the largest unreadable records: "
                + setting("max.message.bytes=\(Topics.maximumInputBytes)", of: pronoun(large))
        ]
    }

    private static func durability(
        _ existing: [TopicDescription], _ settings: [String: [String: String]], _ topics: Topics
    ) -> [String] {
        let replicas = Dictionary(existing.map { ($0.name, $0.replicationFactor) }) { first, _ in first }
        let single = topics.all.filter { settings[$0]?["min.insync.replicas"] == "1" && replicas[$0] ?? 0 >= 3 }
        let unclean = topics.all.filter { settings[$0]?["unclean.leader.election.enable"] == "true" }
        var warnings: [String] = []
        if !single.isEmpty {
            warnings.append(
                "\(subject(single, "has", "have")) min.insync.replicas=1, so that a record counts as written when one of several brokers has it, "
                    + "and is lost with that broker: " + setting("min.insync.replicas=2", of: pronoun(single)))
        }
        if !unclean.isEmpty {
            warnings.append(
                "\(subject(unclean, "has", "have")) unclean.leader.election.enable=true, so that acknowledged records are lost when a broker that "
                    + "lacks them takes over: " + setting("unclean.leader.election.enable=false", of: pronoun(unclean)))
        }
        return warnings
    }

    /// Returns topics as the subject of a sentence, with its verb.
    private static func subject(_ topics: [String], _ singular: String, _ plural: String) -> String {
        "\(topics.joined(separator: ", ")) \(topics.count == 1 ? singular : plural)"
    }

    private static func pronoun(_ topics: [String]) -> String { topics.count == 1 ? "it" : "each of them" }

    private static func setting(_ value: String, of topic: String) -> String {
        "set \(value) on \(topic) (kafka-configs.sh --alter)"
    }
}
