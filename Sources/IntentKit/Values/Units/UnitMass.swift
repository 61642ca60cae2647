/// Masses; the base is the gram.
///
/// In JSON a unit is its symbol: `mg`, `g`, `kg`, `t`, `oz`, `lb`, `st`.
public enum UnitMass: String, MeasurementUnit {
    case milligrams = "mg"
    case grams = "g"
    case kilograms = "kg"
    case metricTons = "t"
    case ounces = "oz"
    case pounds = "lb"
    case stones = "st"

    public static var dimension: String { "a mass" }

    public var definition: UnitDefinition {
        switch self {
        case .milligrams: UnitDefinition(1, over: 1000, names: ["milligram", "milligrams", "milligramme", "milligrammes"])
        case .grams: UnitDefinition(names: ["gram", "grams", "gramme", "grammes"])
        case .kilograms: UnitDefinition(1000, names: ["kilogram", "kilograms", "kilogramme", "kilogrammes", "kilo", "kilos", "kgs"])
        case .metricTons: UnitDefinition(1_000_000, names: ["tonne", "tonnes", "metric ton", "metric tons"])
        case .ounces: UnitDefinition(45_359_237, over: 1_600_000, names: ["ounce", "ounces"])
        case .pounds: UnitDefinition(45_359_237, over: 100_000, names: ["pound", "pounds", "lbs"])
        case .stones: UnitDefinition(635_029_318, over: 100_000, names: ["stone", "stones"])
        }
    }
}
