internal import Synchronization

/// The symbols of units by all that people call them, folded; worked out once for each dimension.
enum UnitNames {
    static func of<Unit: MeasurementUnit>(_ units: Unit.Type) -> [String: String] {
        let key = ObjectIdentifier(units)
        if let known = cache.withLock({ $0[key] }) { return known }
        var names: [String: String] = [:]
        for unit in units.allCases {
            // The first unit keeps a name that a later one has too.
            for name in [unit.symbol] + unit.definition.names {
                let folded = TextFolding.fold(name)
                if !folded.isEmpty, names[folded] == nil { names[folded] = unit.rawValue }
            }
        }
        cache.withLock { $0[key] = names }
        return names
    }

    /// As many as there are dimensions in the program.
    private static let cache = Mutex<[ObjectIdentifier: [String: String]]>([:])
}
