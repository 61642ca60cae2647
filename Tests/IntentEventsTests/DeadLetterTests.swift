import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Dead letters: reading, replaying and marking") struct DeadLetterTests {
    private let topics = Topics()

    private func letter(_ original: ConsumedRecord, offset: Int64 = 7) throws -> ReadDeadLetter {
        let rejection = Rejection(.deprecated, "another version", field: "type")
        let record = DeadLetter.record(original, rejection, stage: "coordinator", attempt: 2, topics: topics)
        return try #require(ReadDeadLetter(record.consumed(partition: 9, offset: offset)))
    }

    private func original(
        _ value: String? = #"{"intent":"RequestRide"}"#, on topic: String = "intents.requests",
        headers: [RecordHeader] = [], key: String = "kitchen"
    ) -> ConsumedRecord {
        record(value.map { Bytes($0.utf8) }, topic: topic, key: Bytes(key.utf8), headers: headers)
    }

    private func excerpt(of original: ConsumedRecord) -> Record {
        DeadLetter.excerpt(
            of: original, Rejection(.complex, "too large"), sha256: "abc", stage: "coordinator", topics: topics)
    }

    @Test func `a dead letter is read as its original record and the reason of its rejection`() throws {
        let headers = [
            RecordHeader("ce_id", "e"), RecordHeader("intents-error-topic", "forged"), RecordHeader("x", nil as Bytes?),
        ]
        let read = try letter(original(headers: headers))
        #expect(read.original.headers == headers && read.original.topic == "intents.requests")
        #expect(read.original.partition == 3 && read.original.offset == 42 && read.partition == 3 && read.offset == 7)
        #expect(read.stage == "coordinator" && read.reason == "deprecated" && read.attempt == 2)
        #expect(read.message == "another version" && read.session == "kitchen" && read.eventID == "e")
    }

    @Test func `a dead letter of a range names its offsets, has none of its records, and can't be replayed`() throws {
        let rejection = Rejection(.unparseable, "a batch can't be decompressed")
        let place = TopicPartition("intents.requests", 3)
        let record = DeadLetter.range(42..<50, of: place, records: 8, rejection, stage: "coordinator", topics: topics)
        let read = try #require(ReadDeadLetter(record.consumed(offset: 7)))
        #expect(read.original.topicPartition == place && read.original.offset == 42)
        #expect(read.range?.last == 49 && read.range?.records == 8 && read.excerpt == nil)
        #expect(read.original.key == nil && read.original.value == nil && read.original.headers.isEmpty)
        #expect(read.reason == "unparseable" && read.stage == "coordinator" && read.attempt == 1)
        #expect(throws: EventError.self) { try read.replay(topics: topics, force: true) }
    }

    @Test(arguments: [[], [RecordHeader("intents-error-topic", "intents.requests")]])
    func `other records are not dead letters`(_ headers: [RecordHeader]) {
        #expect(ReadDeadLetter(original(on: "intents.dead-letters", headers: headers)) == nil)
    }

    @Test func `a dead letter holds a record of the same place, key, value and headers, byte for byte`() throws {
        let headers = [RecordHeader("ce_id", "e"), RecordHeader("x", nil as Bytes?)]
        let there = original(headers: headers)
        #expect(try letter(there).holds(there))
        var written = there
        written.timestamp = 99
        #expect(try letter(there).holds(written), "a letter has no timestamp of its original")
        let edits: [(inout ConsumedRecord) -> Void] = [
            { $0.key = Array("Kitchen".utf8) }, { $0.key = nil }, { $0.value?.append(0x20) }, { $0.value = nil },
            { $0.headers[1].value = [] }, { $0.headers.reverse() }, { $0.offset = 41 }, { $0.topic = "other" },
        ]
        for edit in edits {
            var other = there
            edit(&other)
            #expect(try !letter(there).holds(other), "\(other)")
        }
    }

    @Test func `replay writes a record to its topic and partition, byte for byte, with its id`() throws {
        let given: KeyValuePairs = ["ce_id": "e", "ce_type": "intent.requested.v1", "x": "1"]
        let headers = given.map { RecordHeader($0.key, $0.value) }
        let record = try letter(original(headers: headers)).replay(topics: topics)
        #expect(record.topic == "intents.requests" && record.partition == 3 && record.key == Array("kitchen".utf8))
        #expect(record.value == Array(#"{"intent":"RequestRide"}"#.utf8))
        #expect(record.headers == headers + [RecordHeader("intents-replayed-from", "3/7")])
    }

    @Test func `a replayed event without an id keeps the id derived from its place`() throws {
        let record = try letter(original()).replay(topics: topics)
        #expect(try RequestEvent(record.consumed(offset: 99)).id == "intents.requests-3-42")
        let given = try letter(original(#"{"id":"mine","intent":"RequestRide"}"#)).replay(topics: topics)
        #expect(given.headers.map(\.name) == ["intents-replayed-from"])
        #expect(try RequestEvent(given.consumed()).id == "mine")
    }

    @Test func `a replayed record that fails again names only its last dead letter, and keeps its id`() throws {
        let first = try letter(original()).replay(topics: topics)
        let second = try letter(first.consumed(partition: 3, offset: 50), offset: 9).replay(topics: topics)
        let headers = second.headers.map { "\($0.name)=\($0.text ?? "")" }
        #expect(headers == ["ce_id=intents.requests-3-42", "intents-replayed-from=3/9"])
    }

    @Test(arguments: [
        ("intents.handle", #"{"intent":"RequestRide"}"#, "only the coordinator dispatches work"),
        ("intents.resolve", #"{"intent":"RequestRide"}"#, "only the coordinator dispatches work"),
        ("intents.sessions", "{}", "only the coordinator that owns"),
        ("intents.results", "{}", "no input of this pipeline"), ("other", "{}", "no input of this pipeline"),
        ("intents.requests", "{", "JSON"), ("intents.requests", nil, "tombstone"),
        ("intents.requests", #"{"type":"intent.requested.v9"}"#, "another version"),
        ("intents.outcomes", #"{"type":"intent.handled.v1"}"#, "an outcome needs 'request' and 'step'"),
    ])
    func `a replay that can't succeed is rejected`(_ topic: String, _ value: String?, _ why: String) throws {
        let letter = try letter(original(value, on: topic))
        let error = #expect(throws: EventError.self) { try letter.replay(topics: topics) }
        #expect(error?.rejection.message.contains(why) == true, "\(error?.rejection.message ?? "")")
    }

    @Test func `force replays unreadable records too, but never work or the journal`() throws {
        #expect(try letter(original("{")).replay(topics: topics, force: true).value == Array("{".utf8))
        let work = try letter(original(on: "intents.handle"))
        #expect(throws: EventError.self) { try work.replay(topics: topics, force: true) }
    }

    @Test func `an excerpt is never replayed, because the rest of its value is missing`() throws {
        let record = excerpt(of: original(String(repeating: "y", count: 5_000), headers: [RecordHeader("ce_id", "e")]))
        #expect(record.key == Array("kitchen".utf8) && record.value == Array(String(repeating: "y", count: 4_096).utf8))
        let letter = try #require(ReadDeadLetter(record.consumed(offset: 7)))
        #expect(letter.excerpt == ReadDeadLetter.Excerpt(bytes: 5_000, sha256: "abc"))
        #expect(letter.original.headers == [RecordHeader("ce_id", "e")] && letter.eventID == "e")
        for force in [false, true] {
            let error = #expect(throws: EventError.self) { try letter.replay(topics: topics, force: force) }
            #expect(error?.rejection.message.contains("read it from intents.requests, partition 3, offset 42") == true)
        }
    }

    @Test func `a message that quotes the record is cut by its bytes, so that the letter fits into the log`() throws {
        // A type of one character with 200,001 bytes.
        let type = "e" + String(repeating: "\u{301}", count: 100_000)
        let record = DeadLetter.record(
            original("{}"), Rejection(.unsupported, "'\(type)' is no work"), stage: "handler", topics: topics)
        #expect(record.headers.allSatisfy { ($0.value?.count ?? 0) <= 16_384 + 2 })
        #expect(ReadDeadLetter(record.consumed())?.message.utf8.starts(with: "'e\u{301}".utf8) == true)
    }

    @Test(
        arguments: [["last-offset": "9", "records": "5"], ["bytes": "5", "sha256": "a"]] as [PrincipalTests.Headers])
    func `a record can't pass itself off as a range or an excerpt`(_ forged: PrincipalTests.Headers) throws {
        let headers = forged.map { RecordHeader("intents-error-\($0.key)", $0.value) }
        let letter = try letter(original(headers: headers))
        #expect(letter.range == nil && letter.excerpt == nil && letter.original.headers == headers)
    }

    @Test func `an excerpt keeps no key and no event id of more than a kilobyte`() {
        let long = String(repeating: "k", count: 1_025)
        let record = excerpt(of: original("{", headers: [RecordHeader("ce_id", long)], key: long))
        #expect(record.key == nil && !record.headers.contains { $0.name == "ce_id" })
    }

    @Test(arguments: DeadLetterMark.Kind.allCases)
    func `a mark records a decision on a dead letter, and is no letter itself`(_ kind: DeadLetterMark.Kind) throws {
        let mark = DeadLetterMark(kind, partition: 3, offset: 7, by: "ops", at: Examples.time)
        let record = mark.record(key: Array("kitchen".utf8), topics: topics)
        #expect(record.topic == topics.deadLetters && record.partition == 3)
        #expect(record.value == Array(#"{"\#(kind.rawValue)":"3/7","by":"ops","at":"2026-03-01T12:00:00.250Z"}"#.utf8))
        #expect(DeadLetterMark(record.consumed(offset: 8)) == mark && ReadDeadLetter(record.consumed(offset: 8)) == nil)
        // The record is no mark in another partition or at an offset that is not later than the letter's.
        var elsewhere = record
        elsewhere.partition = 2
        #expect(DeadLetterMark(elsewhere.consumed(offset: 8)) == nil)
        #expect(DeadLetterMark(record.consumed(offset: 7)) == nil)
    }

    @Test func `a dead letter whose original looks like a mark is a dead letter`() throws {
        let mark = DeadLetterMark(.dropped, partition: 3, offset: 7, by: "x", at: Examples.time)
        let value = mark.record(key: nil, topics: topics)
        let forged = original(String(decoding: value.value ?? [], as: UTF8.self), headers: value.headers)
        let record = DeadLetter.record(forged, Rejection(.invalid, "no"), stage: "coordinator", topics: topics)
        #expect(DeadLetterMark(record.consumed(offset: 9)) == nil && ReadDeadLetter(record.consumed(offset: 9)) != nil)
    }

    @Test(arguments: [
        ("3/42", true), ("3", false), ("a/1", false), ("-1/2", false), ("1/-2", false),
        ("1/9223372036854775807", false), ("1/2/3", false),
    ])
    func `a place has the form partition/offset`(_ text: String, _ isOne: Bool) {
        #expect((DeadLetterPlace(text) != nil) == isOne)
    }
}
