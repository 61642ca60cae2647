/// Scans the text of a file before the parser reads it. The parser follows any depth and any alias, so this scan
/// rejects text that exceeds the limits, and YAML features that definition files do not support.
struct TextGuard {
    static let maximumBytes = 1 << 20
    static let maximumDepth = 32
    private static let maximumIndent = 200

    struct Refusal: Error {
        var line: Int
        var column: Int
        var message: String
    }

    private enum Quote { case none, single, double }

    /// A text that continues on the next lines as long as their indentation is larger than the associated value.
    private enum Running {
        case none
        /// A text after `|` or `>`.
        case literal(Int)
        /// A text without quotes.
        case plain(Int)
    }

    private var quote = Quote.none
    /// The number of open brackets and braces.
    private var depth = 0
    private var running = Running.none
    /// `true` if a value may begin here.
    private var isStart = true

    static func check(_ text: String) throws(Refusal) {
        var scan = TextGuard()
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            try scan.check(Array(line.unicodeScalars), index + 1)
        }
    }

    private mutating func check(_ line: [Unicode.Scalar], _ number: Int) throws(Refusal) {
        let indent = line.prefix { $0 == " " }.count
        if indent == line.count { return }
        switch running {
        case .literal(let parent) where indent > parent, .plain(let parent) where indent > parent: return
        default: running = .none
        }
        if indent > Self.maximumIndent {
            throw Refusal(
                line: number, column: indent + 1, message: "this is indented by more than \(Self.maximumIndent) spaces")
        }
        if quote == .none, depth == 0 {
            isStart = true
            if line[indent] == "\t" {
                throw Refusal(line: number, column: indent + 1, message: "YAML is indented with spaces, not with tabs")
            }
        }
        var scan = LineScan(parent: indent)
        while indent + scan.index < line.count {
            if try check(line, indent + scan.index, number, &scan) { break }
            scan.index += 1
        }
        if quote == .none, depth == 0, scan.isPlain, case .none = running { running = .plain(scan.parent) }
    }

    /// The state of the scan of one line.
    private struct LineScan {
        /// The index in the line, counted from the line's indentation.
        var index = 0
        /// The indentation of the line's last value. Lines with a larger indentation belong to the value.
        var parent: Int
        var dashes = 0
        /// `true` if a key or a value has begun.
        var hasBegun = false
        /// `true` if the last scalar was part of a text without quotes.
        var isPlain = false
    }

    /// - Returns: `true` if the rest of the line can be skipped.
    private mutating func check(
        _ line: [Unicode.Scalar], _ index: Int, _ number: Int, _ scan: inout LineScan
    ) throws(Refusal) -> Bool {
        func isBlank(_ index: Int) -> Bool {
            index < 0 || index >= line.count || line[index] == " " || line[index] == "\t"
        }
        let scalar = line[index]
        switch quote {
        case .double:
            if scalar == "\\" { scan.index += 1 } else if scalar == "\"" { quote = .none }
            return false
        case .single:
            if scalar == "'" {
                if index + 1 < line.count, line[index + 1] == "'" { scan.index += 1 } else { quote = .none }
            }
            return false
        case .none: break
        }
        if scalar == " " || scalar == "\t" { return false }
        if scalar == "#", isBlank(index - 1) {
            scan.isPlain = false
            return true
        }
        if depth == 0, isStart, scalar == "-", isBlank(index + 1) {
            scan.dashes += 1
            scan.parent = index
            if scan.dashes > Self.maximumDepth { throw tooDeep(number, index) }
            return false
        }
        if depth == 0, !scan.hasBegun {
            scan.hasBegun = true
            if scalar != "|", scalar != ">" { scan.parent = index }
        }
        let wasStart = isStart
        (isStart, scan.isPlain) = (false, false)
        switch scalar {
        case "\"" where wasStart: quote = .double
        case "'" where wasStart: quote = .single
        case "[" where wasStart || depth > 0, "{" where wasStart || depth > 0:
            depth += 1
            isStart = true
            if depth > Self.maximumDepth { throw tooDeep(number, index) }
        case "]" where depth > 0, "}" where depth > 0: depth -= 1
        case "," where depth > 0: isStart = true
        case ":" where depth > 0 || isBlank(index + 1): isStart = true
        case "&" where wasStart, "*" where wasStart:
            let message = "anchors and aliases are not taken: write it out, or put the text into quotes"
            throw Refusal(line: number, column: index + 1, message: message)
        case "!" where wasStart:
            throw Refusal(
                line: number, column: index + 1, message: "tags are not supported: remove it, or put the text in quotes"
            )
        case "?" where wasStart && isBlank(index + 1):
            throw Refusal(line: number, column: index + 1, message: "a key must be a word: write 'key: value'")
        case "|" where wasStart && depth == 0, ">" where wasStart && depth == 0:
            running = .literal(scan.parent)
            return true
        default: scan.isPlain = true
        }
        return false
    }

    private func tooDeep(_ line: Int, _ index: Int) -> Refusal {
        Refusal(line: line, column: index + 1, message: "this is deeper than \(Self.maximumDepth) levels")
    }
}
