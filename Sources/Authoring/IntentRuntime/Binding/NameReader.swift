import IntentKit

/// Finds the name of a place in a sentence: "I'd like to go to San José, please". The name is what follows the words
/// around it; the person is asked whether it is meant. Who then says the sentence again means all of it: "Am Zoo".
struct NameReader {
    let locale: String?
    /// The values that the person was asked about.
    let offered: [JSON]

    /// Reads a sentence.
    ///
    /// - Returns: The name, or the whole sentence if it has none; `nil` if the words are no sentence, and so may be a
    ///   name as a whole.
    func name(in text: String) -> String? {
        var said = text.split(whereSeparator: \.isWhitespace).map { SentenceWord(String($0)) }[...]
        let (words, form) = (NameWords.of(locale), FormWords.of(locale))
        let isAnswer = said.count > 1 && form.answers.contains(said[0].folded)
        if isAnswer { said.removeFirst() }
        // "Frankfurt am Main" is a name, and "Flights from Leeds" is none.
        let isDoubtful = isAnswer || said.contains { words.before.contains($0.folded) }
        guard said.count > 1, words.isSentence(said) else { return isDoubtful ? said.name : nil }
        if form.isNegative(Array(said), { _ in false }) { return text }
        while let last = said.last, words.isAround(last) { said.removeLast() }
        if let first = said.first, !words.isAround(first), !form.articles.contains(first.folded) {
            // "In Leeds it is", "Leeds would be fine".
            if words.before.contains(first.folded) { said.removeFirst() }
            said = said.prefix { !words.isAround($0) }
        } else if let last = said.lastIndex(where: words.isAround) {
            said = said[(last + 1)...]
            if let place = said.lastIndex(where: { words.before.contains($0.folded) }) { said = said[(place + 1)...] }
        }
        guard 1...Self.maximumWords ~= said.count else { return text }
        let name = said.name
        let wasAsked = offered.count == 1 && (offered[0].view["name"] ?? offered[0].view).string == name
        return wasAsked ? nil : name
    }

    /// The most words of a name.
    private static let maximumWords = 8
}

extension ArraySlice<SentenceWord> {
    /// The words without the punctuation of a sentence at their end. "St." keeps its point.
    fileprivate var name: String {
        var text = map(\.text).joined(separator: " ")
        while let last = text.last, ",;:!?".contains(last) { text.removeLast() }
        if text.last == ".", last.map({ $0.text.count > 4 }) == true { text.removeLast() }
        return text
    }
}

/// The words of one language around the name of a place.
private struct NameWords: Sendable {
    /// Words that make a sentence of others, such as "I": they are in few names.
    private let speakers: Set<String>
    /// Other words of such a sentence, such as "go": some names have them.
    private let others: Set<String>
    /// Words directly before a name, such as "in".
    let before: Set<String>

    private init(speakers: String, others: String, before: String) {
        func words(_ list: String) -> Set<String> {
            Set(list.split(separator: " ").map { TextFolding.fold(String($0)) })
        }
        (self.speakers, self.others, self.before) = (words(speakers), words(others), words(before))
    }

    /// Returns `true` if the words are more than a name: "in Leeds", "I live in Leeds", "going to Leeds".
    func isSentence(_ said: ArraySlice<SentenceWord>) -> Bool {
        if said.contains(where: { speakers.contains($0.folded) }) { return true }
        return said.first.map { before.contains($0.folded) || others.contains($0.folded) } ?? false
    }

    func isAround(_ word: SentenceWord) -> Bool { speakers.contains(word.folded) || others.contains(word.folded) }

    /// The words of the language of a BCP 47 tag; English without a tag, and for other languages.
    static func of(_ locale: String?) -> NameWords {
        switch locale?.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
        case "de": german
        case "fr": french
        case "es": spanish
        case "nl": dutch
        default: english
        }
    }

    private static let english = NameWords(
        speakers:
            "let's how what what's this that i i'd i'm i'll i've we we'd we're we'll you it it's its that's would want wanna need is are am be was can could should have do does please thanks",
        others:
            "like love prefer look looking search searching find show give get take try check scan see make book go going gonna come coming travel travelling traveling fly flying leave leaving depart departing start starting stay staying live living head heading interested located good great fine nice perfect best ideal works okay ok me thank then actually about preferably likely anywhere somewhere something anything just oh",
        before: "in to for from at near around by towards into within")

    private static let german = NameWords(
        speakers:
            "ich wir mir uns es ist sind bin wäre möchte möchten will wollen würde würden brauche brauchen kann können soll sollte habe haben hätte bitte danke",
        others:
            "suche suchen finde finden gern gerne lieber fahre fahren fliege fliegen reise reisen gehe gehen komme kommen starte starten wohne wohnen bleibe bleiben abholen sein gut super schön perfekt dann also etwas irgendwo",
        before: "in nach von ab aus bei zu zum zur am im an ins")

    private static let french = NameWords(
        speakers:
            "je j'aimerais j'ai nous on me il c'est ce serait veux voudrais voudrions voulons faut peux pourrait merci s'il",
        others:
            "aller vais va partir pars venir viens voyager cherche chercher trouver rester habite habiter plaît te vous bien parfait super alors plutôt quelque chose",
        before: "à au aux depuis vers en dans pour près")

    private static let spanish = NameWords(
        speakers:
            "yo me nos quiero queremos quisiera gustaría es sea sería estoy estamos necesito puedo podría gracias favor",
        others:
            "ir voy vamos viajar salir salgo venir vengo busco buscar encontrar quedarme vivo vivir por está bien perfecto mejor entonces algo",
        before: "a al en desde hacia para cerca")

    private static let dutch = NameWords(
        speakers:
            "ik we wij mij ons het is zijn ben wil willen zou zouden kan kunnen moet moeten heb hebben graag alsjeblieft alstublieft bedankt",
        others:
            "ga gaan rijd rijden vlieg vliegen reis reizen vertrek vertrekken kom komen zoek zoeken vind vinden blijf blijven woon wonen naartoe goed prima mooi perfect dan iets ergens",
        before: "in naar van vanaf uit bij te op")
}
