#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The built-in converters, which every parameter has.
enum BuiltInConverters {
    /// The converters from text, and between the types of numbers.
    static let numbers: [ConverterStep] = [
        ConverterStep(IntFromString()), ConverterStep(DecimalFromString()), ConverterStep(DoubleFromString()),
        ConverterStep(BoolFromString()),
        ConverterStep(DoubleFromInt()), ConverterStep(DecimalFromInt()), ConverterStep(IntFromDecimal()),
        ConverterStep(DoubleFromDecimal()),
        ConverterStep(IntFromDouble()), ConverterStep(DecimalFromDouble()),
    ]

    /// The converters to text.
    static let texts: [ConverterStep] = [
        ConverterStep(StringFromInt()), ConverterStep(StringFromDecimal()), ConverterStep(StringFromDouble()),
        ConverterStep(StringFromBool()),
        ConverterStep(TextFrom<URL>()), ConverterStep(TextFrom<Date>()), ConverterStep(TextFrom<Duration>()),
    ]

    /// The types that a JSON number may be read as.
    static let numberTypes: [any ParameterValue.Type] = [Int.self, Decimal.self, Double.self]

    /// Returns a JSON number as every type that can hold the number, the most exact type first.
    static func readings(of json: JSONView) -> [any ParameterValue] {
        let all: [(any ParameterValue)?] = [Int(json: json), Decimal(json: json), Double(json: json)]
        return all.compactMap { $0 }
    }
}

/// A converter from text that reads as the type itself does: `3` from "three", a case of an ``AppEnum`` from its title.
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

/// A converter that writes a value as text, as in JSON: "3", "true", "2026-03-02T18:30:00Z".
public struct TextFrom<Value: ParameterValue>: InstantConverter {
    public init() {}

    public func convert(from value: Value) -> String? {
        let json = JSON(value)
        return json.view.string ?? json.description
    }
}

public typealias StringFromInt = TextFrom<Int>
public typealias StringFromDouble = TextFrom<Double>
public typealias StringFromDecimal = TextFrom<Decimal>
public typealias StringFromBool = TextFrom<Bool>
public typealias StringFromURL = TextFrom<URL>
public typealias StringFromDate = TextFrom<Date>
public typealias StringFromDuration = TextFrom<Duration>

/// A converter from text to whole numbers: in base ten also from words ("three"), in other bases from digits ("ff").
public struct IntFromString: InstantConverter {
    let radix: Int

    /// - Parameter radix: The base, 2 to 36. Other values are clamped.
    public init(radix: Int = 10) { self.radix = min(max(radix, 2), 36) }

    public func convert(from text: String) -> Int? {
        radix == 10 ? Int(text: text) : Int(SpokenNumber.trimmed(text), radix: radix)
    }
}

/// A converter from floating-point numbers to whole numbers. The number has to be whole, or is rounded by a rule.
public struct IntFromDouble: InstantConverter {
    let rule: FloatingPointRoundingRule?

    /// - Parameter rule: The rounding rule; with `nil`, a number with a fraction is not converted.
    public init(rounding rule: FloatingPointRoundingRule? = nil) { self.rule = rule }

    /// Returns the whole number, or `nil` beyond the bounds of `Int`.
    public func convert(from number: Double) -> Int? { Int(exactly: rule.map { number.rounded($0) } ?? number) }
}

/// A converter from whole numbers to floating-point numbers; beyond 2^53, to the nearest floating-point number.
public struct DoubleFromInt: InstantConverter {
    public init() {}
    public func convert(from number: Int) -> Double? { Double(number) }
}

/// A converter from decimals to the nearest floating-point number.
public struct DoubleFromDecimal: InstantConverter {
    public init() {}
    public func convert(from number: Decimal) -> Double? { Double(text: number.description) }
}

/// A converter from whole numbers to decimals, without loss.
public struct DecimalFromInt: InstantConverter {
    public init() {}
    public func convert(from number: Int) -> Decimal? { Decimal(digits: String(number)) }
}

/// A converter from floating-point numbers to the shortest decimal that reads back as the same number: 0.1 from 0.1.
public struct DecimalFromDouble: InstantConverter {
    public init() {}
    public func convert(from number: Double) -> Decimal? { Decimal(digits: "\(number)") }
}

/// A converter from decimals to whole numbers, for decimals that are whole and within the bounds of `Int`.
public struct IntFromDecimal: InstantConverter {
    public init() {}
    public func convert(from number: Decimal) -> Int? { Int(number.description) }
}

/// A converter that adds a unit to a bare number: "5" becomes 5 km if the unit is kilometres. App Intents calls the
/// unit the default unit of a parameter.
public struct MeasurementFromDouble<Unit: MeasurementUnit>: InstantConverter {
    let unit: Unit

    public init(unit: Unit) { self.unit = unit }

    public func convert(from value: Double) -> Measurement<Unit>? { Measurement(checking: value, unit) }
}

/// A converter from an element to a list of one.
public struct ListFromElement<Element: ParameterValue>: InstantConverter {
    public init() {}
    public func convert(from element: Element) -> [Element]? { [element] }
}

/// A converter from an array to the set of its elements.
public struct SetFromArray<Element: ParameterValue>: InstantConverter {
    public init() {}
    public func convert(from elements: [Element]) -> Set<Element>? { Set(elements) }
}

/// A check that accepts only the values of a closed range: App Intents' `IntConverter` and `DoubleConverter` with an
/// inclusive range.
///
/// Other values are `unsupported`, with SiriKit's reason `belowMinimum` or `aboveMaximum`.
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
