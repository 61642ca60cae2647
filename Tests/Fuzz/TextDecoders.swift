import Conversation
import Foundation
import IntentKit
import IntentModel
import IntentRuntime

/// Decodes text that people and files write: templates, times, durations, language tags, numbers in words.
func decodeText(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    _ = LocalizedFormat.parts(of: text)
    _ = LocalizedText(key: text).text(in: text)
    _ = LanguageTag.first(for: text) { $0 == "nl" ? $0 : nil }
    _ = SpokenNumber.parseDouble(text)
    let folded = TextFolding.fold(text)
    require(
        TextFolding.fold(folded) == folded,
        "folding twice is folding once: '\(text)', '\(folded)', '\(TextFolding.fold(folded))'")
    require(!text.onOneLine.hasControlCharacters, "a line has no control characters")
    require(!text.printable.hasControlCharacters, "what is printable has no control characters")
    require(
        !text.withoutControlCharacters.unicodeScalars.contains { $0.isControl && $0 != "\n" },
        "what is shown has no control characters")
    if let instant = Instant(rfc3339: text) {
        require(
            Instant(rfc3339: instant.description) == instant,
            "a time is read as it was written: '\(text)' became '\(instant)'")
    }
    if let duration = DurationText.parse(text) {
        require(abs(duration.components.seconds) <= 10_000_000_000_000, "a length of time is bounded")
        _ = start.advanced(by: duration)
    }
    _ = Duration(compact: text).map { start.advanced(by: $0) }
}

/// Decodes JSON as the value of a parameter. The first byte selects the type. A value that was read and written reads
/// the same, because every phase may run in another process.
func decodeValue(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let rest = Array(input.dropFirst())
    // Any text is a value too.
    let json = (try? JSON(parsing: rest)) ?? .string(String(decoding: rest, as: UTF8.self))
    valueTypes[Int(first) % valueTypes.count](json)
}

let valueTypes: [@Sendable (JSON) -> Void] = [
    { check(Bool.self, $0) }, { check(Int.self, $0) }, { check(Double.self, $0) }, { check(Decimal.self, $0) },
    { check(String.self, $0) },
    { check(Date.self, $0) }, { check(Duration.self, $0) }, { check(URL.self, $0) },
    { check(IntentKit.Measurement<IntentKit.UnitLength>.self, $0) },
    { check(IntentKit.Measurement<IntentKit.UnitTemperature>.self, $0) },
    { check(Place.self, $0) }, { check(Person.self, $0) }, { check(IntentFile.self, $0) },
    { check(CurrencyAmount.self, $0) },
    { check(PaymentMethod.self, $0) }, { check(DateRange.self, $0) }, { check(RecurrenceRule.self, $0) },
    { check([Int].self, $0) },
    { check(Set<String>.self, $0) }, { check([Person].self, $0) },
]

private func check<Value: ParameterValue>(_ type: Value.Type, _ json: JSON) {
    guard let value = ParameterConversion<Value>.standard.read(json.view) else { return }
    _ = (value.displayText, value.optionID, value.displayRepresentation)
    let written = JSON(value)
    guard (try? JSON(parsing: written.bytes, limits: .journal)) == written else {
        return require(false, "a \(type) is written as JSON: \(json) became \(written)")
    }
    guard let again = ParameterConversion<Value>.standard.read(written.view) else {
        return require(false, "a \(type) can be read as it was written: \(json) became \(written)")
    }
    require(again == value, "a \(type) is read as it was written: \(json) became \(written)")
}
