public import IntentModel

/// A value that is remembered about a person beyond their session.
public struct RememberedValue: Sendable, Hashable {
    /// Under what it is remembered; 1 to 256 bytes.
    public var key: String
    /// `null` if the person wants none in particular.
    public var value: JSON
    /// The intent whose parameter it was; `nil` if that is not known.
    public var intent: Identifier?
    /// When it was said.
    public var time: Instant

    public init(key: String, value: JSON, intent: Identifier? = nil, time: Instant) {
        self.key = key
        self.value = value
        self.intent = intent
        self.time = time
    }

    /// The longest key, in bytes.
    package static let maximumKeyBytes = 256

    package static func isKey(_ text: String) -> Bool { 1...maximumKeyBytes ~= text.utf8.count }

    /// Bytes of its key and value.
    package var size: Int { key.utf8.count + (intent?.utf8.count ?? 0) + value.bytes.count }
}

/// What is to be forgotten.
public struct Forgetting: Sendable, Hashable {
    public enum Scope: String, Sendable, Hashable, CaseIterable {
        /// What the session remembers.
        case session
        /// That, and what is remembered for the person who owns it.
        case person
    }

    /// Under which keys; `nil` for all.
    public var keys: [String]?
    public var scope: Scope
    /// With the scope ``Scope/person``: the id of the event, for the result that confirms it. The coordinator fills it in.
    public var event: Identifier?

    public init(keys: [String]? = nil, scope: Scope = .session, event: Identifier? = nil) {
        self.keys = keys
        self.scope = scope
        self.event = event
    }

    /// How many keys may be named.
    package static let maximumKeys = 256
}
