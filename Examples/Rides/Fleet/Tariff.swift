import IntentKit

/// The price of an option. All amounts are in the currency's smallest unit.
struct Tariff: Sendable {
    let base: Int
    let perKilometre: Int
    let perMinute: Int
    let minimum: Int

    init(json: JSONView) throws {
        guard let base = json["base"]?.int, let perKilometre = json["perKilometre"]?.int,
            let perMinute = json["perMinute"]?.int,
            let minimum = json["minimum"]?.int
        else { throw ResourceError(message: "fleet.json: \(json.json)") }
        self.base = base
        self.perKilometre = perKilometre
        self.perMinute = perMinute
        self.minimum = minimum
    }

    /// The fare before rounding.
    func fare(kilometres: Double, minutes: Double) -> Double {
        max(Double(minimum), Double(base) + Double(perKilometre) * kilometres + Double(perMinute) * minutes)
    }
}
