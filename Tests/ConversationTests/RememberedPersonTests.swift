import Conversation
import IntentModel
import PipelineTestKit
import Testing

@Suite("What the changes of a person's memory make, taken in the order of the log")
struct RememberedPersonTests {
    private func value(_ key: String, _ text: String) -> RememberedValue {
        RememberedValue(key: key, value: .string(text), time: Talk.start)
    }

    private func remember(
        _ number: Int, _ key: String, _ text: String = "x", of stream: Identifier = "a", since: Int64? = nil
    ) -> MemoryChange {
        MemoryChange(
            .remember(value(key, text)), stream: stream, number: number,
            since: since.map { MemoryPosition(offset: $0) }, time: Talk.start)
    }

    private func forget(_ number: Int, _ keys: [String]?, of stream: Identifier = "a") -> MemoryChange {
        MemoryChange(.forget(keys), stream: stream, number: number, time: Talk.start)
    }

    /// The memory after these changes, at the offsets from 0.
    private func made(_ changes: [MemoryChange]) -> RememberedPerson {
        var person = RememberedPerson()
        for (offset, change) in changes.enumerated() {
            let isTaken = person.take(change, at: MemoryPosition(offset: Int64(offset)))
            #expect(isTaken, "\(offset)")
        }
        return person
    }

    private func texts(_ person: RememberedPerson) -> [String] {
        person.values.map { "\($0.key) \($0.value.view.string ?? "-")" }
    }

    // MARK: Order

    @Test("the last value of a key counts, and what was changed last is last")
    func order() {
        let person = made([
            remember(1, "city", "York"), remember(2, "seat", "window"), remember(1, "city", "Leeds", of: "b"),
        ])
        #expect(texts(person) == ["seat window", "city Leeds"])
        #expect(person.position == MemoryPosition(offset: 2))
        #expect(person.done("a") == 2 && person.done("b") == 1 && person.done("c") == 0)
        #expect(person.streams.map(\.name) == ["a", "b"])
    }

