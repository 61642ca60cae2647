import IntentModel

/// Finds the options of a prompt that words name. Nothing is guessed: words that name one option by a text and another one by its place
/// name both.
struct OptionReader {
    private let options: [ParameterOption]
    private let language: PhraseBook.Language
    /// The folded texts of each option: its title, and then its other names. There may be a thousand options.
    private let texts: [[String]]

    init(_ options: [ParameterOption], _ language: PhraseBook.Language) {
        (self.options, self.language) = (options, language)
        texts = options.map { option in ([option.title] + option.otherNames).map(TextFolding.fold) }
    }

    /// The places, from 0, of the options with this title.
    func titled(_ said: SaidWords) -> [Int] {
        options.indices.filter { said.names(options[$0].title, folded: texts[$0][0]) }
    }

    /// The places of the options that the words may mean. More than one: the words fit several.
    ///
    /// - Parameter readsParts: whether some words of an option's texts are enough.
    func meant(by said: SaidWords, readsParts: Bool) -> [Int] {
        if said.folded.isEmpty { return [] }
        let titled = titled(said)
        if !titled.isEmpty { return titled }
        let named = options.indices.filter { isNamed($0, by: said) }
        if !named.isEmpty { return named }
        // Folding drops signs, and "$1.50" is not "150".
        if said.hasSigns { return [] }
        let saidWords = said.folded.split(separator: " ").map(String.init)
        var meant = readsParts ? part(strip(saidWords)) + compared(saidWords) : []
        if let place = place(saidWords) {
            meant.append(place.index)
            // "First" may be the first one, or "First class"; "number 2" is the second one, or "Platform number 2".
            let sought = place.words.map(sought)
            meant += texts.indices.filter { index in sought.allSatisfy { texts[index].contains(where: $0.isIn) } }
        }
        return Set(meant).sorted()
    }

    /// Returns `true` if the words are one of the option's other names, or its title with its subtitle, which tells
    /// two options with one title apart.
    private func isNamed(_ index: Int, by said: SaidWords) -> Bool {
        let option = options[index]
        if zip(option.otherNames, texts[index].dropFirst()).contains(where: { said.names($0, folded: $1) }) {
            return true
        }
        guard let subtitle = option.subtitle, let last = texts[index].last else { return false }
        // A space is between the two, unless one of them has signs alone.
        let count = texts[index][0].utf8.count + last.utf8.count
        guard count...count + 1 ~= said.folded.utf8.count else { return false }
        return ["\(option.title) \(subtitle)", "\(option.title), \(subtitle)"].contains {
            said.names($0, folded: TextFolding.fold($0))
        }
    }

    // MARK: Parts

    /// The places of the options that have these words in their texts; if the words are the name of one option, its place alone. Numbers
    /// that follow one another, as in "18:30", have to do so in one of the texts.
    private func part(_ said: ArraySlice<String>) -> [Int] {
        if said.allSatisfy(isFiller) { return [] }
        let sought = said.map(sought)
        let numbers = sought.map(\.number)
        let name = said.joined(separator: " ")
        var named: [Int] = [], parts: [Int] = []
        for (index, texts) in texts.enumerated() {
            guard sought.allSatisfy({ texts.contains(where: $0.isIn) }), texts.contains(where: { has(numbers, in: $0) })
            else { continue }
            parts.append(index)
            if texts.contains(name) { named.append(index) }
        }
        return named.count == 1 ? named : parts
    }

    /// Returns `true` if a text has the numbers that follow one another in the words.
    private func has(_ said: [Int?], in text: String) -> Bool {
        var run: [Int] = []
        for number in said + [nil] {
            if let number {
                run.append(number)
                continue
            }
            if run.count > 1 {
                let numbers = text.split(separator: " ").map { self.number(String($0)) }
                let starts = 0..<max(numbers.count - run.count + 1, 0)
                if !starts.contains(where: { Array(numbers[$0..<$0 + run.count]) == run.map(Optional.some) }) {
                    return false
                }
            }
            run = []
        }
        return true
    }

    private func isFiller(_ word: String) -> Bool { language.fillers.contains(word) }

    /// The words without the fillers at both ends.
    private func strip(_ said: [String]) -> ArraySlice<String> { withoutLastFillers(withoutFirstFillers(said[...])) }

    private func withoutFirstFillers(_ said: ArraySlice<String>) -> ArraySlice<String> {
        let words = said.drop(while: isFiller)
        return words.isEmpty ? said.suffix(1) : words
    }

    private func withoutLastFillers(_ said: ArraySlice<String>) -> ArraySlice<String> {
        var words = said
        while words.count > 1, let last = words.last, isFiller(last) { words.removeLast() }
        return words
    }

    // MARK: Comparisons

    /// The places of the options that words such as "the cheapest" or "the cheaper one" mean. "The cheaper one" of more
    /// than two options may be each option but the most expensive one.
    private func compared(_ said: [String]) -> [Int] {
        guard let comparative = language.comparatives[strip(said).joined(separator: " ")],
            !comparative.needsArticle || said.contains(where: Comparative.articles.contains)
        else { return [] }
        let numbers = options.compactMap { $0.comparison?[comparative.quality] }
        guard numbers.count == options.count, let least = numbers.min(), let most = numbers.max(), least < most else {
            return []
        }
        let (searched, other) = comparative.isGreatest ? (most, least) : (least, most)
        return numbers.indices.filter {
            comparative.isSuperlative ? numbers[$0] == searched : numbers[$0] != other
        }
    }

