public import IntentModel

/// A change of what is remembered about a person, as one of their sessions has decided it. `intents.memory-changes` has all changes of a person in one order.
public struct MemoryChange: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case remember(RememberedValue)
        /// Under these keys; `nil` for all.
        case forget([String]?)
    }

    public var kind: Kind
    /// Names the changes of one session among those of its owner. A session that is opened again under the same id has another one.
    public var stream: Identifier
    /// The change's number in its stream, from 1. A repeat of it is the same change.
    public var number: Int
    /// The newest forgetting that was known when the request came that remembers the value. What was forgotten later takes it along, whichever is written first.
    public var since: MemoryPosition?
    /// When it was decided.
    public var time: Instant
    /// The event that had it forgotten; `nil` if nobody waits for a confirmation.
    public var event: Identifier?

    public init(
        _ kind: Kind, stream: Identifier, number: Int, since: MemoryPosition? = nil, time: Instant,
        event: Identifier? = nil
    ) {
        self.kind = kind
        self.stream = stream
        self.number = number
        self.since = since
        self.time = time
        self.event = event
    }

    /// Bytes of what it remembers, or of the keys that it forgets.
    package var size: Int {
        switch kind {
        case .remember(let value): value.size
        case .forget(let keys): (keys ?? []).reduce(0) { $0 + $1.utf8.count }
        }
    }
}

/// The place of a change among all changes of a partition of `intents.memory-changes`.
public struct MemoryPosition: Sendable, Hashable, Comparable {
    /// How often the topic was found to be created again.
    public var epoch: Int
    public var offset: Int64

    public init(epoch: Int = 0, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }

    public static func < (a: MemoryPosition, b: MemoryPosition) -> Bool { (a.epoch, a.offset) < (b.epoch, b.offset) }
}

/// A forgetting that is done.
public struct DoneForgetting: Sendable, Hashable {
    /// Under which keys; `nil` for all.
    public var keys: [String]?
    /// How many values were forgotten.
    public var count: Int
    public var stream: Identifier
    public var number: Int
    public var position: MemoryPosition

    public init(keys: [String]?, count: Int, stream: Identifier, number: Int, position: MemoryPosition) {
        self.keys = keys
        self.count = count
        self.stream = stream
        self.number = number
        self.position = position
    }

    package func covers(_ key: String) -> Bool { keys?.contains(key) ?? true }
}

/// News for a session about the changes of its owner.
public struct MemoryNews: Sendable, Hashable {
    /// The number up to which the session's own changes are done.
    public var done: Int
    /// The newest forgettings of the person, by any of their sessions, oldest first.
    public var forgettings: [DoneForgetting]

    public init(done: Int, forgettings: [DoneForgetting]) {
        self.done = done
        self.forgettings = forgettings
    }
}

/// The confirmation of a forgetting: the log has it, and no reader of the log gets the values any more.
public struct ForgottenMemory: Sendable, Hashable {
    /// The event that has asked for it.
    public var event: Identifier
    /// Under which keys; `nil` for all.
    public var keys: [String]?
    /// How many values were forgotten; `nil` if that is not known any more.
    public var count: Int?

    public init(event: Identifier, keys: [String]?, count: Int?) {
        self.event = event
        self.keys = keys
        self.count = count
    }
}
