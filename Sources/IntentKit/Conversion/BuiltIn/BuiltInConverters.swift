#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The converters that are there for every parameter.
enum BuiltInConverters {
    /// Between text and numbers, and among numbers.
    static let numbers: [ConverterStep] = [
        ConverterStep(IntFromString()), ConverterStep(DecimalFromString()), ConverterStep(DoubleFromString()),
        ConverterStep(BoolFromString()),
        ConverterStep(DoubleFromInt()), ConverterStep(DecimalFromInt()), ConverterStep(IntFromDecimal()),
        ConverterStep(DoubleFromDecimal()),
        ConverterStep(IntFromDouble()), ConverterStep(DecimalFromDouble()),
    ]

    /// To text.
    static let texts: [ConverterStep] = [
        ConverterStep(StringFromInt()), ConverterStep(StringFromDecimal()), ConverterStep(StringFromDouble()),
        ConverterStep(StringFromBool()),
        ConverterStep(TextFrom<URL>()), ConverterStep(TextFrom<Date>()), ConverterStep(TextFrom<Duration>()),
    ]

    /// What a JSON number may be taken for.
    static let numberTypes: [any ParameterValue.Type] = [Int.self, Decimal.self, Double.self]

    /// A JSON number as every type that can hold it, the most exact first.
    static func readings(of json: JSONView) -> [any ParameterValue] {
        let all: [(any ParameterValue)?] = [Int(json: json), Decimal(json: json), Double(json: json)]
        return all.compactMap { $0 }
    }
}
