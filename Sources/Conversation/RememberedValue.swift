public import IntentModel

/// A value that is remembered about a person beyond their session, or that it was forgotten.
public struct RememberedValue: Sendable, Hashable {
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// A request was resolved with it.
        case resolved
        /// An earlier version took it from an app, which had told what the person has done there.
        case donated
    }

    /// Under what it is remembered; 1 to 256 bytes.
    public var key: String
    /// `null` if the person wants none in particular; `nil` if it was forgotten.
    public var value: JSON?
    public var source: Source
    /// The intent whose parameter it was; `nil` if that is not known, or if it was forgotten.
    public var intent: Identifier?
    /// When it was said or forgotten. Of two values of a key the later one counts.
    public var time: Instant

    public init(key: String, value: JSON?, source: Source = .resolved, intent: Identifier? = nil, time: Instant) {
        self.key = key
        self.value = value
        self.source = source
        self.intent = intent
        self.time = time
    }

    /// The longest key, in bytes.
    package static let maximumKeyBytes = 256

    package static func isKey(_ text: String) -> Bool { 1...maximumKeyBytes ~= text.utf8.count }

    /// Bytes of its key and value.
    package var size: Int { key.utf8.count + (intent?.utf8.count ?? 0) + (value?.bytes.count ?? 0) }
}

/// What a session has changed in the memory for the person who owns it. It is kept until the session ends: later requests of the session see it at once,
/// and a coordinator that takes the session over writes what may not be in `intents.memory` yet.
public struct PersonMemory: Sendable, Hashable {
    /// In the order in which they were changed; no key twice.
    public private(set) var values: [RememberedValue] = []

    /// - Parameter values: of those with the same key the last counts.
    public init(_ values: [RememberedValue] = []) {
        for value in values {
            self.values.removeAll { $0.key == value.key }
            self.values.append(value)
        }
    }

    public var isEmpty: Bool { values.isEmpty }

    func value(_ key: String) -> RememberedValue? { values.first { $0.key == key } }

    /// Keeps a change, and drops the oldest ones to make room.
    mutating func change(_ value: RememberedValue, keys: Int, bytes: Int) {
        values.removeAll { $0.key == value.key }
        values.append(value)
        var size = values.reduce(0) { $0 + $1.size }
        while values.count > max(1, keys) || size > bytes, values.count > 1 { size -= values.removeFirst().size }
    }
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
    /// With the scope ``Scope/person``: what is remembered about them, and without keys also the other keys under which something may be. The coordinator fills it
    /// in.
    public var remembered: [RememberedValue] = []

    public init(keys: [String]? = nil, scope: Scope = .session) {
        self.keys = keys
        self.scope = scope
    }

    /// How many keys may be named.
    package static let maximumKeys = 256
}
