import Foundation
import IntentKit
import Testing

@testable import SpokenValues

/// The context of a person's words: the locale, the time zone and the time.
struct Saying {
    var locale: String?
    var zone: String? = "Europe/Amsterdam"
    /// A Monday: 2026-03-02, 10:00 in Amsterdam.
    var now: Int64? = 1_772_442_000_000

    func candidates(_ words: String, _ kind: SpokenKind) -> [SpokenCandidate] {
        let now = now.map(Date.init(milliseconds:))
        return SpokenValueReader().candidates(
            for: words, as: kind, in: SpeechContext(locale: locale, timeZone: zone, now: now))
    }

    /// The candidates that compete with the likeliest one. The person is asked to choose among them.
    func texts(_ words: String, _ kind: SpokenKind) -> [String] {
        let found = candidates(words, kind)
        return found.filter { $0.confidence > (found.first?.confidence ?? 0) - 0.15 }.map(\.text)
    }
}

/// Words of a language, with the texts that compete for their meaning. A moment is written as `03-05 18:30`, and a day
/// as `03-05`, if it is in 2026 and in Central European Time.
struct Vocabulary: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let saying: Saying
    let tables: [SpokenKind: KeyValuePairs<String, [String]>]

    init(_ name: String, _ saying: Saying, _ tables: [SpokenKind: KeyValuePairs<String, [String]>]) {
        (testDescription, self.saying, self.tables) = (name, saying, tables)
    }

    func holds() {
        for (kind, table) in tables {
            for (said, all) in table { #expect(saying.texts(said, kind) == all.map(Self.whole), "\(said) as \(kind)") }
        }
    }

    private static func whole(_ text: String) -> String {
        if text.contains(" "), text.contains("/") || text.hasPrefix("..") {
            return text.split(separator: "/").map { whole(String($0)) }.joined(separator: "/")
        }
        guard text.wholeMatch(of: /\d\d-\d\d( \d\d:\d\d)?/) != nil else { return text }
        guard text.count > 5 else { return "2026-\(text)" }
        let offset = text < "03-29" ? 1 : 2
        return "2026-\(text.replacing(" ", with: "T")):00+0\(offset):00"
    }
}

