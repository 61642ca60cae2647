extension LanguageWords {
    static let dutch = LanguageWords(
        code: "nl", halfNamesNextHour: true,
        dayPartEndings: [
            "morgen": .morning, "ochtend": .morning, "middag": .afternoon, "avond": .evening, "nacht": .night,
        ],
        ordinalEndings: ["e", "de", "ste"],
        entries: [
            ([.now], "nu|meteen|direct"), ([.day(0)], "vandaag"), ([.day(1)], "morgen"), ([.day(2)], "overmorgen"),
            ([.day(-1)], "gisteren"), ([.day(-2)], "eergisteren"),
            ([.day(0), .part(.evening)], "vanavond"),
            ([.day(0), .part(.morning)], "vanmorgen|vanochtend|deze ochtend"),
            ([.day(0), .part(.afternoon)], "vanmiddag"), ([.day(0), .part(.night)], "vannacht"),
            ([.day(1), .part(.morning)], "morgenochtend|morgenvroeg|morgen vroeg"),
            ([.day(1), .part(.afternoon)], "morgenmiddag"),
            ([.day(1), .part(.evening)], "morgenavond"), ([.day(-1), .part(.evening)], "gisteravond"),
            ([.part(.morning)], "ochtend|s ochtends|sochtends|s morgens|smorgens|in de ochtend|in de morgen"),
            ([.part(.afternoon)], "middag|s middags|smiddags|in de middag"),
            ([.part(.evening)], "avond|s avonds|savonds|in de avond"),
            ([.part(.night)], "nacht|s nachts|snachts|in de nacht"),
            ([.half], "half|halve"), ([.quarter], "kwart"), ([.number(15), .unit(.minute)], "kwartier|een kwartier"),
            ([.number(45), .unit(.minute)], "drie kwartier"), ([.fraction(1.5)], "anderhalf|anderhalve"),
            ([.fraction(2.5)], "tweeënhalf|tweeënhalve"), ([.fraction(3.5)], "drieënhalf|drieënhalve"),
            ([.fraction(4.5)], "vierenhalf|vierenhalve"), ([.fraction(5.5)], "vijfenhalf|vijfenhalve"),
            ([.later], "later"), ([.earlier], "eerder|vroeger"), ([.longer], "langer"),
            ([.shorter], "korter"), ([.more], "meer|nog|extra|erbij"), ([.less], "minder|eraf"),
            ([.past], "over|na"), ([.to], "voor"), ([.and], "en"), ([.minus], "minus"), ([.point], "komma"),
            ([.at], "om"), ([.within], "binnen"), ([.ago], "geleden"),
            (
                [.filler],
                "op|de|het|den|van|alsjeblieft|alstublieft|graag|rond|ongeveer|deze|dit|komende|aanstaande|precies|klokslag|in"
            ),
            ([.next], "volgende|eerstvolgende"), ([.last], "vorige|afgelopen"), ([.nextWeek], "volgende week"),
            ([.unit(.second)], "seconde|seconden|sec"), ([.unit(.minute)], "min|minuut|minuten|minuutje|minuutjes"),
            ([.hourOrClock], "uur|u|uurtje"), ([.unit(.hour)], "uren"), ([.unit(.day)], "dag|dagen"),
            ([.unit(.week)], "week|weken"),
            ([.unit(.month)], "maand|maanden"), ([.unit(.year)], "jaar|jaren"), ([.am], "am"), ([.pm], "pm"),
            ([.noon], "twaalf uur s middags|het middaguur"), ([.midnight], "middernacht"),
            ([.currency("EUR")], "euro|euros"), ([.dollarSign], "dollar|dollars"), ([.currency("GBP")], "pond|ponden"),
            ([.currency("JPY")], "yen"), ([.currency("CHF")], "frank|franken"), ([.cents], "cent|centen|eurocent"),
        ],
        yes:
            "ja|j|jawel|jazeker|zeker|ok|oke|okay|prima|goed|graag|ja graag|klopt|dat klopt|juist|natuurlijk|true|aan|doe maar|akkoord",
        no:
            "nee|n|neen|nee bedankt|nee dank je|nee dank u|liever niet|niet|fout|onjuist|false|uit|zeker niet|klopt niet|nooit|laat maar",
        numbers: NumberWords.dutch(), ordinals: dutchOrdinals)

    private static var dutchOrdinals: [(String, Int)] {
        let low = [
            "eerste", "tweede", "derde", "vierde", "vijfde", "zesde", "zevende", "achtste", "negende", "tiende",
            "elfde", "twaalfde",
            "dertiende", "veertiende", "vijftiende", "zestiende", "zeventiende", "achttiende", "negentiende",
        ]
        var ordinals = low.enumerated().map { ($1, $0 + 1) }
        for (word, number) in NumberWords.dutch() where (20...31).contains(number) {
            ordinals.append((word + "ste", number))
        }
        return ordinals
    }
}
