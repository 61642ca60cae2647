import Foundation
import Pipeline
import Testing

@Suite("The article about telemetry")
struct TelemetryArticleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("lists each metric with its kind, its labels and what it says, in one order")
    func table() throws {
        let file = Self.root.appending(path: "Sources/Authoring/IntentKit/IntentKit.docc/Articles/Telemetry.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `intents_") }.map(String.init)
        let expected = PipelineMetric.all.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help.dropLast()) |"
        }
        #expect(rows == expected)
    }

    @Test("the alerts are about metrics that there are")
    func alerts() throws {
        let text = try String(contentsOf: Self.root.appending(path: "deploy/prometheus/alerts.yml"), encoding: .utf8)
        let names = Set(text.matches(of: #/\bintents_[a-z_]+/#).map { String($0.0) })
        let known = Set(PipelineMetric.all.map(\.name)).union(["intents_last_poll_timestamp_seconds"])
        #expect(names.count > 8 && names.subtracting(known).isEmpty, "\(names.subtracting(known))")
    }
}
