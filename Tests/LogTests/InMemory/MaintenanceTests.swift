import RecordLog
import Testing

@Suite("Compaction and truncation of the in-memory log")
struct MaintenanceTests {
    @Test("compaction keeps the newest record of each key with its offset")
    func compaction() async throws {
        let scenario = try await Scenario()
        for (key, value) in [("a", "1"), ("b", "2"), ("a", "3"), ("b", "4"), ("a", "5")] {
            try scenario.log.append(scenario.record(value, key: key))
        }
        scenario.log.compact("t")
        #expect(scenario.log.records(in: scenario.p0).map(\.offset) == [3, 4])
        let client = scenario.client("c")
        #expect(try client.range(of: scenario.p0) == 0..<5)
        try client.read(scenario.p0, from: .beginning)
        #expect(try client.told() == ["read t[0]@3", "read t[0]@4", "end t[0]@5"])
        #expect(try scenario.log.append(scenario.record("6", key: "a")).offset == 5)
    }

    @Test("each partition is compacted separately, and records without a key are kept")
    func keyless() async throws {
        let scenario = try await Scenario()
        for partition: Int32 in [0, 1] {
            try scenario.log.append(scenario.record("1", key: "a", partition))
            try scenario.log.append(scenario.record("2", partition))
            try scenario.log.append(scenario.record("3", key: "a", partition))
            try scenario.log.append(scenario.record("4", key: "", partition))
        }
        scenario.log.compact("t")
        #expect(scenario.log.records(in: "t").map(\.offset) == [1, 2, 3, 1, 2, 3])
    }

    @Test("recent records are kept, and so are the records that they overwrite")
    func young() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        for value in ["1", "2", "3"] { try client.send(scenario.record(value, key: "k"), token: 0) }
        _ = try client.told()
        scenario.log.compact(scenario.p0, before: 2)
        #expect(scenario.values(scenario.p0) == ["2", "3"])
        scenario.log.compact(scenario.p0, before: 3)
        #expect(scenario.values(scenario.p0) == ["3"])
    }

    @Test("tombstones survive the first compaction, and are removed when they are old")
    func tombstones() async throws {
        let scenario = try await Scenario()
        try scenario.log.append(scenario.record("1", key: "a"))
        try scenario.log.append(scenario.record("1", key: "b"))
        try scenario.log.append(Record(topic: "t", partition: 0, key: Bytes("a".utf8), value: nil))
        scenario.log.compact("t")
        #expect(scenario.values(scenario.p0) == ["1", nil])
        scenario.log.compact("t", droppingTombstones: true)
        #expect(scenario.values(scenario.p0) == ["1"])
        let client = scenario.client("c")
        try client.read(scenario.p0, from: .beginning)
        #expect(try client.told() == ["read t[0]@1", "end t[0]@3"])
    }

    @Test("a reader inside a compacted range continues after it without an error")
    func readerInHole() async throws {
        let scenario = try await Scenario()
        for value in 0..<4 { try scenario.log.append(scenario.record("\(value)", key: "a")) }
        let client = scenario.client("c")
        try client.read(scenario.p0, from: .beginning)
        #expect(try client.told(1) == ["read t[0]@0"])
        scenario.log.compact("t")
        #expect(try client.told() == ["read t[0]@3", "end t[0]@4"])
    }

    @Test("a reader before the new start is told once what it asked for, and continues at the new start")
    func truncation() async throws {
        let scenario = try await Scenario()
        for value in 0..<5 { try scenario.log.append(scenario.record("\(value)")) }
        let client = scenario.client("c")
        try client.read(scenario.p0, from: .beginning)
        #expect(try client.told(1) == ["read t[0]@0"])
        scenario.log.truncate(scenario.p0, before: 3)
        #expect(try client.range(of: scenario.p0) == 3..<5)
        #expect(
            try client.told() == [
                "outOfRange t[0]@1 before the beginning, at 3", "read t[0]@3", "read t[0]@4", "end t[0]@5",
            ])
        #expect(try client.told() == [])
    }

    @Test("a member whose committed offset was truncated is told so, and starts at the new start")
    func truncatedCommit() async throws {
        let scenario = try await Scenario()
        for value in 0..<5 { try scenario.log.append(scenario.record("\(value)")) }
        let first = try scenario.owner("first")
        try first.commit([scenario.p0: CommittedOffset(offset: 2)])
        try first.close(timeout: .zero)
        scenario.log.truncate(scenario.p0, before: 4)
        let second = try scenario.owner("second")
        #expect(try second.told() == ["outOfRange t[0]@2 before the beginning, at 4", "record t[0]@4"])
    }

    @Test("truncating everything leaves an empty partition, and offsets continue")
    func truncateAll() async throws {
        let scenario = try await Scenario()
        for value in 0..<3 { try scenario.log.append(scenario.record("\(value)")) }
        scenario.log.truncate(scenario.p0, before: 99)
        #expect(try scenario.client("c").range(of: scenario.p0) == 3..<3)
        #expect(try scenario.log.append(scenario.record("v")).offset == 3)
    }
}
