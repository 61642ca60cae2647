import IntentKit

/// Finds the name of a place in a sentence: "I'd like to go to San José, please". The person is asked whether the name is
/// meant. If the person repeats the sentence then, the whole sentence is the name.
struct NameReader {
    let locale: String?
    /// The values that the person was asked about.
    let offered: [JSON]

    /// Reads a sentence.
    ///
    /// - Returns: The name, or the whole sentence if it has none or several; `nil` if the words are no sentence, and so may
    ///   be a name as a whole.
    func name(in text: String) -> String? {
        var said = text.split(whereSeparator: \.isWhitespace).map { SentenceWord(String($0)) }[...]
        let form = FormWords.of(locale)
        let words = form.name
        if said.count > 1, form.answers.contains(said[0].folded), said[0].text.last?.isLetter == false {
            said.removeFirst()
            if said.count == 1 || !words.isSentence(said, form.articles) { return unlessAsked(said.name) }
        }
        guard said.count > 1, words.isSentence(said, form.articles) else { return nil }
        if form.isNegative(Array(said), { _ in false }) { return unlessAsked(text) }
        while let last = said.last, words.isAround(last, isFirst: said.count == 1) { said.removeLast() }
        let beginsAround =
            said.first.map { words.isAround($0, isFirst: true) || form.articles.contains($0.folded) } ?? true
        let places = said.indices.dropLast().filter { words.before.contains(said[$0].folded) }
        if !beginsAround, let end = said.firstIndex(where: words.isSpeaker) {
            // "Leeds would be fine", "In Leeds, please".
            said = said[..<end]
            if let first = said.first, words.before.contains(first.folded) { said.removeFirst() }
        } else if places.count(where: { said[$0 + 1].isCapitalized }) > 1 {
            // "From York to Leeds" names two places.
            return unlessAsked(text)
        } else if let place = places.last(where: { said[$0 + 1].isCapitalized }) ?? places.last {
            said = said[(place + 1)...]
        } else if let last = said.indices.last(where: { words.isAround(said[$0], isFirst: $0 == said.startIndex) }) {
            said = said[(last + 1)...]
        }
        return unlessAsked(1...Self.maximumWords ~= said.count ? said.name : text)
    }

    /// Returns `nil` if the person was asked about this name, or about one that the resolver completed: "Zoo Berlin".
    private func unlessAsked(_ name: String) -> String? {
        guard offered.count == 1, let known = (offered[0].view["name"] ?? offered[0].view).string else { return name }
        return TextFolding.fold(known).contains(TextFolding.fold(name)) ? nil : name
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
struct NameWords: Sendable {
    /// Words that make a sentence of others, such as "I": they are in few names.
    private let speakers: Set<String>
    /// Other words of such a sentence, such as "go": some names have them.
    private let others: Set<String>
    /// Words directly before a name, such as "in".
    let before: Set<String>
    /// Words that begin sentences, such as "find", and next to no names.
    private let openings: Set<String>

    private init(speakers: String, others: String, before: String, openings: String) {
        func words(_ list: String) -> Set<String> {
            Set(list.split(separator: " ").map { TextFolding.fold(String($0)) })
        }
        (self.speakers, self.others) = (words(speakers), words(others).union(words(openings)))
        (self.before, self.openings) = (words(before), words(openings))
    }

    /// Returns `true` if the words are more than a name: "I live in Leeds", "looking in Leeds", "In Leeds", and not "Am Zoo".
    func isSentence(_ said: ArraySlice<SentenceWord>, _ articles: Set<String>) -> Bool {
        if said.contains(where: isSpeaker) { return true }
        guard let first = said.first else { return false }
        if openings.contains(first.folded) || before.contains(first.folded) && !first.isCapitalized { return true }
        // "A house in Leeds" is as little a name as "going to Leeds".
        let mayBegin = others.contains(first.folded) || articles.contains(first.folded)
        return mayBegin && zip(said, said.dropFirst()).contains { before.contains($0.folded) && $1.isCapitalized }
    }

    func isSpeaker(_ word: SentenceWord) -> Bool { speakers.contains(word.folded) }

    /// Returns `true` if a word is beside the name. "Great Yarmouth" is a name, unless it begins the sentence.
    func isAround(_ word: SentenceWord, isFirst: Bool) -> Bool {
        isSpeaker(word) || others.contains(word.folded) && (isFirst || !word.isCapitalized)
    }

    static let english = NameWords(
        speakers:
            "let's lets how what what's this that i i'd i'm i'll i've we we'd we're we'll you it's it'll that's they would will should might want wanna need is please thanks",
        others:
            "are be can could should have do does like love prefer look looking search searching find show give get take try check scan see make book go going gonna come coming travel travelling traveling fly flying leave leaving depart departing start starting stay staying live living head heading interested located good great fine nice perfect best ideal works okay ok me thank then actually about preferably likely it anywhere somewhere something anything just oh",
        before: "in to for from at near around by towards into within",
        openings:
            "in to from at near around for going something anything search find give make check scan let get pick picking headed leaving getting look looking try just only specifically preferably probably likely somewhere someplace anywhere"
    )

    static let german = NameWords(
        speakers:
            "ich wir mir uns es ist sind bin wäre möchte möchten will wollen würde würden brauche brauchen kann können soll sollte habe haben hätte bitte danke",
        others:
            "suche suchen finde finden gern gerne lieber fahre fahren fliege fliegen reise reisen gehe gehen komme kommen starte starten wohne wohnen bleibe bleiben abholen sein gut super schön perfekt dann also etwas irgendwo",
        before: "in nach von ab aus bei zu zum zur am im an ins", openings: "nach von aus suche finde nimm")

    static let french = NameWords(
        speakers:
            "je j'aimerais j'ai nous on c'est ce serait veux voudrais voudrions voulons faut peux pourrait merci s'il",
        others:
            "aller vais va partir pars venir viens voyager cherche chercher trouver rester habite habiter plaît te vous bien parfait super alors plutôt quelque chose me",
        before: "chez à au aux depuis vers en dans pour près", openings: "depuis vers dans cherche trouve")

    static let spanish = NameWords(
        speakers:
            "yo nos quiero queremos quisiera gustaría sea sería estoy estamos necesito puedo podría gracias favor",
        others:
            "ir voy vamos viajar salir salgo venir vengo busco buscar encontrar quedarme vivo vivir por está bien perfecto mejor entonces algo me es",
        before: "a al en desde hacia para cerca", openings: "en desde hacia para busca")

    static let dutch = NameWords(
        speakers:
            "ik we wij mij ons is zijn ben wil willen zou zouden kan kunnen moet moeten heb hebben graag alsjeblieft alstublieft bedankt",
        others:
            "ga gaan rijd rijden vlieg vliegen reis reizen vertrek vertrekken kom komen zoek zoeken vind vinden blijf blijven woon wonen naartoe goed prima mooi perfect dan iets ergens",
        before: "in naar van vanaf uit bij te op", openings: "naar vanaf zoek neem")
}
