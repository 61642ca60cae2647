import IntentKit

/// The plants of the greenhouse, and how much water each has got.
actor Shelf {
    struct Plant: Sendable {
        let name: String
        /// The most water that it tolerates at once.
        let most: Measurement<UnitVolume>
    }

    let plants = [
        Plant(name: "Boston fern", most: Measurement(value: 1, unit: .liters)),
        Plant(name: "Maidenhair fern", most: Measurement(value: 500, unit: .milliliters)),
        Plant(name: "Cactus", most: Measurement(value: 50, unit: .milliliters)),
    ]
    private(set) var poured: [String: Measurement<UnitVolume>] = [:]
    private var keys: Set<Identifier> = []

    /// The plants whose names contain these words.
    nonisolated func plants(named words: String) -> [Plant] {
        plants.filter { $0.name.lowercased().contains(words.lowercased()) }
    }

    /// Pours once for each key, however often this is called.
    func pour(_ amount: Measurement<UnitVolume>, on plant: String, key: Identifier) {
        if keys.insert(key).inserted { poured[plant] = amount }
    }
}
