#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes text of a value as it stands in JSON: "3", "true", "2026-03-02T18:30:00Z".
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