private let english = Vocabulary(
    "English", Saying(locale: "en-GB"),
    [
        .dateTime: [
            "tomorrow at half past six": ["03-03 18:30", "03-03 06:30"],
            "tomorrow at half past six in the evening": ["03-03 18:30"], "tomorrow morning at six": ["03-03 06:00"],
            "tonight at 8": ["03-02 20:00"], "today at six": ["03-02 18:00"], "at 6:30pm": ["03-02 18:30"],
            "at 9 a.m.": ["03-03 09:00"], "18:30": ["03-02 18:30"],
            "next Friday at 18.30": ["03-13 18:30", "03-06 18:30"], "on Friday at noon": ["03-06 12:00"],
            "in 20 minutes": ["03-02 10:20"], "in half an hour": ["03-02 10:30"],
            "in an hour and a half": ["03-02 11:30"], "in two weeks at 14:00": ["03-16 14:00"],
            "an hour ago": ["03-02 09:00"], "three days from now at 3 pm": ["03-05 15:00"],
            "this evening": ["03-02 19:00"], "tomorrow": ["03-03 00:00"],
            "the third of April at quarter to seven pm": ["04-03 18:45"],
            "6 pm on 3 March 2028": ["2028-03-03T18:00:00+01:00"], "tonight at midnight": ["03-03 00:00"],
            "12 at night": ["03-03 00:00"], "Wednesday six thirty pm": ["03-04 18:30"],
            "day after tomorrow at ten past four in the afternoon": ["03-04 16:10"], "now": ["03-02 10:00"],
            "10 to 5 tomorrow afternoon": ["03-03 16:50"], "Friday the 13th at 8pm": ["03-13 20:00"], "5": [],
            "the weather": [],
        ],
        .time: [
            "18:30": ["18:30"], "6 pm": ["18:00"], "half past six": ["18:30", "06:30"], "half six": ["18:30", "06:30"],
            "quarter past eight in the morning": ["08:15"], "a quarter to nine": ["08:45", "20:45"], "noon": ["12:00"],
            "midnight": ["00:00"], "six oh five am": ["06:05"], "ten to one": ["12:50"],
            "9 o'clock": ["09:00", "21:00"], "12:15 am": ["00:15"], "twenty five past six in the evening": ["18:25"],
            "25:00": [], "six": ["18:00", "06:00"], "06:30": ["06:30"],
        ],
        .date: [
            "today": ["03-02"], "tomorrow": ["03-03"], "the day after tomorrow": ["03-04"], "yesterday": ["03-01"],
            "Friday": ["03-06"], "Monday": ["03-09"], "last Friday": ["02-27"], "next week": ["03-09"],
            "Friday next week": ["03-13"], "3 March": ["03-03"], "March 1st": ["2027-03-01"],
            "the 3rd of April": ["04-03"], "April third, 2027": ["2027-04-03"], "3/4": ["04-03"],
            "3/4/27": ["2027-04-03"], "2026-05-06": ["05-06"], "in three days": ["03-05"],
            "in a fortnight": ["03-16"], "29 February": ["2028-02-29"], "30 February": [], "next month": ["04-02"],
            "the 25th": ["03-25"], "31/4": [],
        ],
        .number: [
            "three": ["3"], "three and a half": ["3.5"], "three point one four": ["3.14"], "minus five": ["-5"],
            "-5": ["-5"], "1,234.5": ["1234.5"], "1,500": ["1500"], "3.5": ["3.5"],
            "nine hundred and ninety nine": ["999"], "a hundred": ["100"], "twenty-three": ["23"], "a half": ["0.5"],
            "ten four": [], "": [],
        ], .wholeNumber: ["twelve": ["12"], "3.5": [], "1,000": ["1000"]],
        .currencyAmount: [
            "$5": ["5 USD"], "£14.50": ["14.50 GBP"], "five pounds fifty": ["5.50 GBP"],
            "14 euros and 20 cents": ["14.20 EUR"], "100 SEK": ["100 SEK"], "fifty pence": ["0.50 GBP"],
            "€1,500": ["1500 EUR"], "five": [],
        ],
        .duration: [
            "an hour and a half": ["PT1H30M"], "30 min": ["PT30M"], "half an hour": ["PT30M"],
            "one hour thirty minutes": ["PT1H30M"], "a quarter of an hour": ["PT15M"], "2 days": ["PT48H"],
            "1.5 hours": ["PT1H30M"], "90 seconds": ["PT1M30S"], "two months": [],
            "three quarters of an hour": ["PT45M"],
        ], .yesNo: ["Yes!": ["true"], "yeah": ["true"], "no thanks": ["false"], "perhaps": []],
    ])

private let dutch = Vocabulary(
    "Dutch", Saying(locale: "nl-NL"),
    [
        .dateTime: [
            "morgen om half zeven": ["03-03 18:30", "03-03 06:30"], "morgenavond om half zeven": ["03-03 18:30"],
            "vanavond om acht uur": ["03-02 20:00"], "vandaag om 6 uur": ["03-02 18:00"],
            "over twintig minuten": ["03-02 10:20"], "over een uur": ["03-02 11:00"],
            "over anderhalf uur": ["03-02 11:30"], "vrijdagavond om kwart over zeven": ["03-06 19:15"],
            "18.30 uur": ["03-02 18:30"], "overmorgen om 15 uur 20": ["03-04 15:20"],
            "een uur geleden": ["03-02 09:00"], "vijf voor half zeven 's avonds": ["03-02 18:25"],
            "3 april om 12 uur 's middags": ["04-03 12:00"], "nu": ["03-02 10:00"],
            "morgen om 2 uur 's nachts": ["03-04 02:00"],
        ],
        .time: [
            "half zeven": ["18:30", "06:30"], "kwart voor negen": ["08:45", "20:45"],
            "tien over zes 's ochtends": ["06:10"], "tien voor half acht": ["07:20", "19:20"],
            "18 uur 30": ["18:30"], "18u30": ["18:30"], "middernacht": ["00:00"], "drieëntwintig uur": ["23:00"],
            "half een 's middags": ["12:30"],
        ],
        .date: [
            "vandaag": ["03-02"], "overmorgen": ["03-04"], "vrijdag": ["03-06"], "aanstaande vrijdag": ["03-06"],
            "volgende vrijdag": ["03-13", "03-06"], "vrijdag volgende week": ["03-13"], "volgende week": ["03-09"],
            "3 maart": ["03-03"], "de derde april": ["04-03"], "3e april 2027": ["2027-04-03"],
            "3-4-2027": ["2027-04-03"], "3/4": ["04-03"], "over drie dagen": ["03-05"], "twee dagen geleden": ["02-28"],
        ],
        .number: [
            "3,5": ["3.5"], "1.234,5": ["1234.5"], "drieëntwintig": ["23"], "drie komma vijf": ["3.5"],
            "tweehonderdvijf": ["205"],
        ],
        .currencyAmount: [
            "14,50 €": ["14.50 EUR"], "vijf euro": ["5 EUR"], "14 euro 50": ["14.50 EUR"], "€ 1.500": ["1500 EUR"],
        ],
        .duration: [
            "anderhalf uur": ["PT1H30M"], "een half uur": ["PT30M"], "twee uur en een kwartier": ["PT2H15M"],
            "30 min": ["PT30M"], "een uur en twintig minuten": ["PT1H20M"], "drie kwartier": ["PT45M"],
            "tweeënhalf uur": ["PT2H30M"],
        ], .yesNo: ["ja": ["true"], "nee, dank je": ["false"], "Jazeker": ["true"], "misschien": []],
    ])

