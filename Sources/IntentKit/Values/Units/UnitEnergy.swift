/// Energies; the base is the joule.
///
/// In JSON a unit is its symbol: `J`, `kJ`, `cal`, `kcal`, `kWh`.
public enum UnitEnergy: String, MeasurementUnit {
    case joules = "J"
    case kilojoules = "kJ"
    case calories = "cal"
    case kilocalories = "kcal"
    case kilowattHours = "kWh"

    public static var dimension: String { "an amount of energy" }

    public var definition: UnitDefinition {
        switch self {
        case .joules: UnitDefinition(names: ["joule", "joules"])
        case .kilojoules: UnitDefinition(1000, names: ["kilojoule", "kilojoules"])
        case .calories: UnitDefinition(4184, over: 1000, names: ["calorie", "calories"])
        case .kilocalories: UnitDefinition(4184, names: ["kilocalorie", "kilocalories"])
        case .kilowattHours: UnitDefinition(3_600_000, names: ["kilowatt hour", "kilowatt hours"])
        }
    }
}
