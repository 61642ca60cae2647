import IntentKit
import Testing

@testable import SpokenValues

private let english = Vocabulary(
    "English", Saying(locale: "en-GB"),
    [
        .measurement: [
            "five kilometres": ["5 kilometres"], "half a mile": ["0.5 mile"], "a mile": ["1 mile"], "10km": ["10 km"],
            "two and a half litres": ["2.5 litres"], "20 degrees": ["20 °C"], "1,500 m": ["1500 m"], "kilometres": [],
            "5": [],
        ],
        .dateRange: [
            "tomorrow from 2 to 4 pm": ["03-03 14:00/03-03 16:00"],
            "from 2 to 4 pm tomorrow": ["03-03 14:00/03-03 16:00"],
            "between 2 and 4 pm": ["03-02 14:00/03-02 16:00"], "2-4pm tomorrow": ["03-03 14:00/03-03 16:00"],
            "from 11 to 2 pm": ["03-02 11:00/03-02 14:00"],
            "from 2 to 4 tomorrow": ["03-03 14:00/03-03 16:00", "03-03 02:00/03-03 04:00"],
            "Wednesday to Friday": ["03-04 00:00/03-07 00:00"], "from Friday until Monday": ["03-06 00:00/03-10 00:00"],
            "from 3 to 5 March": ["03-03 00:00/03-06 00:00"], "tomorrow": ["03-03 00:00/03-04 00:00"],
            "from tomorrow at 9am": ["03-03 09:00/.."], "until Friday at 6pm": ["../03-06 18:00"],
            "tomorrow at 2pm for two hours": ["03-03 14:00/03-03 16:00"],
            "from 10pm to 2am": ["03-02 22:00/03-03 02:00"],
            "2026-03-05/2026-03-06": ["03-05 00:00/03-07 00:00"], "March 3 to 5": [], "next week": [], "from": [],
            "from here to eternity": [], "from 8 to 22:00": ["03-03 08:00/03-03 22:00"],
            "8:00-22:00": ["03-03 08:00/03-03 22:00"], "from 3 to 5": [], "until the 15th": ["../03-16 00:00"],
            "from the 3rd to the 5th of March": ["03-03 00:00/03-06 00:00"], "Friday in two weeks": [],
            "Sunday to Sunday": [], "between Christmas and New Year": [], "quarter to seven": [],
            "from Friday 6pm to Friday 5pm": [],
        ],
        .recurrence: [
            "every day": ["FREQ=DAILY"], "daily": ["FREQ=DAILY"], "every other week": ["FREQ=WEEKLY;INTERVAL=2"],
            "every two weeks on Monday and Thursday": ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"],
            "Mondays": ["FREQ=WEEKLY;BYDAY=MO"], "on weekdays": ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
            "every weekend": ["FREQ=WEEKLY;BYDAY=SA,SU"], "every third month": ["FREQ=MONTHLY;INTERVAL=3"],
            "every day for 10 times": ["FREQ=DAILY;COUNT=10"], "weekly, ten times": ["FREQ=WEEKLY;COUNT=10"],
            "every day 3 times": [], "every first Monday": [], "every third Thursday": [],
            "every 2nd week": ["FREQ=WEEKLY;INTERVAL=2"],
            "every day until Friday": [], "every day until next Friday": [], "every Monday to Friday": [],
            "every Monday until 31 March": ["FREQ=WEEKLY;BYDAY=MO;UNTIL=20260331T215959Z"],
            "every 15 minutes": ["FREQ=MINUTELY;INTERVAL=15"], "every": [], "every Monday at nine": [], "every now": [],
            "every 0 days": [], "daily on Monday": [], "often": [],
        ],
    ])

