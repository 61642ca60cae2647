import Conversation
import IntentEvents
import IntentModel
import Logging
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The writer of what is remembered about people") struct MemoryKeeperTests {
    private static let topics = Topics()
    private static let leeds = [#"city "Leeds""#]
    private let clock = ManualClock()
    private let log: InMemoryLog
    private let place: TopicPartition

    init() async throws {
        log = InMemoryLog { [clock] in clock.now.milliseconds }
        try await log.createTopics(Self.topics.specifications(partitions: 2))
        place = TopicPartition(Self.topics.memory, Murmur2.partition(of: MemoryChangeRecord.key(of: .ann), count: 2))
    }

    /// A keeper that has read everything.
    private func keeper(_ name: String = "a") throws -> MemoryKeeper {
        let keeper = MemoryKeeper(
            client: try log.connect(MemoryKeeper.client(name, Self.topics)), topics: Self.topics, partitions: 2,
            clock: { [clock] in clock.now }, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        try settle([keeper])
        return keeper
    }

    private func settle(_ keepers: [MemoryKeeper]) throws {
        while try keepers.reduce(false, { try $1.step(timeout: .zero) || $0 }) {}
    }

    private func replaceKeeper() throws -> MemoryKeeper {
        log.client(named: "a-memory")?.crash(.beforeSending)
        log.client(named: "a-memory")?.evict()
        return try keeper("b")
    }

    private func value(_ text: String, _ key: String = "city") -> MemoryChange.Kind {
        .remember(RememberedValue(key: key, value: .string(text), time: clock.now))
    }

    private func change(
        _ kind: MemoryChange.Kind, _ number: Int, of stream: Identifier = "s", since: MemoryPosition? = nil
    ) -> MemoryChange {
        MemoryChange(kind, stream: stream, number: number, since: since, time: clock.now)
    }

    /// Writes a change, which these keepers then read.
    private func write(
        _ kind: MemoryChange.Kind, _ number: Int, of stream: Identifier = "s", since: MemoryPosition? = nil,
        readBy keepers: MemoryKeeper...
    ) throws {
        let change = change(kind, number, of: stream, since: since)
        try log.append(MemoryChangeRecord(of: .ann, change).record(topics: Self.topics, at: clock.now))
        try settle(keepers)
    }

    private func values(_ keeper: MemoryKeeper) -> [String] {
        (keeper.person(.ann)?.values ?? []).map { "\($0.key) \($0.value)" }
    }

    /// The records about the person that have a value.
    private var records: [MemoryRecord] {
        log.records(in: place).compactMap { try? MemoryRecord($0) }.filter { $0.person != nil }
    }

    @Test func `a change that one keeper has written is known to all`() throws {
        let (first, second) = (try keeper("a"), try keeper("b"))
        try settle([first, second])
        try write(value("Leeds"), 1, readBy: first, second)
        #expect(values(first) == Self.leeds && values(second) == Self.leeds && records.count == 1)
    }

    @Test func `an earlier owner's late record restores no forgotten value, despite compaction`() throws {
        let first = try keeper()
        try write(value("Leeds"), 1, readBy: first)
        let late = try #require(log.records(in: place).last)
        try write(.forget(nil), 2)
        let second = try replaceKeeper()
        #expect(values(second).isEmpty)
        // The late record is appended again, and a record of the same epoch with a position after the forgetting.
        let old = try #require(try MemoryRecord(late).person)
        var behind = old
        behind.position.offset += 7
        for person in [old, behind] {
            let record = MemoryRecord(of: .ann, person)
            try log.append(record.record(topics: Self.topics, partition: place.partition, at: clock.now))
        }
        log.compact(Self.topics.memory, droppingTombstones: true)
        let third = try keeper("c")
        try settle([second, third])
        #expect(values(second).isEmpty && values(third).isEmpty)
        log.compact(Self.topics.memory, droppingTombstones: true)
        #expect(records.count == 1, "outdated records get their tombstone")
    }

    @Test(arguments: 0...4)
    func `the next owner continues where the records end, whatever was read again`(_ steps: Int) throws {
        let first = try keeper()
        try write(value("Leeds"), 1)
        try write(value("York"), 1, of: "t")
        try write(.forget(nil), 2)
        try write(value("Bath", "home"), 2, of: "t", since: MemoryPosition(epoch: 9, offset: 9))
        for _ in 0..<steps { try first.step(timeout: .zero) }
        let second = try replaceKeeper()
        #expect(values(second) == [#"home "Bath""#])
        #expect(second.person(.ann)?.done("s") == 2 && second.person(.ann)?.done("t") == 2)
    }

    @Test func `a record that is no change is skipped, and later changes count`() throws {
        let keeper = try keeper()
        for value in [nil, Array("{".utf8), Array(#"{"stream":"x"}"#.utf8)] as [Bytes?] {
            for key in [nil, Array("x".utf8), MemoryChangeRecord.key(of: .ann)] as [Bytes?] {
                for (timestamp, topic) in [Int64.min, .max].flatMap({ [($0, "memory-changes"), ($0, "memory")] }) {
                    try log.append(
                        Record(
                            topic: "intents.\(topic)", partition: place.partition, key: key, value: value,
                            timestamp: timestamp))
                }
            }
        }
        try write(value("Leeds"), 1, readBy: keeper)
        #expect(values(keeper) == Self.leeds)
    }

    @Test func `changes of a topic that was created again count, although their offsets begin again`() throws {
        let first = try keeper()
        for number in 1...3 { try write(value("v\(number)"), number) }
        try settle([first])
        log.recreateTopic(Self.topics.memoryChanges)
        try write(.forget(nil), 1, of: "t", readBy: first)
        #expect(try values(replaceKeeper()).isEmpty)
    }

    @Test func `a record that is not accepted in time is written again, and one that is refused is given up`() throws {
        let keeper = try keeper()
        log.refuseRecords(3, in: Self.topics.memory, with: LogError(.timedOut, "too late", disposition: .retry))
        try write(value("Leeds"), 1, readBy: keeper)
        #expect(values(keeper) == Self.leeds)
        log.refuseRecords(1, in: Self.topics.memory, with: LogError(.recordTooLarge, "too large"))
        try write(value("York"), 2, readBy: keeper)
        #expect(values(keeper) == Self.leeds)
        try write(value("Bath", "home"), 3, readBy: keeper)
        #expect(values(keeper) == Self.leeds + [#"home "Bath""#])
    }

    @Test func `a missing right delays the changes of a partition, and loses none`() throws {
        let keeper = try keeper()
        log.refuseRecords(2, in: Self.topics.memory, with: LogError(.unauthorized, "no right to write"))
        try write(value("Leeds"), 1)
        try write(.forget(["home"]), 2)
        for _ in 1...5 {
            try settle([keeper])
            clock.advance(by: .seconds(2))
        }
        #expect(values(keeper) == Self.leeds && keeper.person(.ann)?.done("s") == 2)
    }

    @Test func `a process without room for a person drops the values, which do not come back`() throws {
        var memories = PersonMemories(maximumBytes: 2_300)
        var person = RememberedPerson()
        person.take(change(value("Leeds"), 1), at: MemoryPosition(offset: 1))
        person.take(change(.forget(["home"]), 1, of: "t"), at: MemoryPosition(offset: 2))
        memories.take(MemoryRecord(of: .ann, person))
        for number in 3..<6 {
            var other = RememberedPerson()
            other.take(change(value("York"), 1, of: "o"), at: MemoryPosition(offset: Int64(number)))
            memories.take(MemoryRecord(of: Principal(.appUser, "p\(number)"), other))
        }
        var shell = try #require(memories[.ann])
        #expect(memories.dropped >= 1 && shell.values.isEmpty && shell.position == person.position)
        shell.take(change(value("Bath", "home"), 1, of: "u"), at: MemoryPosition(offset: 9))
        #expect(shell.values.isEmpty)
    }

    @Test func `a record that could not be read invalidates the one before by its tombstone`() throws {
        var memories = PersonMemories()
        var person = RememberedPerson()
        person.take(change(value("Leeds"), 1), at: MemoryPosition(offset: 1))
        memories.take(MemoryRecord(of: .ann, person))
        memories.take(MemoryRecord(replaced: person.position, of: .ann))
        #expect(memories[.ann]?.values == [])
    }

    @Test func `a thousand changes are applied in their order, with few of them in flight`() throws {
        for number in 1...2_500 { try write(value("v\(number)", "k\(number % 7)"), number) }
        #expect(try values(keeper()) == (2_494...2_500).map { "k\($0 % 7) \"v\($0)\"" })
    }
}
