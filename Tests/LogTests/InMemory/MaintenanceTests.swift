import RecordLog
import Testing

@Suite("Compaction and truncation of the in-memory log") struct MaintenanceTests: InScenario {
    let scenario = Scenario()

    @Test func `compaction keeps the newest record of each key with its offset`() throws {
        try append("a", "b", "a", "b", "a")
        log.compact("t")
        #expect(values == ["3", "4"] && log.records(in: p0).map(\.offset) == [3, 4])
        #expect(try client.range(of: p0) == 0..<5)
        #expect(try client.events(reading: p0) == ["read t[0]@3", "read t[0]@4", "end t[0]@5"])
        #expect(try log.append(record("6", key: "a")).offset == 5)
    }

    @Test func `each partition is compacted separately, and records without a key are kept`() throws {
        for partition: Int32 in [0, 1] {
            for key in ["a", nil, "a", ""] { try log.append(record("v", key: key, partition)) }
        }
        log.compact("t")
        #expect(log.records(in: "t").map(\.offset) == [1, 2, 3, 1, 2, 3])
    }

    @Test func `recent records are kept, and so are the records that they overwrite`() throws {
        for value in ["1", "2", "3"] { try client.send(record(value, key: "k"), token: 0) }
        _ = try client.events()
        log.compact(p0, before: 2)
        #expect(values == ["2", "3"])
        log.compact(p0, before: 3)
        #expect(values == ["3"])
    }

    @Test func `tombstones survive the first compaction, and are removed when they are old`() throws {
        try append("a", "b")
        try log.append(record(nil, key: "a"))
        log.compact("t")
        #expect(values == ["1", nil])
        log.compact("t", droppingTombstones: true)
        #expect(values == ["1"])
        #expect(try client.events(reading: p0) == ["read t[0]@1", "end t[0]@3"])
    }

    @Test func `a reader inside a compacted range continues after it without an error`() throws {
        try append("a", "a", "a", "a")
        #expect(try client.events(reading: p0, 1) == ["read t[0]@0"])
        log.compact("t")
        #expect(try client.events() == ["read t[0]@3", "end t[0]@4"])
    }

    @Test func `a reader before the new start is told its position once, and continues at the start`() throws {
        try fill(5)
        #expect(try client.events(reading: p0, 1) == ["read t[0]@0"])
        log.truncate(p0, before: 3)
        #expect(try client.range(of: p0) == 3..<5)
        #expect(try client.events() == ["outOfRange t[0]@1 below, at 3", "read t[0]@3", "read t[0]@4", "end t[0]@5"])
        #expect(try client.events() == [])
    }

    @Test func `a member whose committed offset was truncated gets a report, and starts at the new start`() throws {
        try fill(5)
        let first = try owner("first")
        try first.commit([p0: CommittedOffset(offset: 2)])
        try first.close(timeout: .zero)
        log.truncate(p0, before: 4)
        let second = try owner("second")
        #expect(try second.events() == ["outOfRange t[0]@2 below, at 4", "record t[0]@4"])
    }

    @Test func `truncating everything leaves an empty partition, and offsets continue`() throws {
        try fill(3)
        log.truncate(p0, before: 99)
        #expect(try client.range(of: p0) == 3..<3)
        #expect(try log.append(record("v")).offset == 3)
    }
}

@Suite("Segments of the in-memory log") struct SegmentTests: InScenario {
    let scenario = Scenario()

    @Test func `a segment is closed when the record after its last one is written, and removed by retention`() throws {
        log.setSegmentSize(2, of: "t")
        try append("a", "b")
        #expect(log.segmentEnds(of: p0) == [])
        try append("c", "d", "e")
        #expect(log.segmentEnds(of: p0) == [2, 4] && log.segmentEnds(of: p1) == [])
        log.truncate(p0, before: 2)
        #expect(log.segmentEnds(of: p0) == [4])
    }

    @Test func `a segment can be closed at any record, and an empty one is not closed`() throws {
        log.rollSegment(of: p0)
        try append("a", "b", "c")
        for _ in 0..<2 { log.rollSegment(of: p0) }
        try append("d")
        log.rollSegment(of: p0)
        #expect(log.segmentEnds(of: p0) == [3, 4])
    }

    @Test func `compaction cleans closed segments only, and ignores the keys of the active one`() throws {
        log.setSegmentSize(3, of: "t")
        try append("a", "b", "a", "b", "a")
        log.compactSegments(of: p0)
        #expect(values == ["1", "2", "3", "4"])
        log.rollSegment(of: p0)
        log.compactSegments(of: p0)
        #expect(values == ["3", "4"])
    }

    @Test func `compaction ends at the end of a segment`() throws {
        log.setSegmentSize(2, of: "t")
        try append("a", "a", "a", "a", "a", "a")
        log.compactSegments(of: p0, upTo: 3)
        #expect(values == ["1", "2", "3", "4", "5"])
        log.compactSegments(of: p0, upTo: 1)
        #expect(values == ["1", "2", "3", "4", "5"])
    }

    @Test func `interrupted compaction cleans the first segments by the later ones, and leaves the rest`() throws {
        log.setSegmentSize(2, of: "t")
        try append("a", "b", "c", "a", "c")
        try log.append(record(nil, key: "b"))
        log.rollSegment(of: p0)
        log.compactSegments(of: p0, stoppingAt: 2, droppingTombstones: true)
        #expect(log.records(in: p0).map(\.offset) == [2, 3, 4, 5])
        log.compactSegments(of: p0, droppingTombstones: true)
        #expect(log.records(in: p0).map(\.offset) == [3, 4])
    }
}
