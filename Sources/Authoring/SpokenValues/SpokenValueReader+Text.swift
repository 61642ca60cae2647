import Foundation
public import IntentKit

// Values in the form that a person reads.
extension SpokenValueReader {
    /// A moment in the person's time zone, to the minute, or a day, in the form of the person's language: "Wed, 25 Nov
    /// 2026 at 18:30". Yesterday, today and tomorrow come before it by name: "tomorrow, Thu, 26 Nov 2026".
    ///
    /// A number, an amount and a duration are written as in the person's language: "20,00 €". `nil` for other kinds, for
    /// what the types write in English, for a moment without a known time zone, and in languages that the reader does not
    /// support.
    public func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String? {
        guard (context.locale?.utf8.count ?? 0) <= 64, let language = SpokenLanguage.of(context.locale) else {
            return nil
        }
        if kind != .dateTime, kind != .date { return language.code == "en" ? nil : Self.text(value, kind, context) }
        let zone = context.timeZone.flatMap { $0.utf8.count <= 64 ? TimeZone(identifier: $0) : nil }
        let clock = LocalClock(context)
        var style = Date.FormatStyle(
            locale: Locale(identifier: context.locale ?? "en"), calendar: Calendar(identifier: .gregorian),
            timeZone: .gmt
        ).weekday(.abbreviated).day().month(.abbreviated).year()
        let (moment, day): (Date, CivilDay)
        if kind == .dateTime {
            guard let zone, let instant = OfferedMoment.instant(value), let said = Date(text: value) else { return nil }
            (moment, day) = (said, clock.local(instant).day)
            style = style.hour().minute()
            style.timeZone = zone
        } else {
            guard let said = CivilDay(value) else { return nil }
            (moment, day) = (Date(timeIntervalSince1970: Double(said.number) * 86_400), said)
        }
        let text = Self.plain(moment.formatted(style))
        guard let today = clock.today, let name = language.dayNames[day.number - today.number] else { return text }
        return "\(name), \(text)"
    }

    /// A number, an amount or a duration in the form of a language. The forms of English are those of the types.
    private static func text(_ value: String, _ kind: SpokenKind, _ context: SpeechContext) -> String? {
        let locale = Locale(identifier: context.locale ?? "en")
        switch kind {
        case .number:
            guard let (number, decimals) = number(value) else { return nil }
            return plain(number.formatted(.number.grouping(.never).precision(.fractionLength(decimals)).locale(locale)))
        case .currencyAmount:
            let parts = value.split(separator: " ")
            guard parts.count == 2, let (amount, decimals) = number(parts[0]) else { return nil }
            let style = Decimal.FormatStyle.Currency(code: String(parts[1]), locale: locale)
            return plain(amount.formatted(style.precision(.fractionLength(decimals))))
        case .duration:
            guard let duration = Duration(text: value) else { return nil }
            let decimals = duration.components.attoseconds == 0 ? 0 : 3
            return plain(
                duration.formatted(
                    .units(
                        allowed: [.hours, .minutes, .seconds], width: .wide,
                        fractionalPart: .show(length: decimals)
                    ).locale(locale)))
        case .wholeNumber, .yesNo, .time, .measurement, .dateRange, .recurrence, .dateTime, .date: return nil
        }
    }

    /// A number and its decimals; `nil` with an exponent.
    private static func number(_ text: some StringProtocol) -> (Decimal, decimals: Int)? {
        guard text.utf8.count <= 40, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x2E }),
            let number = Decimal(string: String(text)), !number.isNaN
        else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (number, parts.count == 2 ? parts[1].count : 0)
    }

    /// Terminals and tests expect plain spaces.
    private static func plain(_ text: String) -> String {
        text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    }
}
