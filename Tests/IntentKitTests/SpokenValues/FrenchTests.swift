import IntentKit
import Testing

@Suite("French words")
struct FrenchTests {
    private let saying = Saying(locale: "fr-FR", zone: "Europe/Paris")

    @Test("moments")
    func moments() {
        saying.expect(
            .dateTime,
            [
                "demain à six heures et demie": ["2026-03-03T18:30:00+01:00", "2026-03-03T06:30:00+01:00"],
                "demain matin à six heures": ["2026-03-03T06:00:00+01:00"],
                "ce soir à huit heures": ["2026-03-02T20:00:00+01:00"],
                "aujourd’hui à 18 h 30": ["2026-03-02T18:30:00+01:00"], "maintenant": ["2026-03-02T10:00:00+01:00"],
                "18h30": ["2026-03-02T18:30:00+01:00"],
                "dans vingt minutes": ["2026-03-02T10:20:00+01:00"],
                "dans une heure et demie": ["2026-03-02T11:30:00+01:00"],
                "il y a deux heures": ["2026-03-02T08:00:00+01:00"], "vendredi à midi": ["2026-03-06T12:00:00+01:00"],
                "le 3 avril à sept heures moins le quart du soir": ["2026-04-03T18:45:00+02:00"],
                "après-demain à 4 heures de l'après-midi": ["2026-03-04T16:00:00+01:00"],
            ])
    }

    @Test("times of day")
    func times() {
        saying.expect(
            .time,
            [
                "six heures et quart": ["18:15", "06:15"], "neuf heures moins le quart": ["08:45", "20:45"],
                "sept heures moins dix": ["18:50", "06:50"],
                "midi et demi": ["12:30"], "minuit": ["00:00"], "dix-huit heures trente": ["18:30"],
                "six heures vingt du matin": ["06:20"],
            ])
    }

    @Test("days")
    func days() {
        saying.expect(
            .date,
            [
                "aujourd'hui": ["2026-03-02"], "après-demain": ["2026-03-04"], "avant-hier": ["2026-02-28"],
                "vendredi": ["2026-03-06"],
                "vendredi prochain": ["2026-03-13", "2026-03-06"], "la semaine prochaine": ["2026-03-09"],
                "le mois prochain": ["2026-04-02"],
                "le 3 mars": ["2026-03-03"], "le premier avril": ["2026-04-01"], "1er avril 2027": ["2027-04-01"],
                "3/4/2027": ["2027-04-03"],
                "3 sept. 2027": ["2027-09-03"], "dans trois jours": ["2026-03-05"],
            ])
    }

    @Test("numbers, money, lengths of time and answers")
    func others() {
        saying.expect(
            .number,
            [
                "3,5": ["3.5"], "1 234,5": ["1234.5"], "1\u{202F}234,5": ["1234.5"], "quatre-vingt-dix-neuf": ["99"],
                "soixante et onze": ["71"],
                "trois virgule cinq": ["3.5"], "deux cent cinq": ["205"], "septante-deux": ["72"],
                "trois et demi": ["3.5"],
            ])
        saying.expect(
            .currencyAmount,
            ["14,50 €": ["14.50 EUR"], "cinq euros": ["5 EUR"], "14 euros 50": ["14.50 EUR"], "1 500 €": ["1500 EUR"]])
        saying.expect(
            .duration,
            [
                "une heure et demie": ["PT1H30M"], "une demi-heure": ["PT30M"], "un quart d'heure": ["PT15M"],
                "1 h 30": ["PT1H30M"],
                "deux heures vingt minutes": ["PT2H20M"],
            ])
        saying.expect(.yesNo, ["oui": ["true"], "d'accord": ["true"], "non merci": ["false"], "peut-être": []])
    }
}
