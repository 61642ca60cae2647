/// Speeds; the base is the metre per second.
///
/// In JSON a unit is its symbol: `m/s`, `km/h`, `mph`, `kn`.
public enum UnitSpeed: String, MeasurementUnit {
    case metersPerSecond = "m/s"
    case kilometersPerHour = "km/h"
    case milesPerHour = "mph"
    case knots = "kn"

    public static var dimension: String { "a speed" }

    public var definition: UnitDefinition {
        switch self {
        case .metersPerSecond: UnitDefinition(names: ["meter per second", "meters per second", "metre per second", "metres per second"])
        case .kilometersPerHour:
            UnitDefinition(
                5, over: 18,
                names: ["kilometer per hour", "kilometers per hour", "kilometre per hour", "kilometres per hour", "kph", "kmh"])
        case .milesPerHour: UnitDefinition(44_704, over: 100_000, names: ["mile per hour", "miles per hour"])
        case .knots: UnitDefinition(1852, over: 3600, names: ["knot", "knots"])
        }
    }
}
