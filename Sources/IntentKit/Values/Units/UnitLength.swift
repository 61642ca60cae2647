/// Lengths; the base is the metre.
///
/// In JSON a unit is its symbol: `mm`, `cm`, `m`, `km`, `in`, `ft`, `yd`, `mi`, `NM`.
public enum UnitLength: String, MeasurementUnit {
    case millimeters = "mm"
    case centimeters = "cm"
    case meters = "m"
    case kilometers = "km"
    case inches = "in"
    case feet = "ft"
    case yards = "yd"
    case miles = "mi"
    case nauticalMiles = "NM"

    public static var dimension: String { "a length" }

    public var definition: UnitDefinition {
        switch self {
        case .millimeters: UnitDefinition(1, over: 1000, names: ["millimeter", "millimeters", "millimetre", "millimetres"])
        case .centimeters: UnitDefinition(1, over: 100, names: ["centimeter", "centimeters", "centimetre", "centimetres"])
        case .meters: UnitDefinition(names: ["meter", "meters", "metre", "metres"])
        case .kilometers: UnitDefinition(1000, names: ["kilometer", "kilometers", "kilometre", "kilometres", "kms", "k"])
        case .inches: UnitDefinition(254, over: 10_000, names: ["inch", "inches"])
        case .feet: UnitDefinition(3048, over: 10_000, names: ["foot", "feet"])
        case .yards: UnitDefinition(9144, over: 10_000, names: ["yard", "yards"])
        case .miles: UnitDefinition(1_609_344, over: 1000, names: ["mile", "miles"])
        case .nauticalMiles: UnitDefinition(1852, names: ["nautical mile", "nautical miles", "nmi"])
        }
    }
}
