import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// Cuts an input into records. The byte 0x1E separates records. The first line of a record is the key, the following
/// lines are headers (`name: value`), and the bytes after an empty line are the value. Without a first line, the record
/// has no key; without an empty line, it has no value. The header `@` is the record's timestamp.
struct FuzzedRecords: Sequence, IteratorProtocol {
    static let separator: UInt8 = 0x1E
    /// The maximum number of records in an input. More records make an input slow, and show nothing new.
    private static let maximum = 32

    private var rest: ArraySlice<UInt8>
    private let topic: String
    private var offset: Int64 = 0

    init(_ input: [UInt8], topic: String) {
        rest = input[...]
        self.topic = topic
    }

    mutating func next() -> ConsumedRecord? {
        guard !rest.isEmpty, offset < Self.maximum else { return nil }
        let end = rest.firstIndex(of: Self.separator) ?? rest.endIndex
        defer {
            rest = rest.suffix(from: Swift.min(end + 1, rest.endIndex))
            offset += 1
        }
        return Self.record(rest[..<end], topic: topic, offset: offset)
    }

    private static func record(_ bytes: ArraySlice<UInt8>, topic: String, offset: Int64) -> ConsumedRecord {
        var record = ConsumedRecord(
            topic: topic, partition: 0, offset: offset, timestamp: 1_772_366_400_000 + offset, key: nil, value: nil,
            headers: [])
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end]
            let isFirst = rest.startIndex == bytes.startIndex
            rest = rest.suffix(from: Swift.min(end + 1, rest.endIndex))
            if isFirst {
                record.key = line.isEmpty ? nil : Array(line)
            } else if line.isEmpty {
                record.value = Array(rest)
                return record
            } else {
                let header = header(line)
                if header.name == "@", let timestamp = header.text.flatMap({ Int64($0) }) {
                    record.timestamp = timestamp
                } else {
                    record.headers.append(header)
                }
            }
        }
        return record
    }

    private static func header(_ line: ArraySlice<UInt8>) -> RecordHeader {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            return RecordHeader(String(decoding: line, as: UTF8.self), nil)
        }
        let value = line[(colon + 1)...]
        return RecordHeader(
            String(decoding: line[..<colon], as: UTF8.self),
            Array(value.first == UInt8(ascii: " ") ? value.dropFirst() : value))
    }
}

extension ConsumedRecord {
    /// Creates the record that a consumer reads after a record was written to the same partition.
    init(_ record: Record, offset: Int64 = 0) {
        self.init(
            topic: record.topic, partition: record.partition ?? 0, offset: offset, timestamp: record.timestamp ?? 0,
            key: record.key, value: record.value, headers: record.headers)
    }
}

/// Reads the records of an input, and checks each record that was read and each refusal.
func decode<Event>(
    _ input: [UInt8], on topic: String, _ read: (ConsumedRecord) throws(EventError) -> Event,
    refusal: (EventError, ConsumedRecord) -> Void = checkRefusal, check: (Event, ConsumedRecord) -> Void
) {
    for record in FuzzedRecords(input, topic: topic) {
        do throws(EventError) { check(try read(record), record) } catch { refusal(error, record) }
    }
}

/// Checks that what was written can be read again.
///
/// - Parameter mayGrow: `true` if escapes may make a text near its bounds exceed them.
func reread<Event>(
    _ written: Record, _ read: (ConsumedRecord) throws(EventError) -> Event, mayGrow: Bool = false
) -> Event? {
    do throws(EventError) { return try read(ConsumedRecord(written)) } catch {
        require(
            mayGrow && error.rejection.reason == .complex,
            "what was read can be written and read again: \(error.rejection.message)")
        return nil
    }
}

/// Checks that a refusal has a message.
func checkMessage(_ error: EventError, of record: ConsumedRecord) {
    require(!error.rejection.message.isEmpty, "a refusal says what is wrong")
}

let topics = Topics()
let start = Instant(milliseconds: 1_772_366_400_000)

/// Checks the promises about every refusal: it has a message, and both the person's side and the dead letters can hold
/// it.
func checkRefusal(_ error: EventError, of record: ConsumedRecord) {
    let rejection = error.rejection
    require(!rejection.message.isEmpty, "a refusal says what is wrong")
    var encoder = EventEncoder(source: "/fuzz")
    let told = encoder.record(rejection, event: "event", session: "session", topics: topics, partition: 0, at: start)
    checkShown(told)
    let letter = DeadLetter.record(record, rejection, stage: "coordinator", topics: topics)
    guard let read = ReadDeadLetter(ConsumedRecord(letter)) else { return require(false, "a dead letter can be read") }
    require(read.holds(record), "a dead letter holds its original")
    require(read.excerpt == nil, "a whole letter is no excerpt")
    let excerpt = DeadLetter.excerpt(of: record, rejection, sha256: "0", stage: "coordinator", topics: topics)
    requireSame(ReadDeadLetter(ConsumedRecord(excerpt))?.excerpt?.bytes, record.value?.count ?? 0)
    let size =
        (excerpt.key?.count ?? 0) + (excerpt.value?.count ?? 0)
        + excerpt.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    require(size < Topics.minimumRecordLimit, "an excerpt fits into the log")
}

/// Checks the promises about every result: a reader of this version reads it, and nothing in a rejection moves a cursor
/// or begins a line of a log.
func checkShown(_ record: Record) {
    do {
        let result = try ReceivedResult(ConsumedRecord(record))
        let error = result.data["error"] ?? result.data
        if let message = error["message"]?.string {
            require(!message.isEmpty, "a rejection says what is wrong")
            require(!message.unicodeScalars.contains { $0.isControl && $0 != "\n" }, "a rejection is printable")
        }
        if let field = error["field"]?.string { require(!field.hasControlCharacters, "a field is printable") }
    } catch { require(false, "a result can be read: \(error.rejection.message)") }
}
