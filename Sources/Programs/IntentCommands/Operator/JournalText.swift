import IntentEvents
import IntentModel
import Pipeline

/// The text and JSON forms of the check of one partition of the journal. They contain no values of sessions.
struct JournalText {
    let check: JournalCheck
    let findings: [JournalFinding]
    let inputs: [InputLog]
    /// The present partition count of each topic.
    let partitions: Int32
    let harmless: [(offset: Int64, problem: String)]

    private var replay: JournalReplay { check.replay }

    /// One line with numbers, one line for each problem, and one line for each record that the next owner will
    /// overwrite.
    var text: String {
        let formats = check.formats.sorted { $0.key < $1.key }.map { "format \($0.key): \($0.value)" }
        let fields =
            [
                findings.isEmpty ? "good" : "stopped", "records \(check.records)", "sessions \(replay.sessions.count)",
                "epoch \(replay.epoch)", "owner \(replay.owner.isEmpty ? "-" : replay.owner)",
            ] + formats + [
                "void \(check.void)", "after a gap \(replay.afterGap)", "not from coordinators \(replay.unreadable)",
                "fences \(replay.fences.count)",
                "partitions \(replay.terms.partitions.map(String.init) ?? "-") of \(partitions)",
            ]
            + inputs.map {
                "\($0.input.rawValue) \(replay.position(of: $0.input).next) of \($0.range.lowerBound)-\($0.range.upperBound)"
            }
        let lines =
            [fields] + findings.map { ["problem", $0.description] }
            + harmless.map { ["overwritten by the next owner", "the record at offset \($0.offset): \($0.problem)"] }
        return lines.map { (["\(check.partition)"] + $0).map(\.printable).joined(separator: "\t") }.joined(
            separator: "\n")
    }

    /// The problems with their remedies, one line each.
    var remedies: String {
        findings.map { finding in
            (["partition \(check.partition): \(finding)"] + finding.remedies.map { "  \($0)" }).map(\.printable).joined(
                separator: "\n")
        }.joined(separator: "\n")
    }

    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("partition", Int(check.partition))
            writer.member("stopped", !findings.isEmpty)
            writer.member("records", check.records)
            writer.member("sessions", replay.sessions.count)
            writer.member("epoch", replay.epoch)
            writer.member("owner", ifPresent: replay.owner.isEmpty ? nil : replay.owner)
            writer.name("formats")
            writer.beginObject()
            for (format, count) in check.formats.sorted(by: { $0.key < $1.key }) {
                writer.member(named: "\(format)", .number(count))
            }
            writer.endObject()
            writer.member("void", check.void)
            writer.member("afterGap", replay.afterGap)
            writer.member("foreign", replay.unreadable)
            writer.member("fences", replay.fences.count)
            writer.member("partitionsThen", ifPresent: replay.terms.partitions.map { .number(Int($0)) })
            writer.member("partitionsNow", Int(partitions))
            writer.member("inputsSet", replay.stamp?.inputs ?? 0)
            for input in inputs { write(input, &writer) }
            writer.name("problems")
            writer.beginArray()
            for finding in findings { write(finding, &writer) }
            writer.endArray()
            writer.name("overwritten")
            writer.beginArray()
            for record in harmless {
                writer.value(.object(["offset": .number(Int(record.offset)), "problem": .string(record.problem)]))
            }
            writer.endArray()
            writer.endObject()
        }
    }

    private func write(_ input: InputLog, _ writer: inout JSONWriter) {
        writer.name(named: input.input.rawValue)
        writer.beginObject()
        writer.member("position", Int(replay.position(of: input.input).next))
        writer.member("begin", Int(input.range.lowerBound))
        writer.member("end", Int(input.range.upperBound))
        writer.endObject()
    }

    private func write(_ finding: JournalFinding, _ writer: inout JSONWriter) {
        writer.beginObject()
        switch finding {
        case .unreadable(let session, let offset, _, let newerFormat, let readableAt):
            writer.member("kind", "unreadable")
            writer.member("session", session)
            writer.member("offset", Int(offset))
            writer.member("newerFormat", ifPresent: newerFormat.map { .number($0) })
            writer.member("readableAt", ifPresent: readableAt.map { .number(Int($0)) })
        case .overwritten(let session, let offset, _):
            writer.member("kind", "overwritten")
            writer.member("session", session)
            writer.member("offset", Int(offset))
        case .otherInput(let input, let topic, let next, _):
            writer.member("kind", "otherInput")
            writer.member("input", input.rawValue)
            writer.member("topic", topic)
            writer.member("position", Int(next))
        case .otherPartitions: writer.member("kind", "otherPartitions")
        case .behindGroup: writer.member("kind", "behindGroup")
        case .behindResults(let session, let sequence, let offset):
            writer.member("kind", "behindResults")
            writer.member("session", session)
            writer.member("sequence", sequence)
            writer.member("resultsOffset", Int(offset))
        }
        writer.member("problem", finding.description)
        writer.name("remedies")
        writer.beginArray()
        for remedy in finding.remedies { writer.string(remedy) }
        writer.endArray()
        writer.endObject()
    }
}
