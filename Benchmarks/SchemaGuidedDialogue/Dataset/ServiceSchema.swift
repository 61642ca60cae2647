/// A service as the dataset's schema declares it.
struct ServiceSchema: Decodable, Sendable {
    var name: String
    var description: String
    var slots: [Slot]
    var intents: [Intent]

    enum CodingKeys: String, CodingKey {
        case name = "service_name"
        case description, slots, intents
    }

    struct Slot: Decodable, Sendable {
        var name: String
        var description: String
        var isCategorical: Bool
        var possibleValues: [String]

        enum CodingKeys: String, CodingKey {
            case name, description
            case isCategorical = "is_categorical"
            case possibleValues = "possible_values"
        }
    }

    struct Intent: Decodable, Sendable {
        var name: String
        var description: String
        /// `true` if the person has to agree before the intent is handled.
        var isTransactional: Bool
        var required: [String]
        /// The optional slots with their defaults.
        var optional: [String: String]

        enum CodingKeys: String, CodingKey {
            case name, description
            case isTransactional = "is_transactional"
            case required = "required_slots"
            case optional = "optional_slots"
        }

        /// The slots that are parameters of the intent, the required slots first.
        var parameters: [String] { required + optional.keys.sorted() }
    }

    /// The value for "no preference".
    static let dontCare = "dontcare"

    func slot(_ name: String) -> Slot? { slots.first { $0.name == name } }

    func intent(_ name: String) -> Intent? { intents.first { $0.name == name } }
}

/// All services of a schema file, by name.
struct Services: Sendable {
    let all: [ServiceSchema]
    private let byName: [String: ServiceSchema]

    init(_ all: [ServiceSchema]) {
        self.all = all
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    subscript(name: String) -> ServiceSchema? { byName[name] }

    /// The intent's name in the pipeline. It includes the service, because several services have intents of the same
    /// name.
    static func intent(_ name: String, of service: String) -> String { "\(service).\(name)" }

    /// Finds a service and its intent by the intent's name in the pipeline.
    func find(_ intent: String) -> (service: ServiceSchema, intent: ServiceSchema.Intent)? {
        guard let dot = intent.lastIndex(of: "."), let service = self[String(intent[..<dot])],
            let found = service.intent(String(intent[intent.index(after: dot)...]))
        else { return nil }
        return (service, found)
    }

    /// The name under which the session remembers a slot of a service.
    static func memoryKey(_ slot: String, of service: String) -> String { "\(service).\(slot)" }

    /// The memory key of a slot for one intent.
    ///
    /// A required slot of a booking uses the plain key, so that an item that the person chose can fill the slot. The
    /// slots of a search and the optional slots of a booking have keys of their own, so that only the person's words
    /// fill them: choosing a film that is shown in 3D does not mean that the person wants 3D.
    static func memoryKey(_ slot: String, of service: String, for intent: ServiceSchema.Intent) -> String {
        let key = memoryKey(slot, of: service)
        if !intent.isTransactional { return "\(key).searched" }
        return intent.required.contains(slot) ? key : "\(key).booked"
    }
}
