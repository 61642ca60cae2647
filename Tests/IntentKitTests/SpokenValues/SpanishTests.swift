import IntentKit
import Testing

@Suite("Spanish words")
struct SpanishTests {
    private let saying = Saying(locale: "es-ES", zone: "Europe/Madrid")

    @Test("moments")
    func moments() {
        saying.expect(
            .dateTime,
            [
                "mañana a las seis y media": ["2026-03-03T18:30:00+01:00", "2026-03-03T06:30:00+01:00"],
                "mañana por la mañana a las seis": ["2026-03-03T06:00:00+01:00"],
                "esta noche a las ocho": ["2026-03-02T20:00:00+01:00"],
                "ahora": ["2026-03-02T10:00:00+01:00"], "hoy a las 18:30": ["2026-03-02T18:30:00+01:00"],
                "en veinte minutos": ["2026-03-02T10:20:00+01:00"],
                "dentro de una hora y media": ["2026-03-02T11:30:00+01:00"],
                "hace dos horas": ["2026-03-02T08:00:00+01:00"],
                "el viernes a las siete menos cuarto de la tarde": ["2026-03-06T18:45:00+01:00"],
                "el 3 de abril al mediodía": ["2026-04-03T12:00:00+02:00"],
                "pasado mañana a las cuatro de la tarde": ["2026-03-04T16:00:00+01:00"],
            ])
    }

    @Test("times of day")
    func times() {
        saying.expect(
            .time,
            [
                "las seis y media": ["18:30", "06:30"], "las nueve menos cuarto": ["08:45", "20:45"],
                "las seis y diez": ["18:10", "06:10"],
                "la una y cuarto de la tarde": ["13:15"], "a las 6 p. m.": ["18:00"], "medianoche": ["00:00"],
                "las dieciocho treinta": ["18:30"],
            ])
    }

    @Test("days")
    func days() {
        saying.expect(
            .date,
            [
                "hoy": ["2026-03-02"], "pasado mañana": ["2026-03-04"], "el viernes": ["2026-03-06"],
                "el próximo viernes": ["2026-03-13", "2026-03-06"], "la semana que viene": ["2026-03-09"],
                "el mes que viene": ["2026-04-02"],
                "el 3 de marzo": ["2026-03-03"], "el primero de abril de 2027": ["2027-04-01"],
                "3/4/2027": ["2027-04-03"],
                "dentro de tres días": ["2026-03-05"], "hace dos días": ["2026-02-28"],
            ])
    }

    @Test("numbers, money, lengths of time and answers")
    func others() {
        saying.expect(
            .number,
            [
                "3,5": ["3.5"], "1.234,5": ["1234.5"], "treinta y uno": ["31"], "tres coma cinco": ["3.5"],
                "doscientos cinco": ["205"],
                "veintidós": ["22"], "tres y medio": ["3.5"],
            ])
        Saying(locale: "es-MX").expect(.number, ["1,234.5": ["1234.5"]])
        saying.expect(
            .currencyAmount,
            [
                "14,50 €": ["14.50 EUR"], "cinco euros": ["5 EUR"], "14 euros con 50": ["14.50 EUR"],
                "5 dólares": ["5 USD"],
            ])
        saying.expect(
            .duration,
            [
                "una hora y media": ["PT1H30M"], "media hora": ["PT30M"], "un cuarto de hora": ["PT15M"],
                "dos horas y veinte minutos": ["PT2H20M"],
            ])
        saying.expect(.yesNo, ["Sí": ["true"], "claro que sí": ["true"], "no, gracias": ["false"], "quizás": []])
    }
}
