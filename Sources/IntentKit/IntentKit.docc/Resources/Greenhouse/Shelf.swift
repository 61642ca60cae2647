import IntentKit

/// The plants of the greenhouse, and the can that they are watered with.
actor Shelf {
    struct Plant: Sendable {
        let name: String
        /// More than this at once, and it drowns.
        let most: Measurement<UnitVolume>
    }

    let plants = [
        Plant(name: "Boston fern", most: Measurement(value: 1, unit: .liters)),
        Plant(name: "Maidenhair fern", most: Measurement(value: 500, unit: .milliliters)),
        Plant(name: "Cactus", most: Measurement(value: 50, unit: .milliliters)),
    ]
    private(set) var poured: [String: Measurement<UnitVolume>] = [:]
    private var keys: Set<String> = []

    /// Those whose name has these words in it.
    nonisolated func plants(named words: String) -> [Plant] {
        plants.filter { $0.name.lowercased().contains(words.lowercased()) }
    }

    /// Pours once for each key, however often it is called.
    func pour(_ amount: Measurement<UnitVolume>, on plant: String, key: String) {
        if keys.insert(key).inserted { poured[plant] = amount }
    }
}
