import Conversation
import Foundation
import IntentEvents
import Intents
import RecordLog
import Testing

@Suite("Hostile bytes, through every reader: an error or a value, never a crash, a hang, or memory that stays", .serialized)
struct HostileInputTests {
    static let seed: UInt64 = 4_096

    /// Every reader there is.
    ///
    /// - Returns: how many could read it.
    @discardableResult
    private func readAll(_ record: ConsumedRecord) -> Int {
        var read = 0
        func attempt<Event>(_ reader: () throws(EventError) -> Event) {
            do throws(EventError) {
                _ = try reader()
                read += 1
            } catch {
                #expect(!error.rejection.message.isEmpty)
            }
        }
        attempt { () throws(EventError) in try RequestEvent(record) }
        attempt { () throws(EventError) in try OutcomeEvent(record) }
        attempt { () throws(EventError) in try WorkEvent(record) }
        attempt { () throws(EventError) in try ReceivedResult(record).offeredHandoff }
        attempt { () throws(EventError) in try JournalRecord(record) }
        return read
    }

    private func corpus() throws -> [ConsumedRecord] { try Golden.stored.map { try Golden(named: $0).consumed } }

    @Test("40,000 golden records, spliced, cut, flipped, doubled, deepened and blown up")
    func golden() throws {
        let corpus = try corpus()
        var random = SeededRandom(seed: Self.seed)
        var read = 0
        for _ in 1...40_000 {
            var record = random.pick(corpus)
            record.value = Hostile.damaged(record.value ?? [], with: random.pick(corpus).value ?? [], &random)
            if random.once(in: 6) { record.headers = random.pick(corpus).headers }
            if random.once(in: 10) { record.headers.append(RecordHeader("content-type", "application/cloudevents+json")) }
            if random.once(in: 20) { record.headers = record.headers.map { RecordHeader($0.name, Hostile.bytes(12, &random)) } }
            read += readAll(record)
        }
        #expect(read > 1_000, "seed \(Self.seed): hardly anything was read, so nothing was tested")
    }

    @Test("15,000 records of random bytes: key, headers and value")
    func noise() {
        var random = SeededRandom(seed: Self.seed + 1)
        for _ in 1...15_000 {
            let names = ["ce_id", "ce_type", "content-type", "traceparent", "intents-journal", "ce_subject", ""]
            let headers = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                RecordHeader(random.pick(names), random.once(in: 5) ? nil : Hostile.bytes(20, &random))
            }
            readAll(
                ConsumedRecord(
                    topic: "t", partition: 0, offset: .max - 1, timestamp: .min,
                    key: random.once(in: 5) ? nil : Hostile.bytes(140, &random),
                    value: random.once(in: 9) ? nil : Hostile.bytes(200, &random), headers: headers))
        }
    }

    @Test("30,000 texts that are nearly JSON, through the parser and back")
    func json() {
        var random = SeededRandom(seed: Self.seed + 2)
        var parsed = 0
        for _ in 1...30_000 {
            let text = Hostile.json(&random)
            guard let view = try? JSONView(parsing: text, limits: random.once(in: 2) ? .event : .journal) else { continue }
            parsed += 1
            _ = (view.string, view.int, view.double, view.bool)
            for member in view.members { _ = (member.name, member.value.json) }
            for element in view.elements { _ = element.json }
        }
        #expect(parsed > 500, "seed \(Self.seed + 2)")
    }

    @Test("20,000 stamps of the journal, and dead letters of what can't be read: what is taken can be counted on from")
    func stamps() throws {
        var random = SeededRandom(seed: Self.seed + 3)
        let numbers = ["0", "1", "-1", "9223372036854775807", "9007199254740991", "9007199254740992", "1e3", "", "x", "+5"]
        var read = 0
        for _ in 1...20_000 {
            var fields = ["epoch", "number", "requests", "outcomes", "settled", "results"].map { "\($0)=\(random.pick(numbers))" }
            if !random.once(in: 2) { fields = fields.map { "\($0.split(separator: "=")[0])=\(Int.random(in: 0...99, using: &random))" } }
            fields.append(random.once(in: 9) ? "owner" : "owner=o")
            if random.once(in: 6) { fields.removeFirst() }
            fields.shuffle(using: &random)
            let text = fields.joined(separator: " ")
            if let stamp = JournalStamp(text) {
                read += 1
                let all = [Int64(stamp.epoch), Int64(stamp.number), stamp.requests, stamp.outcomes, stamp.settled, stamp.results]
                #expect(all.allSatisfy { 0..<1 << 53 ~= $0 }, "\(text)")
                #expect(JournalStamp(stamp.description) == stamp)
            }
            let record = record(Hostile.bytes(30, &random), topic: "t", type: text, id: text, key: Hostile.bytes(9, &random))
            let letter = DeadLetter.record(record, Rejection(.unparseable, text), stage: "fuzz", topics: Examples.topics)
            #expect(letter.value == record.value && letter.key == record.key)
        }
        #expect(read > 1_000)
    }

    @Test("memory does not stay: a second round of all that leaves no more than a little")
    func memory() throws {
        let corpus = try corpus()
        func round() {
            var random = SeededRandom(seed: Self.seed + 4)
            for _ in 1...4_000 {
                var record = random.pick(corpus)
                record.value = Hostile.damaged(record.value ?? [], with: random.pick(corpus).value ?? [], &random)
                readAll(record)
                _ = try? JSONView(parsing: Hostile.json(&random))
            }
        }
        round()
        let before = Self.residentKiB
        for _ in 1...2 { round() }
        // 8,000 inputs of a KiB and more each: one copy that stayed of each would be several times this.
        #expect(Self.residentKiB - before < 8 * 1_024, "\(before) KiB before, \(Self.residentKiB) KiB after")
    }

    private static var residentKiB: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4
    }
}
