/// One interpretation of a person's words, with its confidence.
public struct SpokenCandidate: Sendable, Hashable {
    /// The value as text that the type's `init(text:)` reads:
    ///
    /// | ``SpokenKind`` | Text |
    /// | --- | --- |
    /// | `dateTime` | `2026-03-02T18:30:00+01:00` |
    /// | `date` | `2026-03-02` |
    /// | `time` | `18:30` |
    /// | `number`, `wholeNumber` | `3.5`, `12` |
    /// | `yesNo` | `true`, `false` |
    /// | `currencyAmount` | `14.50 EUR` |
    /// | `duration` | `PT1H30M` |
    /// | `measurement` | `3.5 km` |
    /// | `dateRange` | `2026-03-02T18:00:00Z/2026-03-02T20:00:00Z`, with `..` for an open end |
    /// | `recurrence` | `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO` |
    public var text: String
    /// The likelihood that the person meant this value: 0 to 1.
    public var confidence: Double

    public init(text: String, confidence: Double) {
        self.text = text
        self.confidence = min(max(confidence, 0), 1)
    }
}
