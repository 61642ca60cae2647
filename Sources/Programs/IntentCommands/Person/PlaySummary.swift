import Conversation
import Foundation
import IntentModel
import PipelineService

/// The summary of how the requests of a play ended.
struct PlaySummary {
    let total: Int
    let missing: Int
    let repeated: Int
    let gaps: Int
    let copies: Int
    let statuses: [(Completion.Status, Int)]
    let turns: [(turns: Int, count: Int)]
    let durations: [Duration]
    let workers: [(String, Int)]

    init(_ play: Play, _ client: PersonClient) {
        total = play.total
        missing = play.missing
        repeated = play.repeated
        gaps = client.gaps
        copies = client.copies
        let endings = play.endings.values.compactMap(\.first)
        statuses = Completion.Status.allCases.map { status in (status, endings.count { $0.status == status }) }.filter {
            $0.1 > 0
        }
        turns = Dictionary(grouping: endings, by: \.turns).map { ($0.key, $0.value.count) }.sorted {
            $0.turns < $1.turns
        }
        durations = endings.map(\.duration).sorted()
        workers = client.workers.sorted { $0.key < $1.key }
    }

    var isGood: Bool { missing == 0 && repeated == 0 && gaps == 0 }

    var table: String {
        var lines = ["", "requests              \(total)", "completed once        \(total - missing - repeated)"]
        lines.append("not completed         \(missing)")
        lines.append("completed twice       \(repeated)")
        lines.append("sequence gaps         \(gaps)")
        lines.append("identical copies      \(copies)")
        lines.append("")
        for (status, count) in statuses { lines.append("  \(pad(status.rawValue, 20))\(count)") }
        lines.append("")
        lines.append("turns                 " + turns.map { "\($0.turns): \($0.count)" }.joined(separator: "   "))
        lines.append(
            "request to completion p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, including the simulated answers"
        )
        lines.append("worked                " + workers.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
        return lines.joined(separator: "\n")
    }

    var json: JSON {
        .object([
            "requests": .number(total), "missing": .number(missing), "repeated": .number(repeated),
            "gaps": .number(gaps),
            "copies": .number(copies),
            "statuses": .make { writer in
                writer.beginObject()
                for (status, count) in statuses { writer.member(named: status.rawValue, .number(count)) }
                writer.endObject()
            },
            "p50_ms": .number(percentile(0.5) / .milliseconds(1)),
            "p99_ms": .number(percentile(0.99) / .milliseconds(1)),
            "workers": .make { writer in
                writer.beginObject()
                for (name, count) in workers { writer.member(named: name, .number(count)) }
                writer.endObject()
            },
        ])
    }

    private func percentile(_ share: Double) -> Duration {
        durations.isEmpty ? .zero : durations[min(durations.count - 1, Int(Double(durations.count) * share))]
    }

    private func milliseconds(_ share: Double) -> String {
        String(format: "%.1f", percentile(share) / .milliseconds(1))
    }
    private func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: width, withPad: " ", startingAt: 0)
    }
}
