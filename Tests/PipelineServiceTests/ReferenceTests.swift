import Foundation
import IntentEvents
import Pipeline
import PipelineService
import RecordLog
import Testing

@testable import RDKafkaLog

private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

/// Compares a page of `docs/reference`. `GOLDEN=write` writes the page again.
private func check(_ text: String, _ page: String, suite: String = "ReferenceTests") throws {
    let file = root.appending(path: "docs/reference/\(page)")
    if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
    let stored = try? String(contentsOf: file, encoding: .utf8)
    #expect(stored == text, "GOLDEN=write swift test --filter \(suite) writes docs/reference/\(page) again")
}

@Suite("The reference pages for operators") struct ReferenceTests {
    private let topics = Topics()

    private func table(_ heads: [String], _ rows: [[String]]) -> String {
        func line(_ cells: [String]) -> String {
            cells.map { $0.isEmpty ? "|" : "| \($0)" }.joined(separator: " ") + " |"
        }
        let rule = "|" + String(repeating: "---|", count: heads.count)
        return ([line(heads), rule] + rows.map(line)).joined(separator: "\n")
    }

    private func code(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

    /// Names of topics without the prefix.
    private func short(_ names: [String]) -> String {
        names == topics.all ? "all" : code(names.map { String($0.dropFirst(topics.prefix.count + 1)) })
    }

    @Test func `the page of roles has the rights of each role`() throws {
        let rows: [[String]] = AccessRole.allCases.map { role in
            let access = role.access(topics)
            let joined = (access.group.map { [$0] } ?? []) + access.otherGroups
            let operations = access.grants().first?.operations.map(\.rawValue) ?? []
            let names = [code(joined), code(operations), code(access.describesGroups)]
            return ["`\(role.rawValue)`", short(access.reads), short(access.writes)] + names
        }
        let groups = ["joins", "describes"].map { "groups that the role \($0)" }
        let heads = ["role", "`Read`", "`Write`", groups[0], "on all topics", groups[1]]
        try check(
            """
            # Roles and rights

            `intents acl print` prints these rights. Names of topics lack the prefix `\(topics.prefix)`. The groups
            of workers are those of the default service.

            \(table(heads, rows))

            """, "roles.md")
    }

    /// Settings that the start of a process finds.
    private static let wrongSettings = [
        ("cleanup.policy", "compact"), ("cleanup.policy", "delete"), ("min.compaction.lag.ms", "0"),
        ("max.message.bytes", "1000000"), ("max.message.bytes", "1500000"), ("max.message.bytes", "2000000"),
        ("min.insync.replicas", "1"), ("min.insync.replicas", "4"), ("retention.ms", "60000"),
        ("compression.type", "producer"), ("message.timestamp.type", "CreateTime"),
        ("unclean.leader.election.enable", "true"),
    ]

    @Test func `the page of topics has the settings that the tool sets, and the findings of a start`() throws {
        let usual = topics.specifications(partitions: Topics.usualPartitions, replicationFactor: 3)
        let created: [[String]] = usual.map { topic in
            [short([topic.name]), code(topic.configuration.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })]
        }
        let existing = usual.map {
            TopicDescription(name: $0.name, partitions: $0.partitions, replicationFactor: $0.replicationFactor)
        }
        let found: [[String]] = Self.wrongSettings.flatMap { name, value in
            var rows: [(result: [String], topics: [String])] = []
            for topic in topics.all {
                var settings = Dictionary(uniqueKeysWithValues: usual.map { ($0.name, $0.configuration) })
                settings[topic]?[name] = value
                let findings = TopicCheck.findings(existing, settings, topics)
                guard let message = (findings.problems + findings.warnings).first else { continue }
                let result = [findings.problems.isEmpty ? "warns" : "ends", message.replacing(topic, with: "TOPIC")]
                if let row = rows.firstIndex(where: { $0.result == result }) {
                    rows[row].topics.append(topic)
                } else {
                    rows.append((result, [topic]))
                }
            }
            return rows.map { ["`\(name)=\(value)`", short($0.topics)] + $0.result }
        }
        try check(
            """
            # Topics and settings

            Names of topics lack the prefix `\(topics.prefix)`.

            ## What the tool sets

            `intents topics apply --replication-factor 3` creates topics with these settings. With fewer
            replicas, the tool leaves `min.insync.replicas` out.

            \(table(["topic", "settings"], created))

            ## What a start finds

            Each row changes one setting of topics with three replicas. The process ends with the message, or
            warns and starts.

            \(table(["setting", "topics", "process", "message"], found))

            """, "topics.md")
    }

