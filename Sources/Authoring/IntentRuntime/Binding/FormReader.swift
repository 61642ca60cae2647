import IntentKit

/// Splits a sentence into values of parameters. A part that can be about two parameters, or that says what is not meant, leaves the whole sentence unread.
struct FormReader {
    /// The words around the value of a parameter.
    struct Field {
        /// Its title, folded.
        let title: String
        /// Words of the summary before its value, such as "to", and after it, such as "people".
        var before: Set<String> = []
        var after: Set<String> = []

        init(title: String) { self.title = TextFolding.fold(title) }
    }

    let fields: [Field]
    /// The parameter that was asked for; `nil` if the person was asked to agree.
    let asked: Int?
    let words: FormWords
    let fit: (Int, String) -> WordsFit

    /// The most parts that a sentence is split into, and the most words that it has.
    private static let maximumParts = 8
    private static let maximumWords = 40
    /// The most words of a sentence in which one value is looked for, and the most words of that value.
    private static let (maximumWordsAroundValue, maximumWordsOfValue) = (14, 6)

    /// Reads a sentence.
    ///
    /// - Returns: The words by parameter; `nil` if they are all the value that was asked for, or if any are unclear.
    func read(_ text: String) -> [Int: String]? {
        let whole = asked.map { fit($0, text) } ?? .none
        if whole == .byType || whole == .freeText { return nil }
        var said = text.split(whereSeparator: \.isWhitespace).map { SentenceWord(String($0)) }
        guard said.count <= Self.maximumWords else { return nil }
        if let labelled = labelled(said) { return labelled }
        var known: [Int: String] = [:]
        // "Yes, for four", where a yes is the value that was asked for.
        if let asked, let first = said.first, said.count > 1, words.answers.contains(first.folded),
            fit(asked, [first].text) != .none
        {
            known[asked] = [first].text
            said.removeFirst()
        }
        guard !words.isNegative(said, isName) else { return nil }
        let change = words.trimmed(said)
        var last: [[String]] = []
        for cut in Cut.allCases {
            let parts = parts(of: change, cut)
            let texts = parts.map { $0.map(\.folded) }
            guard texts != last, parts.count <= Self.maximumParts else { continue }
            last = texts
            let opening = Opening(isDenial: words.beginsWithDenial(said), isChange: change.count < said.count)
            if let values = values(of: parts, known, opening, isAskedByName: whole == .byName) { return values }
        }
        return nil
    }

    /// Finds the only words of a sentence that are a value of the parameter that was asked for: "I'd like some Italian
    /// food". The person has to confirm it, because the other words are not understood.
    ///
    /// - Returns: `nil` if the whole sentence may be the value, and if it denies something or has two values.
    func mention(in text: String) -> String? {
        let said = text.split(whereSeparator: \.isWhitespace).map { SentenceWord(String($0)) }
        guard let asked, 2...Self.maximumWordsAroundValue ~= said.count, fit(asked, text) == .none,
            !words.isNegative(said, isName)
        else { return nil }
        var found: [String] = []
        var start = 0
        while start < said.count, found.count < 2 {
            let ends = (start + 1...min(start + Self.maximumWordsOfValue, said.count)).reversed()
            let end = ends.first { end in
                !said[start].folded.isEmpty && fit(asked, Array(said[start..<end]).text) == .byType
            }
            if let end { found.append(Array(said[start..<end]).text) }
            start = end ?? start + 1
        }
        return only(found)
    }

    /// How a sentence begins: with "no", or with other words before a change, such as "make it".
    private struct Opening {
        let isDenial: Bool
        let isChange: Bool
    }

    /// "Note: call me, please" is free text to its end.
    private func labelled(_ said: [SentenceWord]) -> [Int: String]? {
        for (index, field) in fields.enumerated() {
            guard let length = length(of: field.title, in: said), said.count > length,
                said[length - 1].text.last == ":"
            else { continue }
            let text = said[length...].map(\.text).joined(separator: " ")
            if fit(index, text) == .freeText { return [index: text] }
        }
        return nil
    }

    /// The number of words that a title takes at the beginning of others; `nil` if they don't begin with it.
    private func length(of title: String, in words: some Collection<SentenceWord>) -> Int? {
        var folded = ""
        for (index, word) in words.enumerated() {
            folded += folded.isEmpty ? word.folded : " \(word.folded)"
            if folded == title { return index + 1 }
            if folded.utf8.count >= title.utf8.count { return nil }
        }
        return nil
    }

    /// Where a sentence is cut: at commas, nowhere ("tomorrow, at six"), also at "and", also before words of the summary.
    private enum Cut: Int, CaseIterable { case commas, nowhere, and, names }

    private func parts(of tokens: [SentenceWord], _ cut: Cut) -> [[SentenceWord]] {
        var parts: [[SentenceWord]] = [[]]
        for token in tokens {
            if cut.rawValue >= Cut.and.rawValue, words.and.contains(token.folded) {
                parts.append([])
                continue
            }
            if cut == .names, !parts[parts.count - 1].isEmpty, isName(token) { parts.append([]) }
            parts[parts.count - 1].append(token)
            if cut != .nowhere, token.endsPart { parts.append([]) }
        }
        return parts.map { words.trimmed($0) }.filter { !$0.isEmpty }
    }

    private func isName(_ token: SentenceWord) -> Bool { fields.contains { $0.before.contains(token.folded) } }

