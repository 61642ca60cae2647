import Conversation
import IntentModel
import PipelineTestKit
import Testing

private func value(_ key: String, _ text: String) -> RememberedValue {
    RememberedValue(key: key, value: .string(text), time: Talk.start)
}

private func remember(
    _ number: Int, _ key: String, _ text: String = "x", of stream: Identifier = "a", since: Int64? = nil
) -> MemoryChange {
    let since = since.map { MemoryPosition(offset: $0) }
    return MemoryChange(.remember(value(key, text)), stream: stream, number: number, since: since, time: Talk.start)
}

private func forget(_ number: Int, _ keys: [String]?, of stream: Identifier = "a") -> MemoryChange {
    MemoryChange(.forget(keys), stream: stream, number: number, time: Talk.start)
}

/// Changes in words: each with its stream and number, a key and a value, and the forgetting that its request knows.
private func changes(_ text: String) -> [MemoryChange] {
    text.split(separator: "; ").map { change in
        let words = change.split(separator: " ").map(String.init)
        let (stream, number) = (Identifier(String(words[0].prefix(1))), Int(words[0].dropFirst()) ?? 0)
        if words[1] == "forget" { return forget(number, words.count > 2 ? Array(words[2...]) : nil, of: stream) }
        return remember(number, words[1], words[2], of: stream, since: words.count > 4 ? Int64(words[4]) : nil)
    }
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

private let half = String(repeating: "x", count: RememberedPerson.maximumBytes / 2)

@Suite("What the changes of a person's memory make, taken in the order of the log") struct RememberedPersonTests {
    private static let three = "a1 city York; a2 seat window; a3 meal none"

    @Test(arguments: [
        ("the last value of a key counts and is last", "\(three); b1 city Leeds", "seat window, meal none, city Leeds"),
        ("a forgetting takes the values of its keys", "\(three); b1 forget city other", "seat window, meal none"),
        ("a forgetting of all keys takes all values", "\(three); b1 forget", "none"),
        ("a request that knows no forgetting came before, however late", "\(three); b1 forget; d1 city x", "none"),
        ("a request came before the forgetting, however late", "\(three); b1 forget; d1 city x since 2", "none"),
        ("a request before another forgetting", "a1 seat x; c1 forget seat; b1 forget; d1 city x since 1", "none"),
        ("a request came after the forgetting", "\(three); b1 forget; d1 city x since 3", "city x"),
        ("a request came later than the forgetting", "\(three); b1 forget; d1 city x since 4", "city x"),
        ("a session follows its own forgettings at once", "\(three); a4 forget; a5 city Leeds", "city Leeds"),
        ("a forgetting of other keys keeps no value away", "b1 forget seat; a1 city x", "city x"),
        ("a forgetting of its key keeps a value away", "b1 forget seat city; a1 city x", "none"),
        ("past 64 KiB the oldest are dropped", "a1 a x; a2 b \(half); a3 c x; a4 d \(half)", "c x, d \(half)"),
        ("a value that is larger by itself is not remembered", "a1 a x; a2 b \(half)\(half)", "none"),
    ]) func `a memory has the values that its changes leave`(_ rule: String, _ text: String, _ values: String) {
        let changes = changes(text)
        let person = made(changes)
        #expect(words(person.values.map { "\($0.key) \(words($0.value))" }) == values)
        // A change that is not remembered counts as done nevertheless, so its session need not write it again.
        #expect(person.position == MemoryPosition(offset: Int64(changes.count - 1)))
        for change in changes { #expect(person.done(change.stream) >= change.number) }
    }

    @Test func `a memory has the last change of each stream`() {
        let person = made(changes("\(Self.three); b1 city Leeds"))
        #expect(person.done("a") == 3 && person.done("b") == 1 && person.done("c") == 0)
        #expect(person.streams.map(\.name) == ["a", "b"])
    }

    @Test func `a forgetting has the number of its values`() {
        var person = made(changes("\(Self.three); b1 forget city other"))
        person.take(forget(2, nil, of: "b"), at: MemoryPosition(offset: 4))
        #expect(
            person.forgettings == [
                DoneForgetting(
                    keys: ["city", "other"], count: 1, stream: "b", number: 1, position: MemoryPosition(offset: 3)),
                DoneForgetting(keys: nil, count: 2, stream: "b", number: 2, position: MemoryPosition(offset: 4)),
            ])
    }

    @Test func `a change that was applied before, or one before it in its stream, changes nothing`() {
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

    @Test func `a change at an earlier position changes nothing; a later epoch is after all positions`() {
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

    // MARK: Bounds

    @Test func `past 256 values the one that was changed the longest ago is dropped`() {
        let count = RememberedPerson.maximumValues
        var person = made((1...count).map { remember($0, "k\($0)") } + [remember(count + 1, "k1", "new")])
        #expect(person.values.count == count && person.values.first?.key == "k2" && person.values.last?.key == "k1")
        person.take(remember(count + 2, "other"), at: MemoryPosition(offset: 1_000))
        #expect(person.values.count == count && person.values.first?.key == "k3" && person.values.last?.key == "other")
    }

    @Test func `of more than 16 forgettings the oldest ones merge into one that covers all keys`() throws {
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

    @Test func `a forgetting that names many keys forgets just these, and is kept as one of all keys`() {
        let keys = (0..<256).map { "key number \($0)" }
        var person = made([remember(1, "key number 7"), remember(2, "city"), forget(1, keys, of: "b")])
        #expect(person.values.map(\.key) == ["city"])
        #expect(person.forgettings.map(\.keys) == [nil] && person.forgettings.map(\.count) == [1])
        person.take(remember(1, "seat", "x", of: "c"), at: MemoryPosition(offset: 3))
        #expect(person.values.map(\.key) == ["city"], "it is not known any more which keys it names")
        let longest = String(repeating: "k", count: RememberedPerson.maximumForgettingBytes)
        #expect(made([forget(1, [longest])]).forgettings.map(\.keys) == [[longest]])
    }

    @Test func `64 streams are known, and past this the one that is unchanged for the longest time is dropped`() {
        let count = RememberedPerson.maximumStreams
        var changes = (1...count).map { remember(5, "k", "x", of: Identifier("s\($0)")) }
        changes.append(remember(6, "k", "x", of: "s1"))
        let full = made(changes)
        #expect(full.streams.count == count && full.done("s1") == 6 && full.done("s2") == 5)
        let over = made(changes + [remember(1, "k", "x", of: "new")])
        #expect(over.streams.count == count && over.done("s1") == 6 && over.done("s2") == 0 && over.done("new") == 1)
    }

    // MARK: Repeated changes

    @Test(arguments: [2, 3, 5, 7, 11, 13, 17, 19] as [UInt64])
    func `changes that are applied again from any position, in a later epoch, change nothing`(_ seed: UInt64) {
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
