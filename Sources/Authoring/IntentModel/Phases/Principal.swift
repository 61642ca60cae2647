/// The party that caused an event, as the event's sender has authenticated it: CloudEvents' auth context, the
/// attributes `authtype` and `authid`.
public struct Principal: Sendable, Hashable {
    /// The kind of principal: the value of `authtype`. Its values `unauthenticated` and `unknown` are not kinds,
    /// because they name no principal.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A person who uses an app.
        case appUser = "app_user"
        /// A person who uses the platform itself.
        case user
        case serviceAccount = "service_account"
        case apiKey = "api_key"
        /// The platform itself, such as its operators' tool.
        case system
    }

    public var kind: Kind
    /// The value of `authid`: 1 to 256 bytes without control characters, unique among principals of one kind. Empty
    /// only for ``Kind/system``, which may have none.
    public var id: Identifier

    public init(_ kind: Kind, _ id: Identifier) {
        self.kind = kind
        self.id = id
    }

    /// `true` if the id can be that of a principal of this kind.
    package var isValid: Bool {
        (!id.isEmpty || kind == .system) && id.utf8.count <= 256 && !id.text.hasControlCharacters
    }

    /// `true` if the two are one person: a person has one id, whether they use an app or the platform itself.
    package func isSame(as other: Principal) -> Bool {
        id == other.id && (kind == other.kind || isPerson && other.isPerson)
    }

    /// `true` if the principal is a person.
    public var isPerson: Bool { kind == .appUser || kind == .user }
}
