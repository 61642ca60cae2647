extension LanguageWords {
    static let french = LanguageWords(
        code: "fr", groupsBySpace: true, ordinalEndings: ["er", "re", "e", "eme"],
        entries: [
            ([.now], "maintenant|tout de suite"), ([.day(0)], "aujourd'hui"), ([.day(1)], "demain"), ([.day(2)], "après demain"),
            ([.day(-1)], "hier"),
            ([.day(-2)], "avant hier"),
            ([.day(0), .part(.evening)], "ce soir"), ([.day(0), .part(.morning)], "ce matin"),
            ([.day(0), .part(.afternoon)], "cet après midi|cette après midi"), ([.day(0), .part(.night)], "cette nuit"),
            ([.part(.morning)], "matin|du matin|le matin|au matin"),
            ([.part(.afternoon)], "après midi|de l'après midi|l'après midi|dans l'après midi"),
            ([.part(.evening)], "soir|du soir|le soir|dans la soirée|soirée"), ([.part(.night)], "nuit|de la nuit|dans la nuit"),
            ([.half], "demi|demie"), ([.quarter], "quart|le quart"), ([.threeQuarters], "trois quarts"), ([.and], "et"),
            ([.number(15), .unit(.minute)], "quart d'heure|un quart d'heure"), ([.number(45), .unit(.minute)], "trois quarts d'heure"),
            ([.minus], "moins"), ([.point], "virgule"), ([.at], "à|vers"), ([.within], "dans|d'ici"), ([.ago], "il y a"),
            ([.filler], "le|la|les|de|du|l|d|s'il vous plaît|s'il te plaît|svp|environ|ce|cet|cette|précises|au"),
            ([.next], "prochain|prochaine"), ([.last], "dernier|dernière|passé"), ([.nextWeek], "la semaine prochaine|semaine prochaine"),
            ([.unit(.second)], "seconde|secondes|sec"), ([.unit(.minute)], "minute|minutes|min|mn"),
            ([.hourOrClock], "heure|heures|h"), ([.unit(.day)], "jour|jours"), ([.unit(.week)], "semaine|semaines"),
            ([.number(8), .unit(.day)], "huitaine"), ([.unit(.month)], "mois"), ([.unit(.year)], "an|ans|année|années"),
            ([.noon], "midi"), ([.midnight], "minuit"),
            ([.currency("EUR")], "euro|euros"), ([.dollarSign], "dollar|dollars"), ([.currency("GBP")], "livre|livres|livres sterling"),
            ([.currency("JPY")], "yen|yens"), ([.currency("CHF")], "franc|francs"), ([.cents], "centime|centimes"),
        ],
        yes:
            "oui|o|ouais|ok|okay|d'accord|bien sûr|certainement|exact|exactement|c'est ça|volontiers|oui merci|true|absolument|tout à fait|si",
        no: "non|n|non merci|pas du tout|jamais|faux|surtout pas|false|pas vraiment|certainement pas|c'est faux",
        numbers: NumberWords.french(), ordinals: [("premier", 1), ("première", 1)])
}
