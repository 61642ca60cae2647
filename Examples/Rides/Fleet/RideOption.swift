public import IntentKit

/// A kind of ride to choose from (SiriKit: `INRideOption`).
public struct RideOption: ParameterValue {
    public let id: String
    /// The name, which is unique among the options, as SiriKit requires.
    public let name: String
    public let seats: Int
    /// Other names of the option. Only options from the ``Fleet`` have synonyms.
    public let synonyms: [String]
    /// The fare of a short ride and the seats, for "the cheapest" and "the biggest". Only options from the ``Fleet``
    /// have it.
    let comparison: OptionComparison?

    init(id: String, name: String, seats: Int, synonyms: [String] = [], comparison: OptionComparison? = nil) {
        self.id = id
        self.name = name
        self.seats = seats
        self.synonyms = synonyms
        self.comparison = comparison
    }

    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String { "a kind of ride" }

    public init?(json: JSONView) {
        guard let id = json["id"]?.string, let name = json["name"]?.string, let seats = json["seats"]?.int else {
            return nil
        }
        self.init(id: id, name: name, seats: seats)
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("seats", seats)
        writer.endObject()
    }

    public var displayText: String { name }
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(name), subtitle: LocalizedText("\(seats) seats"),
            synonyms: synonyms.map { LocalizedText($0) }, comparison: comparison)
    }
    public var optionID: String { id }

    public static func == (a: RideOption, b: RideOption) -> Bool { a.id == b.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The options of the fleet, the cheapest first.
public struct RideOptions: DynamicOptionsProvider {
    @Dependency private var fleet: Fleet

    public init() {}
    public func results() async throws -> [RideOption] { fleet.options }
}
