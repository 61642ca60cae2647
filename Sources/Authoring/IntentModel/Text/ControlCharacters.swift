extension Unicode.Scalar {
    /// `true` if the scalar is invisible and changes how the text around it is shown: control characters (C0, DEL, C1),
    /// line and paragraph separators, and the marks that change the direction of writing.
    package var isControl: Bool {
        switch value {
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension String {
    /// `true` if the text has characters that change how the text around them is shown.
    package var hasControlCharacters: Bool {
        var isASCII = true
        for byte in utf8 {
            if byte < 0x20 || byte == 0x7F { return true }
            if byte >= 0x80 { isASCII = false }
        }
        return !isASCII && unicodeScalars.contains(where: \.isControl)
    }

    /// The text for a person: without control characters, but with its line breaks.
    package var withoutControlCharacters: String {
        guard hasControlCharacters else { return self }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: unicodeScalars.lazy.filter { !$0.isControl || $0 == "\n" })
        return String(text)
    }

    /// The text on one line: without control characters, and with spaces instead of line breaks and tabs. Used for
    /// values in sentences, so that no value looks like the next sentence.
    package var onOneLine: String {
        guard hasControlCharacters else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": text.append(" ")
            default: if !scalar.isControl { text.append(scalar) }
            }
        }
        return String(text)
    }

    /// A line for a terminal, after its values were made ``printable`` or JSON. Remaining characters from DEL on that
    /// change how the text around them is shown are escaped as in JSON, such as `\\u202E`. The program's own line
    /// breaks, tabs and colours stay.
    package var forTerminal: String {
        guard hasControlCharacters else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.value >= 0x7F, scalar.isControl {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text for a terminal or a log, with control characters as escapes such as `\u{1B}`, so that text from outside
    /// can't move the cursor or start a line.
    package var printable: String {
        guard hasControlCharacters else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isControl {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Identifier {
    /// The name for a terminal or a log, with control characters as escapes.
    package var printable: String { text.printable }
}
