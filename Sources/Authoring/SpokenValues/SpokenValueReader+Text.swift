import Foundation
public import IntentKit

// Values as the person reads them.
extension SpokenValueReader {
    /// A moment in the person's zone, to the minute, as their language writes it: "Wed, 25 Nov 2026 at 18:30". `nil` for other kinds, without a zone that is known, and in
    /// languages that are not read here.
    public func text(of value: String, as kind: SpokenKind, in context: SpeechContext) -> String? {
        guard kind == .dateTime, let moment = Date(text: value), (context.locale?.utf8.count ?? 0) <= 64,
            SpokenLanguage.of(context.locale) != nil,
            let name = context.timeZone, name.utf8.count <= 64, let zone = TimeZone(identifier: name)
        else { return nil }
        var style = Date.FormatStyle(locale: Locale(identifier: context.locale ?? "en"), timeZone: zone)
            .weekday(.abbreviated).day().month(.abbreviated).year().hour().minute()
        style.calendar = Calendar(identifier: .gregorian)
        // Narrow spaces confuse terminals and tests alike.
        return moment.formatted(style).replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    }
}
