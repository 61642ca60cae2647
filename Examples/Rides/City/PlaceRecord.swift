import IntentKit

/// One element of `places.json`: a named place and its coordinate.
struct PlaceRecord: Sendable {
    let id: String
    let name: String
    /// Other names of the place. Several places may share a synonym ("Station"); the person then chooses.
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

    /// The place as a parameter's value, with the identifier by which the next phase finds the place.
    var place: Place { Place(name: name, locality: district, coordinate: coordinate, identifier: id) }
}

/// An error in the contents of a resource of this package.
struct ResourceError: Error {
    let message: String
}
