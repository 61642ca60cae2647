import Foundation
import IntentModel

/// The result of a replay.
struct ReplayReport {
    let scores: [DialogueScore]
    let duration: Duration
    /// The number of missing sequence numbers in the sessions' results. ``copies`` is the number of duplicates.
    let gaps: Int
    let copies: Int

    var perfect: Int { scores.count { $0.isPerfect } }
    var calls: Int { scores.reduce(0) { $0 + $1.expected.count } }
    var made: Int { scores.reduce(0) { $0 + $1.made.count } }
    var identical: Int { scores.reduce(0) { $0 + $1.identical } }
    var prompts: Int { scores.reduce(0) { $0 + $1.tally.prompts } }
    var needless: Int { scores.reduce(0) { $0 + $1.tally.needless } }
    var choices: Int { scores.reduce(0) { $0 + $1.tally.choices } }
    var seconds: Double { max(duration / .seconds(1), 0.001) }
    /// The average number of prompts for each call.
    var turns: Double { made == 0 ? 0 : Double(prompts) / Double(made) }

    var json: JSON {
        JSON.make { writer in
            writer.beginObject()
            for (name, count) in [
                ("dialogues", scores.count), ("perfect", perfect), ("calls", calls), ("identical", identical),
                ("made", made),
                ("prompts", prompts), ("needless", needless), ("choices", choices), ("gaps", gaps), ("copies", copies),
            ] {
                writer.member(named: name, .number(count))
            }
            writer.member("seconds", .number(rounded(seconds)))
            writer.member("turnsToCompletion", .number(rounded(turns)))
            writer.member("dialoguesPerSecond", .number(rounded(Double(scores.count) / seconds)))
            writer.endObject()
        }
    }

    var table: String {
        let rows: [(String, String)] = [
            ("dialogues", "\(scores.count)"), ("perfect", "\(perfect)\(share(perfect, scores.count))"),
            ("recorded calls", "\(calls)"), ("identical", "\(identical)\(share(identical, calls))"),
            ("calls made", "\(made)"),
            ("prompts", "\(prompts)"), ("needless", "\(needless)\(share(needless, prompts))"),
            ("choices offered", "\(choices)"),
            ("prompts a call", "\(rounded(turns))"), ("seconds", "\(rounded(seconds))"),
            ("dialogues a second", "\(rounded(Double(scores.count) / seconds))"),
            ("gaps, copies", "\(gaps), \(copies)"),
        ]
        return rows.map { "  \($0.0.padding(toLength: 20, withPad: " ", startingAt: 0))\($0.1)" }.joined(
            separator: "\n")
    }

    /// Lists the calls and the transcripts of the first dialogues that differ from their recording.
    func disagreements(_ limit: Int) -> String {
        let wrong = scores.filter { !$0.isAsRecorded }
        if wrong.isEmpty { return "" }
        var lines = ["\(wrong.count) of \(scores.count) dialogues differ from their recording. The first:"]
        for score in wrong.prefix(limit) {
            lines.append("\n  \(score.dialogue)")
            for index in 0..<max(score.expected.count, score.made.count) {
                let expected = score.expected.indices.contains(index) ? score.expected[index] : nil
                let made = score.made.indices.contains(index) ? score.made[index] : nil
                if expected == made {
                    lines.append("    = \(words(made))")
                } else {
                    lines.append("    - \(words(expected))")
                    lines.append("    + \(words(made))")
                }
            }
            lines += score.surprises.map { "    ! \($0)" }
            lines += score.transcript.map { "      \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private func words(_ call: ServiceCall?) -> String {
        guard let call else { return "nothing" }
        return "\(call.method) "
            + call.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    private func share(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "" : String(format: "  %.2f %%", 100 * Double(part) / Double(whole))
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
