import IntentKit

/// The words of one language around a value that a person changes.
struct FormWords: Sendable {
    /// Words and phrases before a change, such as "no", "make it" or "actually", longest first.
    private let openings: [[String]]
    /// The same after it, such as "instead" or "please".
    private let endings: [[String]]
    /// A yes or a no. A no that is not the first word denies something.
    let answers: Set<String>
    private let denials: Set<String>
    /// A no that may also be a "not": without a comma, it denies what follows, except an opening if this language allows it.
    private let ambiguousDenial: (word: String, mayPrecedeOpening: Bool)?
    /// Words and phrases that say what is not meant.
    private let negations: [[String]]
    let and: Set<String>
    let articles: Set<String>
    /// Words between a title and its value: "to", "is".
    let joiners: Set<String>
    /// Words that begin idioms such as "to be honest", and no names.
    private let idioms: Set<String>
    /// Places of an option, such as "first", which are also days.
    private let places: Set<String>
    /// `true` if only names are capitalized.
    private let capitalizesNames: Bool
    /// The words around the name of a place.
    let name: NameWords

    /// The words of one language as data: phrases, separated by bars.
    private struct Lists {
        let openings, endings, yes, no: String
        var ambiguousNo: (word: String, mayPrecedeOpening: Bool)?
        let negations, and, articles, joiners, idioms, places: String
        var capitalizesNames = true
    }

    private init(_ lists: Lists, _ name: NameWords) {
        self.name = name
        func phrases(_ list: String) -> [[String]] {
            list.split(separator: "|").map { TextFolding.fold(String($0)).split(separator: " ").map(String.init) }
                .sorted { $0.count > $1.count }
        }
        denials = Set(phrases(lists.no).joined())
        answers = Set(phrases(lists.yes).joined()).union(denials)
        openings = phrases("\(lists.openings)|\(lists.yes)|\(lists.no)")
        endings = phrases(lists.endings)
        ambiguousDenial = lists.ambiguousNo
        negations = phrases(lists.negations)
        and = Set(phrases(lists.and).joined())
        articles = Set(phrases(lists.articles).joined())
        joiners = Set(phrases(lists.joiners).joined())
        idioms = Set(phrases(lists.idioms).joined())
        places = Set(phrases(lists.places).joined())
        capitalizesNames = lists.capitalizesNames
    }

    /// The words without openings and endings.
    func trimmed(_ words: [SentenceWord]) -> [SentenceWord] {
        var words = words[...]
        while let phrase = opening(of: words) { words = words.dropFirst(phrase.count) }
        while let phrase = endings.first(where: { words.suffix($0.count).map(\.folded) == $0 }) {
            words = words.dropLast(phrase.count)
        }
        return words.filter { !$0.folded.isEmpty }
    }

    private func opening(of words: ArraySlice<SentenceWord>) -> [String]? {
        openings.first { words.prefix($0.count).map(\.folded) == $0 }
    }

    /// Returns `true` if the words say what is not meant: only a first "no" may stand before a change.
    func isNegative(_ words: [SentenceWord], _ isName: (SentenceWord) -> Bool) -> Bool {
        if let denial = ambiguousDenial, let first = words.first, first.folded == denial.word, !first.endsPart,
            words.count > 1
        {
            let isOpening = opening(of: words.dropFirst()) != nil || isName(words[1])
            if !denial.mayPrecedeOpening || !isOpening { return true }
        }
        if words.dropFirst().contains(where: { denials.contains($0.folded) }) { return true }
        return negations.contains { phrase in
            words.indices.contains { words[$0...].prefix(phrase.count).map(\.folded) == phrase }
        }
    }

    /// Returns `true` if words after one of the summary may be a name: "York", and after "no, to" also "york".
    func isName(_ words: [SentenceWord], isDenial: Bool) -> Bool {
        let named = words.drop { articles.contains($0.folded) }
        guard let first = named.first, !idioms.contains(first.folded) else { return false }
        if isDenial { return words.count <= 5 }
        return capitalizesNames && named.startIndex == 0
            && first.isCapitalized
    }

    func beginsWithDenial(_ words: [SentenceWord]) -> Bool { words.first.map { denials.contains($0.folded) } ?? false }

    /// Returns `true` if the words are the place of an option: "the first one".
    func isPlace(_ words: [SentenceWord]) -> Bool {
        let named = words.map(\.folded).filter { !articles.contains($0) }
        return !named.isEmpty && named.count <= 2 && places.contains(named[0])
            && named.dropFirst().allSatisfy { places.contains($0) }
    }

    /// "For" in each language: it may stand before any value.
    static let beforeAnyValue: Set<String> = ["for", "fur", "pour", "para", "voor"]

