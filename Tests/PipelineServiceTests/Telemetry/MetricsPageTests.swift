import Foundation
import Pipeline
import Testing

/// The page of metrics: `GOLDEN=write` writes it again.
@Suite("The reference of metrics")
struct MetricsPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The text of the page: each metric with its kind, its labels and its help, in one order.
    private static var markdown: String {
        let rows = PipelineMetric.all.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help.dropLast()) |"
        }
        return """
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

            """
    }

    @Test("the page of metrics lists each metric with its kind, its labels and what it says")
    func page() throws {
        let file = Self.root.appending(path: "docs/reference/metrics.md")
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(Self.markdown.utf8).write(to: file)
        }
        let stored = try? String(contentsOf: file, encoding: .utf8)
        #expect(
            stored == Self.markdown,
            "docs/reference/metrics.md is not what the code says: GOLDEN=write swift test --filter MetricsPageTests writes it again"
        )
    }

    @Test("the alerts are about metrics that there are")
    func alerts() throws {
        let text = try String(contentsOf: Self.root.appending(path: "deploy/prometheus/alerts.yml"), encoding: .utf8)
        let names = Set(text.matches(of: #/\bintents_[a-z_]+/#).map { String($0.0) })
        let known = Set(PipelineMetric.all.map(\.name)).union(["intents_last_poll_timestamp_seconds"])
        #expect(names.count > 8 && names.subtracting(known).isEmpty, "\(names.subtracting(known))")
    }
}
