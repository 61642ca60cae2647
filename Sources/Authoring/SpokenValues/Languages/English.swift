extension LanguageWords {
    static let english = LanguageWords(
        code: "en", ordinalEndings: ["st", "nd", "rd", "th"],
        entries: [
            ([.now], "now|right now|immediately"), ([.day(0)], "today"), ([.day(1)], "tomorrow"),
            ([.day(2)], "day after tomorrow|the day after tomorrow|overmorrow"),
            ([.day(-1)], "yesterday"), ([.day(-2)], "day before yesterday|the day before yesterday"),
            ([.day(0), .part(.evening)], "tonight|this evening"), ([.day(0), .part(.morning)], "this morning"),
            ([.day(0), .part(.afternoon)], "this afternoon"), ([.day(-1), .part(.night)], "last night"),
            ([.part(.morning)], "morning|in the morning|early"), ([.part(.afternoon)], "afternoon|in the afternoon"),
            ([.part(.evening)], "evening|in the evening"), ([.part(.night)], "night|at night"),
            ([.half], "half"), ([.quarter], "quarter"), ([.threeQuarters], "three quarters"), ([.past], "past|after"),
            ([.to], "to|till|before"), ([.and], "and"),
            ([.minus], "minus|negative"), ([.point], "point"), ([.at], "at"), ([.within], "in|within"), ([.ago], "ago"),
            ([.fromNow], "from now|from today"),
            ([.later], "later"),
            ([.earlier], "earlier|sooner"), ([.longer], "longer"),
            ([.shorter], "shorter"), ([.more], "more|extra"), ([.less], "less|fewer"),
            ([.article], "a|an"),
            ([.filler], "the|on|of|please|this|o|about|around|for|coming|it is|its|by|exactly"),
            ([.next], "next"), ([.last], "last"), ([.nextWeek], "next week"),
            ([.unit(.second)], "second|seconds|sec|secs"), ([.unit(.minute)], "minute|minutes|min|mins"),
            ([.unit(.hour)], "hour|hours|hr|hrs|h"), ([.unit(.day)], "day|days"), ([.unit(.week)], "week|weeks"),
            ([.number(14), .unit(.day)], "fortnight"), ([.unit(.month)], "month|months"),
            ([.unit(.year)], "year|years"),
            ([.oclock], "oclock|o clock"), ([.am], "am|a m"), ([.pm], "pm|p m"), ([.noon], "noon|midday"),
            ([.midnight], "midnight"),
            ([.currency("EUR")], "euro|euros"), ([.dollarSign], "dollar|dollars|bucks"),
            ([.currency("GBP")], "pound|pounds|quid"),
            ([.currency("JPY")], "yen"), ([.currency("CHF")], "franc|francs"), ([.cents], "cent|cents|penny|pence"),
            ([.number(0)], "oh|nought"), ([.number(2)], "couple|couple of"), ([.month(9)], "sept"),
        ],
        yes:
            "yes|y|yeah|yep|yup|ok|okay|sure|true|on|right|correct|of course|absolutely|certainly|thats right|definitely|go ahead|please do",
        no: "no|n|nope|nah|false|off|not really|no way|never|dont|incorrect|wrong|no thanks|no thank you|negative",
        numbers: NumberWords.english(), ordinals: englishOrdinals)

    private static var englishOrdinals: [(String, Int)] {
        let low = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
        ]
        var ordinals = low.enumerated().map { ($1, $0 + 1) }
        for unit in 1...9 { ordinals.append(("twenty \(low[unit - 1])", 20 + unit)) }
        // The word "second" alone is the unit of time.
        return ordinals + [("second of", 2), ("thirtieth", 30), ("thirty first", 31)]
    }
}
