import IntentKit
import Testing

@Suite("German words")
struct GermanTests {
    private let saying = Saying(locale: "de-DE", zone: "Europe/Berlin")

    @Test("moments")
    func moments() {
        saying.expect(
            .dateTime,
            [
                "morgen um halb sieben": ["2026-03-03T18:30:00+01:00", "2026-03-03T06:30:00+01:00"],
                "morgen Abend um halb sieben": ["2026-03-03T18:30:00+01:00"],
                "morgen früh um sechs": ["2026-03-03T06:00:00+01:00"],
                "heute um 18 Uhr": ["2026-03-02T18:00:00+01:00"], "18 Uhr 30": ["2026-03-02T18:30:00+01:00"],
                "in zwanzig Minuten": ["2026-03-02T10:20:00+01:00"], "in einer Stunde": ["2026-03-02T11:00:00+01:00"],
                "in anderthalb Stunden": ["2026-03-02T11:30:00+01:00"], "vor zwei Tagen": ["2026-02-28T10:00:00+01:00"],
                "am Freitag um Viertel nach acht abends": ["2026-03-06T20:15:00+01:00"],
                "Freitagabend um acht": ["2026-03-06T20:00:00+01:00"],
                "am 3. April um 15:20 Uhr": ["2026-04-03T15:20:00+02:00"],
                "03.04. um 18.30 Uhr": ["2026-04-03T18:30:00+02:00"],
                "übermorgen mittag": ["2026-03-04T12:00:00+01:00"],
                "jetzt": ["2026-03-02T10:00:00+01:00"], "Freitag Morgen um neun": ["2026-03-06T09:00:00+01:00"],
                "uebermorgen um 14 Uhr": ["2026-03-04T14:00:00+01:00"],
            ])
    }

    @Test("times of day")
    func times() {
        saying.expect(
            .time,
            [
                "halb sieben": ["18:30", "06:30"], "Viertel vor neun": ["08:45", "20:45"],
                "dreiviertel neun": ["08:45", "20:45"],
                "fünf nach halb acht": ["07:35", "19:35"], "zwanzig Uhr fünfzehn": ["20:15"], "18 h": ["18:00"],
                "Mitternacht": ["00:00"],
                "sechs Uhr morgens": ["06:00"], "halb eins nachmittags": ["12:30"],
            ])
    }

    @Test("days")
    func days() {
        saying.expect(
            .date,
            [
                "heute": ["2026-03-02"], "übermorgen": ["2026-03-04"], "Freitag": ["2026-03-06"],
                "nächste Woche": ["2026-03-09"],
                "nächsten Freitag": ["2026-03-13", "2026-03-06"], "3. März": ["2026-03-03"],
                "der dritte April": ["2026-04-03"],
                "03.04.": ["2026-04-03"], "03.04.2027": ["2027-04-03"], "3.4.27": ["2027-04-03"],
                "in drei Tagen": ["2026-03-05"],
                "Sonnabend": ["2026-03-07"], "am vierundzwanzigsten Dezember": ["2026-12-24"],
            ])
    }

    @Test("numbers, money, lengths of time and answers")
    func others() {
        saying.expect(
            .number,
            [
                "3,5": ["3.5"], "1.234,5": ["1234.5"], "1.500": ["1500"], "dreiundzwanzig": ["23"],
                "drei Komma fünf": ["3.5"],
                "zweihundertfünf": ["205"], "zweieinhalb": ["2.5"], "fuenf": ["5"],
            ])
        #expect(
            saying.candidates("1.500", .number)
                == [SpokenCandidate(text: "1500", confidence: 0.6), SpokenCandidate(text: "1.500", confidence: 0.4)])
        saying.expect(
            .currencyAmount,
            ["14,50 €": ["14.50 EUR"], "fünf Euro": ["5 EUR"], "14 Euro 50": ["14.50 EUR"], "1.500 €": ["1500 EUR"]])
        saying.expect(
            .duration,
            [
                "anderthalb Stunden": ["PT1H30M"], "eine halbe Stunde": ["PT30M"],
                "eine Stunde und zwanzig Minuten": ["PT1H20M"],
                "eine Viertelstunde": ["PT15M"], "2,5 Stunden": ["PT2H30M"], "dreißig Minuten": ["PT30M"],
            ])
        saying.expect(.yesNo, ["ja": ["true"], "Nein, danke": ["false"], "vielleicht": []])
    }
}
