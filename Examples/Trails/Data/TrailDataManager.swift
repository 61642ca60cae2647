import IntentKit

/// The trails, their map, collections and guides. Intents, queries and options providers get the manager by
/// `@Dependency`.
///
/// The manager never changes while a process runs. Data that changes (activities, bookings) is in the sample store.
struct TrailDataManager: Sendable {
    var trails = TrailEntity.samples
    var collections = TrailCollection.samples
    var featured: Set<TrailCollection.ID> = ["lakeside"]
    var map = TrailMap.sample
    /// The guides' names, by place.
    var guides = ["Bellhaven": "Mara", "Larch Lake": "Tobias", "Port Anselm": "Mara"]
    /// A guide's fee for each person.
    var guideFee = CurrencyAmount(minorUnits: 18_00, currencyCode: "EUR")

    /// The places where trails begin, without duplicates.
    var uniqueLocations: Set<String> { Set(trails.map(\.location)) }

    var featuredCollections: [TrailCollection] { collections.filter { featured.contains($0.id) } }
    var otherCollections: [TrailCollection] { collections.filter { !featured.contains($0.id) } }

    func trails(with identifiers: [TrailEntity.ID]) -> [TrailEntity] { trails.filter { identifiers.contains($0.id) } }

    /// The trails whose name or place contains these words.
    func trails(matching words: String) -> [TrailEntity] {
        let wanted = " \(TextFolding.fold(words)) "
        return trails.filter {
            " \(TextFolding.fold($0.name)) ".contains(wanted) || " \(TextFolding.fold($0.location)) ".contains(wanted)
        }
    }

    /// The trails that begin within a radius of a place, the nearest first.
    func trails(within radius: Measurement<UnitLength>, of location: String) -> [TrailEntity] {
        let near = trails.compactMap { trail in
            map.distance(from: location, to: trail.location).flatMap {
                $0 <= radius ? (trail: trail, distance: $0) : nil
            }
        }
        return near.sorted { ($0.distance, $0.trail.id) < ($1.distance, $1.trail.id) }.map(\.trail)
    }
}

/// The positions of places, in kilometres east and north of the first.
struct TrailMap: Sendable {
    let places: [String: (east: Double, north: Double)]

    /// The straight-line distance; `nil` if one of the places is not on the map.
    func distance(from a: String, to b: String) -> Measurement<UnitLength>? {
        guard let a = places[a], let b = places[b] else { return nil }
        let (east, north) = (a.east - b.east, a.north - b.north)
        return Measurement(value: (east * east + north * north).squareRoot(), unit: .kilometers)
    }
}
