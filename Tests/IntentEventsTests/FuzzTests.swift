import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@Suite("Mutated bytes: an error or a value, never a crash")
struct FuzzTests {
    static let mutations = 20_000
    static let seed: UInt64 = 65_536

    /// Golden records and journal records to damage.
    private static func corpus() throws -> [ConsumedRecord] {
        var corpus = try Golden.stored.map { try Golden(named: $0).consumed }
        var random = RandomSession(seed: seed)
        for _ in 0..<20 {
            let journaled = random.journaled()
            let record = JournalRecord(stamp: random.stamp(), content: .session(id: journaled.session.id, journaled))
            corpus.append(record.record(topic: "intents.sessions", partition: 3, at: Examples.time).consumed())
        }
        for _ in 0..<10 {
            let (principal, time) = (random.principal(), Examples.time)
            let change = MemoryChangeRecord(of: principal, random.change())
            let memory = MemoryRecord(of: principal, random.rememberedPerson())
            corpus.append(change.record(topics: Examples.topics, at: time).consumed())
            corpus.append(memory.record(topics: Examples.topics, partition: 3, at: time).consumed())
        }
        return corpus
    }

    @Test("20,000 mutations of wire records through every reader, and of readable events through a session")
    func mutate() throws {
        let corpus = try Self.corpus()
        var random = SeededRandom(seed: Self.seed)
        var read = 0
        var refused = 0
        for number in 1...Self.mutations {
            var record = random.pick(corpus)
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.damage(&record, &random) }
            switch Self.take(record, number) {
            case true: read += 1
            case false: refused += 1
            }
        }
        // The test would check little if all records were rejected or all were read.
        #expect(
            read > Self.mutations / 50 && refused > Self.mutations / 50,
            "seed \(Self.seed): \(read) read, \(refused) refused")
    }

    /// Reads a record with every reader.
    ///
    /// - Returns: `true` if any reader succeeded.
    private static func take(_ record: ConsumedRecord, _ number: Int) -> Bool {
        var events: [SessionEvent] = []
        var session = Session(id: "kitchen", updated: Examples.time)
        var remembered = RememberedPerson()
        var isRead = false
        func attempt(_ read: () throws(EventError) -> Void) {
            do throws(EventError) {
                try read()
                isRead = true
            } catch {
                #expect(!error.rejection.message.isEmpty, "seed \(seed), mutation \(number)")
            }
        }
        attempt { () throws(EventError) in events.append(try RequestEvent(record).event) }
        attempt { () throws(EventError) in events.append(.outcome(try OutcomeEvent(record).outcome)) }
        attempt { () throws(EventError) in _ = try WorkEvent(record).work }
        attempt { () throws(EventError) in _ = try CatalogueRecord(record).key }
        attempt { () throws(EventError) in _ = try ReceivedResult(record).status }
        attempt { () throws(EventError) in remembered = try MemoryRecord(record).person ?? remembered }
        attempt { () throws(EventError) in
            let change = try MemoryChangeRecord(record).change
            remembered.take(change, at: MemoryPosition(epoch: remembered.position.epoch, offset: .max))
        }
        attempt { () throws(EventError) in
            if case .session(_, let journaled?) = try JournalRecord(record).content { session = journaled.session }
        }
        // A readable event must not crash the session or the journal's writer.
        var encoder = EventEncoder(source: "/fuzz")
        var randomness = Randomness(seed: seed)
        let news = SessionEvent.memoryChanged(
            MemoryNews(done: remembered.done(session.person.stream), forgettings: remembered.forgettings))
        for event in [.requested(IntentRequest(id: "ride-1", intent: "Ride"))] + events + [news, .timer] {
            for effect in session.receive(event, at: Examples.time, policy: SessionPolicy(), randomness: &randomness)
                .effects
            {
                switch effect {
                case .work(let work):
                    _ = encoder.record(
                        work, session: session.id, topics: Examples.topics, partition: 0, at: Examples.time)
                case .memory(let change, of: let person):
                    _ = MemoryChangeRecord(of: person, change).record(topics: Examples.topics, at: Examples.time)
                case .result(let result): _ = EncodedResult(result, session: session.id, event: "e", at: Examples.time)
                }
            }
            _ = session.nextTimer(SessionPolicy())
        }
        if number % 8 == 0 {
            let stamp = JournalStamp(epoch: 1, owner: "o", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
            let content = JournalRecord.Content.session(id: session.id, JournaledSession(session))
            _ = JournalRecord(stamp: stamp, content: content).record(topic: "t", partition: 0, at: Examples.time)
        }
        return isRead
    }

    private static let numbers = [
        "-1", "0", "1e400", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1.5", "null",
        "\"\"", "{}", "[]",
    ]

    private static func damage(_ record: inout ConsumedRecord, _ random: inout SeededRandom) {
        var value = record.value ?? []
        switch Int.random(in: 0..<12, using: &random) {
        case 0: record.key = random.once(in: 2) ? nil : [UInt8.random(in: 0...255, using: &random)]
        case 1:
            guard !record.headers.isEmpty else { return }
            let index = Int.random(in: 0..<record.headers.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: record.headers.remove(at: index)
            case 1: record.headers[index].value = nil
            case 2: record.headers[index].value?.append(.random(in: 0...255, using: &random))
            default: record.headers[index].value = Array(random.pick(EventType.allCases).rawValue.utf8)
            }
        case 2:
            record.value =
                random.once(in: 10) ? nil : Array(value.prefix(Int.random(in: 0...value.count, using: &random)))
        case 3...4:
            guard !value.isEmpty else { return }
            value[Int.random(in: 0..<value.count, using: &random)] = .random(in: 0...255, using: &random)
            record.value = value
        case 5:
            guard !value.isEmpty else { return }
            value.insert(random.pick(Array("{}[]\",:\\0 -e".utf8)), at: Int.random(in: 0..<value.count, using: &random))
            record.value = value
        case 6:
            guard value.count > 2 else { return }
            let start = Int.random(in: 0..<value.count - 1, using: &random)
            value.removeSubrange(start..<min(value.count, start + Int.random(in: 1...12, using: &random)))
            record.value = value
        default: replaceValue(&record, &random)
        }
    }

    /// Replaces the value of a member. The syntax stays valid, but the types do not.
    private static func replaceValue(_ record: inout ConsumedRecord, _ random: inout SeededRandom) {
        guard let value = record.value, let view = try? JSONView(parsing: value, limits: .journal) else { return }
        record.value = replaced(view, &random, depth: 0).bytes
    }

    private static func replaced(_ view: JSONView, _ random: inout SeededRandom, depth: Int) -> JSON {
        let members = view.members
        let elements = view.elements
        if (members.isEmpty && elements.isEmpty) || (depth > 0 && random.once(in: 4)) {
            return JSON(unchecked: Array(random.pick(numbers).utf8))
        }
        let chosen = Int.random(in: 0..<max(members.count, elements.count), using: &random)
        var child: JSON?
        if !members.isEmpty { child = replaced(members[chosen].value, &random, depth: depth + 1) }
        if members.isEmpty { child = replaced(elements[chosen], &random, depth: depth + 1) }
        return .make { writer in
            if members.isEmpty { writer.beginArray() } else { writer.beginObject() }
            for (index, member) in members.enumerated() {
                writer.member(named: member.name, index == chosen ? child ?? .null : member.value.json)
            }
            for (index, element) in elements.enumerated() {
                writer.value(index == chosen ? child ?? .null : element.json)
            }
            if members.isEmpty { writer.endArray() } else { writer.endObject() }
        }
    }
}
