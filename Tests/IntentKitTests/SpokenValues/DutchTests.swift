import IntentKit
import Testing

@Suite("Dutch words")
struct DutchTests {
    private let saying = Saying(locale: "nl-NL")

    @Test("moments")
    func moments() {
        saying.expect(
            .dateTime,
            [
                "morgen om half zeven": ["2026-03-03T18:30:00+01:00", "2026-03-03T06:30:00+01:00"],
                "morgenavond om half zeven": ["2026-03-03T18:30:00+01:00"],
                "vanavond om acht uur": ["2026-03-02T20:00:00+01:00"],
                "vandaag om 6 uur": ["2026-03-02T18:00:00+01:00"],
                "over twintig minuten": ["2026-03-02T10:20:00+01:00"],
                "over een uur": ["2026-03-02T11:00:00+01:00"], "over anderhalf uur": ["2026-03-02T11:30:00+01:00"],
                "vrijdagavond om kwart over zeven": ["2026-03-06T19:15:00+01:00"],
                "18.30 uur": ["2026-03-02T18:30:00+01:00"],
                "overmorgen om 15 uur 20": ["2026-03-04T15:20:00+01:00"],
                "een uur geleden": ["2026-03-02T09:00:00+01:00"],
                "vijf voor half zeven 's avonds": ["2026-03-02T18:25:00+01:00"],
                "3 april om 12 uur 's middags": ["2026-04-03T12:00:00+02:00"],
                "nu": ["2026-03-02T10:00:00+01:00"], "morgen om 2 uur 's nachts": ["2026-03-04T02:00:00+01:00"],
            ])
    }

    @Test("times of day")
    func times() {
        saying.expect(
            .time,
            [
                "half zeven": ["18:30", "06:30"], "kwart voor negen": ["08:45", "20:45"],
                "tien over zes 's ochtends": ["06:10"],
                "tien voor half acht": ["07:20", "19:20"], "18 uur 30": ["18:30"], "18u30": ["18:30"],
                "middernacht": ["00:00"],
                "drieëntwintig uur": ["23:00"], "half een 's middags": ["12:30"],
            ])
    }

    @Test("days")
    func days() {
        saying.expect(
            .date,
            [
                "vandaag": ["2026-03-02"], "overmorgen": ["2026-03-04"], "vrijdag": ["2026-03-06"],
                "aanstaande vrijdag": ["2026-03-06"],
                "volgende vrijdag": ["2026-03-13", "2026-03-06"], "vrijdag volgende week": ["2026-03-13"],
                "volgende week": ["2026-03-09"],
                "3 maart": ["2026-03-03"], "de derde april": ["2026-04-03"], "3e april 2027": ["2027-04-03"],
                "3-4-2027": ["2027-04-03"],
                "3/4": ["2026-04-03"], "over drie dagen": ["2026-03-05"], "twee dagen geleden": ["2026-02-28"],
            ])
    }

    @Test("numbers, money, lengths of time and answers")
    func others() {
        saying.expect(
            .number,
            [
                "3,5": ["3.5"], "1.234,5": ["1234.5"], "drieëntwintig": ["23"], "drie komma vijf": ["3.5"],
                "tweehonderdvijf": ["205"],
            ])
        saying.expect(
            .currencyAmount,
            ["14,50 €": ["14.50 EUR"], "vijf euro": ["5 EUR"], "14 euro 50": ["14.50 EUR"], "€ 1.500": ["1500 EUR"]])
        saying.expect(
            .duration,
            [
                "anderhalf uur": ["PT1H30M"], "een half uur": ["PT30M"], "twee uur en een kwartier": ["PT2H15M"],
                "30 min": ["PT30M"],
                "een uur en twintig minuten": ["PT1H20M"], "drie kwartier": ["PT45M"], "tweeënhalf uur": ["PT2H30M"],
            ])
        saying.expect(.yesNo, ["ja": ["true"], "nee, dank je": ["false"], "Jazeker": ["true"], "misschien": []])
    }
}
