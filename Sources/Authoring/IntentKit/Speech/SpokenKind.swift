/// What kind of value a person's words stand for: it tells a ``SpokenValueReading`` how to read them.
public enum SpokenKind: String, Sendable, Hashable, CaseIterable {
    /// A moment: "tomorrow at half past six".
    case dateTime
    /// A day: "next Friday".
    case date
    /// A time of day: "half past six".
    case time
    /// "3,5", "three and a half".
    case number
    /// "twelve".
    case wholeNumber
    /// "yes", "nee".
    case yesNo
    /// "14,50 €".
    case currencyAmount
    /// A length of time: "an hour and a half".
    case duration
}
