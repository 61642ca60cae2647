#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lets only values of a closed range through: App Intents' `IntConverter` and `DoubleConverter` with an inclusive range.
///
/// Other values are not supported, with SiriKit's reason `belowMinimum` or `aboveMaximum`.
public struct RangeConverter<Value: ParameterValue & Comparable>: ValueConverter {
    let range: ClosedRange<Value>

    public init(range: ClosedRange<Value>) { self.range = range }

    public func convert(from value: Value, context: Context) async throws -> Value? {
        if range.contains(value) { return value }
        func text(_ value: Value) -> String { value.displayText(in: context.locale) }
        throw UnsupportedValue(
            reason: value < range.lowerBound ? "belowMinimum" : "aboveMaximum",
            dialog: "It can be \(text(range.lowerBound)) to \(text(range.upperBound)), not \(text(value)).")
    }
}

public typealias IntConverter = RangeConverter<Int>
public typealias DoubleConverter = RangeConverter<Double>
public typealias DecimalConverter = RangeConverter<Decimal>
public typealias DateConverter = RangeConverter<Date>
