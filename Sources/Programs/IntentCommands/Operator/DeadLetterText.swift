import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The text and JSON forms of a dead letter.
struct DeadLetterText {
    let letter: ReadDeadLetter
    let mark: DeadLetterMark?

    private var place: String { "\(letter.partition)/\(letter.offset)" }
    private var source: String { "\(letter.original.topic) \(letter.original.partition)/\(letter.original.offset)" }

    /// Returns the dead letter in one line.
    ///
    /// - Parameter now: The current time, for the letter's age.
    func line(at now: Instant) -> String {
        let age = Instant(milliseconds: max(0, letter.timestamp)).duration(to: now)
        return
            ([
                place, letter.session?.text ?? "-", source, letter.stage, letter.reason, letter.message,
                "attempt \(letter.attempt)",
                Self.age(age.components.seconds),
            ] + (mark.map { ["\($0.kind.rawValue) \($0.at) by \($0.by)"] } ?? [])).map(\.printable).joined(
                separator: "\t")
    }

    /// The whole letter, including its value.
    var whole: String {
        var lines = [
            "letter\t\(place)", "at\t\(Instant(milliseconds: letter.timestamp))", "from\t\(source)",
            "session\t\(letter.session ?? "-")",
            "id\t\(letter.eventID)", "rejected by\t\(letter.stage), attempt \(letter.attempt)",
            "reason\t\(letter.reason)",
            "message\t\(letter.message)",
        ]
        if let mark { lines.append("\(mark.kind.rawValue)\t\(mark.at) by \(mark.by)") }
        if letter.session == nil, let key = letter.original.key { lines.append("key\t\(Self.readable(key))") }
        for header in letter.original.headers {
            lines.append("header\t\(header.name): \(header.value.map(Self.readable) ?? "(null)")")
        }
        let size = letter.original.value.map { "\($0.count) bytes" } ?? "none: a tombstone"
        if let range = letter.range {
            lines.append("range\t\(range.records) records at offsets \(letter.original.offset) to \(range.last)")
        }
        lines.append(
            "value\t" + (letter.excerpt.map { "the first \(size) of \($0.bytes), with SHA-256 \($0.sha256)" } ?? size))
        let text = lines.map { line in
            line.split(separator: "\t", maxSplits: 1).map { String($0).printable }.joined(separator: "\t")
        }
        return (text + (letter.original.value.map { [Self.readable($0)] } ?? [])).joined(separator: "\n")
    }

    static func age(_ seconds: Int64) -> String {
        switch seconds {
        case ..<0: "0 s"
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// Returns the bytes as text if they are UTF-8, otherwise as two hexadecimal digits per byte.
    static func readable(_ bytes: Bytes) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text.printable }
        return "hex " + bytes.hexadecimal
    }
}
