/// Lengths of time as measurements; the base is the second. For a parameter that is simply a time span, Swift's `Duration` serves better.
///
/// In JSON a unit is its symbol: `ms`, `s`, `min`, `h`, `d`.
public enum UnitDuration: String, MeasurementUnit {
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "min"
    case hours = "h"
    case days = "d"

    public static var dimension: String { "a length of time" }

    public var definition: UnitDefinition {
        switch self {
        case .milliseconds: UnitDefinition(1, over: 1000, names: ["millisecond", "milliseconds"])
        case .seconds: UnitDefinition(names: ["sec", "secs", "second", "seconds"])
        case .minutes: UnitDefinition(60, names: ["mins", "minute", "minutes"])
        case .hours: UnitDefinition(3600, names: ["hr", "hrs", "hour", "hours"])
        case .days: UnitDefinition(86_400, names: ["day", "days"])
        }
    }
}
