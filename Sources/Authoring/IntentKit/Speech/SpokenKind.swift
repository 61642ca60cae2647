/// The kind of value that a person's words stand for. A ``SpokenValueReading`` reads the words as this kind.
public enum SpokenKind: String, Sendable, Hashable, CaseIterable {
    /// A moment: "tomorrow at half past six".
    case dateTime
    /// A day: "next Friday".
    case date
    /// A time of day: "half past six".
    case time
    /// A number: "3,5", "three and a half".
    case number
    /// A whole number: "twelve".
    case wholeNumber
    /// A yes or a no: "yes", "nee".
    case yesNo
    /// An amount of money: "14,50 €".
    case currencyAmount
    /// A length of time: "an hour and a half".
    case duration
    /// A number with a unit: "dreieinhalb Kilometer".
    case measurement
    /// A stretch of time: "tomorrow from 2 to 4 pm".
    case dateRange
    /// A rule for a recurrence: "every other Monday".
    case recurrence
}