private let german = Vocabulary(
    "German", Saying(locale: "de-DE"),
    [
        .measurement: [
            "dreieinhalb Kilometer": ["3.5 km"], "eine halbe Meile": ["0.5 mi"], "20 Grad": ["20 °C"],
            "zwei Liter": ["2 L"], "5,5 Kilo": ["5.5 kg"], "ein paar Meter": [],
        ],
        .dateRange: [
            "morgen von 14 bis 16 Uhr": ["03-03 14:00/03-03 16:00"],
            "zwischen 14 und 16 Uhr": ["03-02 14:00/03-02 16:00"],
            "von Mittwoch bis Freitag": ["03-04 00:00/03-07 00:00"], "vom 3. bis 5. März": ["03-03 00:00/03-06 00:00"],
            "bis Freitag um 18 Uhr": ["../03-06 18:00"], "ab morgen": ["03-03 00:00/.."],
            "morgen um 14 Uhr für zwei Stunden": ["03-03 14:00/03-03 16:00"], "14-16 Uhr": ["03-02 14:00/03-02 16:00"],
            "Viertel vor sieben": [], "von 8 bis 22 Uhr": ["03-03 08:00/03-03 22:00"], "vom 13. bis 15.": [],
            "bis zum 15.": [], "zwischen dem 3. und dem 5. März": ["03-03 00:00/03-06 00:00"],
            "heute in einer Woche": [],
        ],
        .recurrence: [
            "täglich": ["FREQ=DAILY"], "jeden Montag und Donnerstag": ["FREQ=WEEKLY;BYDAY=MO,TH"],
            "alle zwei Wochen": ["FREQ=WEEKLY;INTERVAL=2"], "montags": ["FREQ=WEEKLY;BYDAY=MO"],
            "jeden zweiten Tag": ["FREQ=DAILY;INTERVAL=2"], "werktags": ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
            "jede Woche, 10-mal": ["FREQ=WEEKLY;COUNT=10"],
            "jeden Montag bis Freitag": [], "jeden Tag 3 mal": [], "jeden ersten Montag": [], "jeden": [],
        ],
    ])

private let dutch = Vocabulary(
    "Dutch", Saying(locale: "nl-NL"),
    [
        .measurement: ["anderhalve kilometer": ["1.5 km"], "3,5 km": ["3.5 km"], "twintig graden": ["20 °C"]],
        .dateRange: [
            "morgen van 14.00 tot 16.00 uur": ["03-03 14:00/03-03 16:00"],
            "van woensdag tot en met vrijdag": ["03-04 00:00/03-07 00:00"],
            "tussen twee en vier uur 's middags": ["03-02 14:00/03-02 16:00"], "vanaf morgen": ["03-03 00:00/.."],
        ],
        .recurrence: [
            "elke dag": ["FREQ=DAILY"], "om de twee weken": ["FREQ=WEEKLY;INTERVAL=2"],
            "om de dag": ["FREQ=DAILY;INTERVAL=2"], "elke maandag en donderdag": ["FREQ=WEEKLY;BYDAY=MO,TH"],
            "maandags": ["FREQ=WEEKLY;BYDAY=MO"], "wekelijks, tien keer": ["FREQ=WEEKLY;COUNT=10"],
        ],
    ])

private let french = Vocabulary(
    "French", Saying(locale: "fr-FR"),
    [
        .measurement: [
            "un litre et demi": ["1.5 L"], "cinq kilomètres": ["5 km"], "80 kilomètres à l'heure": ["80 km/h"],
            "une demi": [], "deux mille": ["2 mille"],
        ],
        .dateRange: [
            "demain de 14h à 16h": ["03-03 14:00/03-03 16:00"], "entre 14h et 16h": ["03-02 14:00/03-02 16:00"],
            "du 3 au 5 mars": ["03-03 00:00/03-06 00:00"], "de mercredi à vendredi": ["03-04 00:00/03-07 00:00"],
            "de demain à 14h à demain à 16h": ["03-03 14:00/03-03 16:00"], "jusqu'à vendredi à 18h": ["../03-06 18:00"],
            "à 18h": [], "du 13 au 15": [], "entre le 3 et le 5 mars": ["03-03 00:00/03-06 00:00"],
            "de 8h à 22h": ["03-03 08:00/03-03 22:00"],
        ],
        .recurrence: [
            "tous les jours": ["FREQ=DAILY"], "toutes les deux semaines": ["FREQ=WEEKLY;INTERVAL=2"],
            "tous les lundis": ["FREQ=WEEKLY;BYDAY=MO"], "chaque lundi et jeudi": ["FREQ=WEEKLY;BYDAY=MO,TH"],
            "toutes les deux semaines, dix fois": ["FREQ=WEEKLY;INTERVAL=2;COUNT=10"], "tous les jours trois fois": [],
            "chaque mars": [],
        ],
    ])

