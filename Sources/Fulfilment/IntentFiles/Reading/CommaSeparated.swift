/// Parses comma-separated values (RFC 4180): a value in double quotes may contain separators, line ends and doubled
/// quotes.
enum CommaSeparated {
    struct Row {
        /// The line, from 1.
        var line: Int
        var fields: [String]
    }

    struct Malformed: Error {
        var line: Int
        var message: String
    }

    /// Returns the rows of the text. Empty lines are skipped.
    static func rows(of text: String, separator: Character) throws(Malformed) -> [Row] {
        var rows: [Row] = []
        var row = Row(line: 1, fields: [])
        var value = ""
        var line = 1
        var isQuoted = false
        var wasQuoted = false
        let characters = Array(text.first == "\u{FEFF}" ? text.dropFirst() : text[...])
        var index = 0
        func endRow() {
            row.fields.append(value)
            if row.fields.count > 1 || !value.isEmpty || wasQuoted { rows.append(row) }
            (value, wasQuoted) = ("", false)
            row = Row(line: line, fields: [])
        }
        while index < characters.count {
            let character = characters[index]
            index += 1
            if character.isNewline { line += 1 }
            if isQuoted {
                if character != "\"" {
                    value.append(character)
                } else if index < characters.count, characters[index] == "\"" {
                    value.append("\"")
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if character == "\"" {
                if !value.isEmpty || wasQuoted {
                    throw Malformed(
                        line: line,
                        message: "a quote stands inside of a value: put the value into quotes, and double it")
                }
                (isQuoted, wasQuoted) = (true, true)
            } else if character == separator {
                row.fields.append(value)
                (value, wasQuoted) = ("", false)
            } else if character.isNewline {
                endRow()
            } else {
                value.append(character)
            }
        }
        if isQuoted { throw Malformed(line: row.line, message: "a quote is not closed") }
        endRow()
        return rows
    }
}
