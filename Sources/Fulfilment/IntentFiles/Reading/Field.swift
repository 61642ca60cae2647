import IntentKit
import IntentRuntime

/// Collects the problems of one file while it is read.
final class Findings {
    let file: String
    private(set) var problems: [DefinitionProblem] = []

    private static let mostProblems = 500

    init(_ file: String) { self.file = file }

    func add(_ message: String, at mark: DefinitionNode.Place, _ path: [String]) {
        let problem = DefinitionProblem(
            file: file, line: mark.line, column: mark.column, path: path.joined(separator: "."), message: message)
        // A file with more problems repeats the same ones.
        if problems.count < Self.mostProblems, !problems.contains(problem) { problems.append(problem) }
    }
}

/// A value of a file with its path. A value that can't be read as requested adds a problem to the findings.
struct Field {
    let node: DefinitionNode
    let path: [String]
    /// The position of the value's key, or of the value itself if it has no key.
    let mark: DefinitionNode.Place
    let findings: Findings

    func refuse(_ message: String) { findings.add(message, at: mark, path) }

    /// Adds a problem that says what the value has to be.
    ///
    /// - Returns: `nil`, so that callers can return it.
    func refuse<Value>(expecting what: String) -> Value? {
        refuse("this has to be \(what), not \(node.kind)")
        return nil
    }

    private func member(_ member: DefinitionNode.Member) -> Field {
        Field(node: member.value, path: path + [member.key], mark: member.mark, findings: findings)
    }

    // MARK: Mappings and lists

    var isMapping: Bool { if case .mapping = node.content { true } else { false } }
    var isList: Bool { if case .sequence = node.content { true } else { false } }
    /// The text of a value that is neither a list nor a mapping.
    var scalar: String? { if case .scalar(let text, _) = node.content { text } else { nil } }

    /// The member with this key; `nil` if the value is not a mapping or has no such member.
    subscript(key: String) -> Field? { node[key].map { member($0) } }

    /// Returns the members of a mapping whose keys are known. Each unknown key is reported, with the nearest known one.
    func members(_ known: DefinitionKeys) -> [String: Field]? {
        guard case .mapping(let members) = node.content else {
            return refuse(expecting: "a mapping with keys such as '\(known.keys.prefix(3).joined(separator: "', '"))'")
        }
        var found: [String: Field] = [:]
        for each in members {
            if known.keys.contains(each.key) {
                found[each.key] = member(each)
            } else {
                member(each).refuse(
                    "'\(each.key)' is not known here\(Nearest.advice(for: each.key, among: known.keys))")
            }
        }
        return found
    }

    /// Returns the members of a mapping whose keys the author chooses, in their order.
    func entries(_ what: String) -> [(name: String, field: Field)]? {
        guard case .mapping(let members) = node.content else { return refuse(expecting: what) }
        return members.map { ($0.key, member($0)) }
    }

    func elements(_ what: String) -> [Field]? {
        guard case .sequence(let elements) = node.content else { return refuse(expecting: what) }
        return fields(elements)
    }

    /// The elements of a list, or the value itself if it is not a list.
    var oneOrMore: [Field] {
        guard case .sequence(let elements) = node.content else { return [self] }
        return fields(elements)
    }

    private func fields(_ elements: [DefinitionNode]) -> [Field] {
        elements.enumerated().map { index, element in
            Field(node: element, path: path + ["\(index)"], mark: element.mark, findings: findings)
        }
    }

    // MARK: Plain values

    func text(_ what: String = "text") -> String? {
        guard case .scalar(let text, _) = node.content, !node.isNull else { return refuse(expecting: what) }
        guard !text.isEmpty else { return refuse(expecting: what) }
        return text
    }

    func bool() -> Bool? {
        guard case .scalar(let text, _) = node.content, let value = Bool(text) else {
            return refuse(expecting: "true or false")
        }
        return value
    }

