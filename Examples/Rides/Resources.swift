import IntentKit

extension City {
    /// The city in `places.json` and `fleet.json`.
    public static let dublin: City = RideData.shared.city
}

extension Fleet {
    /// The cars in `fleet.json`.
    public static let dublin: Fleet = RideData.shared.fleet
}

extension LocalizedTable {
    /// The translations in `localizations.json`.
    static let rides: LocalizedTable = {
        do { return try LocalizedTable(json: PackageResources.localizations_json) } catch {
            fatalError("the resources in this binary can't be read: \(error)")
        }
    }()
}

/// The contents of `places.json` and `fleet.json`, read once per process.
private struct RideData: Sendable {
    let city: City
    let fleet: Fleet

    static let shared: RideData = {
        do {
            let fleet = try JSONView(parsing: PackageResources.fleet_json, limits: .journal)
            let places = try JSONView(parsing: PackageResources.places_json, limits: .journal)
            let city = try City(places: places, city: fleet["city"] ?? JSON.null.view)
            return RideData(city: city, fleet: try Fleet(json: fleet, city: city))
        } catch {
            fatalError("the resources in this binary can't be read: \(error)")
        }
    }()
}