    @Test func `the page of Kafka properties has the fixed properties and the defaults`() throws {
        let fixed: [[String]] = KafkaProperties.owned.merging(KafkaProperties.ownedIfGapless) { $1 }.sorted {
            $0.key < $1.key
        }.map { ["`\($0)`", KafkaProperties.ownedIfGapless[$0] == nil ? "all" : "coordinator", $1] }
        func defaults(_ scopes: [KafkaProperties.Scope], _ program: [String: String] = [:]) -> [String: String] {
            let ours = scopes.flatMap { KafkaProperties.defaults(for: $0) + KafkaProperties.newerDefaults(for: $0) }
            return Dictionary(ours) { $1 }.merging(program) { $1 }
        }
        let columns = [
            defaults([.gaplessProducer, .member], PipelineDefaults.coordinator),
            defaults([.producer, .member], PipelineDefaults.worker), defaults([.reader]), defaults([.follower]),
        ]
        let rows = Set(columns.flatMap(\.keys)).sorted().map { name in ["`\(name)`"] + columns.map { $0[name] ?? "" } }
        let heads = ["property", "coordinator", "worker", "reader of single partitions", "reader that follows topics"]
        try check(
            """
            # Properties of librdkafka

            ## Fixed properties

            Processes set these properties, and reject a value of `-X` or of the file with the reason.

            \(table(["property", "process", "reason"], fixed))

            ## Defaults

            `-X` and the file of `--kafka-config` override these values. `fetch.queue.backoff.ms` needs
            librdkafka 2.2.

            \(table(heads, rows))

            """, "kafka-properties.md")
    }
}

@Suite("The reference of metrics") struct MetricsPageTests {
    @Test func `the page of metrics lists each metric with its kind, its labels and what it says`() throws {
        let rows = PipelineMetric.all.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help.dropLast()) |"
        }
        try check(
            """
            # Metrics

            <!-- Generated from the code: GOLDEN=write swift test --filter MetricsPageTests -->

            Each process serves its metrics at `/metrics` if it has the option `--telemetry` ([how](../telemetry.md)). A duration is a \
            histogram in seconds, an amount a histogram of whole numbers. Values are at most about a second old.

            | metric | kind | labels | |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))

            `stage` is `resolve`, `confirm` or `handle`, with `-in-app` for the app's workers. For dead letters, `stage` is the role that \
            could not read the record. `outcome` is `success`, `asked`, `failure`, `retry`, `timedOut` or `cancelled`. `intent` is an \
            intent of the catalogue, or `\(PipelineMetric.other)`. A metric has at most \(PipelineMetric.maximumSeries) combinations of \
            labels in a process; later combinations count as `\(PipelineMetric.other)`. No label names a session, a request or a person.

            Each process also has `intents_build_info` (`version`, `swift`, `librdkafka`), `intents_ready`, \
            `intents_last_poll_timestamp_seconds` (`loop`), `intents_clock_ahead_seconds` (`of`: `broker` or `start`), \
            `intents_spans_dropped_total` if it traces, and the `process_*` metrics of Prometheus' clients.

            """, "metrics.md", suite: "MetricsPageTests")
    }

    @Test func `the alerts are about metrics that there are`() throws {
        let text = try String(contentsOf: root.appending(path: "deploy/prometheus/alerts.yml"), encoding: .utf8)
        let names = Set(text.matches(of: #/\bintents_[a-z_]+/#).map { String($0.0) })
        let known = Set(PipelineMetric.all.map(\.name)).union(["intents_last_poll_timestamp_seconds"])
        #expect(names.count > 8 && names.subtracting(known).isEmpty, "\(names.subtracting(known))")
    }
}
