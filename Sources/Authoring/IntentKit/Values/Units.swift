/// The units of length; the base is the metre.
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
        case .millimeters:
            UnitDefinition(1, over: 1000, names: ["millimeter", "millimeters", "millimetre", "millimetres"])
        case .centimeters:
            UnitDefinition(1, over: 100, names: ["centimeter", "centimeters", "centimetre", "centimetres"])
        case .meters: UnitDefinition(names: ["meter", "meters", "metre", "metres"])
        case .kilometers:
            UnitDefinition(1000, names: ["kilometer", "kilometers", "kilometre", "kilometres", "kms", "k"])
        case .inches: UnitDefinition(254, over: 10_000, names: ["inch", "inches"])
        case .feet: UnitDefinition(3048, over: 10_000, names: ["foot", "feet"])
        case .yards: UnitDefinition(9144, over: 10_000, names: ["yard", "yards"])
        case .miles: UnitDefinition(1_609_344, over: 1000, names: ["mile", "miles"])
        case .nauticalMiles: UnitDefinition(1852, names: ["nautical mile", "nautical miles", "nmi"])
        }
    }
}

/// The units of area; the base is the square metre.
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
                names: [
                    "square centimeter", "square centimeters", "square centimetre", "square centimetres", "cm2",
                    "sq cm",
                ])
        case .squareMeters:
            UnitDefinition(names: ["square meter", "square meters", "square metre", "square metres", "m2", "sq m"])
        case .hectares: UnitDefinition(10_000, names: ["hectare", "hectares"])
        case .squareKilometers:
            UnitDefinition(
                1_000_000,
                names: [
                    "square kilometer", "square kilometers", "square kilometre", "square kilometres", "km2", "sq km",
                ])
        case .squareFeet:
            UnitDefinition(9_290_304, over: 100_000_000, names: ["square foot", "square feet", "ft2", "sq ft"])
        case .squareYards:
            UnitDefinition(83_612_736, over: 100_000_000, names: ["square yard", "square yards", "yd2", "sq yd"])
        case .acres: UnitDefinition(40_468_564_224, over: 10_000_000, names: ["acre", "acres"])
        case .squareMiles:
            UnitDefinition(2_589_988_110_336, over: 1_000_000, names: ["square mile", "square miles", "mi2", "sq mi"])
        }
    }
}

/// The units of volume; the base is the litre. Cups, spoons, fluid ounces, pints, quarts and gallons are those of the
/// United States, except for the units called imperial.
///
/// In JSON a unit is its symbol: `mL`, `cL`, `dL`, `L`, `m³`, `tsp`, `tbsp`, `fl oz`, `cup`, `pt`, `qt`, `gal`,
/// `imp pt`, `imp gal`.
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
        case .milliliters:
            UnitDefinition(1, over: 1000, names: ["milliliter", "milliliters", "millilitre", "millilitres"])
        case .centiliters:
            UnitDefinition(1, over: 100, names: ["centiliter", "centiliters", "centilitre", "centilitres"])
        case .deciliters: UnitDefinition(1, over: 10, names: ["deciliter", "deciliters", "decilitre", "decilitres"])
        case .liters: UnitDefinition(names: ["liter", "liters", "litre", "litres"])
        case .cubicMeters:
            UnitDefinition(1000, names: ["cubic meter", "cubic meters", "cubic metre", "cubic metres", "m3"])
        case .teaspoons: UnitDefinition(492_892_159_375, over: 100_000_000_000_000, names: ["teaspoon", "teaspoons"])
        case .tablespoons:
            UnitDefinition(1_478_676_478_125, over: 100_000_000_000_000, names: ["tablespoon", "tablespoons"])
        case .fluidOunces:
            UnitDefinition(295_735_295_625, over: 10_000_000_000_000, names: ["fluid ounce", "fluid ounces"])
        case .cups: UnitDefinition(2_365_882_365, over: 10_000_000_000, names: ["cup", "cups"])
        case .pints: UnitDefinition(473_176_473, over: 1_000_000_000, names: ["pint", "pints"])
        case .quarts: UnitDefinition(946_352_946, over: 1_000_000_000, names: ["quart", "quarts"])
        case .gallons: UnitDefinition(3_785_411_784, over: 1_000_000_000, names: ["gallon", "gallons"])
        case .imperialPints: UnitDefinition(56_826_125, over: 100_000_000, names: ["imperial pint", "imperial pints"])
        case .imperialGallons: UnitDefinition(454_609, over: 100_000, names: ["imperial gallon", "imperial gallons"])
        }
    }
}

/// The units of mass; the base is the gram.
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
        case .milligrams:
            UnitDefinition(1, over: 1000, names: ["milligram", "milligrams", "milligramme", "milligrammes"])
        case .grams: UnitDefinition(names: ["gram", "grams", "gramme", "grammes"])
        case .kilograms:
            UnitDefinition(1000, names: ["kilogram", "kilograms", "kilogramme", "kilogrammes", "kilo", "kilos", "kgs"])
        case .metricTons: UnitDefinition(1_000_000, names: ["tonne", "tonnes", "metric ton", "metric tons"])
        case .ounces: UnitDefinition(45_359_237, over: 1_600_000, names: ["ounce", "ounces"])
        case .pounds: UnitDefinition(45_359_237, over: 100_000, names: ["pound", "pounds", "lbs"])
        case .stones: UnitDefinition(635_029_318, over: 100_000, names: ["stone", "stones"])
        }
    }
}

/// The units of time as a measurement; the base is the second. For a parameter that is simply a length of time, use
/// Swift's `Duration`.
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

/// The units of speed; the base is the metre per second.
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
        case .metersPerSecond:
            UnitDefinition(names: ["meter per second", "meters per second", "metre per second", "metres per second"])
        case .kilometersPerHour:
            UnitDefinition(
                5, over: 18,
                names: [
                    "kilometer per hour", "kilometers per hour", "kilometre per hour", "kilometres per hour", "kph",
                    "kmh",
                ])
        case .milesPerHour: UnitDefinition(44_704, over: 100_000, names: ["mile per hour", "miles per hour"])
        case .knots: UnitDefinition(1852, over: 3600, names: ["knot", "knots"])
        }
    }
}

/// The units of energy; the base is the joule.
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

/// The units of temperature; the base is the degree Celsius.
///
/// In JSON a unit is its symbol: `°C`, `°F`, `K`.
public enum UnitTemperature: String, MeasurementUnit {
    case celsius = "°C"
    case fahrenheit = "°F"
    case kelvin = "K"

    public static var dimension: String { "a temperature" }

    public var definition: UnitDefinition {
        switch self {
        case .celsius:
            UnitDefinition(names: [
                "degree celsius", "degrees celsius", "celsius", "centigrade", "degrees centigrade", "degrees c",
            ])
        case .fahrenheit:
            UnitDefinition(
                5, over: 9, offset: -32, names: ["degree fahrenheit", "degrees fahrenheit", "fahrenheit", "degrees f"])
        case .kelvin: UnitDefinition(1, offset: -273.15, names: ["kelvin", "kelvins"])
        }
    }
}
