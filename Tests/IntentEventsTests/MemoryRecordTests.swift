import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Records of what is remembered about people")
struct MemoryRecordTests {
    private static let ann = Principal(.appUser, "ann")

    @Test(
        "have the time of writing, and keep the time of a value that was said or forgotten long ago",
        arguments: [JSON.string("Leeds"), nil])
    func times(_ value: JSON?) throws {
        let now = Instant(milliseconds: 1_772_366_400_250)
        let said = now.advanced(by: .seconds(-30 * 86_400))
        let memory = MemoryRecord(of: Self.ann, RememberedValue(key: "city", value: value, time: said))
        var encoder = EventEncoder(source: "/test")
        let record = encoder.record(memory, topics: Topics(), at: now)
        #expect(record.timestamp == now.milliseconds)
        #expect(try MemoryRecord(consumed(record)) == memory)
    }

    @Test("a tombstone of an earlier version has the time of its record")
    func older() throws {
        let now = Instant(milliseconds: 1_772_366_400_250)
        let key = MemoryRecord.key(of: Self.ann, "city")
        let record = Record(topic: Topics().memory, partition: nil, key: key, value: nil, headers: [], timestamp: now.milliseconds)
        #expect(try MemoryRecord(consumed(record)).value == RememberedValue(key: "city", value: nil, time: now))
    }

    private func consumed(_ record: Record) -> ConsumedRecord {
        ConsumedRecord(
            topic: record.topic, partition: 0, offset: 0, timestamp: record.timestamp ?? 0, key: record.key, value: record.value,
            headers: record.headers)
    }
}
