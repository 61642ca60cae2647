/// Temperatures; the base is the degree Celsius.
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
            UnitDefinition(names: ["degree celsius", "degrees celsius", "celsius", "centigrade", "degrees centigrade", "degrees c"])
        case .fahrenheit:
            UnitDefinition(5, over: 9, offset: -32, names: ["degree fahrenheit", "degrees fahrenheit", "fahrenheit", "degrees f"])
        case .kelvin: UnitDefinition(1, offset: -273.15, names: ["kelvin", "kelvins"])
        }
    }
}
