public import IntentKit

/// The entities of one kind in a declaration. The counterpart in Swift is an ``AppEntity`` and its query.
///
/// Names are folded and identifiers are indexed once, when the catalogue is created.
public final class EntityCatalogue: Sendable {
    public struct Entity: Sendable, Hashable {
        /// The entity's identifier in events; unique in the catalogue.
        public var id: String
        public var title: LocalizedText
        public var subtitle: LocalizedText?
        /// Other names that a person may use for the entity.
        public var synonyms: [LocalizedText]
        /// Further properties, by name: texts, numbers or booleans. Events show the properties, and a request can find
        /// entities by their properties.
        public var properties: [String: JSON]

        public init(
            _ id: String, title: LocalizedText, subtitle: LocalizedText? = nil, synonyms: [LocalizedText] = [],
            properties: [String: JSON] = [:]
        ) {
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.synonyms = synonyms
            self.properties = properties
        }
    }

    /// The type's name in the catalogue of intents.
    public let name: String
    /// The type's name for people.
    public let title: LocalizedText
    /// The entities, the most likely first. An identifier that several entities have stands for the first one.
    public let entities: [Entity]
    let query: DeclaredEntityQuery

    public init(_ name: String, title: LocalizedText? = nil, entities: [Entity]) {
        self.name = name
        self.title = title ?? LocalizedText(name)
        self.entities = entities
        query = DeclaredEntityQuery(entities)
    }

    /// The form of the type with these entities.
    var form: ValueForm<DeclaredEntity> {
        let properties = query.propertyKinds
        let schema = JSON.make { writer in
            writer.beginObject()
            writer.member("type", "object")
            writer.name("properties")
            writer.beginObject()
            writer.member("id", .object(["type": .string("string")]))
            writer.member("title", .object(["type": .string("string")]))
            for (name, kind) in properties {
                guard let kind else {
                    writer.member(named: name, .object([:]))
                    continue
                }
                writer.member(named: name, .object(["type": .string(kind == .bool ? "boolean" : kind.rawValue)]))
            }
            writer.endObject()
            writer.member("required", .array([.string("id")]))
            writer.endObject()
        }
        let count = entities.count == 1 ? "1 entry" : "\(entities.count) entries"
        return ValueForm(
            typeName: name, typeDescription: "\(title.original): its name or identifier, or an object with 'id'",
            schema: schema,
            catalogue: "the catalogue \(name), \(count)")
    }
}

extension EntityCatalogue: Hashable {
    public static func == (a: EntityCatalogue, b: EntityCatalogue) -> Bool {
        a === b || (a.name == b.name && a.title == b.title && a.entities == b.entities)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(entities.count)
    }
}