private let german = Vocabulary(
    "German", Saying(locale: "de-DE", zone: "Europe/Berlin"),
    [
        .dateTime: [
            "morgen um halb sieben": ["03-03 18:30", "03-03 06:30"], "morgen Abend um halb sieben": ["03-03 18:30"],
            "morgen früh um sechs": ["03-03 06:00"], "heute um 18 Uhr": ["03-02 18:00"],
            "18 Uhr 30": ["03-02 18:30"], "in zwanzig Minuten": ["03-02 10:20"], "in einer Stunde": ["03-02 11:00"],
            "in anderthalb Stunden": ["03-02 11:30"], "vor zwei Tagen": ["02-28 10:00"],
            "am Freitag um Viertel nach acht abends": ["03-06 20:15"], "Freitagabend um acht": ["03-06 20:00"],
            "am 3. April um 15:20 Uhr": ["04-03 15:20"], "03.04. um 18.30 Uhr": ["04-03 18:30"],
            "übermorgen mittag": ["03-04 12:00"], "jetzt": ["03-02 10:00"],
            "Freitag Morgen um neun": ["03-06 09:00"], "uebermorgen um 14 Uhr": ["03-04 14:00"],
        ],
        .time: [
            "halb sieben": ["18:30", "06:30"], "Viertel vor neun": ["08:45", "20:45"],
            "dreiviertel neun": ["08:45", "20:45"], "fünf nach halb acht": ["07:35", "19:35"],
            "zwanzig Uhr fünfzehn": ["20:15"], "18 h": ["18:00"], "Mitternacht": ["00:00"],
            "sechs Uhr morgens": ["06:00"], "halb eins nachmittags": ["12:30"],
        ],
        .date: [
            "heute": ["03-02"], "übermorgen": ["03-04"], "Freitag": ["03-06"], "nächste Woche": ["03-09"],
            "nächsten Freitag": ["03-13", "03-06"], "3. März": ["03-03"], "der dritte April": ["04-03"],
            "03.04.": ["04-03"], "03.04.2027": ["2027-04-03"], "3.4.27": ["2027-04-03"], "in drei Tagen": ["03-05"],
            "Sonnabend": ["03-07"], "am vierundzwanzigsten Dezember": ["12-24"],
        ],
        .number: [
            "3,5": ["3.5"], "1.234,5": ["1234.5"], "1.500": ["1500"], "dreiundzwanzig": ["23"],
            "drei Komma fünf": ["3.5"], "zweihundertfünf": ["205"], "zweieinhalb": ["2.5"], "fuenf": ["5"],
        ],
        .currencyAmount: [
            "14,50 €": ["14.50 EUR"], "fünf Euro": ["5 EUR"], "14 Euro 50": ["14.50 EUR"], "1.500 €": ["1500 EUR"],
        ],
        .duration: [
            "anderthalb Stunden": ["PT1H30M"], "eine halbe Stunde": ["PT30M"],
            "eine Stunde und zwanzig Minuten": ["PT1H20M"], "eine Viertelstunde": ["PT15M"], "2,5 Stunden": ["PT2H30M"],
            "dreißig Minuten": ["PT30M"],
        ], .yesNo: ["ja": ["true"], "Nein, danke": ["false"], "vielleicht": []],
    ])

