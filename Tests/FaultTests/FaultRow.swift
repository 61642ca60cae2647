import Foundation

/// The effects of one fault on the open requests, as a row of the table.
struct FaultRow: Sendable {
    var fault: String
    /// The endings of the requests.
    var ledger = Ledger()
    /// Requests that ended differently from the same request without a fault.
    var endedOtherwise = 0
    /// Descriptions of the injection, and further observations.
    var notes: [String] = []
    /// Requirements that were not met.
    var failures: [String] = []
    /// The reason why the fault was skipped, if it was.
    var skipped: String?

    var isGood: Bool { ledger.isGood && endedOtherwise == 0 && failures.isEmpty }
}

/// The rows of one run.
struct FaultTable: Sendable {
    var rows: [FaultRow] = []

    static let columns = [
        "fault", "requests", "lost", "duplicated", "out of order", "longest silence", "what was done",
    ]

    var text: String {
        let lines = [Self.columns] + rows.map(Self.cells) + [total]
        let widths = Self.columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.enumerated().map { number, cells in
            let padded = cells.enumerated().map { column, cell in
                let gap = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 || column == cells.count - 1 ? cell + gap : gap + cell
            }
            let line = padded.joined(separator: "  ").replacing(#/ +$/#, with: "")
            return number == 0 ? line + "\n" + String(repeating: "-", count: min(line.count + 40, 150)) : line
        }.joined(separator: "\n")
    }

    private var total: [String] {
        let tried = rows.filter { $0.skipped == nil }
        func sum(_ number: (FaultRow) -> Int) -> String { String(tried.reduce(0) { $0 + number($1) }) }
        let silence = tried.map(\.ledger.longestSilence).max() ?? .zero
        let others = "identical copies \(sum(\.ledger.copies)); different endings \(sum(\.endedOtherwise))"
        return [
            "all of them", sum(\.ledger.requests.count), sum(\.ledger.open), sum(\.ledger.duplicated),
            sum(\.ledger.outOfOrder), milliseconds(silence), "\(others); skipped \(rows.count - tried.count)",
        ]
    }

    private static func cells(_ row: FaultRow) -> [String] {
        if let skipped = row.skipped { return [row.fault, "-", "-", "-", "-", "-", "skipped: \(skipped)"] }
        var notes = row.notes
        let ledger = row.ledger
        if ledger.copies > 0 { notes.append("identical copies \(ledger.copies)") }
        if row.endedOtherwise > 0 { notes.append("DIFFERENT ENDINGS \(row.endedOtherwise)") }
        notes += row.failures.map { "FAILED: \($0)" }
        return [
            row.fault, String(ledger.requests.count), String(ledger.open), String(ledger.duplicated),
            String(ledger.outOfOrder), milliseconds(ledger.longestSilence), notes.joined(separator: "; "),
        ]
    }
}
