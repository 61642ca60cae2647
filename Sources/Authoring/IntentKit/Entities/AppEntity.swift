/// A thing in the author's own data that an intent refers to, such as a trail or an album: App Intents' protocol of the
/// same name.
///
/// ```swift
/// struct TrailEntity: AppEntity {
///     static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trail"
///     static let defaultQuery = TrailQuery()
///
///     let id: Int
///     let name: String
///     var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(name)) }
/// }
/// ```
/// In JSON an entity is `{"id":7,"title":"Mount Bell"}`, the identifier alone, or text that a person said. Each phase
/// calls the query with the identifier again, so handlers always see the current entity. An entity that no longer
/// exists is `unsupported` with the reason `noMatch` while parameters are resolved, and a failure with the code
/// `failureEntityNotFound` in later phases.
///
/// Text is looked up as an identifier first. If no entity has the identifier, the query searches for the text, and
/// entities whose title or synonym equals the text take precedence over other matches. The result is `success`,
/// `disambiguation` or `unsupported` with the reason `noMatch`; a ``Resolve`` is not needed.
public protocol AppEntity: ParameterValue, Identifiable where ID: EntityIdentifierConvertible {
    associatedtype DefaultQuery: EntityQuery<Self>
    /// The name of the type for people.
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
    /// The query that finds entities for parameters that name no other query.
    static var defaultQuery: DefaultQuery { get }

    /// The representation of the entity for people, who can refer to the entity by its title or a synonym.
    var displayRepresentation: DisplayRepresentation { get }
    /// Writes members that events show in addition to `id` and `title`: `writer.member("region", region)`. Writes none
    /// by default.
    func encodeMembers(to writer: inout JSONWriter)
}

extension AppEntity {
    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "\(typeDisplayRepresentation.name.original): its name or identifier, or an object with 'id'"
    }
    public static var jsonSchema: JSON {
        .object([
            "type": .string("object"),
            "properties": .object([
                "id": .object(["type": .string(ID.entityIdentifierKind.rawValue)]),
                "title": .object(["type": .string("string")]),
            ]),
            "required": .array([.string("id")]),
        ])
    }

    /// Always `nil`, because the query looks up entities.
    public init?(json: JSONView) { return nil }
    /// Always `nil`, because the query looks up entities.
    public init?(text: String) { return nil }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id.entityIdentifierJSON)
        writer.member("title", displayRepresentation.title.original)
        encodeMembers(to: &writer)
        writer.endObject()
    }

    public func encodeMembers(to writer: inout JSONWriter) {}

    /// The identifier as a title: the default for types that define no representation.
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(id.entityIdentifierString))
    }
    public var displayText: String { displayRepresentation.title.original }
    public func displayText(in locale: String?) -> String { displayRepresentation.title.text(in: locale) }
    public var optionID: String { id.entityIdentifierString }

    public static func entityForm(_ provider: (any DynamicOptionsProvider<Self>)?) -> EntityForm<Self>? {
        if let query = provider as? any EntityQuery<Self> { return form(query) }
        return form(defaultQuery)
    }

    private static func form(_ query: some EntityQuery<Self>) -> EntityForm<Self> { EntityForm(query) }
}

/// The identifier of an ``AppEntity``: App Intents' `EntityIdentifierConvertible`. `String` and `Int` conform to this
/// protocol.
public protocol EntityIdentifierConvertible: Hashable, Sendable {
    /// The identifier as text, as used in answers.
    var entityIdentifierString: String { get }
    /// Creates an identifier from its text, or returns `nil` if the text is not an identifier.
    init?(entityIdentifierString: String)
    /// The identifier in events: a string or a number. Defaults to ``entityIdentifierString``.
    var entityIdentifierJSON: JSON { get }
    /// The kind of ``entityIdentifierJSON``: `string` or `number`.
    static var entityIdentifierKind: JSONView.Kind { get }
}

extension EntityIdentifierConvertible {
    public var entityIdentifierJSON: JSON { .string(entityIdentifierString) }
    public static var entityIdentifierKind: JSONView.Kind { .string }
}

extension String: EntityIdentifierConvertible {
    public var entityIdentifierString: String { self }
    public init?(entityIdentifierString: String) { self = entityIdentifierString }
}

extension Int: EntityIdentifierConvertible {
    public var entityIdentifierString: String { String(self) }
    public init?(entityIdentifierString: String) { self.init(entityIdentifierString) }
    public var entityIdentifierJSON: JSON { .number(self) }
    public static var entityIdentifierKind: JSONView.Kind { .number }
}
