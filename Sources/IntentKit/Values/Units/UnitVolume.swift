/// Volumes; the base is the litre. Cups, spoons, fluid ounces, pints, quarts and gallons are those of the United States unless they are
/// called imperial.
///
/// In JSON a unit is its symbol: `mL`, `cL`, `dL`, `L`, `m³`, `tsp`, `tbsp`, `fl oz`, `cup`, `pt`, `qt`, `gal`, `imp pt`, `imp gal`.
public enum UnitVolume: String, MeasurementUnit {
    case milliliters = "mL"
    case centiliters = "cL"
    case deciliters = "dL"
    case liters = "L"
    case cubicMeters = "m³"
    case teaspoons = "tsp"
    case tablespoons = "tbsp"
    case fluidOunces = "fl oz"
    case cups = "cup"
    case pints = "pt"
    case quarts = "qt"
    case gallons = "gal"
    case imperialPints = "imp pt"
    case imperialGallons = "imp gal"

    public static var dimension: String { "a volume" }

    public var definition: UnitDefinition {
        switch self {
        case .milliliters: UnitDefinition(1, over: 1000, names: ["milliliter", "milliliters", "millilitre", "millilitres"])
        case .centiliters: UnitDefinition(1, over: 100, names: ["centiliter", "centiliters", "centilitre", "centilitres"])
        case .deciliters: UnitDefinition(1, over: 10, names: ["deciliter", "deciliters", "decilitre", "decilitres"])
        case .liters: UnitDefinition(names: ["liter", "liters", "litre", "litres"])
        case .cubicMeters: UnitDefinition(1000, names: ["cubic meter", "cubic meters", "cubic metre", "cubic metres", "m3"])
        case .teaspoons: UnitDefinition(492_892_159_375, over: 100_000_000_000_000, names: ["teaspoon", "teaspoons"])
        case .tablespoons: UnitDefinition(1_478_676_478_125, over: 100_000_000_000_000, names: ["tablespoon", "tablespoons"])
        case .fluidOunces: UnitDefinition(295_735_295_625, over: 10_000_000_000_000, names: ["fluid ounce", "fluid ounces"])
        case .cups: UnitDefinition(2_365_882_365, over: 10_000_000_000, names: ["cup", "cups"])
        case .pints: UnitDefinition(473_176_473, over: 1_000_000_000, names: ["pint", "pints"])
        case .quarts: UnitDefinition(946_352_946, over: 1_000_000_000, names: ["quart", "quarts"])
        case .gallons: UnitDefinition(3_785_411_784, over: 1_000_000_000, names: ["gallon", "gallons"])
        case .imperialPints: UnitDefinition(56_826_125, over: 100_000_000, names: ["imperial pint", "imperial pints"])
        case .imperialGallons: UnitDefinition(454_609, over: 100_000, names: ["imperial gallon", "imperial gallons"])
        }
    }
}
