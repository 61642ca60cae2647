extension LanguageWords {
    static let spanish = LanguageWords(
        code: "es", groupsBySpace: true, ordinalEndings: ["o", "a", "er"],
        entries: [
            ([.now], "ahora|ahora mismo|ya"), ([.day(0)], "hoy"), ([.day(1)], "mañana"), ([.day(2)], "pasado mañana"), ([.day(-1)], "ayer"),
            ([.day(-2)], "anteayer|antes de ayer"),
            ([.day(0), .part(.evening)], "esta noche"), ([.day(0), .part(.morning)], "esta mañana"),
            ([.day(0), .part(.afternoon)], "esta tarde"), ([.day(-1), .part(.night)], "anoche"),
            ([.part(.morning)], "por la mañana|de la mañana|en la mañana|de la madrugada|temprano"),
            ([.part(.afternoon)], "tarde|por la tarde|de la tarde|en la tarde"),
            ([.part(.evening)], "noche|por la noche|de la noche|en la noche"),
            ([.half], "media|medio"), ([.quarter], "cuarto"), ([.threeQuarters], "tres cuartos"), ([.and], "y|con"),
            ([.number(15), .unit(.minute)], "cuarto de hora|un cuarto de hora"), ([.number(45), .unit(.minute)], "tres cuartos de hora"),
            ([.minus], "menos"), ([.point], "coma|punto"), ([.at], "a las|a la|sobre las|hacia las|las|la"),
            ([.within], "en|dentro de"), ([.ago], "hace"),
            ([.filler], "el|los|de|del|a|por favor|este|esta|al|más o menos|en punto"),
            ([.next], "próximo|próxima|que viene"), ([.last], "pasado|pasada|último"),
            ([.nextWeek], "la semana que viene|la próxima semana|próxima semana|semana que viene"),
            ([.unit(.second)], "segundo|segundos|seg"), ([.unit(.minute)], "minuto|minutos|min"), ([.hourOrClock], "hora|horas|h"),
            ([.unit(.day)], "día|días"), ([.unit(.week)], "semana|semanas"), ([.unit(.month)], "mes|meses"),
            ([.unit(.year)], "año|años"), ([.am], "am|a m"), ([.pm], "pm|p m"), ([.noon], "mediodía|al mediodía|a mediodía"),
            ([.midnight], "medianoche|a medianoche"),
            ([.currency("EUR")], "euro|euros"), ([.dollarSign], "dólar|dólares"), ([.currency("GBP")], "libra|libras"),
            ([.currency("JPY")], "yen|yenes"), ([.currency("CHF")], "franco|francos"), ([.cents], "céntimo|céntimos|centavo|centavos"),
            ([.month(9)], "setiembre"),
        ],
        yes:
            "sí|s|claro|claro que sí|por supuesto|vale|ok|okay|de acuerdo|correcto|exacto|sí por favor|sí gracias|true|bueno|desde luego|así es",
        no: "no|n|no gracias|nunca|jamás|para nada|falso|incorrecto|false|claro que no|de ninguna manera|mejor no",
        numbers: NumberWords.spanish(), ordinals: [("primero", 1), ("primer", 1)])
}
