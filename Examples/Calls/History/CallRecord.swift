public import IntentKit

/// A past call (SiriKit: `INCallRecord`).
public struct CallRecord: AppEntity, Codable {
    public enum Kind: String, Sendable, Codable { case missed, outgoing }

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Call"
    public static let defaultQuery = CallRecordQuery()

    public let id: String
    let kind: Kind
    /// The people who called or were called, with their numbers and, if known, their identifiers in the phone book.
    /// Empty if the number was withheld.
    let parties: [Party]
    let capability: CallCapability

    struct Party: Sendable, Hashable, Codable {
        var name: String
        var number: String
        var identifier: String?

        var person: Person { Person(displayName: name, handle: number, customIdentifier: identifier) }
    }

    public var displayRepresentation: DisplayRepresentation {
        let names = parties.isEmpty ? "Unknown caller" : parties.map(\.name).joined(separator: ", ")
        return DisplayRepresentation(
            title: LocalizedText(names), subtitle: kind == .missed ? "Missed call" : "Outgoing call")
    }
}

/// Finds calls by their identifiers.
public struct CallRecordQuery: EntityQuery {
    @Dependency var history: CallHistory

    public init() {}
    public func entities(for identifiers: [String]) async throws -> [CallRecord] {
        try identifiers.compactMap { try history.call($0) }
    }
    public func suggestedEntities() async throws -> [CallRecord] { history.missed }
}
