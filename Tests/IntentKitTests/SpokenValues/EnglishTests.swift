import IntentKit
import Testing

@Suite("English words")
struct EnglishTests {
    private let saying = Saying(locale: "en-GB")

    @Test("moments")
    func moments() {
        saying.expect(
            .dateTime,
            [
                "tomorrow at half past six": ["2026-03-03T18:30:00+01:00", "2026-03-03T06:30:00+01:00"],
                "tomorrow at half past six in the evening": ["2026-03-03T18:30:00+01:00"],
                "tomorrow morning at six": ["2026-03-03T06:00:00+01:00"], "tonight at 8": ["2026-03-02T20:00:00+01:00"],
                "today at six": ["2026-03-02T18:00:00+01:00"], "at 6:30pm": ["2026-03-02T18:30:00+01:00"],
                "at 9 a.m.": ["2026-03-03T09:00:00+01:00"], "18:30": ["2026-03-02T18:30:00+01:00"],
                "next Friday at 18.30": ["2026-03-13T18:30:00+01:00", "2026-03-06T18:30:00+01:00"],
                "on Friday at noon": ["2026-03-06T12:00:00+01:00"], "in 20 minutes": ["2026-03-02T10:20:00+01:00"],
                "in half an hour": ["2026-03-02T10:30:00+01:00"],
                "in an hour and a half": ["2026-03-02T11:30:00+01:00"],
                "in two weeks at 14:00": ["2026-03-16T14:00:00+01:00"], "an hour ago": ["2026-03-02T09:00:00+01:00"],
                "three days from now at 3 pm": ["2026-03-05T15:00:00+01:00"],
                "this evening": ["2026-03-02T19:00:00+01:00"],
                "tomorrow": ["2026-03-03T00:00:00+01:00"],
                "the third of April at quarter to seven pm": ["2026-04-03T18:45:00+02:00"],
                "6 pm on 3 March 2028": ["2028-03-03T18:00:00+01:00"],
                "tonight at midnight": ["2026-03-03T00:00:00+01:00"],
                "12 at night": ["2026-03-03T00:00:00+01:00"], "Wednesday six thirty pm": ["2026-03-04T18:30:00+01:00"],
                "day after tomorrow at ten past four in the afternoon": ["2026-03-04T16:10:00+01:00"],
                "now": ["2026-03-02T10:00:00+01:00"],
                "10 to 5 tomorrow afternoon": ["2026-03-03T16:50:00+01:00"],
                "Friday the 13th at 8pm": ["2026-03-13T20:00:00+01:00"], "5": [], "the weather": [],
            ])
    }

    @Test("times of day")
    func times() {
        saying.expect(
            .time,
            [
                "18:30": ["18:30"], "6 pm": ["18:00"], "half past six": ["18:30", "06:30"],
                "half six": ["18:30", "06:30"],
                "quarter past eight in the morning": ["08:15"], "a quarter to nine": ["08:45", "20:45"],
                "noon": ["12:00"],
                "midnight": ["00:00"], "six oh five am": ["06:05"], "ten to one": ["12:50"],
                "9 o'clock": ["09:00", "21:00"],
                "12:15 am": ["00:15"],
                "twenty five past six in the evening": ["18:25"], "25:00": [], "six": ["18:00", "06:00"],
                "06:30": ["06:30"],
            ])
    }

    @Test("days")
    func days() {
        saying.expect(
            .date,
            [
                "today": ["2026-03-02"], "tomorrow": ["2026-03-03"], "the day after tomorrow": ["2026-03-04"],
                "yesterday": ["2026-03-01"],
                "Friday": ["2026-03-06"], "Monday": ["2026-03-09"], "last Friday": ["2026-02-27"],
                "next week": ["2026-03-09"],
                "Friday next week": ["2026-03-13"], "3 March": ["2026-03-03"], "March 1st": ["2027-03-01"],
                "the 3rd of April": ["2026-04-03"],
                "April third, 2027": ["2027-04-03"], "3/4": ["2026-04-03"], "3/4/27": ["2027-04-03"],
                "2026-05-06": ["2026-05-06"],
                "in three days": ["2026-03-05"], "in a fortnight": ["2026-03-16"], "29 February": ["2028-02-29"],
                "30 February": [],
                "next month": ["2026-04-02"], "the 25th": ["2026-03-25"], "31/4": [],
            ])
        Saying(locale: "en-US").expect(.date, ["3/4": ["2026-03-04"], "3/25": ["2026-03-25"], "25/3": ["2026-03-25"]])
        Saying(locale: "en").expect(
            .date, ["3/4": ["2026-03-04", "2026-04-03"], "25/3": ["2026-03-25"], "4/4": ["2026-04-04"]])
        Saying(locale: nil).expect(.date, ["tomorrow": ["2026-03-03"]])
    }

    @Test("numbers")
    func numbers() {
        saying.expect(
            .number,
            [
                "three": ["3"], "three and a half": ["3.5"], "three point one four": ["3.14"], "minus five": ["-5"],
                "-5": ["-5"],
                "1,234.5": ["1234.5"], "1,500": ["1500"], "3.5": ["3.5"], "nine hundred and ninety nine": ["999"],
                "a hundred": ["100"],
                "twenty-three": ["23"], "a half": ["0.5"], "ten four": [], "": [],
            ])
        saying.expect(.wholeNumber, ["twelve": ["12"], "3.5": [], "1,000": ["1000"]])
    }

    @Test("sums of money")
    func money() {
        saying.expect(
            .currencyAmount,
            [
                "$5": ["5 USD"], "£14.50": ["14.50 GBP"], "five pounds fifty": ["5.50 GBP"],
                "14 euros and 20 cents": ["14.20 EUR"],
                "100 SEK": ["100 SEK"], "fifty pence": ["0.50 GBP"], "€1,500": ["1500 EUR"], "five": [],
            ])
        Saying(locale: "en-CA").expect(.currencyAmount, ["five dollars": ["5 CAD"]])
    }

    @Test("lengths of time")
    func durations() {
        saying.expect(
            .duration,
            [
                "an hour and a half": ["PT1H30M"], "30 min": ["PT30M"], "half an hour": ["PT30M"],
                "one hour thirty minutes": ["PT1H30M"],
                "a quarter of an hour": ["PT15M"], "2 days": ["PT48H"], "1.5 hours": ["PT1H30M"],
                "90 seconds": ["PT1M30S"],
                "two months": [], "three quarters of an hour": ["PT45M"],
            ])
    }

    @Test("yes and no")
    func answers() {
        saying.expect(.yesNo, ["Yes!": ["true"], "yeah": ["true"], "no thanks": ["false"], "perhaps": []])
    }
}
