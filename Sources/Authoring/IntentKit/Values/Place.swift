/// A place, which SiriKit represents as a `CLPlacemark`.
///
/// In JSON a place is a string (the name), or an object `{"name","locality"?,"latitude"?,"longitude"?,"identifier"?}`.
public struct Place: ParameterValue {
    public var name: String
    /// A district or street that distinguishes the place from others with the same name.
    public var locality: String?
    public var coordinate: Coordinate?
    /// The identifier in the author's own data. Set the identifier in the resolution, so that the next phase does not
    /// have to search for the place again.
    public var identifier: String?

    public init(name: String, locality: String? = nil, coordinate: Coordinate? = nil, identifier: String? = nil) {
        self.name = name
        self.locality = locality
        self.coordinate = coordinate
        self.identifier = identifier
    }

    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "a place: its name, or an object with 'name' and, if known, 'latitude' and 'longitude'"
    }

    public static var jsonSchema: JSON {
        let string = JSON.typeSchema("string")
        func degrees(_ bound: Int) -> JSON {
            .object(["type": .string("number"), "minimum": .number(-bound), "maximum": .number(bound)])
        }
        return .objectSchema(
            [
                "name": string, "locality": string, "latitude": degrees(90), "longitude": degrees(180),
                "identifier": string,
            ],
            required: ["name"])
    }

    public init?(json: JSONView) {
        var name: String?
        var locality: String?
        var identifier: String?
        var latitude: Double?
        var longitude: Double?
        json.withCursor { cursor in
            cursor.object { member, value in
                switch member {
                case "name": name = value.string()
                case "locality": locality = value.string()
                case "identifier": identifier = value.string()
                case "latitude": latitude = value.double()
                case "longitude": longitude = value.double()
                default: break
                }
            }
        }
        if let latitude, let longitude {
            guard let point = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
            coordinate = point
        } else if latitude != nil || longitude != nil {
            return nil
        }
        guard let name, !name.isEmpty else { return nil }
        self.name = name
        self.locality = locality
        self.identifier = identifier
    }

    public init?(text: String) {
        let name = SpokenNumber.trimmed(text)
        guard !name.isEmpty else { return nil }
        self.init(name: String(name))
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("locality", ifPresent: locality)
        if let coordinate {
            writer.name("latitude")
            writer.number(coordinate.latitude)
            writer.name("longitude")
            writer.number(coordinate.longitude)
        }
        writer.member("identifier", ifPresent: identifier)
        writer.endObject()
    }

    public var displayText: String { name }
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(name), subtitle: locality.map { LocalizedText($0) })
    }
    public var optionID: String { identifier ?? name }
}

/// A point on the earth (WGS 84), in degrees.
public struct Coordinate: Sendable, Hashable {
    /// The latitude in degrees, −90 to 90, north positive.
    public let latitude: Double
    /// The longitude in degrees, −180 to 180, east positive.
    public let longitude: Double

    /// Creates a point, or returns `nil` for degrees outside these bounds.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}
