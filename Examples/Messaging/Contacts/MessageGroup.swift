public import IntentKit

/// A group with a name that people say (SiriKit: `speakableGroupName`).
public struct MessageGroup: AppEntity {
    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Group"
    public static let defaultQuery = MessageGroupQuery()

    public let id: String
    public let name: String
    /// The identifiers of the contacts in the group.
    public let members: [String]

    public init(id: String, name: String, members: [String]) {
        (self.id, self.name, self.members) = (id, name, members)
    }

    public var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(name)) }
}

/// Finds groups by name or identifier. There are few groups, so the query lists all of them.
public struct MessageGroupQuery: EnumerableEntityQuery {
    @Dependency var contacts: any ContactDirectory

    public init() {}

    public func allEntities() async throws -> [MessageGroup] { try await contacts.groups() }
}
