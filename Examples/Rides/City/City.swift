public import IntentKit

/// The city that is served: its places, and the circle within which cars drive.
public struct City: Sendable {
    public let name: String
    /// The taxi rank where a ride starts if the person gives no pickup.
    public let stand: Place
    private let centre: Coordinate
    private let radius: Double
    private let records: [PlaceRecord]
    private let byID: [String: Int]
    /// The indices of the places with a name or synonym, by the key of the name or synonym.
    private let byWord: [String: [Int]]
    /// The words of each place's name.
    private let nameWords: [[Substring]]
    /// The entries of ``byWord``, with arrays of letters for the edit distance.
    private let spellings: [(letters: [Unicode.Scalar], indices: [Int])]

    init(places: JSONView, city: JSONView) throws {
        guard let name = city["name"]?.string, let latitude = city["latitude"]?.double,
            let longitude = city["longitude"]?.double,
            let radius = city["radiusKilometres"]?.double,
            let centre = Coordinate(latitude: latitude, longitude: longitude)
        else { throw ResourceError(message: "fleet.json: city") }
        let records = try places.elements.map { try PlaceRecord(json: $0) }
        let byID = Dictionary(records.indices.map { (records[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        guard let stand = city["stand"]?.string.flatMap({ byID[$0] }) else {
            throw ResourceError(message: "fleet.json: stand")
        }
        var byWord: [String: [Int]] = [:]
        for (index, record) in records.enumerated() {
            for word in Set(([record.name] + record.synonyms).map { Self.key($0) }) {
                byWord[word, default: []].append(index)
            }
        }
        self.name = name
        self.stand = records[stand].place
        self.centre = centre
        self.radius = radius
        self.records = records
        self.byID = byID
        self.byWord = byWord
        nameWords = records.map { Self.key($0.name).split(separator: " ") }
        spellings = byWord.map { (Array($0.key.unicodeScalars), $0.value) }
    }

    /// Every named place, inside and outside the city.
    public var places: [Place] { records.map(\.place) }

    public func contains(_ coordinate: Coordinate) -> Bool { centre.kilometres(to: coordinate) <= radius }

    /// The place with this identifier.
    public func place(_ identifier: String) -> Place? { byID[identifier].map { records[$0].place } }

    /// The district of a place; for coordinates without a known place, the district of the nearest known place.
    public func district(of place: Place) -> String? {
        if let index = place.identifier.flatMap({ byID[$0] }) { return records[index].district }
        guard let coordinate = place.coordinate, contains(coordinate) else { return nil }
        return records.min { $0.coordinate.kilometres(to: coordinate) < $1.coordinate.kilometres(to: coordinate) }?
            .district
    }

    /// The centre of each district.
    func districtCentres() -> [(district: String, coordinate: Coordinate)] {
        Dictionary(grouping: records, by: \.district).sorted { $0.key < $1.key }.compactMap { district, members in
            let latitude = members.reduce(0) { $0 + $1.coordinate.latitude } / Double(members.count)
            let longitude = members.reduce(0) { $0 + $1.coordinate.longitude } / Double(members.count)
            return Coordinate(latitude: latitude, longitude: longitude).map { (district, $0) }
        }
    }

    /// Finds the places that a person's words may mean.
    public func find(_ words: String) -> PlaceMatch {
        let folded = Self.key(words)
        if let indices = byWord[folded] {
            if let index = indices.first(where: { Self.key(records[$0].name) == folded }) {
                return .exactly(records[index].place)
            }
            return indices.count == 1 ? .exactly(records[indices[0]].place) : .oneOf(indices.map { records[$0].place })
        }
        let indices = folded.utf8.count < 4 ? [] : partly(folded) ?? misspelt(folded)
        switch indices.count {
        case 0: return .unknown
        case 1: return .maybe(records[indices[0]].place)
        case ...5: return .oneOf(indices.map { records[$0].place })
        default: return .unknown
        }
    }

    /// The form in which words are compared: folded, and without a leading "the".
    private static func key(_ words: String) -> String {
        let folded = TextFolding.fold(words)
        return folded.hasPrefix("the ") ? String(folded.dropFirst(4)) : folded
    }

    /// Places whose name contains these words.
    private func partly(_ folded: String) -> [Int]? {
        let words = folded.split(separator: " ")
        let found = nameWords.indices.filter { place in
            let name = nameWords[place]
            return name.count >= words.count
                && (0...name.count - words.count).contains { name[$0...].starts(with: words) }
        }
        return found.isEmpty ? nil : found
    }

    /// The places whose name or synonym has the fewest wrong letters. One wrong letter in five is allowed: at least
    /// one, at most three.
    private func misspelt(_ folded: String) -> [Int] {
        let letters = Array(folded.unicodeScalars)
        var fewest = min(3, max(1, letters.count / 5)) + 1
        var found: Set<Int> = []
        for (word, indices) in spellings {
            let distance = editDistance(letters, word, below: fewest + 1)
            if distance < fewest {
                fewest = distance
                found = Set(indices)
            } else if distance == fewest, !found.isEmpty {
                found.formUnion(indices)
            }
        }
        return found.sorted()
    }
}

/// The result of ``City/find(_:)`` for a person's words.
public enum PlaceMatch: Sendable, Hashable {
    case exactly(Place)
    /// Several places match the words.
    case oneOf([Place])
    /// One place matches a misspelt or partial name.
    case maybe(Place)
    case unknown
}
