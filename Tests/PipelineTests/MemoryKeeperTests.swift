import Conversation
import IntentEvents
import IntentModel
import Logging
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The writer of what is remembered about people")
struct MemoryKeeperTests {
    private static let topics = Topics()
    private static let ann = Principal(.appUser, "ann")
    private let clock: ManualClock
    private let log: InMemoryLog
    private let place: TopicPartition

    init() async throws {
        let clock = ManualClock()
        self.clock = clock
        log = InMemoryLog { clock.now.milliseconds }
        try await log.createTopics(Self.topics.specifications(partitions: 2))
        place = TopicPartition(
            Self.topics.memory, Murmur2.partition(of: MemoryChangeRecord.key(of: Self.ann), count: 2))
    }

    private func keeper(_ name: String) throws -> MemoryKeeper {
        let clock = clock
        return MemoryKeeper(
            client: try log.connect(MemoryKeeper.client(name, Self.topics)), topics: Self.topics, partitions: 2,
            clock: { clock.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private func settle(_ keepers: MemoryKeeper...) throws {
        var isBusy = true
        while isBusy {
            isBusy = false
            for keeper in keepers where try keeper.step(timeout: .zero) { isBusy = true }
        }
    }

    private func kill(_ name: String) {
        log.client(named: "\(name)-memory")?.crash(.beforeSending)
        log.client(named: "\(name)-memory")?.evict()
    }

    private func value(_ text: String, _ key: String = "city") -> MemoryChange.Kind {
        .remember(RememberedValue(key: key, value: .string(text), time: clock.now))
    }

    private func write(
        _ kind: MemoryChange.Kind, _ number: Int, of stream: Identifier = "s", since: MemoryPosition? = nil
    ) throws {
        let change = MemoryChange(kind, stream: stream, number: number, since: since, time: clock.now)
        try log.append(MemoryChangeRecord(of: Self.ann, change).record(topics: Self.topics, at: clock.now))
    }

    private func values(_ keeper: MemoryKeeper) -> [String] {
        (keeper.person(Self.ann)?.values ?? []).map { "\($0.key) \($0.value)" }
    }

    /// The records about the person that have a value.
    private var records: [MemoryRecord] {
        log.records(in: place).compactMap { try? MemoryRecord($0) }.filter { $0.person != nil }
    }

    @Test("all keepers know what one of them has written")
    func shared() throws {
        let (first, second) = (try keeper("a"), try keeper("b"))
        try settle(first, second)
        try write(value("Leeds"), 1)
        try settle(first, second)
        #expect(values(first) == [#"city "Leeds""#] && values(second) == values(first))
        #expect(records.count == 1)
    }

    @Test("after compaction there is one record about a person, the newest")
    func compacted() throws {
        let keeper = try keeper("a")
        try settle(keeper)
        for number in 1...5 {
            try write(value("v\(number)"), number)
            try settle(keeper)
        }
        log.compact(Self.topics.memory, droppingTombstones: true)
        #expect(records.count == 1 && records.first?.person?.values.first?.value == .string("v5"))
    }

    @Test(
        "a late record of the owner before does not bring back what was forgotten, in whatever order they are compacted"
    )
    func zombie() throws {
        let first = try keeper("a")
        try settle(first)
        try write(value("Leeds"), 1)
        try settle(first)
        let late = try #require(log.records(in: place).last)
        kill("a")
        let second = try keeper("b")
        try write(.forget(nil), 2)
        try settle(second)
        #expect(values(second).isEmpty)
        // The late record is appended again, and a record of the same epoch with a position after the forgetting.
        let old = try #require(try MemoryRecord(late).person)
        var behind = old
        behind.position.offset += 7
        for person in [old, behind] {
            try log.append(
                MemoryRecord(of: Self.ann, person).record(
                    topics: Self.topics, partition: place.partition, at: clock.now))
        }
        log.compact(Self.topics.memory, droppingTombstones: true)
        let third = try keeper("c")
        try settle(second, third)
        #expect(values(second).isEmpty && values(third).isEmpty)
        log.compact(Self.topics.memory, droppingTombstones: true)
        #expect(records.count == 1, "what is outdated gets its tombstone")
    }

    @Test("the next owner goes on where the records end, whatever was taken again", arguments: 0...4)
    func takenOver(_ steps: Int) throws {
        let first = try keeper("a")
        try settle(first)
        try write(value("Leeds"), 1)
        try write(value("York"), 1, of: "t")
        try write(.forget(nil), 2)
        try write(value("Bath", "home"), 2, of: "t", since: MemoryPosition(epoch: 9, offset: 9))
        for _ in 0..<steps { try first.step(timeout: .zero) }
        kill("a")
        let second = try keeper("b")
        try settle(second)
        #expect(values(second) == [#"home "Bath""#])
        #expect(second.person(Self.ann)?.done("s") == 2 && second.person(Self.ann)?.done("t") == 2)
    }

    @Test("a record that is no change is passed over, and those behind it are taken")
    func foreign() throws {
        let keeper = try keeper("a")
        let partition = place.partition
        for value in [nil, Array("{".utf8), Array(#"{"stream":"x"}"#.utf8)] as [Bytes?] {
            for key in [nil, Array("x".utf8), MemoryChangeRecord.key(of: Self.ann)] as [Bytes?] {
                for timestamp in [Int64.min, .max] {
                    try log.append(
                        Record(
                            topic: Self.topics.memoryChanges, partition: partition, key: key, value: value,
                            timestamp: timestamp))
                    try log.append(
                        Record(
                            topic: Self.topics.memory, partition: partition, key: key, value: value,
                            timestamp: timestamp))
                }
            }
        }
        try write(value("Leeds"), 1)
        try settle(keeper)
        #expect(values(keeper) == [#"city "Leeds""#])
    }

    @Test("changes of a topic that was created again count, although their offsets begin again")
    func recreated() throws {
        let first = try keeper("a")
        try settle(first)
        for number in 1...3 { try write(value("v\(number)"), number) }
        try settle(first)
        log.recreateTopic(Self.topics.memoryChanges)
        try write(.forget(nil), 1, of: "t")
        try settle(first)
        kill("a")
        let second = try keeper("b")
        try settle(second)
        #expect(values(second).isEmpty)
    }

    @Test("a record that is not taken in time is written again, and one that is refused is given up")
    func refused() throws {
        let keeper = try keeper("a")
        try settle(keeper)
        log.refuseRecords(3, in: Self.topics.memory, with: LogError(.timedOut, "too late", disposition: .retry))
        try write(value("Leeds"), 1)
        try settle(keeper)
        #expect(values(keeper) == [#"city "Leeds""#])
        log.refuseRecords(1, in: Self.topics.memory, with: LogError(.recordTooLarge, "too large"))
        try write(value("York"), 2)
        try settle(keeper)
        #expect(values(keeper) == [#"city "Leeds""#])
        try write(value("Bath", "home"), 3)
        try settle(keeper)
        #expect(values(keeper) == [#"city "Leeds""#, #"home "Bath""#])
    }

    @Test("a missing right holds back the changes of a partition until someone grants it, and loses none")
    func forbidden() throws {
        let keeper = try keeper("a")
        try settle(keeper)
        log.refuseRecords(2, in: Self.topics.memory, with: LogError(.unauthorized, "no right to write"))
        try write(value("Leeds"), 1)
        try write(.forget(["home"]), 2)
        for _ in 1...4 {
            try settle(keeper)
            clock.advance(by: .seconds(2))
        }
        try settle(keeper)
        #expect(values(keeper) == [#"city "Leeds""#] && keeper.person(Self.ann)?.done("s") == 2)
    }

    @Test(
        "who has no room in a process is forgotten there but for what they have had forgotten, and nothing of that comes back"
    )
    func evicted() throws {
        var memories = PersonMemories(maximumBytes: 2_300)
        var person = RememberedPerson()
        person.take(
            MemoryChange(value("Leeds"), stream: "s", number: 1, time: clock.now), at: MemoryPosition(offset: 1))
        person.take(
            MemoryChange(.forget(["home"]), stream: "t", number: 1, time: clock.now), at: MemoryPosition(offset: 2))
        memories.take(MemoryRecord(of: Self.ann, person))
        for number in 3..<6 {
            var other = RememberedPerson()
            other.take(
                MemoryChange(value("York"), stream: "o", number: 1, time: clock.now),
                at: MemoryPosition(offset: Int64(number)))
            memories.take(MemoryRecord(of: Principal(.appUser, "p\(number)"), other))
        }
        var shell = try #require(memories[Self.ann])
        #expect(memories.dropped >= 1 && shell.values.isEmpty && shell.position == person.position)
        let late = MemoryChange(value("Bath", "home"), stream: "u", number: 1, since: nil, time: clock.now)
        shell.take(late, at: MemoryPosition(offset: 9))
        #expect(shell.values.isEmpty)
    }

    @Test("a record that could not be read is known by the tombstone of the one before: that one counts no more")
    func unread() throws {
        var memories = PersonMemories()
        var person = RememberedPerson()
        person.take(
            MemoryChange(value("Leeds"), stream: "s", number: 1, time: clock.now), at: MemoryPosition(offset: 1))
        memories.take(MemoryRecord(of: Self.ann, person))
        memories.take(MemoryRecord(replaced: person.position, of: Self.ann))
        #expect(memories[Self.ann]?.values == [])
    }

    @Test("a thousand changes are taken in their order, with few of them under way")
    func many() throws {
        let keeper = try keeper("a")
        for number in 1...2_500 { try write(value("v\(number)", "k\(number % 7)"), number) }
        try settle(keeper)
        let expected = (2_494...2_500).map { "k\($0 % 7) \"v\($0)\"" }
        #expect(values(keeper) == expected)
    }
}
