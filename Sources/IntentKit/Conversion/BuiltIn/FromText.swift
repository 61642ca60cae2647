#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes a value of text as its type does: `3` of "three", a case of an ``AppEnum`` of its title.
public struct FromText<Value: ParameterValue>: InstantConverter {
    public init() {}
    public func convert(from text: String) -> Value? { Value(text: text) }
}

public typealias DoubleFromString = FromText<Double>
public typealias DecimalFromString = FromText<Decimal>
public typealias BoolFromString = FromText<Bool>
public typealias DateFromString = FromText<Date>
public typealias DurationFromString = FromText<Duration>
public typealias URLFromString = FromText<URL>
public typealias MeasurementFromString<Unit: MeasurementUnit> = FromText<Measurement<Unit>>
