/// The units of one dimension: what `Foundation.Dimension` and its subclasses are, as enumerations whose raw values are the symbols.
///
/// The pipeline brings ``UnitLength``, ``UnitMass``, ``UnitTemperature``, ``UnitDuration``, ``UnitSpeed``, ``UnitVolume``, ``UnitEnergy`` and
/// ``UnitArea``. An enumeration of your own is a dimension of its own:
///
/// ```swift
/// enum UnitTea: String, MeasurementUnit {
///     case cups = "cup", pots = "pot"
///     static let dimension = "an amount of tea"
///     var definition: UnitDefinition {
///         switch self {
///         case .cups: UnitDefinition(names: ["cup", "cups"])
///         case .pots: UnitDefinition(4, names: ["pot", "pots"])
///         }
///     }
/// }
/// ```
public protocol MeasurementUnit: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
    /// For messages: "a length".
    static var dimension: String { get }
    var definition: UnitDefinition { get }
}

extension MeasurementUnit {
    /// How it is written behind a number, and in JSON.
    public var symbol: String { rawValue }

    /// The unit of this symbol or name; case and diacritics don't matter unless the symbol says so.
    static func named(_ name: String) -> Self? {
        if let exact = Self(rawValue: name) { return exact }
        return UnitNames.of(Self.self)[TextFolding.fold(name)].flatMap { Self(rawValue: $0) }
    }

    /// A value in this unit, in the dimension's base unit.
    func baseValue(_ value: Double) -> Double {
        let unit = definition
        return (value + unit.offset) * Double(unit.numerator) / Double(unit.denominator)
    }
}
