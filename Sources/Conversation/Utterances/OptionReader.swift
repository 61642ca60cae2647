import IntentModel

/// Finds the options of a prompt that words name. Nothing is guessed: words that name one option by a text and another one by its place
/// name both.
struct OptionReader {
    let options: [ParameterOption]
    let language: PhraseBook.Language

    /// The places, from 0, of the options with this title.
    func titled(_ said: SaidWords) -> [Int] { places { said.names($0.title) } }

    /// The places of the options that the words may mean. More than one: the words fit several.
    ///
    /// - Parameter readsParts: whether some words of an option's texts are enough.
    func meant(by said: SaidWords, readsParts: Bool) -> [Int] {
        if said.folded.isEmpty { return [] }
        let titled = titled(said)
        if !titled.isEmpty { return titled }
        let named = places { ($0.otherNames + $0.longNames).contains(where: said.names) }
        if !named.isEmpty { return named }
        // Folding drops signs, and "$1.50" is not "150".
        if said.hasSigns { return [] }
        let words = said.folded.split(separator: " ").map(String.init)
        var meant = readsParts ? part(strip(words)) + compared(strip(words)) : []
        if let place = place(words) {
            meant.append(place.index)
            // "First" may be the first one, or "First class"; "number 2" is the second one, or "Platform number 2".
            meant += options.indices.filter { index in place.words.allSatisfy { has($0, options[index]) } }
        }
        return Set(meant).sorted()
    }

    private func places(where isMeant: (ParameterOption) -> Bool) -> [Int] {
        options.indices.filter { isMeant(options[$0]) }
    }

    // MARK: Parts

    /// The places of the options that have these words in their texts; if the words are the name of one option, its place alone. Numbers
    /// that follow one another, as in "18:30", have to do so in one of the texts.
    private func part(_ said: ArraySlice<String>) -> [Int] {
        if said.allSatisfy(isFiller) { return [] }
        let numbers = said.map(number)
        var named: [Int] = [], parts: [Int] = []
        for (index, option) in options.enumerated() {
            let texts = ([option.title] + option.otherNames).map {
                TextFolding.fold($0).split(separator: " ").map(String.init)
            }
            let words = Set(texts.joined())
            let isPart = zip(said, numbers).allSatisfy { word, number in
                words.contains(word) || number != nil && words.contains { self.number($0) == number }
            }
            guard isPart, texts.contains(where: { has(numbers, in: $0) }) else { continue }
            parts.append(index)
            if texts.contains(where: { $0.count == said.count && zip($0, said).allSatisfy(==) }) { named.append(index) }
        }
        return named.count == 1 ? named : parts
    }

    /// Returns `true` if a text has the numbers that follow one another in the words.
    private func has(_ said: [Int?], in text: [String]) -> Bool {
        var run: [Int] = []
        for number in said + [nil] {
            if let number {
                run.append(number)
                continue
            }
            if run.count > 1 {
                let numbers = text.map(self.number)
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

    /// The place of the option that words such as "cheapest" and, of two options, "cheaper" mean. Several if options
    /// share the number, and all that are cheaper than another one if there are more than two.
    private func compared(_ said: ArraySlice<String>) -> [Int] {
        guard let comparative = language.comparatives[said.joined(separator: " ")] else { return [] }
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
        guard leading.isEmpty, let number = number(word),
            !options.contains(where: { $0.value.view.kind == .number || has(word, $0) })
        else { return nil }
        return index(number).map { ($0, [word]) }
    }

    private static let indefinite: Set<String> = [
        "a", "an", "one", "un", "una", "une", "uno", "ein", "eine", "einen", "een",
    ]

    /// Returns `true` if an option's texts have a word, or a number of the same value.
    private func has(_ word: String, _ option: ParameterOption) -> Bool {
        let number = number(word)
        return ([option.title] + option.otherNames).contains { text in
            TextFolding.fold(text).split(separator: " ").contains { known in
                known == word || number != nil && self.number(String(known)) == number
            }
        }
    }

    private func number(_ word: String) -> Int? { Int(word) ?? language.numbers[word] }

    /// - Parameter place: counted from 1; -1 is the last one.
    /// - Returns: `nil` if there is no such option, or if it is none of those that the prompt was shown with.
    private func index(_ place: Int?) -> Int? {
        guard let place, place != -1 || options.count <= OptionsRequest.usualLimit else { return nil }
        let index = place == -1 ? options.count - 1 : place - 1
        return options.indices.prefix(OptionsRequest.usualLimit).contains(index) ? index : nil
    }
}

extension ParameterOption {
    /// The texts besides the title that name the option.
    fileprivate var otherNames: [String] { synonyms + (subtitle.map { [$0] } ?? []) }

    /// The title with the subtitle, which tells two with one title apart.
    fileprivate var longNames: [String] { subtitle.map { ["\(title) \($0)", "\(title), \($0)"] } ?? [] }
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
    func names(_ other: String) -> Bool {
        if folded.isEmpty || TextFolding.fold(other) != folded { return false }
        return !hasSigns && !Self.hasSigns(other) || text.lowercased() == other.lowercased()
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