    @Test("a forgetting takes the values before it, those of its keys or all, and says how many there were")
    func forgetting() {
        let person = made([
            remember(1, "city", "York"), remember(2, "seat", "window"), remember(3, "meal", "none"),
            forget(1, ["city", "other"], of: "b"),
        ])
        #expect(texts(person) == ["seat window", "meal none"])
        #expect(
            person.forgettings == [
                DoneForgetting(
                    keys: ["city", "other"], count: 1, stream: "b", number: 1, position: MemoryPosition(offset: 3))
            ])
        var all = person
        all.take(forget(2, nil, of: "b"), at: MemoryPosition(offset: 4))
        #expect(
            all.values.isEmpty && all.forgettings.map(\.count) == [1, 2]
                && all.forgettings.map(\.keys) == [["city", "other"], nil])
    }

    @Test(
        "a change that was taken before, or one before it in its stream, changes nothing wherever it is written again")
    func repeats() {
        let changes = [remember(1, "city", "York"), forget(1, nil, of: "b"), remember(2, "city", "Leeds", since: 1)]
        let person = made(changes)
        for (offset, change) in changes.enumerated() {
            for position in [
                MemoryPosition(offset: Int64(offset)), MemoryPosition(offset: 9), MemoryPosition(epoch: 3, offset: 0),
            ] {
                var again = person
                let isTaken = again.take(change, at: position)
                #expect(!isTaken && again == person, "\(offset) at \(position)")
            }
        }
    }

    @Test(
        "a change at a place that is not after the last one changes nothing; one in a later epoch is after all of those before"
    )
    func places() {
        var person = RememberedPerson()
        person.take(remember(1, "city", "York"), at: MemoryPosition(epoch: 1, offset: 5))
        let before = person
        for position in [
            MemoryPosition(epoch: 1, offset: 5), MemoryPosition(epoch: 1, offset: 4),
            MemoryPosition(epoch: 0, offset: 99),
        ] {
            let isTaken = person.take(forget(1, nil, of: "b"), at: position)
            #expect(!isTaken && person == before, "\(position)")
        }
        let isTaken = person.take(forget(1, nil, of: "b"), at: MemoryPosition(epoch: 2, offset: 0))
        #expect(isTaken && person.values.isEmpty && person.position == MemoryPosition(epoch: 2, offset: 0))
    }

    // MARK: Forgettings and late values

    @Test(
        "a value whose request came before a forgetting by another session is not remembered, however late it is written",
        arguments: [nil, 0, 2] as [Int64?])
    func forgottenBefore(_ since: Int64?) {
        let start = [
            remember(1, "seat", "window"), forget(1, ["seat"], of: "c"), remember(2, "meal", "none", since: 1),
        ]
        let person = made(start + [forget(1, nil, of: "b"), remember(1, "city", "York", of: "d", since: since)])
        #expect(person.values.isEmpty)
        // The change counts as done nevertheless, so its session need not write it again.
        #expect(person.done("d") == 1 && person.position == MemoryPosition(offset: 4))
    }

    @Test("a value whose request came after it is remembered", arguments: [3, 4] as [Int64])
    func laterRequest(_ since: Int64) {
        let start = [
            remember(1, "seat", "window"), remember(2, "meal", "none"), remember(3, "city", "Bath"),
            forget(1, nil, of: "b"),
        ]
        #expect(texts(made(start + [remember(1, "city", "York", of: "d", since: since)])) == ["city York"])
    }

    @Test("a value of the session that had it forgotten is remembered: it follows its own forgettings at once")
    func ownForgetting() {
        #expect(
            texts(made([remember(1, "city", "York"), forget(2, nil), remember(3, "city", "Leeds")])) == ["city Leeds"])
    }

    @Test("a forgetting of other keys keeps no value from being remembered")
    func otherKeys() {
        #expect(texts(made([forget(1, ["seat"], of: "b"), remember(1, "city", "York")])) == ["city York"])
        #expect(made([forget(1, ["seat", "city"], of: "b"), remember(1, "city", "York")]).values.isEmpty)
    }

    // MARK: Bounds

    @Test("past 256 values the one that was changed the longest ago is dropped")
    func values() {
        let count = RememberedPerson.maximumValues
        var person = made((1...count).map { remember($0, "k\($0)") } + [remember(count + 1, "k1", "new")])
        #expect(person.values.count == count && person.values.first?.key == "k2" && person.values.last?.key == "k1")
        person.take(remember(count + 2, "other"), at: MemoryPosition(offset: 1_000))
        #expect(person.values.count == count && person.values.first?.key == "k3" && person.values.last?.key == "other")
    }

    @Test("past 64 KiB of them the oldest are dropped, and a value that is larger by itself is not remembered")
    func bytes() {
        let half = String(repeating: "x", count: RememberedPerson.maximumBytes / 2)
        let person = made([remember(1, "a"), remember(2, "b", half), remember(3, "c"), remember(4, "d", half)])
        #expect(person.values.map(\.key) == ["c", "d"])
        #expect(made([remember(1, "a"), remember(2, "b", half + half)]).values.isEmpty)
    }

    @Test("of more than 16 forgettings the oldest ones merge into one that covers all keys")
    func forgettings() throws {
        let count = RememberedPerson.maximumForgettings
        var person = made((0...count).map { forget($0 + 1, ["k\($0)"], of: "b") })
        let oldest = try #require(person.forgettings.first)
        #expect(person.forgettings.count == count && oldest.keys == nil && oldest.position == MemoryPosition(offset: 1))
        #expect(person.forgettings.dropFirst().map(\.keys) == (2...count).map { ["k\($0)"] })
        person.take(remember(1, "k0"), at: MemoryPosition(offset: 100))
        person.take(remember(2, "any", since: 0), at: MemoryPosition(offset: 101))
        #expect(person.values.isEmpty)
        person.take(remember(3, "any", since: 1), at: MemoryPosition(offset: 102))
        #expect(person.values.map(\.key) == ["any"])
    }

    @Test("a forgetting that names many keys forgets just these, and is kept as one of all keys")
    func manyKeys() {
        let keys = (0..<256).map { "key number \($0)" }
        var person = made([remember(1, "key number 7"), remember(2, "city"), forget(1, keys, of: "b")])
        #expect(person.values.map(\.key) == ["city"])
        #expect(person.forgettings.map(\.keys) == [nil] && person.forgettings.map(\.count) == [1])
        person.take(remember(1, "seat", "x", of: "c"), at: MemoryPosition(offset: 3))
        #expect(person.values.map(\.key) == ["city"], "it is not known any more which keys it names")
        let longest = String(repeating: "k", count: RememberedPerson.maximumForgettingBytes)
        #expect(made([forget(1, [longest])]).forgettings.map(\.keys) == [[longest]])
    }

    @Test(
        "64 sessions are known by their streams; past it the one that has changed nothing for the longest time is not")
    func streams() {
        let count = RememberedPerson.maximumStreams
        var changes = (1...count).map { remember(5, "k", "x", of: Identifier("s\($0)")) }
        changes.append(remember(6, "k", "x", of: "s1"))
        let full = made(changes)
        #expect(full.streams.count == count && full.done("s1") == 6 && full.done("s2") == 5)
        let over = made(changes + [remember(1, "k", "x", of: "new")])
        #expect(over.streams.count == count && over.done("s1") == 6 && over.done("s2") == 0 && over.done("new") == 1)
    }

    // MARK: Repeated changes

    @Test(
        "changes that are taken again from anywhere on, in a later epoch, leave the same",
        arguments: [2, 3, 5, 7, 11, 13, 17, 19] as [UInt64])
    func takenAgain(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var numbers: [Identifier: Int] = [:]
        var log: [MemoryChange] = []
        var person = RememberedPerson()
        for offset in Int64(0)..<400 {
            var change = log.randomElement(using: &random)
            if change == nil || !random.once(in: 4) {
                let stream = Identifier("s\(Int.random(in: 0..<12, using: &random))")
                numbers[stream, default: 0] += 1
                let keys = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    "k\(Int.random(in: 0..<8, using: &random))"
                }
                let since = random.once(in: 3) ? nil : MemoryPosition(offset: .random(in: 0...offset, using: &random))
                let kind: MemoryChange.Kind =
                    random.once(in: 4)
                    ? .forget(random.once(in: 2) ? nil : keys) : .remember(value(keys.first ?? "city", "\(offset)"))
                change = MemoryChange(
                    kind, stream: stream, number: numbers[stream] ?? 0, since: since, time: Talk.start)
            }
            guard let change else { continue }
            log.append(change)
            person.take(change, at: MemoryPosition(offset: offset))
            #expect(Set(person.values.map(\.key)).count == person.values.count, "seed \(seed), offset \(offset)")
        }
        for _ in 0..<20 {
            let start = Int.random(in: 0...log.count, using: &random)
            var again = person
            for (offset, change) in log[start...].enumerated() {
                again.take(change, at: MemoryPosition(epoch: 1, offset: Int64(offset)))
            }
            #expect(again.values == person.values && again == person, "seed \(seed), from \(start) on")
        }
    }
}
