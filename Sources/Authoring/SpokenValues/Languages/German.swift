extension LanguageWords {
    static let german = LanguageWords(
        code: "de", halfNamesNextHour: true,
        dayPartEndings: [
            "morgen": .morning, "früh": .morning, "vormittag": .morning, "nachmittag": .afternoon, "abend": .evening,
            "nacht": .night,
        ],
        entries: [
            ([.now], "jetzt|sofort"), ([.day(0)], "heute"), ([.day(1)], "morgen"), ([.day(2)], "übermorgen"),
            ([.day(-1)], "gestern"),
            ([.day(-2)], "vorgestern"),
            ([.day(0), .part(.morning)], "heute morgen|heute früh|heute vormittag"),
            ([.day(0), .part(.night)], "heute nacht"),
            ([.part(.morning)], "früh|vormittag|vormittags|morgens|am morgen|am vormittag|in der früh"),
            ([.part(.afternoon)], "nachmittag|nachmittags|am nachmittag|mittags"),
            ([.part(.evening)], "abend|abends|am abend"),
            ([.part(.night)], "nacht|nachts|in der nacht"),
            ([.half], "halb|halbe|halben|halber|halbes"), ([.quarter], "viertel"),
            ([.threeQuarters], "dreiviertel|drei viertel"),
            ([.number(15), .unit(.minute)], "viertelstunde"), ([.number(45), .unit(.minute)], "dreiviertelstunde"),
            ([.fraction(1.5)], "anderthalb|eineinhalb|einundeinhalb"), ([.fraction(2.5)], "zweieinhalb|zweiundeinhalb"),
            ([.fraction(3.5)], "dreieinhalb|dreiundeinhalb"), ([.fraction(4.5)], "viereinhalb"),
            ([.fraction(5.5)], "fünfeinhalb"),
            ([.later], "später"), ([.earlier], "früher"), ([.longer], "länger"),
            ([.shorter], "kürzer"), ([.more], "mehr|noch|weitere|weiterer|weiteren|zusätzlich"), ([.less], "weniger"),
            ([.past], "nach"), ([.to], "vor"), ([.and], "und"),
            ([.minus], "minus"), ([.point], "komma"),
            ([.at], "um|gegen"), ([.within], "in|innerhalb von"),
            (
                [.filler],
                "am|den|der|dem|des|das|die|von|vom|bitte|gerne|etwa|ungefähr|diesen|dieser|diese|dieses|kommenden|kommende|genau|punkt"
            ),
            ([.next], "nächsten|nächste|nächster|nächstes"), ([.last], "letzten|letzte|letzter|vorigen|vergangenen"),
            ([.nextWeek], "nächste woche|nächster woche|kommende woche"),
            ([.unit(.second)], "sekunde|sekunden|sek"), ([.unit(.minute)], "minute|minuten|min"),
            ([.unit(.hour)], "stunde|stunden|std"), ([.hourOrClock], "h"), ([.unit(.day)], "tag|tage|tagen"),
            ([.unit(.week)], "woche|wochen"), ([.unit(.month)], "monat|monate|monaten"),
            ([.unit(.year)], "jahr|jahre|jahren"),
            ([.oclock], "uhr"), ([.noon], "mittag|zwölf uhr mittags"), ([.midnight], "mitternacht"),
            ([.currency("EUR")], "euro|euros"), ([.dollarSign], "dollar|dollars"), ([.currency("GBP")], "pfund"),
            ([.currency("JPY")], "yen"), ([.currency("CHF")], "franken|schweizer franken"),
            ([.cents], "cent|cents|rappen"),
            ([.month(1)], "jänner"), ([.month(2)], "feber"), ([.weekday(5)], "sonnabend"),
        ],
        yes:
            "ja|j|jo|jawohl|jep|klar|na klar|sicher|natürlich|gerne|ja gerne|ok|okay|stimmt|das stimmt|richtig|genau|passt|true|an|einverstanden|gern",
        no:
            "nein|n|nee|nö|ne|nein danke|falsch|stimmt nicht|das stimmt nicht|nicht|lieber nicht|false|aus|auf keinen fall|niemals|keinesfalls",
        numbers: NumberWords.german(), ordinals: germanOrdinals)

    private static var germanOrdinals: [(String, Int)] {
        var ordinals: [(String, Int)] = []
        for (word, number) in NumberWords.german() where (1...31).contains(number) {
            let stem =
                switch number {
                case 1: "erst"
                case 3: "dritt"
                case 7: "siebt"
                case 8: "acht"
                default: word + (number < 20 ? "t" : "st")
                }
            for ending in ["e", "en", "er", "es"] { ordinals.append((stem + ending, number)) }
        }
        return ordinals
    }
}
