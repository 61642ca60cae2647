import IntentModel

/// An event of the contract: where it is, who writes it and what its members are.
///
/// A type with the same name on two sides of the pipeline, such as `intent.updated.v1` of workers and of the coordinator, is two events.
public struct ContractEvent: Sendable, Hashable, CustomStringConvertible {
    public var type: EventType
    /// What its name has before the type, if the type is two events: `requests`, `outcomes` or `results`.
    var side: String?
    /// What it says, in a sentence or two.
    public var about: String
    public var topics: [ContractTopic]
    public var writers: [ContractParty]
    public var members: [ContractMember]
    /// What a schema says beyond the members.
    var rules: @Sendable (ContractSchema) -> ContractSchema = { $0 }

    init(
        _ type: EventType, _ about: String, side: String? = nil, on topics: [ContractTopic],
        by writers: [ContractParty],
        _ members: [ContractMember], rules: @escaping @Sendable (ContractSchema) -> ContractSchema = { $0 }
    ) {
        self.type = type
        self.side = side
        self.about = about
        self.topics = topics
        self.writers = writers
        self.members = members
        self.rules = rules
    }

    /// The name of its schema and message: unique, where that of the type is not.
    public var name: String { side.map { "\($0).\(type.rawValue)" } ?? type.rawValue }

    public var description: String { name }

    /// The schema of its value, with references to ``ContractShape``s.
    public var schema: ContractSchema { rules(.object(members)) }

    public static func == (a: ContractEvent, b: ContractEvent) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
