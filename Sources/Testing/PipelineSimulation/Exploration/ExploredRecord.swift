import RecordLog
import Synchronization

/// A record that is compared and hashed by its number. An exploration hashes millions of states that share few distinct
/// records.
struct ExploredRecord: Hashable {
    let record: Record
    /// The epoch of a fence, or 0 for any other record.
    let fenceEpoch: Int
    private let number: Int

    init(_ record: Record) {
        self.record = record
        let key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? ""
        fenceEpoch = key.hasPrefix("$fence/") && record.value != nil ? Int(key.split(separator: "/")[1]) ?? 0 : 0
        number = Self.numbers.withLock { numbers in
            if let known = numbers[record] { return known }
            numbers[record] = numbers.count
            return numbers.count - 1
        }
    }

    static func == (a: ExploredRecord, b: ExploredRecord) -> Bool { a.number == b.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    private static let numbers = Mutex<[Record: Int]>([:])
}

/// A record in the explored log.
struct LoggedRecord: Hashable {
    var offset: Int64
    var record: ExploredRecord

    var fenceEpoch: Int { record.fenceEpoch }

    var consumed: ConsumedRecord {
        let record = record.record
        return ConsumedRecord(
            topic: record.topic, partition: record.partition ?? 0, offset: offset, timestamp: record.timestamp ?? 0,
            key: record.key,
            value: record.value, headers: record.headers)
    }
}
