#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lets only values of a closed range through: App Intents' `IntResolver` and `DoubleResolver` with an inclusive range.
///
/// Other values are not supported, with SiriKit's reason `belowMinimum` or `aboveMaximum`.
public struct RangeResolver<Value: ParameterValue & Comparable>: Resolver {
    let range: ClosedRange<Value>

    public init(range: ClosedRange<Value>) { self.range = range }

    public func resolve(from value: Value, context: Context) async throws -> Value? {
        if range.contains(value) { return value }
        func text(_ value: Value) -> String { value.displayText(in: context.locale) }
        throw UnsupportedValue(
            reason: value < range.lowerBound ? "belowMinimum" : "aboveMaximum",
            dialog: "It can be \(text(range.lowerBound)) to \(text(range.upperBound)), not \(text(value)).")
    }
}

public typealias IntResolver = RangeResolver<Int>
public typealias DoubleResolver = RangeResolver<Double>
public typealias DecimalResolver = RangeResolver<Decimal>
public typealias DateResolver = RangeResolver<Date>