    func int(_ range: ClosedRange<Int>) -> Int? {
        guard case .scalar(let text, _) = node.content, let value = Int(text), range.contains(value) else {
            let limits =
                range.upperBound == .max
                ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
            return refuse(expecting: "a whole number \(limits)")
        }
        return value
    }

    func number(_ range: ClosedRange<Double>) -> Double? {
        guard case .scalar(let text, _) = node.content, let value = Double(text), range.contains(value) else {
            return refuse(expecting: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Returns a duration such as `200ms`, `5s`, `2m` or `1h`, or in any form that events allow.
    ///
    /// - Parameters:
    ///   - least: The lower bound, inclusive.
    ///   - most: The upper bound, inclusive. Defaults to 30 days.
    func duration(atLeast least: Duration = .zero, atMost most: Duration = .seconds(30 * 86_400)) -> Duration? {
        guard case .scalar(let text, _) = node.content, let value = Self.duration(text) else {
            return refuse(expecting: "a length of time such as 200ms, 5s, 2m or 1h")
        }
        guard value >= least, value <= most else {
            refuse("'\(text)' has to be from \(least.displayText) to \(most.displayText)")
            return nil
        }
        return value
    }

    private static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let seconds: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400]
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        if let factor = seconds[String(unit)], let number = Double(digits), number.isFinite, number * factor < 1e10 {
            return .milliseconds(Int64((number * factor * 1_000).rounded()))
        }
        return Double(text) == nil ? Duration(text: text) : nil
    }

    func choice<Choice: RawRepresentable & CaseIterable>(of type: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        choice(type.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    /// Returns the value if it is one of these words.
    func choice(_ words: [String]) -> String? {
        guard case .scalar(let text, _) = node.content, words.contains(text) else {
            let all = words.count == 1 ? "'\(words[0])'" : "one of \(words.joined(separator: ", "))"
            if let text = scalar, let match = Nearest.match(for: text, among: words) {
                refuse("this has to be \(all), not \(node.kind): did you mean '\(match)'?")
                return nil
            }
            return refuse(expecting: all)
        }
        return text
    }

    /// Returns a text, or the texts for several languages: `{en: Seats, nl: Plaatsen}`. The first text is shown for
    /// languages without a translation.
    func localized() -> LocalizedText? {
        guard isMapping else {
            return text("text, or a text for each language such as {en: …, nl: …}").map { LocalizedText($0) }
        }
        guard let entries = entries("text"), !entries.isEmpty else { return refuse(expecting: "text") }
        var translations: [String: String] = [:]
        var original: String?
        for (tag, field) in entries {
            if !Self.isLanguage(tag) {
                field.refuse("'\(tag)' is no language: write it as a BCP 47 tag such as 'nl' or 'pt-BR'")
                continue
            }
            guard let text = field.text() else { continue }
            translations[tag] = text
            if original == nil { original = text }
        }
        guard let original else { return nil }
        return LocalizedText(verbatim: original, translations: translations)
    }

    private static func isLanguage(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.count) else { return false }
        return parts.allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
            && first.allSatisfy(\.isLetter)
    }

    /// The value as JSON. A value without quotes may be a number, true, false or null.
    var json: JSON { Self.json(node) }

    private static func json(_ node: DefinitionNode) -> JSON {
        switch node.content {
        case .scalar(let text, let isPlain):
            guard isPlain else { return .string(text) }
            if node.isNull { return .null }
            if text == "true" || text == "false" { return .bool(text == "true") }
            let isNumber = text.first.map { $0.isNumber || $0 == "-" } ?? false
            if isNumber, let number = try? JSON(parsing: Array(text.utf8)), number.view.kind == .number {
                return number
            }
            return .string(text)
        case .sequence(let elements): return .array(elements.map { json($0) })
        case .mapping(let members):
            return .make { writer in
                writer.beginObject()
                for member in members { writer.member(named: member.key, json(member.value)) }
                writer.endObject()
            }
        }
    }
}
