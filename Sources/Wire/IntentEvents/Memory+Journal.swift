import Conversation
import IntentModel

// The memory of a person, in the journal, in `intents.memory-changes` and in `intents.memory`.

extension RememberedValue: JournalObject {
    static var blank: RememberedValue { RememberedValue(key: "", value: .null, time: Instant(milliseconds: 0)) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("key", &key)
        try coder.require(Self.isKey(key), "key", "has 1 to \(Self.maximumKeyBytes) bytes")
        try coder.field("value", &value)
        try coder.field("intent", &intent)
        try coder.field("time", &time)
    }
}

extension MemoryPosition: JournalObject {
    static var blank: MemoryPosition { MemoryPosition(offset: 0) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        var offset = Int(offset)
        try coder.field("epoch", &epoch, default: 0)
        try coder.field("offset", &offset)
        if Coder.isReading { self.offset = Int64(offset) }
    }
}

extension MemoryChange: JournalObject {
    static var blank: MemoryChange { MemoryChange(.forget([]), stream: "", number: 0, time: Instant(milliseconds: 0)) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("stream", &stream)
        try coder.field("number", &number)
        try coder.field("since", &since)
        try coder.field("time", &time)
        try coder.field("event", &event)
        var (remember, forget): (RememberedValue?, ForgottenKeys?)
        switch kind {
        case .remember(let value): remember = value
        case .forget(let keys): forget = ForgottenKeys(keys: keys)
        }
        try coder.field("remember", &remember)
        try coder.field("forget", &forget)
        try coder.require((remember == nil) != (forget == nil), "remember", "is there, or 'forget'")
        if Coder.isReading { kind = remember.map { .remember($0) } ?? .forget(forget?.keys) }
    }
}

/// The keys that are forgotten; all if there are none.
struct ForgottenKeys: JournalObject {
    var keys: [String]?

    static var blank: ForgottenKeys { ForgottenKeys() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("keys", &keys)
    }
}

extension DoneForgetting: JournalObject {
    static var blank: DoneForgetting { DoneForgetting(keys: nil, count: 0, stream: "", number: 0, position: .blank) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("keys", &keys)
        try coder.field("count", &count)
        try coder.field("stream", &stream)
        try coder.field("number", &number)
        try coder.field("position", &position)
    }
}

extension MemoryStream: JournalObject {
    static var blank: MemoryStream { MemoryStream(name: "", number: 0) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("name", &name)
        try coder.field("number", &number)
    }
}

extension RememberedPerson: JournalObject {
    static var blank: RememberedPerson { RememberedPerson() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("values", &values, default: [])
        try coder.field("forgettings", &forgettings, default: [])
        try coder.field("streams", &streams, default: [])
        try coder.field("position", &position)
    }
}

extension PersonMemory: JournalObject {
    static var blank: PersonMemory { PersonMemory() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("stream", &stream, default: "")
        try coder.field("last", &last, default: 0)
        var done = done
        try coder.field("done", &done, default: 0)
        try coder.field("pending", &pending, default: [])
        try coder.field("told", &told)
        if Coder.isReading { self = PersonMemory(stream: stream, last: last, done: done, pending: pending, told: told) }
    }
}
