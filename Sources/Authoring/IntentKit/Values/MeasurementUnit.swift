import Synchronization

/// The units of one dimension: the equivalent of `Foundation.Dimension` and its subclasses, as enumerations whose raw
/// values are the symbols.
///
/// The pipeline has ``UnitLength``, ``UnitMass``, ``UnitTemperature``, ``UnitDuration``, ``UnitSpeed``, ``UnitVolume``,
/// ``UnitEnergy`` and ``UnitArea``. An enumeration of your own is a new dimension:
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
    /// The name of the dimension in messages: "a length".
    static var dimension: String { get }
    var definition: UnitDefinition { get }
}

extension MeasurementUnit {
    /// The symbol of the unit after a number, and in JSON.
    public var symbol: String { rawValue }

    /// Returns the unit with this symbol or name. Case and diacritics are ignored, except where symbols differ only in
    /// case.
    static func named(_ name: String) -> Self? {
        if let exact = Self(rawValue: name) { return exact }
        return UnitNames.of(Self.self)[TextFolding.fold(name)].flatMap { Self(rawValue: $0) }
    }

    /// Converts a value in this unit to the dimension's base unit.
    func baseValue(_ value: Double) -> Double {
        let unit = definition
        return (value + unit.offset) * Double(unit.numerator) / Double(unit.denominator)
    }
}

/// The definition of a unit: its size and its names. The size is a fraction of whole numbers, so that conversions are
/// as exact as a `Double` can be.
public struct UnitDefinition: Sendable, Hashable {
    /// The numerator of the unit's size: one of this unit is `numerator / denominator` of the dimension's base unit.
    /// Positive.
    public let numerator: Int
    public let denominator: Int
    /// The number that is added before the conversion: −32 for Fahrenheit, which has another zero.
    public let offset: Double
    /// The names that people use for the unit, in addition to the symbol.
    public let names: [String]

    /// - Parameters:
    ///   - numerator: The numerator; positive, like `denominator`. Other values count as 1.
    ///   - offset: The offset in this unit; a value that is not finite counts as 0.
    public init(_ numerator: Int = 1, over denominator: Int = 1, offset: Double = 0, names: [String]) {
        self.numerator = max(numerator, 1)
        self.denominator = max(denominator, 1)
        self.offset = offset.isFinite ? offset : 0
        self.names = names
    }

    /// Returns the number of `other` units in one of this unit, in lowest terms.
    func ratio(to other: UnitDefinition) -> (numerator: Double, denominator: Double) {
        let numerator = Int128(numerator) * Int128(other.denominator)
        let denominator = Int128(denominator) * Int128(other.numerator)
        var (divisor, rest) = (numerator, denominator)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return (Double(numerator / divisor), Double(denominator / divisor))
    }
}

/// The symbols of units by all their names, folded; computed once for each dimension.
enum UnitNames {
    static func of<Unit: MeasurementUnit>(_ units: Unit.Type) -> [String: String] {
        let key = ObjectIdentifier(units)
        if let known = cache.withLock({ $0[key] }) { return known }
        var names: [String: String] = [:]
        for unit in units.allCases {
            // A name of two units refers to the first unit.
            for name in [unit.symbol] + unit.definition.names {
                let folded = TextFolding.fold(name)
                if !folded.isEmpty, names[folded] == nil { names[folded] = unit.rawValue }
            }
        }
        cache.withLock { $0[key] = names }
        return names
    }

    /// The symbols by dimension: at most one entry for each dimension of the program.
    private static let cache = Mutex<[ObjectIdentifier: [String: String]]>([:])
}
