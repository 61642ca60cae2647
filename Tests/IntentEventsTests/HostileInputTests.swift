import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@Suite("Hostile bytes through every reader: an error or a value, never a crash, a hang or leaked memory", .serialized)
struct HostileInputTests {
    /// Golden records, and records of journals and memories.
    private static func corpus() throws -> [Record] {
        var corpus = try Golden.stored.map { try Golden(named: $0).record }
        corpus += JournalFormatTests.sessions.map(JournalFormatTests.record)
        func record(_ key: String, _ value: String) -> Record {
            Record(topic: "t", partition: 3, key: Bytes(key.utf8), value: Bytes(value.utf8), timestamp: 0)
        }
        corpus += MemoryRecordTests.changes.map { record(#"["app_user","ann"]"#, $0) }
        corpus += MemoryRecordTests.people.map { record(#"["app_user","ann","0","7"]"#, $0) }
        return corpus
    }

    @Test(.timeLimit(.minutes(10)))
    func `14,000 edited records through every reader, and 5,000 of them through a session`() throws {
        let corpus = try Self.corpus()
        var input = HostileInput(seed: 4_096)
        var (read, replayed) = (0, 0)
        for number in 1...14_000 {
            var record = input.pick(corpus)
            for _ in 0..<Int.random(in: 1...3, using: &input) { input.edit(&record, with: input.pick(corpus)) }
            if number > 5_000, input.once(in: 2) { record.timestamp = input.timestamp() }
            let readings = Readings(record.consumed(), "seed \(input.seed), record \(number)")
            if readings.count > 0 { read += 1 }
            if number > 5_000 { continue }
            if readings.count > 0 { replayed += 1 }
            readings.replay(journals: number.isMultiple(of: 8))
        }
        // The test would check little if all records were rejected or all were read.
        #expect(300...13_500 ~= read && 100...4_900 ~= replayed, "seed \(input.seed)")
    }

    @Test(arguments: ["7", "[]", "{}", ""])
    func `a root without members is edited as a whole`(_ value: String) {
        var input = HostileInput(seed: 4_101)
        let record = Record(topic: "t", key: nil, value: Bytes(value.utf8))
        for part: HostileEdit.Part in [.value, .member] {
            var edited: Set<Bytes?> = []
            for _ in 1...100 {
                var copy = record
                input.edit(part, of: record).apply(&copy)
                edited.insert(copy.value)
            }
            #expect(edited.count > 5, "\(part), seed \(input.seed)")
        }
    }

    @Test func `12,000 records of random bytes: key, headers and value`() {
        var input = HostileInput(seed: 4_097)
        let names = ["ce_id", "ce_type", "content-type", "traceparent", "intents-journal", "ce_subject", ""]
        for number in 1...12_000 {
            let headers = (0..<Int.random(in: 0...4, using: &input)).map { _ in
                RecordHeader(input.pick(names), input.once(in: 5) ? nil : input.bytes(upTo: 20))
            }
            let record = ConsumedRecord(
                topic: "t", partition: 0, offset: .max - 1, timestamp: .min,
                key: input.once(in: 5) ? nil : input.bytes(upTo: 140),
                value: input.once(in: 9) ? nil : input.bytes(upTo: 200), headers: headers)
            _ = Readings(record, "seed \(input.seed), record \(number)")
        }
    }

    /// Reads every value inside a value.
    private func read(_ view: JSONView) {
        _ = (view.string, view.int, view.double, view.bool, view.json)
        for member in view.members {
            _ = member.name
            read(member.value)
        }
        for element in view.elements { read(element) }
    }

    @Test func `24,000 texts that are almost JSON, read in whole or refused`() {
        var input = HostileInput(seed: 4_098)
        var parsed = 0
        for _ in 1...24_000 {
            let text = input.once(in: 2) ? input.almostJSON() : input.edited(input.json().bytes)
            guard let view = try? JSONView(parsing: text, limits: input.once(in: 2) ? .event : .journal) else {
                continue
            }
            parsed += 1
            read(view)
        }
        #expect(parsed > 500, "seed \(input.seed)")
    }

    @Test func `16,000 journal stamps, places and dead letters: every accepted number can be incremented`() throws {
        var input = HostileInput(seed: 4_099)
        let numbers = [
            "0", "1", "-1", "\(Int64.max)", "9007199254740991", "9007199254740992", "2147483648", "1e3", "", "x", "+5",
        ]
        var read = 0
        for _ in 1...16_000 {
            let isGood = input.once(in: 2)
            var fields = ["epoch", "number", "requests", "outcomes", "settled", "results"].map {
                "\($0)=\(isGood ? "\(Int.random(in: 0...99, using: &input))" : input.pick(numbers))"
            }
            for name in ["lastRequest", "lastOutcome", "inputs"] where input.once(in: 2) {
                fields.append("\(name)=\(Int.random(in: 0...99, using: &input))")
            }
            fields.append(input.pick(["owner", "owner=o", "owner=o", "owner=a=b", "owner=host.example.com-17-0af3"]))
            if input.once(in: 6) { fields.removeFirst() }
            fields.shuffle(using: &input)
            let text = fields.joined(separator: " ")
            if let stamp = JournalStamp(text) {
                read += 1
                let counts = [Int64(stamp.epoch), Int64(stamp.number), stamp.requests, stamp.outcomes]
                #expect((counts + [stamp.settled, stamp.results]).allSatisfy { 0..<1 << 53 ~= $0 }, "\(text)")
                #expect(JournalStamp(stamp.description) == stamp)
            }
            let place = input.once(in: 2) ? input.text() : "\(input.pick(numbers))/\(input.pick(numbers))"
            if let place = DeadLetterPlace(place) { #expect(place.partition >= 0 && place.offset >= 0) }
            let record = record(input.bytes(upTo: 30), topic: "t", type: text, id: text, key: input.bytes(upTo: 9))
            let letter = DeadLetter.record(record, Rejection(.invalid, text), stage: "fuzz", topics: Examples.topics)
            #expect(letter.value == record.value && letter.key == record.key)
        }
        #expect(read > 1_000, "seed \(input.seed)")
    }

    @Test func `memory is freed: a second round of all inputs retains little`() throws {
        let corpus = try Golden.stored.map { try Golden(named: $0).record }
        func round() {
            var input = HostileInput(seed: 4_100)
            for number in 1...4_000 {
                var record = input.pick(corpus)
                record.value = input.edited(record.value ?? [], with: input.pick(corpus).value ?? [])
                _ = Readings(record.consumed(), "seed \(input.seed), record \(number)")
                _ = try? JSONView(parsing: input.almostJSON())
            }
        }
        round()
        let before = Self.residentKiB
        for _ in 1...2 { round() }
        // The two rounds have 8,000 inputs of at least 1 KiB: a leaked copy of each input would exceed the limit.
        #expect(Self.residentKiB - before < 8 * 1_024, "\(before) KiB before, \(Self.residentKiB) KiB after")
    }

    private static var residentKiB: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4
    }
}

/// The results of all readers of one record.
private struct Readings {
    /// The number of readers that succeeded.
    private(set) var count = 0
    private var events: [SessionEvent] = []
    private var session = Session(id: "kitchen", updated: Examples.time)
    private var remembered = RememberedPerson()

    /// - Parameter name: The seed and the number of the record, for failures.
    init(_ record: ConsumedRecord, _ name: String) {
        func read<Event>(_ read: () throws(EventError) -> Event) -> Event? {
            do throws(EventError) { return try read() } catch {
                if error.rejection.message.isEmpty { Issue.record("\(name)") }
                return nil
            }
        }
        let request = read { () throws(EventError) in try RequestEvent(record) }
        let outcome = read { () throws(EventError) in try OutcomeEvent(record) }
        let result = read { () throws(EventError) in try ReceivedResult(record) }
        let memory = read { () throws(EventError) in try MemoryRecord(record) }
        let change = read { () throws(EventError) in try MemoryChangeRecord(record) }
        let journal = read { () throws(EventError) in try JournalRecord(record) }
        let readings: [Any?] = [
            request, outcome, result?.status, result?.offeredHandoff, memory, change, journal,
            read { () throws(EventError) in try WorkEvent(record) },
            read { () throws(EventError) in try CatalogueRecord(record).key }, ReadDeadLetter(record)?.attempt,
            DeadLetterMark(record),
        ]
        count = readings.count { $0 != nil } + (result == nil ? 0 : 1)
        if let request { events.append(request.event) }
        if let outcome { events.append(.outcome(outcome.outcome)) }
        remembered = memory?.person ?? remembered
        if let change {
            remembered.take(change.change, at: MemoryPosition(epoch: remembered.position.epoch, offset: .max))
        }
        if case .session(_, let journaled?)? = journal?.content { session = journaled.session }
        if let value = record.value, let view = try? JSONView(parsing: value, limits: .journal) {
            var mask = SecretMask()
            mask.note(view)
            _ = mask.hiding(view)
        }
    }

    /// Lets the session receive the events, and writes its effects. No event may crash the session or a writer.
    func replay(journals: Bool) {
        var (session, encoder, randomness) = (self.session, EventEncoder(source: "/fuzz"), Randomness(seed: 65_536))
        let now = Examples.time
        let news = SessionEvent.memoryChanged(
            MemoryNews(done: remembered.done(session.person.stream), forgettings: remembered.forgettings))
        for event in [.requested(IntentRequest(id: "ride-1", intent: "Ride"))] + events + [news, .timer] {
            let decision = session.receive(event, at: now, policy: SessionPolicy(), randomness: &randomness)
            for effect in decision.effects {
                switch effect {
                case .work(let work):
                    _ = encoder.record(work, session: session.id, topics: Examples.topics, partition: 0, at: now)
                case .memory(let change, of: let person):
                    _ = MemoryChangeRecord(of: person, change).record(topics: Examples.topics, at: now)
                case .result(let result): _ = EncodedResult(result, session: session.id, event: "e", at: now)
                }
            }
            _ = session.nextTimer(SessionPolicy())
        }
        guard journals else { return }
        let content = JournalRecord.Content.session(id: session.id, JournaledSession(session))
        _ = JournalRecord(stamp: .example, content: content).record(topic: "t", partition: 0, at: now)
    }
}
