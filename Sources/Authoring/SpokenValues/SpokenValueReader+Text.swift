import Foundation
public import IntentKit

// Values in the form that a person reads.
extension SpokenValueReader {
    /// A moment in the person's time zone, to the minute, or a day, in the form of the person's language: "Wed, 25 Nov
    /// 2026 at 18:30". Yesterday, today and tomorrow come before it by name: "tomorrow, Thu, 26 Nov 2026".
    ///
    /// `nil` for other kinds, for a moment without a known time zone, and in languages that the reader does not support.
    public func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String? {
        guard kind == .dateTime || kind == .date, (context.locale?.utf8.count ?? 0) <= 64,
            let language = SpokenLanguage.of(context.locale)
        else { return nil }
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
        // Terminals and tests expect plain spaces.
        let text = moment.formatted(style).replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
        guard let today = clock.today, let name = language.dayNames[day.number - today.number] else { return text }
        return "\(name), \(text)"
    }
}
