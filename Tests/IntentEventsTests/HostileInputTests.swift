import Conversation
import Foundation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog
import Testing

@Suite("Hostile bytes through every reader: an error or a value, never a crash, a hang or leaked memory", .serialized)
struct HostileInputTests {
    static let seed: UInt64 = 4_096

    /// Reads a record with every reader.
    ///
    /// - Returns: The number of readers that succeeded.
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
        attempt { () throws(EventError) in try MemoryRecord(record) }
        attempt { () throws(EventError) in try MemoryChangeRecord(record) }
        if let letter = ReadDeadLetter(record) { read += letter.attempt == 0 ? 0 : 1 }
        if let mark = DeadLetterMark(record) { read += mark.offset < record.offset ? 1 : 0 }
        if let value = record.value, let view = try? JSONView(parsing: value, limits: .journal) {
            var mask = SecretMask()
            mask.note(view)
            _ = mask.hiding(view)
        }
        return read
    }

    private func corpus() throws -> [ConsumedRecord] { try Golden.stored.map { try Golden(named: $0).consumed } }

    @Test("36,000 golden records: spliced, truncated, bit-flipped, doubled, nested deeper and enlarged")
    func golden() throws {
        let corpus = try corpus()
        var random = SeededRandom(seed: Self.seed)
        var read = 0
        for _ in 1...36_000 {
            var record = random.pick(corpus)
            record.value = Hostile.damaged(record.value ?? [], with: random.pick(corpus).value ?? [], &random)
            if random.once(in: 6) { record.headers = random.pick(corpus).headers }
            if random.once(in: 10) {
                record.headers.append(RecordHeader("content-type", "application/cloudevents+json"))
            }
            if random.once(in: 20) {
                record.headers = record.headers.map { RecordHeader($0.name, Hostile.bytes(12, &random)) }
            }
            if random.once(in: 20) { record.key = random.once(in: 5) ? nil : Hostile.bytes(140, &random) }
            if random.once(in: 50) { record.value = nil }
            record.timestamp = Hostile.timestamp(&random)
            read += readAll(record)
        }
        #expect(read > 1_000, "seed \(Self.seed): hardly anything was read, so nothing was tested")
    }

    @Test("12,000 records of random bytes: key, headers and value")
    func noise() {
        var random = SeededRandom(seed: Self.seed + 1)
        for _ in 1...12_000 {
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

    @Test("24,000 texts that are almost JSON, parsed and written again")
    func json() {
        var random = SeededRandom(seed: Self.seed + 2)
        var parsed = 0
        for _ in 1...24_000 {
            let text = Hostile.json(&random)
            guard let view = try? JSONView(parsing: text, limits: random.once(in: 2) ? .event : .journal) else {
                continue
            }
            parsed += 1
            _ = (view.string, view.int, view.double, view.bool)
            for member in view.members { _ = (member.name, member.value.json) }
            for element in view.elements { _ = element.json }
        }
        #expect(parsed > 500, "seed \(Self.seed + 2)")
    }

    @Test("16,000 journal stamps, and dead letters of unreadable records: every accepted number can be incremented")
    func stamps() throws {
        var random = SeededRandom(seed: Self.seed + 3)
        let numbers = [
            "0", "1", "-1", "9223372036854775807", "9007199254740991", "9007199254740992", "1e3", "", "x", "+5",
        ]
        var read = 0
        for _ in 1...16_000 {
            var fields = ["epoch", "number", "requests", "outcomes", "settled", "results"].map {
                "\($0)=\(random.pick(numbers))"
            }
            if !random.once(in: 2) {
                fields = fields.map { "\($0.split(separator: "=")[0])=\(Int.random(in: 0...99, using: &random))" }
            }
            fields.append(random.once(in: 9) ? "owner" : "owner=o")
            if random.once(in: 6) { fields.removeFirst() }
            fields.shuffle(using: &random)
            let text = fields.joined(separator: " ")
            if let stamp = JournalStamp(text) {
                read += 1
                let all = [
                    Int64(stamp.epoch), Int64(stamp.number), stamp.requests, stamp.outcomes, stamp.settled,
                    stamp.results,
                ]
                #expect(all.allSatisfy { 0..<1 << 53 ~= $0 }, "\(text)")
                #expect(JournalStamp(stamp.description) == stamp)
            }
            let record = record(
                Hostile.bytes(30, &random), topic: "t", type: text, id: text, key: Hostile.bytes(9, &random))
            let letter = DeadLetter.record(
                record, Rejection(.unparseable, text), stage: "fuzz", topics: Examples.topics)
            #expect(letter.value == record.value && letter.key == record.key)
        }
        #expect(read > 1_000)
    }

    @Test("12,000 values of every parameter type, from JSON and from text, and places of dead letters")
    func values() {
        var random = SeededRandom(seed: Self.seed + 5)
        var read = 0
        func take<Value: ParameterValue>(_ type: Value.Type, _ view: JSONView, _ text: String) {
            for value in [Value(json: view), Value(text: text)].compactMap({ $0 }) {
                read += 1
                // A value that was read is written as valid JSON.
                let written = JSON.make { value.encode(to: &$0) }
                #expect(
                    (try? JSONView(parsing: written.bytes, limits: .event)) != nil,
                    "seed \(Self.seed + 5): \(Value.self)")
            }
        }
        for _ in 1...12_000 {
            let bytes =
                random.once(in: 3)
                ? Hostile.damaged(random.pick(Self.values), with: random.pick(Self.values), &random)
                : Hostile.json(&random)
            let text = String(
                decoding: random.once(in: 2) ? random.pick(Self.values) : Hostile.bytes(24, &random), as: UTF8.self)
            if let place = DeadLetterPlace(text) { #expect(place.partition >= 0 && place.offset >= 0) }
            guard let view = try? JSONView(parsing: bytes, limits: .event) else { continue }
            take(String.self, view, text)
            take(Int.self, view, text)
            take(Double.self, view, text)
            take(Bool.self, view, text)
            take(Decimal.self, view, text)
            take(Date.self, view, text)
            take(Duration.self, view, text)
            take(DateRange.self, view, text)
            take(RecurrenceRule.self, view, text)
            take(CurrencyAmount.self, view, text)
            take(Person.self, view, text)
            take(Place.self, view, text)
            take(IntentFile.self, view, text)
            take(PaymentMethod.self, view, text)
        }
        #expect(read > 1_000, "seed \(Self.seed + 5)")
    }

    private static let values: [Bytes] = [
        "\"Airport\"", "42", "-0.5", "true", "\"2026-02-30T25:61:00Z\"", "\"2026-02-28T23:59:59Z\"", "\"P1DT2H\"",
        "\"tomorrow at 5\"",
        "\"5 EUR\"",
        "{\"amount\":\"12.50\",\"currency\":\"EUR\"}",
        "{\"start\":\"2026-01-01T00:00:00Z\",\"end\":\"2025-01-01T00:00:00Z\"}",
        "{\"latitude\":91,\"longitude\":-181}", "{\"frequency\":\"weekly\",\"interval\":9223372036854775807}",
        "\"every 99999999999 days\"",
        "{\"name\":\"x\",\"latitude\":1e308}", "\"1e999 km\"", "\"9223372036854775808 hours\"",
        "{\"value\":1e308,\"unit\":\"km\"}",
        "\"3/42\"",
        "\"2147483648/1\"", "{\"name\":\"a\",\"data\":\"====\"}",
    ].map { Bytes($0.utf8) }

    @Test("memory is freed: a second round of all inputs retains little")
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
        // The two rounds have 8,000 inputs of at least 1 KiB: a leaked copy of each input would exceed the limit.
        #expect(Self.residentKiB - before < 8 * 1_024, "\(before) KiB before, \(Self.residentKiB) KiB after")
    }

    private static var residentKiB: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4
    }
}
