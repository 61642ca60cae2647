import Synchronization

/// The units of one dimension: correspond to `Foundation.Dimension` and its subclasses, as enumerations whose raw values are the symbols.
///
/// The pipeline has ``UnitLength``, ``UnitMass``, ``UnitTemperature``, ``UnitDuration``, ``UnitSpeed``, ``UnitVolume``, ``UnitEnergy`` and
/// ``UnitArea``. An enumeration of your own is a new dimension:
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
    /// The dimension in messages: "a length".
    static var dimension: String { get }
    var definition: UnitDefinition { get }
}

extension MeasurementUnit {
    /// The unit's symbol after a number, and in JSON.
    public var symbol: String { rawValue }

    /// The unit with this symbol or name; case and diacritics are ignored, except where symbols differ only in case.
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

/// A unit: its size as a fraction of whole numbers, so that conversions are as exact as a `Double` can be, and its names.
public struct UnitDefinition: Sendable, Hashable {
    /// One of this unit is `numerator / denominator` of the dimension's base unit. Positive.
    public let numerator: Int
    public let denominator: Int
    /// Added before the conversion: −32 for Fahrenheit, which has another zero.
    public let offset: Double
    /// The names that people use, besides the symbol.
    public let names: [String]

    /// - Parameters:
    ///   - numerator: Positive, like `denominator`; other values count as 1.
    ///   - offset: In this unit; finite.
    public init(_ numerator: Int = 1, over denominator: Int = 1, offset: Double = 0, names: [String]) {
        self.numerator = max(numerator, 1)
        self.denominator = max(denominator, 1)
        self.offset = offset.isFinite ? offset : 0
        self.names = names
    }

    /// The number of `other` units in one of this unit, in lowest terms.
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
            // A name of two units belongs to the first.
            for name in [unit.symbol] + unit.definition.names {
                let folded = TextFolding.fold(name)
                if !folded.isEmpty, names[folded] == nil { names[folded] = unit.rawValue }
            }
        }
        cache.withLock { $0[key] = names }
        return names
    }

    /// Has at most one entry per dimension of the program.
    private static let cache = Mutex<[ObjectIdentifier: [String: String]]>([:])
}
