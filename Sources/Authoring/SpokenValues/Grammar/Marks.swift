import IntentKit

/// A word or a phrase that joins the parts of a stretch of time or of a recurrence.
enum Mark: Sendable, Hashable {
    /// "From" and "to" around two moments. "Until" and a dash may also be without "from".
    case from, to, until
    case between, and
    /// A word before a length of time: "for".
    case lasting
    case every
    /// "Every other" week, and the Dutch "om de" week.
    case everyOther
    case hourly, daily, weekly, monthly, yearly
    case weekdays, weekend
    /// Days of work, to which some count the Saturday.
    case workdays
    /// A word before days: "on".
    case on
    /// A word after a number: "times".
    case times
}

/// A person's words, split at spaces, with the marks among them.
struct MarkedWords {
    struct Part {
        /// The words as they were said.
        let words: String
        let mark: Mark?
    }

    let parts: [Part]

    /// - Parameter marks: The marks to find. All other words stay as they are.
    init(_ text: String, _ language: SpokenLanguage, _ marks: Set<Mark>) {
        let words = Self.words(of: text)
        let folded = words.map { TextFolding.fold($0) }
        var parts: [Part] = []
        var index = 0
        while index < words.count {
            let found =
                marks.contains(.between) && words[index].allSatisfy(Self.isDash)
                ? (.until, index + 1) : language.mark(at: index, of: folded, among: marks)
            let end = found?.end ?? index + 1
            parts.append(Part(words: words[index..<end].joined(separator: " "), mark: found?.mark))
            index = end
        }
        self.parts = parts
    }

    /// The words, with spaces around a dash between two times, and instead of one after a number: "2-4pm" is "2 - 4pm",
    /// and "10-mal" is "10 mal".
    static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
            let ends = word.split(whereSeparator: isDash).map(String.init)
            guard ends.count == 2, ends[0].allSatisfy({ $0.isNumber || $0 == ":" || $0 == "." }),
                let first = ends[1].first
            else { return [String(word)] }
            return first.isNumber ? [ends[0], "-", ends[1]] : first.isLetter ? ends : [String(word)]
        }
    }

    private static func isDash(_ character: Character) -> Bool { character == "-" || character == "–" }
}

extension LanguageWords {
    /// The marks of the language, separated by bars.
    var marks: [(Mark, String)] {
        switch code {
        case "en":
            [
                (.from, "from|starting|starting on|starting at|beginning"), (.to, "to|through"),
                (.until, "until|till"), (.between, "between"), (.and, "and"), (.lasting, "for"), (.every, "every|each"),
                (.everyOther, "every other|every second"), (.hourly, "hourly"), (.daily, "daily"), (.weekly, "weekly"),
                (.monthly, "monthly"), (.yearly, "yearly|annually"),
                (.weekdays, "weekday|weekdays|workday|workdays|working day"), (.weekend, "weekend|weekends"),
                (.on, "on|on the"), (.times, "times|time"),
            ]
        case "de":
            [
                (.from, "von|vom|ab|ab dem"), (.until, "bis|bis zum|bis zu"),
                (.between, "zwischen"), (.and, "und"), (.lasting, "für"), (.every, "jeden|jede|jedes|alle"),
                (.everyOther, "jeden zweiten|jede zweite|jedes zweite"), (.hourly, "stündlich"), (.daily, "täglich"),
                (.weekly, "wöchentlich"), (.monthly, "monatlich"), (.yearly, "jährlich"),
                (.weekdays, "wochentag|wochentags"), (.workdays, "werktag|werktags|werktage|werktäglich"),
                (.weekend, "wochenende|wochenenden"), (.on, "am|an den|an"), (.times, "mal"),
            ]
        case "fr":
            [
                (.from, "de|du|à partir de|à partir du|à partir d"), (.to, "à|au"),
                (.until, "jusqu'à|jusqu'au"), (.between, "entre"), (.and, "et"), (.lasting, "pendant|pour"),
                (.every, "chaque|tous les|toutes les"),
                (.daily, "quotidien|quotidiennement"), (.weekly, "hebdomadaire"), (.monthly, "mensuel|mensuellement"),
                (.yearly, "annuel|annuellement"), (.weekdays, "jours de semaine"),
                (.workdays, "jour ouvrable|jours ouvrables"),
                (.weekend, "week end|week ends|weekend|weekends"), (.on, "le|les"), (.times, "fois"),
            ]
        case "es":
            [
                (.from, "de|del|desde|desde el|a partir de|a partir del"), (.to, "a|al"),
                (.until, "hasta|hasta el"), (.between, "entre"), (.and, "y|e"), (.lasting, "durante"),
                (.every, "cada|todos los|todas las|los"), (.daily, "diario|diariamente|a diario"),
                (.weekly, "semanal|semanalmente"), (.monthly, "mensual|mensualmente"), (.yearly, "anual|anualmente"),
                (.weekdays, "entre semana"), (.workdays, "día laborable|días laborables"),
                (.weekend, "fin de semana|fines de semana"), (.on, "el"), (.times, "veces|vez"),
            ]
        default:
            [
                (.from, "van|vanaf"), (.until, "tot|tot en met|t/m"),
                (.between, "tussen"), (.and, "en"), (.lasting, "gedurende"), (.every, "elke|elk|iedere|ieder"),
                (.everyOther, "om de"), (.daily, "dagelijks"), (.weekly, "wekelijks"), (.monthly, "maandelijks"),
                (.yearly, "jaarlijks"), (.weekdays, "werkdag|werkdagen|doordeweeks"),
                (.weekend, "weekend|weekenden|weekeinde"), (.on, "op|in het"), (.times, "keer|maal"),
            ]
        }
    }
}
