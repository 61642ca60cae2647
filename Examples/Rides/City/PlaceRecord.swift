import IntentKit

/// One line of `places.json`: a named place and its coordinate.
struct PlaceRecord: Sendable {
    let id: String
    let name: String
    /// Other names. Several places may share one ("Station"); then the person chooses.
    let synonyms: [String]
    let coordinate: Coordinate
    let district: String

    init(json: JSONView) throws {
        guard let id = json["id"]?.string, let name = json["name"]?.string, let district = json["district"]?.string,
            let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw ResourceError(message: "places.json: \(json.json)") }
        self.id = id
        self.name = name
        self.district = district
        self.coordinate = coordinate
        synonyms = json["synonyms"]?.elements.compactMap(\.string) ?? []
    }

    /// The place as a parameter's value, with the identifier by which the next phase finds it again.
    var place: Place { Place(name: name, locality: district, coordinate: coordinate, identifier: id) }
}

/// A resource of this package is not what its code expects.
struct ResourceError: Error {
    let message: String
}
