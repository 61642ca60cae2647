import IntentKit

/// The trails, where they are and who picked them: what intents, queries and options providers get by `@Dependency`.
///
/// It never changes while a process runs. What does change (activities, bookings) is kept in the sample store.
struct TrailDataManager: Sendable {
    var trails = TrailEntity.samples
    var collections = TrailCollection.samples
    var featured: Set<TrailCollection.ID> = ["lakeside"]
    var map = TrailMap.sample
    /// Who guides from which place.
    var guides = ["Bellhaven": "Mara", "Larch Lake": "Tobias", "Port Anselm": "Mara"]
    /// What a guide takes for each person.
    var guideFee = CurrencyAmount(minorUnits: 18_00, currencyCode: "EUR")

    /// Where trails begin, each place once.
    var uniqueLocations: Set<String> { Set(trails.map(\.location)) }

    var featuredCollections: [TrailCollection] { collections.filter { featured.contains($0.id) } }
    var otherCollections: [TrailCollection] { collections.filter { !featured.contains($0.id) } }

    func trails(with identifiers: [TrailEntity.ID]) -> [TrailEntity] { trails.filter { identifiers.contains($0.id) } }

    /// The trails whose name or place has these words in it.
    func trails(matching words: String) -> [TrailEntity] {
        let wanted = " \(TextFolding.fold(words)) "
        return trails.filter { " \(TextFolding.fold($0.name)) ".contains(wanted) || " \(TextFolding.fold($0.location)) ".contains(wanted) }
    }

    /// The trails that begin within a radius around a place, the nearest first.
    func trails(within radius: Measurement<UnitLength>, of location: String) -> [TrailEntity] {
        let near = trails.compactMap { trail in
            map.distance(from: location, to: trail.location).flatMap { $0 <= radius ? (trail: trail, distance: $0) : nil }
        }
        return near.sorted { ($0.distance, $0.trail.id) < ($1.distance, $1.trail.id) }.map(\.trail)
    }
}
