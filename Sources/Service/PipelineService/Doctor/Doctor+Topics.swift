import IntentEvents
import RecordLog

// Checks of topics, their settings, and the rights of the role.
extension Doctor {
    /// Checks the existence, the partition counts and the settings of the topics.
    ///
    /// - Returns: The partition count of each topic; `nil` if the topics are missing or their partition counts are
    ///   wrong.
    func examineTopics(_ existing: [TopicDescription], _ report: (Diagnosis) -> Void) async -> Int32? {
        var partitions: Int32?
        do {
            let count = try TopicCheck.check(existing, topics, as: [role])
            report(Diagnosis("topics", .ok, "all \(access.describes.count) exist"))
            report(Diagnosis("partitions", .ok, "each topic has \(count)"))
            partitions = count
        } catch {
            let isMissing = error.code == .unknownTopicOrPartition
            report(
                isMissing
                    ? Diagnosis(
                        "topics", .failed, error.message,
                        advice:
                            "'\(PipelineProgram.tool) topics apply\(topics.option)' creates them; or give the rights that '\(rights)' prints"
                    )
                    : Diagnosis("topics", .ok, "all \(access.describes.count) exist"))
            report(
                isMissing
                    ? Diagnosis("partitions", .skipped, "topics are missing")
                    : Diagnosis(
                        "partitions", .failed, error.message,
                        advice: "\(PipelineProgram.tool) topics apply --topic-prefix ANOTHER, and switch to it"))
        }
        await examineSettings(existing, report)
        return partitions
    }

    private func examineSettings(_ existing: [TopicDescription], _ report: (Diagnosis) -> Void) async {
        let names = Set(existing.map(\.name))
        let there = topics.all.filter(names.contains)
        if there.isEmpty { return report(Diagnosis("settings", .skipped, "there is no topic")) }
        let settings: [String: [String: String]]
        do { settings = try await log.configurations(of: there) } catch {
            let isRefused = error.code == .unauthorized && !access.checksSettings
            return report(
                isRefused
                    ? Diagnosis("settings", .skipped, "the \(role.rawValue) has no right to see them")
                    : problem("settings", error))
        }
        let findings = TopicCheck.findings(existing, settings, topics)
        let texts = findings.problems + findings.warnings
        if texts.isEmpty {
            let which = there.count < access.describes.count ? "of the \(there.count) topics that exist, " : ""
            return report(Diagnosis("settings", .ok, "\(which)as the pipeline needs them"))
        }
        report(
            Diagnosis(
                "settings", findings.problems.isEmpty ? .warning : .failed, texts.joined(separator: "; "),
                advice: "set what is named with kafka-configs.sh --alter"))
    }

    /// Tries the role's rights, if a trial leaves no trace.
    func examineRights(_ partitions: Int32?, _ report: (Diagnosis) -> Void) async {
        if partitions == nil {
            report(Diagnosis("reading", .skipped, "the topics have to be right first"))
        } else if access.reads.isEmpty {
            report(Diagnosis("reading", .skipped, "the \(role.rawValue) reads nothing"))
        } else {
            report(examineReading())
        }
        examineTransactions(partitions, report)
        report(
            access.writes.isEmpty
                ? Diagnosis("writing", .skipped, "the \(role.rawValue) writes nothing")
                : Diagnosis(
                    "writing", .skipped,
                    "it can't be tried without a record. The \(role.rawValue) writes \(access.writes.joined(separator: ", "))",
                    advice: "'\(rights)' prints the rights for it; compare them with kafka-acls.sh --list"))
        guard let group = access.group else {
            return report(Diagnosis("own group", .skipped, "the \(role.rawValue) has none"))
        }
        do {
            _ = try await log.committed(by: group, [TopicPartition(topics.requests, 0)])
            report(Diagnosis("own group", .ok, "\(group) may be used"))
        } catch { report(problem("own group", error)) }
    }

    /// Tries to read each topic. Each topic has its own client, so that a refusal identifies the topic. All clients ask
    /// before the first answer is awaited.
    private func examineReading() -> Diagnosis {
        var refused: [String] = []
        var readers: [(topic: String, reader: PartitionReader)] = []
        defer { for (_, reader) in readers { reader.close() } }
        for topic in access.reads {
            do {
                let reader = try PartitionReader(log, nil, patience: patience)
                readers.append((topic, reader))
                try reader.open(TopicPartition(topic, 0))
            } catch {
                return problem("reading", error)
            }
        }
        for (topic, reader) in readers {
            do { try reader.awaitOpening(of: TopicPartition(topic, 0)) } catch {
                guard error.code == .unauthorized else { return problem("reading", error) }
                refused.append(topic)
            }
        }
        if refused.isEmpty { return Diagnosis("reading", .ok, "\(access.reads.count) topics can be read") }
        return Diagnosis(
            "reading", .failed, "the broker does not let \(refused.joined(separator: ", ")) be read",
            advice: "give Read on them: '\(rights)' prints the commands")
    }
}
