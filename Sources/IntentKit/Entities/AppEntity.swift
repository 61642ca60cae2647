/// Something in the author's own data that an intent is about, such as a trail or an album: App Intents' protocol of the same name.
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
/// In JSON `{"id":7,"title":"Mount Bell"}`, the identifier alone, or text that a person said. In each phase the query is asked for the
/// entity again, by its identifier, so handlers always see it as it is now. One that has vanished is `unsupported` with reason `noMatch`
/// while parameters are resolved, and a failure with the code `failureEntityNotFound` later.
///
/// Text is looked for by identifier, then among titles and synonyms, then by the query. What is found leads to `success`, `disambiguation`
/// or `unsupported` with reason `noMatch` without a ``Resolve``.
public protocol AppEntity: ParameterValue, Identifiable where ID: EntityIdentifier {
    associatedtype DefaultQuery: EntityQuery<Self>
    /// How its type is called.
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
    /// How entities are found, where a parameter doesn't name another query.
    static var defaultQuery: DefaultQuery { get }

    /// Its title is also what a person can call it by.
    var displayRepresentation: DisplayRepresentation { get }
    /// Adds what others should see of it in events: `writer.member("region", region)`. Unless you write it, nothing.
    ///
    /// `id` and `title` are there already.
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
                "id": .object(["type": .string(ID.entityIdentifierKind.rawValue)]), "title": .object(["type": .string("string")]),
            ]),
            "required": .array([.string("id")]),
        ])
    }

    /// Always `nil`: what JSON and text say is looked up by the query.
    public init?(json: JSONView) { return nil }
    /// Always `nil`: what JSON and text say is looked up by the query.
    public init?(text: String) { return nil }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id.entityIdentifierJSON)
        writer.member("title", displayRepresentation.title.original)
        encodeMembers(to: &writer)
        writer.endObject()
    }

    public func encodeMembers(to writer: inout JSONWriter) {}

    /// Stands in only so that a type without one is shown by its identifier rather than not at all.
    public var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(id.entityIdentifierString)) }
    public var displayText: String { displayRepresentation.title.original }
    public func displayText(in locale: String?) -> String { displayRepresentation.title.text(in: locale) }
    public var optionID: String { id.entityIdentifierString }

    public static func entityForm(_ provider: (any DynamicOptionsProvider<Self>)?) -> EntityForm<Self>? {
        if let query = provider as? any EntityQuery<Self> { return form(query) }
        return form(defaultQuery)
    }

    private static func form(_ query: some EntityQuery<Self>) -> EntityForm<Self> { EntityForm(query) }
}

/// What can identify an ``AppEntity``: App Intents' `EntityIdentifierConvertible`. `String` and `Int` are ready made.
public protocol EntityIdentifier: Hashable, Sendable {
    /// The identifier as text: what an answer names.
    var entityIdentifierString: String { get }
    /// `nil` if no identifier is written so.
    init?(entityIdentifierString: String)
    /// The identifier in events, a string or a number. Unless you write it, the text.
    var entityIdentifierJSON: JSON { get }
    /// `string` or `number`, whichever that is.
    static var entityIdentifierKind: JSONView.Kind { get }
}

extension EntityIdentifier {
    public var entityIdentifierJSON: JSON { .string(entityIdentifierString) }
    public static var entityIdentifierKind: JSONView.Kind { .string }
}

extension String: EntityIdentifier {
    public var entityIdentifierString: String { self }
    public init?(entityIdentifierString: String) { self = entityIdentifierString }
}

extension Int: EntityIdentifier {
    public var entityIdentifierString: String { String(self) }
    public init?(entityIdentifierString: String) { self.init(entityIdentifierString) }
    public var entityIdentifierJSON: JSON { .number(self) }
    public static var entityIdentifierKind: JSONView.Kind { .number }
}