private let french = Vocabulary(
    "French", Saying(locale: "fr-FR", zone: "Europe/Paris"),
    [
        .dateTime: [
            "demain à six heures et demie": ["03-03 18:30", "03-03 06:30"],
            "demain matin à six heures": ["03-03 06:00"], "ce soir à huit heures": ["03-02 20:00"],
            "aujourd’hui à 18 h 30": ["03-02 18:30"], "maintenant": ["03-02 10:00"], "18h30": ["03-02 18:30"],
            "dans vingt minutes": ["03-02 10:20"], "dans une heure et demie": ["03-02 11:30"],
            "il y a deux heures": ["03-02 08:00"], "vendredi à midi": ["03-06 12:00"],
            "le 3 avril à sept heures moins le quart du soir": ["04-03 18:45"],
            "après-demain à 4 heures de l'après-midi": ["03-04 16:00"],
        ],
        .time: [
            "six heures et quart": ["18:15", "06:15"], "neuf heures moins le quart": ["08:45", "20:45"],
            "sept heures moins dix": ["18:50", "06:50"], "midi et demi": ["12:30"], "minuit": ["00:00"],
            "dix-huit heures trente": ["18:30"], "six heures vingt du matin": ["06:20"],
        ],
        .date: [
            "aujourd'hui": ["03-02"], "après-demain": ["03-04"], "avant-hier": ["02-28"], "vendredi": ["03-06"],
            "vendredi prochain": ["03-13", "03-06"], "la semaine prochaine": ["03-09"], "le mois prochain": ["04-02"],
            "le 3 mars": ["03-03"], "le premier avril": ["04-01"], "1er avril 2027": ["2027-04-01"],
            "3/4/2027": ["2027-04-03"], "3 sept. 2027": ["2027-09-03"], "dans trois jours": ["03-05"],
        ],
        .number: [
            "3,5": ["3.5"], "1 234,5": ["1234.5"], "1\u{202F}234,5": ["1234.5"], "quatre-vingt-dix-neuf": ["99"],
            "soixante et onze": ["71"], "trois virgule cinq": ["3.5"], "deux cent cinq": ["205"],
            "septante-deux": ["72"], "trois et demi": ["3.5"],
        ],
        .currencyAmount: [
            "14,50 €": ["14.50 EUR"], "cinq euros": ["5 EUR"], "14 euros 50": ["14.50 EUR"], "1 500 €": ["1500 EUR"],
        ],
        .duration: [
            "une heure et demie": ["PT1H30M"], "une demi-heure": ["PT30M"], "un quart d'heure": ["PT15M"],
            "1 h 30": ["PT1H30M"], "deux heures vingt minutes": ["PT2H20M"],
        ], .yesNo: ["oui": ["true"], "d'accord": ["true"], "non merci": ["false"], "peut-être": []],
    ])

private let spanish = Vocabulary(
    "Spanish", Saying(locale: "es-ES", zone: "Europe/Madrid"),
    [
        .dateTime: [
            "mañana a las seis y media": ["03-03 18:30", "03-03 06:30"],
            "mañana por la mañana a las seis": ["03-03 06:00"], "esta noche a las ocho": ["03-02 20:00"],
            "ahora": ["03-02 10:00"], "hoy a las 18:30": ["03-02 18:30"], "en veinte minutos": ["03-02 10:20"],
            "dentro de una hora y media": ["03-02 11:30"], "hace dos horas": ["03-02 08:00"],
            "el viernes a las siete menos cuarto de la tarde": ["03-06 18:45"],
            "el 3 de abril al mediodía": ["04-03 12:00"], "pasado mañana a las cuatro de la tarde": ["03-04 16:00"],
        ],
        .time: [
            "las seis y media": ["18:30", "06:30"], "las nueve menos cuarto": ["08:45", "20:45"],
            "las seis y diez": ["18:10", "06:10"], "la una y cuarto de la tarde": ["13:15"],
            "a las 6 p. m.": ["18:00"], "medianoche": ["00:00"], "las dieciocho treinta": ["18:30"],
        ],
        .date: [
            "hoy": ["03-02"], "pasado mañana": ["03-04"], "el viernes": ["03-06"],
            "el próximo viernes": ["03-13", "03-06"], "la semana que viene": ["03-09"], "el mes que viene": ["04-02"],
            "el 3 de marzo": ["03-03"], "el primero de abril de 2027": ["2027-04-01"], "3/4/2027": ["2027-04-03"],
            "dentro de tres días": ["03-05"], "hace dos días": ["02-28"],
        ],
        .number: [
            "3,5": ["3.5"], "1.234,5": ["1234.5"], "treinta y uno": ["31"], "tres coma cinco": ["3.5"],
            "doscientos cinco": ["205"], "veintidós": ["22"], "tres y medio": ["3.5"],
        ],
        .currencyAmount: [
            "14,50 €": ["14.50 EUR"], "cinco euros": ["5 EUR"], "14 euros con 50": ["14.50 EUR"],
            "5 dólares": ["5 USD"],
        ],
        .duration: [
            "una hora y media": ["PT1H30M"], "media hora": ["PT30M"], "un cuarto de hora": ["PT15M"],
            "dos horas y veinte minutos": ["PT2H20M"],
        ], .yesNo: ["Sí": ["true"], "claro que sí": ["true"], "no, gracias": ["false"], "quizás": []],
    ])

