/// A number with its unit: the equivalent of `Foundation.Measurement` for libraries without Foundation.
///
/// In JSON a measurement is `{"value":5,"unit":"km"}`, the unit by its symbol (a name is read too). A person may say "5
/// km", "three miles" or "5 feet 11 inches", which becomes 71 inches. A number without a unit is not accepted; add a
/// ``MeasurementFromDouble`` to the parameter to define the unit.
///
/// A file that also imports Foundation has to choose a type with `import struct IntentKit.Measurement` (and the unit
/// likewise).
public struct Measurement<Unit: MeasurementUnit>: ParameterValue, Comparable {
    public var value: Double
    public var unit: Unit

    public init(value: Double, unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// Returns the measurement in another unit, to about 15 digits; whole numbers stay whole if possible. A value too
    /// large for a `Double` becomes infinite.
    public func converted(to other: Unit) -> Measurement {
        if unit == other { return self }
        let (from, to) = (unit.definition, other.definition)
        let ratio = from.ratio(to: to)
        return Measurement(value: (value + from.offset) * ratio.numerator / ratio.denominator - to.offset, unit: other)
    }

    // MARK: Comparing

    /// Compares measurements by size: 1 km equals 1000 m.
    public static func == (a: Measurement, b: Measurement) -> Bool { a.baseValue == b.baseValue }
    public static func < (a: Measurement, b: Measurement) -> Bool { a.baseValue < b.baseValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(baseValue) }

    private var baseValue: Double { unit.baseValue(value) }

    // MARK: As a parameter

    public static var spokenKind: SpokenKind? { .measurement }
    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        let units = Unit.allCases
        let examples = units.prefix(2).map { "'2 \($0.symbol)'" }.joined(separator: " or ")
        return units.isEmpty ? Unit.dimension : "\(Unit.dimension) with its unit, such as \(examples)"
    }
    public static var jsonSchema: JSON {
        .objectSchema(
            [
                "value": .typeSchema("number"),
                "unit": .object(["enum": .array(Unit.allCases.map { .string($0.symbol) })]),
            ],
            required: ["value", "unit"])
    }

    public init?(json: JSONView) {
        guard let value = json["value"]?.double, let name = json["unit"]?.string, name.utf8.count <= 64,
            let unit = Unit.named(name)
        else { return nil }
        self.init(checking: value, unit)
    }

    public init?(text: String) {
        guard let measurement = MeasurementText.parse(text, in: Unit.self) else { return nil }
        self = measurement
    }

    /// Creates a measurement, or returns `nil` if the value is not finite in this unit or in the base unit.
    init?(checking value: Double, _ unit: Unit) {
        guard value.isFinite, unit.baseValue(value).isFinite else { return nil }
        self.init(value: value, unit: unit)
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("value")
        writer.number(value)
        writer.member("unit", unit.symbol)
        writer.endObject()
    }

    /// The number with the symbol of the unit: "5 km".
    public var displayText: String { "\(value.displayText) \(unit.symbol)" }
    public func displayText(in locale: String?) -> String { "\(value.displayText(in: locale)) \(unit.symbol)" }
}