    /// - Parameters:
    ///   - isAskedByName: `true` if the whole sentence may be the value that was asked for, as the name of a place. It is
    ///     split only if the rest is named.
    private func values(
        of parts: [[SentenceWord]], _ known: [Int: String], _ opening: Opening, isAskedByName: Bool
    ) -> [Int: String]? {
        var values = known
        var open: [[SentenceWord]] = []
        for part in parts {
            let found = named(part, opening)
            if found.isEmpty {
                open.append(part)
            } else if found.count > 1 || values.updateValue(found[0].1, forKey: found[0].0) != nil {
                return nil
            }
        }
        for part in open {
            let fitting = fields.indices.filter { plain(part, $0) != nil }
            let isAsked = asked.map { values[$0] == nil && fitting.contains($0) } ?? false
            if let index = isAsked ? asked : only(fitting), values[index] == nil, let value = plain(part, index) {
                if index != asked, isAskedByName { return nil }
                values[index] = value
            } else if let asked, values[asked] == nil, !values.isEmpty, open.count == 1, fitting.isEmpty,
                fit(asked, part.text) == .byName, !hasCut(part)
            {
                values[asked] = part.text
            } else {
                return nil
            }
        }
        return values.isEmpty ? nil : values
    }

    /// The words of a part that are a value by its type, with or without their article or a word such as "for".
    private func plain(_ part: [SentenceWord], _ index: Int) -> String? {
        // "The first one" is the place of an option, although "the first" is also a day.
        if words.isPlace(part) { return nil }
        if fit(index, part.text) == .byType { return part.text }
        guard let first = part.first, part.count > 1,
            words.articles.contains(first.folded) || FormWords.beforeAnyValue.contains(first.folded)
        else { return nil }
        let rest = Array(part.dropFirst()).text
        return fit(index, rest) == .byType ? rest : nil
    }

    /// The parameters that a part names, with the value of each.
    private func named(_ part: [SentenceWord], _ opening: Opening) -> [(Int, String)] {
        var found = fields.indices.compactMap { index in titled(part, index, opening).map { (index, $0) } }
        guard found.isEmpty, let first = part.first, let last = part.last, part.count > 1 else { return found }
        let rest = Array(part.dropFirst())
        for (index, field) in fields.enumerated() where field.before.contains(first.folded) {
            switch fit(index, rest.text) {
            case .byType: found.append((index, rest.text))
            case .byName where !hasCut(rest) && words.isName(rest, isDenial: opening.isDenial):
                found.append((index, rest.text))
                // "For four" may be for a person of this name, or for four people.
                found += rivals(of: index, rest).map { ($0, rest.text) }
            case .byName, .freeText, .none: break
            }
        }
        guard found.isEmpty else { return found }
        for (index, field) in fields.enumerated() where field.after.contains(last.folded) {
            if let value = plain(Array(part.dropLast()), index) { found.append((index, value)) }
        }
        return found
    }

    /// The other parameters whose types read the words.
    private func rivals(of index: Int, _ part: [SentenceWord]) -> [Int] {
        fields.indices.filter { $0 != index && plain(part, $0) != nil }
    }

    /// The value beside the title of a parameter: "the pickup time to six", "four passengers".
    private func titled(_ part: [SentenceWord], _ index: Int, _ opening: Opening) -> String? {
        let title = fields[index].title
        if title.isEmpty { return nil }
        for count in 1..<max(1, part.count) where length(of: title, in: part.suffix(count)) == count {
            return plain(Array(part.dropLast(count)), index)
        }
        let hasArticle = part.first.map { words.articles.contains($0.folded) } ?? false
        var rest = hasArticle && length(of: title, in: part) == nil ? part.dropFirst() : part[...]
        guard let length = length(of: title, in: rest), rest.count > length else { return nil }
        rest = rest.dropFirst(length)
        let hasJoiner = rest.count > 1 && words.joiners.contains(rest.first?.folded ?? "")
        if hasJoiner { rest.removeFirst() }
        let value = Array(rest)
        switch fit(index, value.text) {
        case .byType: return value.text
        // "The destination is wrong" names no destination, and "change the pickup to 7:30" may be about the time.
        case .byName:
            let isValue = opening.isChange && hasJoiner && !hasCut(value) && rivals(of: index, value).isEmpty
            return isValue ? value.text : nil
        case .freeText, .none: return nil
        }
    }

    /// `true` if the words may be about several parameters.
    private func hasCut(_ part: [SentenceWord]) -> Bool {
        part.dropLast().contains { $0.endsPart } || part.contains { words.and.contains($0.folded) || isName($0) }
    }

    private func only<Element>(_ found: [Element]) -> Element? { found.count == 1 ? found[0] : nil }
}

/// A word of a sentence, and the word to compare it by.
struct SentenceWord {
    let text: String
    let folded: String
    /// `true` if a comma, a semicolon, a full stop or an exclamation mark follows.
    let endsPart: Bool
    /// `true` if the word may begin a name.
    var isCapitalized: Bool { text.first.map { $0.isUppercase || $0.isNumber } ?? false }

    init(_ text: String) {
        // "St." and "a.m." end no part.
        let isAbbreviated = text.last == "." && (text.count < 5 || text.dropLast().contains("."))
        endsPart = text.last.map { ",;.!".contains($0) } == true && !isAbbreviated
        self.text = text
        folded = TextFolding.fold(text)
    }
}

extension [SentenceWord] {
    /// The words as the person said them, without the punctuation at their end.
    fileprivate var text: String {
        var text = map(\.text).joined(separator: " ")
        while let last = text.last, ",;:!".contains(last) { text.removeLast() }
        // "10 a.m." keeps its point.
        if text.last == ".", !text.dropLast().contains(".") { text.removeLast() }
        return text
    }
}
