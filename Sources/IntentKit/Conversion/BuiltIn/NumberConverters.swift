#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A number of a whole number; beyond 2^53 the nearest there is.
public struct DoubleFromInt: InstantConverter {
    public init() {}
    public func convert(from number: Int) -> Double? { Double(number) }
}

/// The nearest number to a decimal.
public struct DoubleFromDecimal: InstantConverter {
    public init() {}
    public func convert(from number: Decimal) -> Double? { Double(text: number.description) }
}

/// A decimal of a whole number, exactly.
public struct DecimalFromInt: InstantConverter {
    public init() {}
    public func convert(from number: Int) -> Decimal? { Decimal(digits: String(number)) }
}

/// The shortest decimal that reads back as the number: 0.1 of 0.1.
public struct DecimalFromDouble: InstantConverter {
    public init() {}
    public func convert(from number: Double) -> Decimal? { Decimal(digits: "\(number)") }
}

/// A whole number of a decimal that is whole and within the bounds of `Int`.
public struct IntFromDecimal: InstantConverter {
    public init() {}
    public func convert(from number: Decimal) -> Int? { Int(number.description) }
}
