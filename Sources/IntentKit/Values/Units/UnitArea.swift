/// Areas; the base is the square metre.
///
/// In JSON a unit is its symbol: `cm²`, `m²`, `ha`, `km²`, `ft²`, `yd²`, `ac`, `mi²`.
public enum UnitArea: String, MeasurementUnit {
    case squareCentimeters = "cm²"
    case squareMeters = "m²"
    case hectares = "ha"
    case squareKilometers = "km²"
    case squareFeet = "ft²"
    case squareYards = "yd²"
    case acres = "ac"
    case squareMiles = "mi²"

    public static var dimension: String { "an area" }

    public var definition: UnitDefinition {
        switch self {
        case .squareCentimeters:
            UnitDefinition(
                1, over: 10_000,
                names: ["square centimeter", "square centimeters", "square centimetre", "square centimetres", "cm2", "sq cm"])
        case .squareMeters: UnitDefinition(names: ["square meter", "square meters", "square metre", "square metres", "m2", "sq m"])
        case .hectares: UnitDefinition(10_000, names: ["hectare", "hectares"])
        case .squareKilometers:
            UnitDefinition(
                1_000_000, names: ["square kilometer", "square kilometers", "square kilometre", "square kilometres", "km2", "sq km"])
        case .squareFeet: UnitDefinition(9_290_304, over: 100_000_000, names: ["square foot", "square feet", "ft2", "sq ft"])
        case .squareYards: UnitDefinition(83_612_736, over: 100_000_000, names: ["square yard", "square yards", "yd2", "sq yd"])
        case .acres: UnitDefinition(40_468_564_224, over: 10_000_000, names: ["acre", "acres"])
        case .squareMiles: UnitDefinition(2_589_988_110_336, over: 1_000_000, names: ["square mile", "square miles", "mi2", "sq mi"])
        }
    }
}
