import Foundation
import IntentModel

/// A table on standard output: with a head and in columns on a terminal, and otherwise one line per row with tabs, for
/// `cut` and `awk`.
struct TextTable {
    private let head: [String]
    private let isTerminal: Bool
    private var rows: [[String]] = []

    init(_ head: [String], isTerminal: Bool = isatty(STDOUT_FILENO) == 1) {
        (self.head, self.isTerminal) = (head, isTerminal)
    }

    /// Adds a row. Only a terminal has to wait for the last one.
    mutating func add(_ row: [String]) {
        let row = row.map(\.printable)
        if isTerminal { rows.append(row) } else { print(row.joined(separator: "\t")) }
    }

    /// Prints the table. Without rows it is empty.
    func finish() {
        if rows.isEmpty { return }
        let all = [head.map { $0.uppercased() }] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let text = ResultText()
        for (number, row) in all.enumerated() {
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            print(number == 0 ? text.dim(line) : line)
        }
    }
}
