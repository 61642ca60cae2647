import DequeModule
package import IntentModel
package import RecordLog

/// Sessions of a partition of which only the newest record is known: the journal was read, and none of them was needed since.
///
/// There may be a million of them, and a partition is taken over in less time than it takes to look at each. So they are counted and ordered as their records come.
package struct UnreadSessions: Sendable, Hashable {
    package private(set) var records: [Identifier: ConsumedRecord] = [:]
    /// How many of them are open; the others are forgotten, and their requests are known.
    package private(set) var openCount = 0
    private var order = WriteOrder()
    /// Those that are known otherwise. They are removed when they are come across: to remove one from a copy would copy all.
    private var known: Set<Identifier> = []

    package init() {}

    package var count: Int { records.count - known.count }
    package var isEmpty: Bool { count == 0 }
    package var forgottenCount: Int { count - openCount }

    /// The records of those that are not known otherwise.
    package var remaining: [Identifier: ConsumedRecord] {
        known.isEmpty ? records : records.filter { !known.contains($0.key) }
    }

    /// A newer record of a session.
    mutating func insert(_ record: ConsumedRecord, of id: Identifier) {
        if record.isOpen { openCount += 1 }
        if let before = records.updateValue(record, forKey: id), before.isOpen { openCount -= 1 }
        order.append(id, record.offset)
        if order.count > 2 * records.count + 1_024 { order.removeAll { records[$0]?.offset != $1 } }
    }

    mutating func remove(_ id: Identifier) {
        if let before = records.removeValue(forKey: id), before.isOpen { openCount -= 1 }
    }

    /// Those that were written from this offset on, in the order of the journal.
    func written(from offset: Int64) -> [(id: Identifier, record: ConsumedRecord)] {
        order.newest(from: offset).compactMap { id, offset in
            guard let record = records[id], record.offset == offset else { return nil }
            return (id, record)
        }
    }

    /// Those that are not known otherwise, in the order of the journal.
    var inOrder: [(id: Identifier, record: ConsumedRecord)] { written(from: .min).filter { !known.contains($0.id) } }

    /// These are known otherwise.
    mutating func leaveOut(_ ids: some Sequence<Identifier>) {
        for id in ids {
            guard let record = records[id], known.insert(id).inserted else { continue }
            if record.isOpen { openCount -= 1 }
        }
    }

    /// Takes a session out, to read it.
    package mutating func take(_ id: Identifier) -> ConsumedRecord? {
        guard !records.isEmpty, let record = records.removeValue(forKey: id) else { return nil }
        if !known.isEmpty, known.remove(id) != nil { return nil }
        if record.isOpen { openCount -= 1 }
        return record
    }

    /// Takes the session out that was not written for longest: the next timer is likely to be its.
    package mutating func takeOldest() -> (id: Identifier, record: ConsumedRecord)? {
        while let (id, offset) = order.popFirst() {
            guard records[id]?.offset == offset else { continue }
            if let record = take(id) { return (id, record) }
        }
        return nil
    }
}

/// The ids of sessions in the order in which they were written, with the offsets of their records. Some may be outdated. What it has follows from the records, so
/// all are equal.
private struct WriteOrder: Sendable, Hashable {
    private var entries: Deque<(id: Identifier, offset: Int64)> = []

    var count: Int { entries.count }

    mutating func append(_ id: Identifier, _ offset: Int64) { entries.append((id, offset)) }

    mutating func popFirst() -> (id: Identifier, offset: Int64)? { entries.popFirst() }

    mutating func removeAll(where isOutdated: (Identifier, Int64) -> Bool) {
        entries.removeAll { isOutdated($0.id, $0.offset) }
    }

    func newest(from offset: Int64) -> ArraySlice<(id: Identifier, offset: Int64)> {
        let first = entries.lastIndex { $0.offset < offset }.map { $0 + 1 } ?? 0
        return ArraySlice(entries[first...])
    }

    static func == (a: WriteOrder, b: WriteOrder) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension ConsumedRecord {
    /// Whether it is that of an open session. What is left of a forgotten one ends with the time until when it is known.
    fileprivate var isOpen: Bool {
        guard let value, value.last == UInt8(ascii: "}") else { return true }
        var end = value.count - 1
        while end > 0, UInt8(ascii: "0")...UInt8(ascii: "9") ~= value[end - 1] { end -= 1 }
        return !value[..<end].suffix(12).elementsEqual(#""forgotten":"#.utf8)
    }
}
