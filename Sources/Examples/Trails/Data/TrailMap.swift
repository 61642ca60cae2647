import IntentKit

/// Where places are, in kilometres east and north of the first.
struct TrailMap: Sendable {
    let places: [String: (east: Double, north: Double)]

    /// As the crow flies; `nil` if one of them is not on the map.
    func distance(from a: String, to b: String) -> Measurement<UnitLength>? {
        guard let a = places[a], let b = places[b] else { return nil }
        let (east, north) = (a.east - b.east, a.north - b.north)
        return Measurement(value: (east * east + north * north).squareRoot(), unit: .kilometers)
    }
}
