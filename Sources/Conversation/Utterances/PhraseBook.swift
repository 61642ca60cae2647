public import IntentModel

/// The phrases that mean the same whatever is asked, by language: whole utterances in closed lists.
///
/// Agreement is never guessed: only the phrases here are a yes.
public struct PhraseBook: Sendable, Hashable {
    /// The meaning of a phrase.
    public enum Meaning: String, Sendable, Hashable, CaseIterable {
        case yes, no
        /// The prompt says something right, or wrong: a yes or a no that is never a value.
        case right, wrong
        /// No agreement, and no refusal.
        case maybe
        /// Stop; cancel the request.
        case cancel
        case `repeat`
        /// Say which answers fit.
        case help
        /// Go on without a value; no preference.
        case skip
        /// None of the options.
        case noneOfThese = "none"
        /// Show the options again.
        case list
    }

    /// The words of one language.
    public struct Language: Sendable, Hashable {
        /// The meanings of whole utterances, which are folded (``TextFolding``).
        var meanings: [String: Meaning] = [:]
        /// Places in a list: from 1, and -1 for the last one.
        var places: [String: Int] = [:]
        var numbers: [String: Int] = [:]
        /// Words before the number of an option, such as "number" in "number two".
        var placeNouns: Set<String> = []
        /// Words around the name or the place of an option that change nothing, such as "the" and "please".
        var fillers: Set<String> = []
        /// Words that compare options, such as "cheaper".
        var comparatives: [String: Comparative] = [:]

        /// Hashes the number of phrases alone. Each hash of a policy would otherwise be one of some thousand texts.
        public func hash(into hasher: inout Hasher) { hasher.combine(meanings.count) }

        init(
            _ phrases: [Meaning: [String]], places: [String: Int], numbers: [String: Int], placeNouns: Set<String>,
            fillers: Set<String>, comparatives: [String: Comparative]
        ) {
            for (meaning, texts) in phrases {
                for text in texts { meanings[TextFolding.fold(text)] = meaning }
            }
            self.places = places.folded
            self.numbers = numbers.folded
            self.placeNouns = Set(placeNouns.map(TextFolding.fold))
            self.fillers = Set(fillers.map(TextFolding.fold))
            self.comparatives = comparatives
        }
    }

    /// Phrases that cancel the request even where an option has them as its title.
    static let stops: Set<String> = [
        "cancel", "stop", "abbrechen", "stopp", "annuler", "annule", "arrete", "cancelar", "cancela", "annuleren",
        "annuleer",
    ]

    /// By the first part of the language's tag, such as `de`.
    private var languages: [String: Language]

    init(_ languages: [String: Language]) { self.languages = languages }

    /// The words of a language; English if this book has none of it.
    ///
    /// - Parameter tag: a BCP 47 tag; `nil` is English.
    func language(_ tag: String?) -> Language {
        let primary = tag.map { String($0.prefix { $0 != "-" && $0 != "_" }).lowercased() } ?? "en"
        return languages[primary] ?? languages["en"]
            ?? Language([:], places: [:], numbers: [:], placeNouns: [], fillers: [], comparatives: [:])
    }

    /// A phrase that can't be added.
    public struct Problem: Error, CustomStringConvertible {
        public let description: String
    }

    /// Adds phrases of a language. A language that the book has not yet has English words besides.
    ///
    /// - Parameter primary: the first part of the language's tag, such as `de`.
    /// - Throws: ``Problem`` if a phrase has no letter or digit, is longer than an utterance, or means something else already.
    public mutating func add(_ phrases: [String], meaning: Meaning, language primary: String) throws(Problem) {
        guard 2...8 ~= primary.utf8.count, primary.utf8.allSatisfy({ 0x61...0x7A ~= $0 }) else {
            throw Problem(description: "'\(primary.prefix(32))' is not the first part of a language tag, such as de")
        }
        var language = language(primary)
        for phrase in phrases {
            let folded = TextFolding.fold(phrase)
            if folded.isEmpty {
                throw Problem(description: "a phrase that means '\(meaning.rawValue)' has no letter or digit")
            }
            if phrase.utf8.count > Utterance.maximumBytes {
                throw Problem(description: "'\(phrase.prefix(32))…' is longer than an utterance may be")
            }
            if let known = language.meanings[folded], known != meaning {
                throw Problem(description: "'\(phrase)' means '\(known.rawValue)' and can't mean '\(meaning.rawValue)'")
            }
            language.meanings[folded] = meaning
        }
        languages[primary] = language
    }

    /// Adds the phrases of a file: for each language, an object with a list of phrases for each meaning, such as `{"de": {"yes": ["jawoll"]}}`.
    ///
    /// - Throws: ``Problem`` that names the member.
    public mutating func add(_ file: JSONView) throws(Problem) {
        guard file.kind == .object else { throw Problem(description: "the phrases are an object of languages") }
        for (language, meanings) in file.members {
            guard meanings.kind == .object else {
                throw Problem(description: "'\(language.prefix(32))' is an object of meanings")
            }
            for (name, list) in meanings.members {
                guard let meaning = Meaning(rawValue: name) else {
                    let known = Meaning.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Problem(description: "'\(name.prefix(32))' is no meaning; there are \(known)")
                }
                let phrases = list.elements.compactMap(\.string)
                guard list.kind == .array, phrases.count == list.elements.count else {
                    throw Problem(description: "'\(language.prefix(32)).\(name)' is a list of texts")
                }
                try add(phrases, meaning: meaning, language: language)
            }
        }
    }
}

extension [String: Int] {
    fileprivate var folded: [String: Int] { [String: Int](map { (TextFolding.fold($0), $1) }) { first, _ in first } }
}