    // MARK: Places

    /// The place that words such as "the second one", "number two" and "2" name, and the words that name it.
    private func place(_ said: [String]) -> (index: Int, words: [String])? {
        var words = withoutFirstFillers(said[...])
        let leading = said.prefix(said.count - words.count)
        if let noun = words.first, language.placeNouns.contains(noun), let place = words.dropFirst().first,
            words.dropFirst(2).allSatisfy(isFiller)
        {
            return index(number(place) ?? language.places[place]).map { ($0, [noun, place]) }
        }
        words = withoutLastFillers(words)
        if words.count == 2, let noun = words.last, language.placeNouns.contains(noun) { words.removeLast() }
        guard words.count == 1, let word = words.first else { return nil }
        // "Give me a second" is a time.
        if let place = language.places[word] {
            return leading.contains(where: Self.indefinite.contains) ? nil : index(place).map { ($0, [word]) }
        }
        // A number may be a value: in "I want two", and "2" of the options "2 people" and "4 people".
        guard leading.isEmpty, let number = number(word), case let sought = sought(word),
            !options.contains(where: { $0.value.view.kind == .number }), !texts.joined().contains(where: sought.isIn)
        else { return nil }
        return index(number).map { ($0, [word]) }
    }

    private static let indefinite: Set<String> = [
        "a", "an", "one", "un", "una", "une", "uno", "ein", "eine", "einen", "een",
    ]

    private func number(_ word: String) -> Int? { Int(word) ?? language.numbers[word] }

    private func sought(_ word: String) -> SoughtWord {
        let number = number(word)
        let spellings = number == nil ? [] : language.numbers.filter { $0.value == number }.map(\.key)
        return SoughtWord(spellings: ([word] + spellings).map { Array($0.utf8) }, number: number)
    }

    /// - Parameter place: counted from 1; -1 is the last one.
    /// - Returns: `nil` if there is no such option, or if it is none of those that the prompt was shown with.
    private func index(_ place: Int?) -> Int? {
        guard let place, place != -1 || options.count <= OptionsRequest.usualLimit else { return nil }
        let index = place == -1 ? options.count - 1 : place - 1
        return options.indices.prefix(OptionsRequest.usualLimit).contains(index) ? index : nil
    }
}

extension ParameterOption {
    /// The texts besides the title that name the option. The subtitle is the last one.
    fileprivate var otherNames: [String] { synonyms + (subtitle.map { [$0] } ?? []) }
}

/// A word that is looked for in the texts of options, where a number may be written in digits or as a word.
private struct SoughtWord {
    let spellings: [[UInt8]]
    let number: Int?

    /// Returns `true` if a folded text has the word.
    func isIn(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: " ") { end += 1 }
                if isSame(bytes[start..<end]) { return true }
                start = end + 1
            }
            return false
        } ?? false
    }

    private func isSame(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        if let number, let first = word.first, 0x30...0x39 ~= first {
            return Int(String(decoding: word, as: UTF8.self)) == number
        }
        return spellings.contains { $0.count == word.count && $0.elementsEqual(word) }
    }
}

/// The words of an answer, as they were said and folded (``TextFolding``).
struct SaidWords {
    let text: String
    let folded: String

    init(_ text: String) {
        self.text = text
        folded = TextFolding.fold(text)
    }

    /// Compares a text with these words. Signs count: "C#" is not "C++", nor "$1.50" the same as "150".
    ///
    /// - Parameter other: the folded text.
    func names(_ text: String, folded other: String) -> Bool {
        if folded.isEmpty || other != folded { return false }
        return !hasSigns && !Self.hasSigns(text) || self.text.lowercased() == text.lowercased()
    }

    var hasSigns: Bool { Self.hasSigns(text) }

    /// Finds more than letters, digits, spaces and marks of sentences: a sign, or a full stop or a comma within a number.
    private static func hasSigns(_ text: String) -> Bool {
        var before: Unicode.Scalar = " "
        var isWithinNumber = false
        // "#2" is number 2.
        for scalar in text.hasPrefix("#") ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...] {
            let isDigit = scalar.properties.numericType != nil
            if isDigit, isWithinNumber { return true }
            let isDigitBefore = before.properties.numericType != nil
            isWithinNumber = (scalar == "." || scalar == ",") && isDigitBefore || scalar == "-" && !isWord(before)
            if !isDigit, !isWord(scalar), !plain.contains(scalar), !scalar.properties.isWhitespace { return true }
            before = scalar
        }
        return false
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    private static let plain = Set(" .,:;!?¡¿'’\"„“”‘«»()-–—/…°º。、，！？".unicodeScalars)

    /// `true` if nothing in the words may turn agreement around, such as a question mark or a picture.
    var isPlainAgreement: Bool {
        text.unicodeScalars.allSatisfy { scalar in
            Self.isWord(scalar) && !Self.overlays.contains(scalar.value) || scalar.properties.isWhitespace
                || Self.calm.contains(scalar)
        }
    }

    private static let calm = Set(".,!¡'’-…。、，！".unicodeScalars)
    /// Marks that strike letters out.
    private static let overlays: ClosedRange<UInt32> = 0x334...0x338
}
