import RecordLog
import Testing

@Suite("Segments of the in-memory log")
struct SegmentTests {
    /// Appends records with these keys, in order. The value of each record is its place.
    private func append(_ keys: [String], _ scenario: Scenario) throws {
        for (place, key) in keys.enumerated() { try scenario.log.append(scenario.record("\(place)", key: key)) }
    }

    @Test("a segment is closed when the record after its last one is written")
    func size() async throws {
        let scenario = try await Scenario()
        scenario.log.setSegmentSize(2, of: "t")
        try append(["a", "b"], scenario)
        #expect(scenario.log.segmentEnds(of: scenario.p0) == [])
        try append(["c", "d", "e"], scenario)
        #expect(scenario.log.segmentEnds(of: scenario.p0) == [2, 4])
        #expect(scenario.log.segmentEnds(of: scenario.p1) == [])
    }

    @Test("a segment can be closed at any record, and an empty one is not closed")
    func rolling() async throws {
        let scenario = try await Scenario()
        scenario.log.rollSegment(of: scenario.p0)
        try append(["a", "b", "c"], scenario)
        for _ in 0..<2 { scenario.log.rollSegment(of: scenario.p0) }
        try append(["d"], scenario)
        scenario.log.rollSegment(of: scenario.p0)
        #expect(scenario.log.segmentEnds(of: scenario.p0) == [3, 4])
    }

    @Test("compaction cleans closed segments only, and what the active one overwrites stays")
    func closedOnly() async throws {
        let scenario = try await Scenario()
        scenario.log.setSegmentSize(3, of: "t")
        try append(["a", "b", "a", "b", "a"], scenario)
        scenario.log.compactSegments(of: scenario.p0)
        #expect(scenario.values(scenario.p0) == ["1", "2", "3", "4"])
        scenario.log.rollSegment(of: scenario.p0)
        scenario.log.compactSegments(of: scenario.p0)
        #expect(scenario.values(scenario.p0) == ["3", "4"])
    }

    @Test("compaction ends at the end of a segment")
    func ends() async throws {
        let scenario = try await Scenario()
        scenario.log.setSegmentSize(2, of: "t")
        try append(["a", "a", "a", "a", "a", "a"], scenario)
        scenario.log.compactSegments(of: scenario.p0, upTo: 3)
        #expect(scenario.values(scenario.p0) == ["1", "2", "3", "4", "5"])
        scenario.log.compactSegments(of: scenario.p0, upTo: 1)
        #expect(scenario.values(scenario.p0) == ["1", "2", "3", "4", "5"])
    }

    @Test("interrupted compaction has cleaned the first segments by what the later ones contain, and the rest stays")
    func interrupted() async throws {
        let scenario = try await Scenario()
        scenario.log.setSegmentSize(2, of: "t")
        try append(["a", "b", "c", "a", "c"], scenario)
        try scenario.log.append(Record(topic: "t", partition: 0, key: Bytes("b".utf8), value: nil))
        scenario.log.rollSegment(of: scenario.p0)
        scenario.log.compactSegments(of: scenario.p0, stoppingAt: 2, droppingTombstones: true)
        #expect(scenario.log.records(in: scenario.p0).map(\.offset) == [2, 3, 4, 5])
        scenario.log.compactSegments(of: scenario.p0, droppingTombstones: true)
        #expect(scenario.log.records(in: scenario.p0).map(\.offset) == [3, 4])
    }

    @Test("retention removes the segments before the new beginning")
    func retention() async throws {
        let scenario = try await Scenario()
        scenario.log.setSegmentSize(2, of: "t")
        try append(["a", "b", "c", "d", "e"], scenario)
        scenario.log.truncate(scenario.p0, before: 2)
        #expect(scenario.log.segmentEnds(of: scenario.p0) == [4])
    }
}
