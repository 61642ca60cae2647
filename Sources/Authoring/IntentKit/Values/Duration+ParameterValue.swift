/// A length of time, to the nanosecond. In JSON a length of time is ISO 8601 text of weeks to seconds (`PT1H30M`).
/// Years and months have no fixed length and are not accepted.
///
/// A person may say "90 minutes" or "1 hour 30 minutes".
extension Duration: ParameterValue {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "a length of time such as PT30M or '30 minutes'" }
    public static var spokenKind: SpokenKind? { .duration }
    public static var jsonSchema: JSON { .typeSchema("string", format: "duration") }

    public init?(json: JSONView) { return nil }

    public init?(text: String) {
        guard let duration = DurationText.parse(text) else { return nil }
        self = duration
    }

    public func encode(to writer: inout JSONWriter) { writer.string(isoText) }

    /// The duration in ISO 8601: `PT1H30M`, `PT0.25S`, `PT0S`. A negative duration has a leading minus sign, which ISO
    /// 8601-2 defines and ``init(text:)`` accepts.
    private var isoText: String {
        let (seconds, attoseconds) = components
        let isNegative = self < .zero
        let whole = seconds.magnitude
        var text = isNegative ? "-PT" : "PT"
        if whole >= 3600 { text += "\(whole / 3600)H" }
        if whole / 60 % 60 > 0 { text += "\(whole / 60 % 60)M" }
        let nanoseconds = attoseconds.magnitude / 1_000_000_000
        if nanoseconds != 0 {
            let digits = String(nanoseconds)
            var fraction = String(repeating: "0", count: 9 - digits.count) + digits
            while fraction.last == "0" { fraction.removeLast() }
            text += "\(whole % 60).\(fraction)S"
        } else if whole % 60 > 0 || whole == 0 {
            text += "\(whole % 60)S"
        }
        return text
    }

    /// The duration in the person's language, if the registry has a ``SpokenValueReading`` that writes durations.
    public func displayText(in locale: String?) -> String {
        SpeechContext.text(of: JSON(self).view.string ?? "", as: .duration, in: locale) ?? displayText
    }

    /// The duration in words: "1 hour 30 minutes"; below a minute "12.5 seconds".
    public var displayText: String {
        let seconds = components.seconds.magnitude
        if seconds < 60 {
            let exact = Double(components.seconds) + Double(components.attoseconds) / 1e18
            return exact == 1 ? "1 second" : "\(exact.displayText) seconds"
        }
        var words: [String] = []
        for (count, unit) in [(seconds / 3600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second")]
        where count > 0 {
            words.append("\(count) \(unit)\(count == 1 ? "" : "s")")
        }
        return (self < .zero ? "minus " : "") + words.joined(separator: " ")
    }

    /// The text, and the length for "the shorter one".
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(displayText), comparison: OptionComparison(duration: self / .seconds(1)))
    }
}