private let spanish = Vocabulary(
    "Spanish", Saying(locale: "es-ES"),
    [
        .measurement: ["un kilómetro y medio": ["1.5 km"], "cinco litros": ["5 L"], "20 grados": ["20 °C"]],
        .dateRange: [
            "mañana de 14:00 a 16:00": ["03-03 14:00/03-03 16:00"],
            "entre las 14:00 y las 16:00": ["03-02 14:00/03-02 16:00"],
            "del 3 al 5 de marzo": ["03-03 00:00/03-06 00:00"], "desde mañana": ["03-03 00:00/.."],
            "hasta el viernes a las 18:00": ["../03-06 18:00"],
            "el 5 de marzo": ["03-05 00:00/03-06 00:00"], "el 5 de marzo de 14:00 a 16:00": ["03-05 14:00/03-05 16:00"],
            "del 13 al 15": [], "mañana a las seis": [],
        ],
        .recurrence: [
            "todos los días": ["FREQ=DAILY"], "cada dos semanas": ["FREQ=WEEKLY;INTERVAL=2"],
            "los lunes y los jueves": ["FREQ=WEEKLY;BYDAY=MO,TH"], "cada mes, diez veces": ["FREQ=MONTHLY;COUNT=10"],
        ],
    ])

@Suite("Measures, stretches of time and recurrences in words") struct SpokenStretchesTests {
    @Test(arguments: [english, german, dutch, french, spanish])
    func `of each language are read as values`(_ vocabulary: Vocabulary) { vocabulary.holds() }

    @Test(
        arguments: [
            ("en", "until Friday", .dateRange), ("de", "bis Freitag", .dateRange), ("en", "Monday", .recurrence),
            ("fr", "le lundi", .recurrence), ("de", "am Montag", .recurrence),
            ("de", "jeden zweiten Montag", .recurrence),
            ("de", "werktags", .recurrence), ("en", "from tomorrow 2pm until Friday", .dateRange),
            ("en", "weekly, ten times", .recurrence), ("en", "from 8 to 22:00", .dateRange),
        ] as [(String, String, SpokenKind)])
    func `a doubtful end or day has to be confirmed`(_ locale: String, _ words: String, _ kind: SpokenKind) throws {
        let found = Saying(locale: locale).candidates(words, kind)
        #expect(try #require(found.first).confidence < ParameterState.Provenance.sufficientConfidence)
    }

    @Test func `degrees are those of the region`() {
        #expect(Saying(locale: "en-US").texts("70 degrees", .measurement) == [])
        #expect(Saying(locale: "en").texts("70 degrees", .measurement) == [])
        #expect(Saying(locale: "en-US").texts("70 degrees fahrenheit", .measurement) == ["70 degrees fahrenheit"])
    }

    @Test func `without the time at which the person spoke, no stretch of a named day is read`() {
        let saying = Saying(locale: "en", now: nil)
        #expect(saying.candidates("tomorrow from 2 to 4 pm", .dateRange).isEmpty)
        #expect(saying.candidates("from 2 to 4 pm", .dateRange).isEmpty)
        #expect(saying.texts("from 14:00 to 16:00 on 3 March 2026", .dateRange).count == 1)
    }

    @Test func `the clocks' change makes a stretch an hour longer`() throws {
        // On 29 March 2026 the clocks skip 02:00 to 03:00.
        let found = Saying(locale: "en-GB", now: 1_774_602_000_000).texts("from Saturday to Sunday", .dateRange)
        #expect(found == ["2026-03-28T00:00:00+01:00/2026-03-30T00:00:00+02:00"])
    }
}
