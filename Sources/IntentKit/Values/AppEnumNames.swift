internal import Synchronization

/// What the cases of enumerations are called, folded by ``TextFolding``: worked out once for each type.
enum AppEnumNames {
    /// The place of a case among all cases by each of its names in the developer's language; `nil` for a name that several cases have.
    static func of<Value: AppEnum>(_ type: Value.Type) -> [String: Int?] {
        let key = ObjectIdentifier(type)
        if let known = cache.withLock({ $0[key] }) { return known }
        // Outside of the lock: the type's own code is asked.
        var names: [String: Int?] = [:]
        for (place, value) in Value.allCases.enumerated() {
            let representation = value.displayRepresentation
            let titles = [representation.title.original] + representation.synonyms.map(\.original)
            for name in Set(([value.rawValue] + titles).map { TextFolding.fold($0) }) {
                names.updateValue(names[name] == nil ? place : nil, forKey: name)
            }
        }
        cache.withLock { $0[key] = names }
        return names
    }

    /// As many as there are enumerations that are parameters in the program.
    private static let cache = Mutex<[ObjectIdentifier: [String: Int?]]>([:])
}
