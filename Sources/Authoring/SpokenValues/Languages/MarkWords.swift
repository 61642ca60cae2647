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
        case "nl":
            [
                (.from, "van|vanaf"), (.until, "tot|tot en met|t/m"),
                (.between, "tussen"), (.and, "en"), (.lasting, "gedurende"), (.every, "elke|elk|iedere|ieder"),
                (.everyOther, "om de"), (.daily, "dagelijks"), (.weekly, "wekelijks"), (.monthly, "maandelijks"),
                (.yearly, "jaarlijks"), (.weekdays, "werkdag|werkdagen|doordeweeks"),
                (.weekend, "weekend|weekenden|weekeinde"), (.on, "op|in het"), (.times, "keer|maal"),
            ]
        default: []
        }
    }
}
