import RecordLog

/// Sessions of a partition that was taken over, of which only the newest records are known. Nothing of them is under way, so they are read when an event
/// comes for them, or when there is time.
struct UnreadSessions {
    private(set) var records: [String: ConsumedRecord] = [:]
    /// How many of them are open; the others are forgotten, and their requests are known.
    private(set) var openCount = 0
    /// Their ids, the one with the oldest record last; `nil` until it is needed. Some may be read already.
    private var order: [String]?

    init(_ records: [String: ConsumedRecord] = [:]) {
        self.records = records
        openCount = records.values.reduce(0) { $1.isOpen ? $0 + 1 : $0 }
    }

    var isEmpty: Bool { records.isEmpty }
    var forgottenCount: Int { records.count - openCount }

    /// Takes a session out, to read it.
    mutating func take(_ id: String) -> ConsumedRecord? {
        guard !records.isEmpty, let record = records.removeValue(forKey: id) else { return nil }
        if record.isOpen { openCount -= 1 }
        if records.isEmpty { order = nil }
        return record
    }

    /// Takes the session out that was not written for longest: the next timer is likely to be its.
    mutating func takeOldest() -> (id: String, record: ConsumedRecord)? {
        if records.isEmpty { return nil }
        if order == nil { order = records.map { ($0.value.offset, $0.key) }.sorted { $0.0 > $1.0 }.map(\.1) }
        while let id = order?.popLast() {
            if let record = take(id) { return (id, record) }
        }
        return nil
    }
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