    /// The words of the language of a BCP 47 tag; English without a tag, and for other languages.
    static func of(_ locale: String?) -> FormWords {
        switch locale?.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
        case "de": german
        case "fr": french
        case "es": spanish
        case "nl": dutch
        default: english
        }
    }

    private static let english = FormWords(
        Lists(
            openings:
                "but|actually|rather|sorry|please|wait|well|then|make it|make that|make|change it to|change that to|change to|change|set it to|set|i said|i meant|i mean|lets say|lets make it|lets do|how about|what about|better|it should be|should be|id like|id rather have|i want|i need|instead",
            endings: "instead|please|rather|then|thanks|thank you|actually|though|sorry",
            yes: "yes|yeah|yep|ok|okay|sure", no: "no|nope|nah", ambiguousNo: ("no", true),
            negations:
                "not|dont|doesnt|didnt|isnt|arent|wasnt|werent|wont|cant|cannot|couldnt|shouldnt|wouldnt|never|none|nothing|neither|nor|without|except|unless|than|instead of|anything but|remove|delete",
            and: "and|but|with", articles: "the|a|an|my|our|some", joiners: "to|is|be|at|should|as",
            idioms: "be|do|see|say|go|get|me|you|him|her|it|us|them|that|this|what|now|sure|my|your|some|all|every",
            places: "first|second|third|fourth|fifth|last|one"), .english)

    private static let german = FormWords(
        Lists(
            openings:
                "gut|aber|doch|eigentlich|lieber|eher|besser|bitte|mach es|mach daraus|mach|machen sie|machen wir|ändere es auf|ändere es in|ändere auf|ändere|ändern sie|ich meinte|ich meine|ich sagte|sagen wir|nimm|nehmen wir|nehmen sie|sorry|entschuldigung|warte|moment|stattdessen|dann|es sollen|es sind|ich möchte|ich hätte gern|ich brauche",
            endings: "bitte|stattdessen|draus|daraus|lieber|dann|danke|doch|sein",
            yes: "ja|ok|okay", no: "nein|nee|nö",
            negations:
                "nicht|kein|keine|keinen|keiner|keinem|keines|ohne|nie|niemals|nichts|statt|anstatt|außer|weder|noch nicht|als|weg|streiche|lösche",
            and: "und|aber|mit", articles: "der|die|das|den|dem|ein|eine|einen|einem|einer|mein|meine|meinen",
            joiners: "auf|ist|zu|in|sind|soll",
            idioms: "meiner|meinem|deiner|mir|dir|ihm|ihr|uns|euch|wie|jeden",
            places: "erste|ersten|erster|erstes|zweite|zweiten|dritte|dritten|letzte|letzten", capitalizesNames: false),
        .german)

    private static let french = FormWords(
        Lists(
            openings:
                "mais|plutôt|en fait|pardon|désolé|attends|attendez|mettez|mets|mettons|change pour|changez pour|change|changez|faites|disons|je voulais dire|je veux dire|je voudrais|il faut|alors|plutôt pour|finalement|s'il vous plaît|svp",
            endings: "plutôt|s'il vous plaît|s'il te plaît|svp|à la place|merci|alors|finalement",
            yes: "oui|ouais|ok|okay|d'accord", no: "non",
            negations: "pas|sans|jamais|rien|aucun|aucune|ni|sauf|au lieu de|que|ne|n|enlève|supprime",
            and: "et|mais|avec", articles: "le|la|les|l|un|une|des|mon|ma|mes", joiners: "à|est|en|pour|sont",
            idioms: "vrai|mon|ma|mes|moi|toi|lui|nous|vous|eux|peu|propos|part|cela|ça|tout",
            places: "premier|première|deuxième|second|seconde|troisième|dernier|dernière"), .french)

    private static let spanish = FormWords(
        Lists(
            openings:
                "pero|mejor|en realidad|perdón|espera|espere|cámbialo a|cámbiala a|cambia a|cambia|cambie|ponlo a|pon|ponga|que sea|que sean|quise decir|digamos|entonces|quiero|necesito|quisiera|más bien|por favor",
            endings: "por favor|mejor|en su lugar|gracias|entonces",
            yes: "sí|ok|vale", no: "no", ambiguousNo: ("no", false),
            negations:
                "sin|nunca|nada|ni|tampoco|ningún|ninguno|ninguna|en vez de|en lugar de|excepto|salvo|que|quita|borra",
            and: "y|e|pero|con", articles: "el|la|los|las|un|una|unos|unas|mi|mis", joiners: "a|es|en|para|son|sea",
            idioms: "lo|ver|mi|mis|mí|ti|él|ella|nosotros|ustedes|todo|eso|esto|veces|propósito",
            places: "primero|primera|primer|segundo|segunda|tercero|tercera|último|última"), .spanish)

    private static let dutch = FormWords(
        Lists(
            openings:
                "maar|liever|eigenlijk|toch|sorry|wacht|alsjeblieft|graag|maak er|maak het|maak daar|maak|verander het in|verander in|verander|wijzig in|wijzig|doe maar|doe|zet op|zet|ik bedoel|ik bedoelde|ik zei|laten we zeggen|dan|ik wil|ik wil graag|het moet|het zijn|beter",
            endings: "van|alsjeblieft|alstublieft|graag|liever|toch maar|maar|dan|bedankt|dank je|zijn|worden",
            yes: "ja|oké|ok|okay", no: "nee|neen",
            negations: "niet|geen|zonder|nooit|niets|behalve|in plaats van|noch|als|weg|verwijder",
            and: "en|maar|met", articles: "de|het|een|mijn|onze", joiners: "naar|is|op|in|zijn|wordt",
            idioms: "mijn|mij|jou|hem|haar|ons|hen|dat|dit|wat|alle",
            places: "eerste|tweede|derde|vierde|laatste"), .dutch)
}
