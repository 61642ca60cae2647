import Foundation
public import IntentKit

// Values in the form that a person reads.
extension SpokenValueReader {
    /// A moment in the person's time zone, to the minute, in the form of the person's language: "Wed, 25 Nov 2026 at
    /// 18:30". `nil` for other kinds, without a known time zone, and in languages that the reader does not support.
    public func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String? {
        guard kind == .dateTime, let moment = Date(text: value), (context.locale?.utf8.count ?? 0) <= 64,
            SpokenLanguage.of(context.locale) != nil,
            let name = context.timeZone, name.utf8.count <= 64, let zone = TimeZone(identifier: name)
        else { return nil }
        var style = Date.FormatStyle(locale: Locale(identifier: context.locale ?? "en"), timeZone: zone)
            .weekday(.abbreviated).day().month(.abbreviated).year().hour().minute()
        style.calendar = Calendar(identifier: .gregorian)
        // Terminals and tests expect plain spaces.
        return moment.formatted(style).replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    }
}
