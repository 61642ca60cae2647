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
