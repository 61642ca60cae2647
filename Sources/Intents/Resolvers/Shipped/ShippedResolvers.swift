#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The resolvers that are there for every parameter.
enum ShippedResolvers {
    /// Between text and numbers, and among numbers.
    static let numbers: [ResolverStep] = [
        ResolverStep(IntFromString()), ResolverStep(DecimalFromString()), ResolverStep(DoubleFromString()), ResolverStep(BoolFromString()),
        ResolverStep(DoubleFromInt()), ResolverStep(DecimalFromInt()), ResolverStep(IntFromDecimal()), ResolverStep(DoubleFromDecimal()),
        ResolverStep(IntFromDouble()), ResolverStep(DecimalFromDouble()),
    ]

    /// To text.
    static let texts: [ResolverStep] = [
        ResolverStep(StringFromInt()), ResolverStep(StringFromDecimal()), ResolverStep(StringFromDouble()), ResolverStep(StringFromBool()),
        ResolverStep(TextFrom<URL>()), ResolverStep(TextFrom<Date>()), ResolverStep(TextFrom<Duration>()),
    ]

    /// What a JSON number may be taken for.
    static let numberTypes: [any ParameterValue.Type] = [Int.self, Decimal.self, Double.self]

    /// A JSON number as every type that can hold it, the most exact first.
    static func readings(of json: JSONView) -> [any ParameterValue] {
        let all: [(any ParameterValue)?] = [Int(json: json), Decimal(json: json), Double(json: json)]
        return all.compactMap { $0 }
    }
}