private let others = [
    Vocabulary(
        "English in the US", Saying(locale: "en-US"), [.date: ["3/4": ["03-04"], "3/25": ["03-25"], "25/3": ["03-25"]]]),
    Vocabulary(
        "English of no country", Saying(locale: "en"),
        [.date: ["3/4": ["03-04", "04-03"], "25/3": ["03-25"], "4/4": ["04-04"]]]),
    Vocabulary("words of no language", Saying(locale: nil), [.date: ["tomorrow": ["03-03"]]]),
    Vocabulary("English in Canada", Saying(locale: "en-CA"), [.currencyAmount: ["five dollars": ["5 CAD"]]]),
    Vocabulary("Spanish in Mexico", Saying(locale: "es-MX"), [.number: ["1,234.5": ["1234.5"]]]),
]

/// 2026-03-28, 10:00 in Amsterdam: the clocks go forward in the night.
private let beforeSpring = Saying(locale: "en-GB", now: 1_774_688_400_000)
/// 2026-10-24, 10:00 in Amsterdam: the clocks go back in the night.
private let beforeAutumn = Saying(locale: "en-GB", now: 1_792_828_800_000)

private let clocks = [
    Vocabulary(
        "a time that the clocks skip moves forward", beforeSpring,
        [.dateTime: ["tomorrow at 02:30": ["03-29 03:30"], "tomorrow at 03:00": ["03-29 03:00"]]]),
    Vocabulary(
        "of a time that comes twice, it is the first", beforeAutumn,
        [.dateTime: ["tomorrow at 02:30": ["10-25 02:30"], "tomorrow at 03:00": ["2026-10-25T03:00:00+01:00"]]]),
    Vocabulary(
        "hours are hours across the change, and days are days", beforeSpring,
        [.dateTime: ["in 24 hours": ["03-29 11:00"], "in one day": ["03-29 10:00"]]]),
    Vocabulary(
        "without a zone times are in UTC", Saying(locale: "en", zone: nil),
        [.dateTime: ["tomorrow at 18:30": ["2026-03-03T18:30:00+00:00"]]]),
    Vocabulary(
        "in an unknown zone times are in UTC", Saying(locale: "en", zone: "Nowhere/Town"),
        [.dateTime: ["tomorrow at 18:30": ["2026-03-03T18:30:00+00:00"]]]),
    Vocabulary(
        "without a clock there is no tomorrow", Saying(locale: "en", now: nil),
        [
            .dateTime: ["tomorrow at 18:30": [], "3 March 2028 at 18:30": ["2028-03-03T18:30:00+01:00"]],
            .time: ["half past six": ["18:30", "06:30"]],
        ]),
    Vocabulary(
        "the day is the person's in Auckland", Saying(locale: "en", zone: "Pacific/Auckland"),
        [.date: ["today": ["03-02"]]]),
    Vocabulary(
        "the day is the person's, not that of UTC, in Auckland",
        Saying(locale: "en", zone: "Pacific/Auckland", now: 1_772_451_000_000), [.date: ["today": ["03-03"]]]),
    Vocabulary(
        "the day is the person's, not that of UTC, in Los Angeles",
        Saying(locale: "en", zone: "America/Los_Angeles", now: 1_772_434_800_000), [.date: ["today": ["03-01"]]]),
]

@Suite("Spoken words") struct SpokenWordsTests {
    @Test(arguments: [english, dutch, german, french, spanish] + others)
    func `of each language are read as values`(_ vocabulary: Vocabulary) { vocabulary.holds() }

    @Test(arguments: clocks)
    func `are read by the person's clock`(_ vocabulary: Vocabulary) { vocabulary.holds() }

    @Test func `with two meanings of different likelihood have both meanings`() {
        let candidates = Saying(locale: "de-DE", zone: "Europe/Berlin").candidates("1.500", .number)
        #expect(candidates.map(\.text) == ["1500", "1.500"] && candidates.map(\.confidence) == [0.6, 0.4])
    }
}
