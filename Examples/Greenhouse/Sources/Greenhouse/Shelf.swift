import IntentKit

/// The plants of the greenhouse, and the water that each has received.
actor Shelf {
    struct Plant: Sendable {
        let name: String
        /// The largest amount of water that the plant tolerates at once.
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

    /// Pours water on a plant. Later calls with the same key have no effect.
    func pour(_ amount: Measurement<UnitVolume>, on plant: String, key: Identifier) {
        if keys.insert(key).inserted { poured[plant] = amount }
    }
}
