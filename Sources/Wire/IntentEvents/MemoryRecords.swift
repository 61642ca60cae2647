public import Conversation
public import IntentModel
public import RecordLog

/// A record of `intents.memory-changes`: a change of what is remembered about a person. Its key is the person's, so that one partition has all of their changes.
public struct MemoryChangeRecord: Sendable, Hashable {
    public var principal: Principal
    public var change: MemoryChange

    public init(of principal: Principal, _ change: MemoryChange) {
        self.principal = principal
        self.change = change
    }

    /// The record's key: the principal's kind and id, as a list.
    public static func key(of principal: Principal) -> Bytes { JSON.array(principal.parts).bytes }

    /// - Throws: ``EventError`` that says what is wrong with it. The writer of `intents.memory` passes such a record over.
    public init(_ record: ConsumedRecord) throws(EventError) {
        guard let parts = record.keyParts, parts.count == 2, let principal = Principal(parts) else {
            throw .invalid("a key is a list of a principal's kind and their id", "key")
        }
        let view = try record.memoryValue
        do { self.init(of: principal, try MemoryChange(journal: view)) } catch { throw .invalid(error) }
    }
}

/// A record of `intents.memory`: all that is remembered about a person, after one of their changes; or the tombstone of an older one.
///
/// Each has a key of its own: of two records about a person the one with the later position counts. So a late writer can't overwrite a newer record, and compaction
/// can't keep the wrong one.
public struct MemoryRecord: Sendable, Hashable {
    public var principal: Principal
    public var position: MemoryPosition
    /// A tombstone has none.
    public var person: RememberedPerson?

    public init(of principal: Principal, _ person: RememberedPerson) {
        (self.principal, self.person, position) = (principal, person, person.position)
    }

    /// - Parameter position: that of a record which a newer one has replaced.
    public init(replaced position: MemoryPosition, of principal: Principal) {
        (self.principal, self.position) = (principal, position)
    }

    /// The record's key: the principal's kind and id, and the epoch and the offset of the position, as a list.
    package var key: Bytes {
        JSON.array(principal.parts + [.string("\(position.epoch)"), .string("\(position.offset)")]).bytes
    }

    /// - Throws: ``EventError`` that says what is wrong with it. Readers pass such a record over.
    public init(_ record: ConsumedRecord) throws(EventError) {
        guard let parts = record.keyParts, parts.count == 4, let principal = Principal(Array(parts.prefix(2))),
            let epoch = Self.number(parts[2]), let offset = Self.number(parts[3])
        else {
            throw .invalid(
                "a key of the memory is a list of a principal's kind, their id, an epoch and an offset", "key")
        }
        self.principal = principal
        position = MemoryPosition(epoch: epoch, offset: Int64(offset))
        if record.value == nil { return }
        let view = try record.memoryValue
        do { person = try RememberedPerson(journal: view) } catch { throw .invalid(error) }
        guard person?.position == position else { throw .invalid("the position is that of the key", "position") }
    }

    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { 0...1 << 53 ~= $0 && String($0) == text ? $0 : nil }
    }
}

extension ConsumedRecord {
    /// The texts of a key that is a list of texts.
    fileprivate var keyParts: [String]? {
        guard let key, let view = try? JSONView(parsing: key, limits: .event), view.kind == .array else { return nil }
        let parts = view.elements.map(\.string)
        return parts.contains(nil) ? nil : parts.compactMap { $0 }
    }

    fileprivate var memoryValue: JSONView {
        get throws(EventError) {
            guard let value else { throw .invalid("a tombstone is no change", "value") }
            do { return try JSONView(parsing: value, limits: .journal) } catch {
                throw EncryptedValue.problem(self) ?? EventError(error)
            }
        }
    }
}

extension Principal {
    fileprivate var parts: [JSON] { [.string(kind.rawValue), .string(id.text)] }

    fileprivate init?(_ parts: [String]) {
        guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else { return nil }
        self.init(kind, Identifier(parts[1]))
    }
}

extension EventError {
    fileprivate static func invalid(_ fault: JournalFault) -> EventError {
        .invalid("'\(fault.field)' \(fault.problem)", fault.field)
    }
}

extension MemoryChangeRecord {
    /// The record on `intents.memory-changes`.
    ///
    /// - Parameters:
    ///   - partitions: how many the topic has; `nil` leaves the partition to the client.
    ///   - now: The time of writing, and the record's timestamp: a change may have been decided long ago, and a broker may refuse old records.
    public func record(topics: Topics, partitions: Int32? = nil, at now: Instant) -> Record {
        var change = change
        var writer = JSONWriter(reserving: 256)
        change.write(to: &writer)
        let key = Self.key(of: principal)
        return Record(
            topic: topics.memoryChanges, partition: partitions.map { Murmur2.partition(of: key, count: $0) }, key: key,
            value: writer.bytes,
            timestamp: now.milliseconds)
    }
}

extension MemoryRecord {
    /// The record on `intents.memory`, or the tombstone of one.
    ///
    /// - Parameters:
    ///   - partition: that of the person's changes.
    ///   - now: The time of writing.
    public func record(topics: Topics, partition: Int32, at now: Instant) -> Record {
        var value: Bytes?
        if var person {
            var writer = JSONWriter(reserving: 1_024)
            person.write(to: &writer)
            value = writer.bytes
        }
        return Record(topic: topics.memory, partition: partition, key: key, value: value, timestamp: now.milliseconds)
    }
}
