import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@Suite("Records of what is remembered about people, and of its changes") struct MemoryRecordTests {
    private static let ann = Principal(.appUser, "ann")
    private static let now = Examples.time
    private static let topics = Topics()

    private func written(_ record: MemoryChangeRecord, at now: Instant = now) -> Record {
        record.record(topics: Self.topics, at: now)
    }

    private func written(_ record: MemoryRecord, at now: Instant = now) -> Record {
        record.record(topics: Self.topics, partition: 5, at: now)
    }

    private static func change(
        _ change: MemoryChange.Kind = .forget(nil), number: Int = 1, time: Instant = now, event: Identifier? = nil
    ) -> MemoryChangeRecord {
        MemoryChangeRecord(of: ann, MemoryChange(change, stream: "a", number: number, time: time, event: event))
    }

    private static func person(_ values: [RememberedValue] = [], epoch: Int = 0, offset: Int64 = 7) -> MemoryRecord {
        MemoryRecord(of: ann, RememberedPerson(values: values, position: MemoryPosition(epoch: epoch, offset: offset)))
    }

    private static func value(_ text: JSON = .string("Leeds"), time: Instant = now) -> RememberedValue {
        RememberedValue(key: "city", value: text, intent: "Book", time: time)
    }

    // MARK: Round trips

    /// Changes that together have every member.
    static let changes = [
        #"{"stream":"a\u2028","number":965667,"since":{"epoch":9,"offset":23},"time":61,"event":"e","remember":{"#
            + #""key":"k","value":{"a":{"b":[null,1.5,"x"]}},"intent":"Küche","time":3395187972520}}"#,
        #"{"stream":"a","number":0,"time":2395835168038,"forget":{"keys":["city"]}}"#, change(#""forget":{}"#),
    ]
    /// A person's memory with every member.
    static let people = [
        #"{"values":[{"key":"k","value":{"a":[740219,"{}"]},"intent":"Book","time":3596283772618},"#
            + #"{"key":"\" \\ / \n\t","value":null,"time":0}],"#
            + #""forgettings":[{"keys":["k"],"count":5,"stream":"b","number":9,"position":{"epoch":1,"offset":8}},"#
            + #"{"count":1,"stream":"b","number":10,"position":{"offset":9}}],"#
            + #""streams":[{"name":"b","number":10}],"position":{"epoch":0,"offset":7}}"#
    ]

    @Test func `records of any content are read as they were written`() throws {
        var input = HostileInput(seed: 1)
        var read = 0
        for number in 1...2_000 {
            let principal = Principal(input.pick(Principal.Kind.allCases), Identifier(input.text()))
            let change = edited(Self.changes, key: #"["app_user","ann"]"#, &input)
            if let change = try? MemoryChangeRecord(change).change {
                let record = MemoryChangeRecord(of: principal, change)
                #expect(try MemoryChangeRecord(written(record).consumed()) == record, "seed 1, change \(number)")
                read += 1
            }
            let person = edited(Self.people, key: #"["app_user","ann","0","7"]"#, &input)
            if let person = try? MemoryRecord(person).person {
                let record = MemoryRecord(of: principal, person)
                #expect(try MemoryRecord(written(record).consumed()) == record, "seed 1, person \(number)")
                let replaced = MemoryRecord(replaced: person.position, of: principal)
                #expect(try MemoryRecord(written(replaced).consumed()) == replaced, "seed 1, tombstone \(number)")
                #expect(written(replaced).key == written(record).key)
                read += 1
            }
        }
        #expect(read > 1_000, "\(read) records were read")
    }

    /// Returns the record of a text. In nine of ten texts, a value is edited.
    private func edited(_ texts: [String], key: String, _ input: inout HostileInput) -> ConsumedRecord {
        var record = Record(topic: "t", key: Bytes(key.utf8), value: Bytes(input.pick(texts).utf8))
        if !input.once(in: 10) { input.edit(.value, of: record).apply(&record) }
        return record.consumed()
    }

    @Test(arguments: [.remember(value(.null)), .forget(nil), .forget([]), .forget(["city"])] as [MemoryChange.Kind])
    func `null differs from no value, and forgetting all from forgetting nothing`(_ change: MemoryChange.Kind) throws {
        let record = Self.change(change, event: "f")
        #expect(try MemoryChangeRecord(written(record).consumed()) == record)
        let person = Self.person([Self.value(.null)])
        #expect(try MemoryRecord(written(person).consumed()) == person)
    }

    @Test(arguments: [.min, -1, 0, 1, .max] as [Int64])
    func `records have the time of writing, and keep the times of changes and values`(_ milliseconds: Int64) throws {
        let said = Instant(milliseconds: milliseconds)
        let change = Self.change(.remember(Self.value(time: said)), time: said)
        let person = Self.person([Self.value(time: said)])
        for record in [written(change), written(person)] { #expect(record.timestamp == Self.now.milliseconds) }
        // The record's own timestamp changes nothing either.
        for time in [Self.now, said] {
            #expect(try MemoryChangeRecord(written(change, at: time).consumed()) == change)
            #expect(try MemoryRecord(written(person, at: time).consumed()) == person)
        }
    }

    // MARK: Keys

    @Test func `all changes of a person have one key, and each state of their memory has its own`() {
        let changes = [1, 2].map { written(Self.change(number: $0)) }
        let people = [0, 2].map { written(Self.person(epoch: $0)) }
        let records = changes + people
        #expect(
            records.map { "\($0.topic) \($0.partition ?? -1) \(String(decoding: $0.key ?? [], as: UTF8.self))" } == [
                #"intents.memory-changes -1 ["app_user","ann"]"#, #"intents.memory-changes -1 ["app_user","ann"]"#,
                #"intents.memory 5 ["app_user","ann","0","7"]"#, #"intents.memory 5 ["app_user","ann","2","7"]"#,
            ])
    }

    @Test func `a key may have escaped characters`() throws {
        var record = written(Self.change())
        record.key = Bytes(#"[ "app\u005fuser" , "\u0061nn" ]"#.utf8)
        #expect(try MemoryChangeRecord(record.consumed()) == Self.change())
        record = written(Self.person())
        record.key = Bytes(#"["app_user","a\u006en","\u0030","7"]"#.utf8)
        #expect(try MemoryRecord(record.consumed()) == Self.person())
    }

    @Test(arguments: [
        "", "ann", "[", "[]", "{}", #"{"app_user":"ann"}"#, "null", #""app_user""#, #"["app_user"]"#,
        #"["app_user","ann"]"#, #"["app_user","ann","0"]"#, #"["app_user","ann","0","7","8"]"#,
        #"["app_user","ann",0,7]"#, #"["app_user",null,"0","7"]"#, #"["robot","ann","0","7"]"#,
        #"["","ann","0","7"]"#, #"["app_user","ann","","7"]"#, #"["app_user","ann","x","7"]"#,
        #"["app_user","ann","-1","7"]"#, #"["app_user","ann","0","-7"]"#, #"["app_user","ann","0","7.5"]"#,
        #"["app_user","ann","0"," 7"]"#, #"["app_user","ann","0","9007199254740993"]"#,
        #"["app_user","ann","99999999999999999999","7"]"#, #"["app_user","ann","0","9223372036854775807"]"#,
    ])
    func `the key of a memory is a list of a principal and a position`(_ key: String) {
        var record = written(Self.person())
        for key in [Bytes(key.utf8), [0xFF] + Bytes(key.utf8), nil] {
            record.key = key
            #expect(problem(record.consumed(), MemoryRecord.init).hasPrefix("invalid key"))
        }
    }

    @Test(arguments: [
        "", "ann", "[]", "null", #"["app_user"]"#, #"["robot","ann"]"#, #"["app_user",7]"#,
        #"["app_user","ann","0","7"]"#, #"["app_user","ann""#,
    ])
    func `the key of a change is a list of a principal's kind and id`(_ key: String) {
        var record = written(Self.change())
        for key in [Bytes(key.utf8), nil] {
            record.key = key
            #expect(problem(record.consumed(), MemoryChangeRecord.init).hasPrefix("invalid key"))
        }
    }

    // MARK: Values

    private func readingChange(_ value: String?) -> String {
        problem(requestRecord(value, key: #"["app_user","ann"]"#), MemoryChangeRecord.init)
    }

    private func readingPerson(_ value: String) -> String {
        problem(requestRecord(value, key: #"["app_user","ann","0","7"]"#), MemoryRecord.init)
    }

    /// A change with other members, such as its content.
    private static func change(_ members: String) -> String { #"{"stream":"a","number":1,"time":0,\#(members)}"# }

    private static func remember(key: Int) -> String {
        change(#""remember":{"key":"\#(String(repeating: "k", count: key))","value":1,"time":0}"#)
    }

    @Test(arguments: [
        (remember(key: 256), "fine"), (remember(key: 257), "invalid remember.key"),
        (change(#""forget":{}"#), "fine"),
        (#"{"stream":"a","number":9007199254740992,"time":-9223372036854775808,"forget":{"keys":[]},"x":[1]}"#, "fine"),
        (#"{"stream":"a","number":1,"time":9223372036854775807,"remember":{"key":"k","value":null,"time":0}}"#, "fine"),
        (#"{"number":1,"time":0,"forget":{}}"#, "invalid stream"),
        (#"{"stream":7,"number":1,"time":0,"forget":{}}"#, "invalid stream"),
        (#"{"stream":"a","time":0,"forget":{}}"#, "invalid number"),
        (#"{"stream":"a","number":-1,"time":0,"forget":{}}"#, "invalid number"),
        (#"{"stream":"a","number":9007199254740993,"time":0,"forget":{}}"#, "invalid number"),
        (#"{"stream":"a","number":99999999999999999999,"time":0,"forget":{}}"#, "invalid number"),
        (#"{"stream":"a","number":1.5,"time":0,"forget":{}}"#, "invalid number"),
        (#"{"stream":"a","number":1,"forget":{}}"#, "invalid time"),
        (#"{"stream":"a","number":1,"time":9223372036854775808,"forget":{}}"#, "invalid time"),
        (#"{"stream":"a","number":1,"time":"now","forget":{}}"#, "invalid time"),
        (#"{"stream":"a","number":1,"since":7,"time":0,"forget":{}}"#, "invalid since"),
        (#"{"stream":"a","number":1,"since":{"offset":-1},"time":0,"forget":{}}"#, "invalid since.offset"),
        (#"{"stream":"a","number":1,"since":{"epoch":-1,"offset":1},"time":0,"forget":{}}"#, "invalid since.epoch"),
        (#"{"stream":"a","number":1,"time":0}"#, "invalid remember"),
        (change(#""remember":{"key":"k","value":1,"time":0},"forget":{}"#), "invalid remember"),
        (change(#""forget":[]"#), "invalid forget"),
        (change(#""forget":{"keys":"city"}"#), "invalid forget.keys"),
        (change(#""forget":{"keys":["city",1]}"#), "invalid forget.keys.1"),
        (change(#""remember":{"key":"","value":1,"time":0}"#), "invalid remember.key"),
        (change(#""remember":{"key":"k","time":0}"#), "invalid remember.value"),
        (change(#""remember":{"key":"k","value":1}"#), "invalid remember.time"),
    ])
    func `a change is read, or its fault is named`(_ value: String, _ expected: String) {
        #expect(readingChange(value).hasPrefix(expected), "\(readingChange(value))")
    }

    @Test(arguments: [
        (#"{"position":{"offset":7}}"#, "fine"), (#"{"position":{"epoch":0,"offset":7},"more":1}"#, "fine"),
        (#"{"values":[]}"#, "invalid position"), (#"{"position":{"offset":8}}"#, "invalid position"),
        (#"{"position":{"epoch":1,"offset":7}}"#, "invalid position"),
        (#"{"position":{"offset":-7}}"#, "invalid position.offset"),
        (#"{"position":{"offset":9007199254740993}}"#, "invalid position.offset"),
        (#"{"values":{},"position":{"offset":7}}"#, "invalid values"),
        (#"{"values":[{"key":"","value":1,"time":0}],"position":{"offset":7}}"#, "invalid values.0.key"),
        (#"{"forgettings":[{"count":-1}],"position":{"offset":7}}"#, "invalid forgettings.0.count"),
        (#"{"streams":[{"name":"a","number":-1}],"position":{"offset":7}}"#, "invalid streams.0.number"),
    ])
    func `a person's memory is read, or its fault is named`(_ value: String, _ expected: String) {
        #expect(readingPerson(value).hasPrefix(expected), "\(readingPerson(value))")
    }

    @Test(arguments: [
        ("", "unparseable"), ("{", "unparseable"), (#"{"stream":"a"} {}"#, "unparseable"), ("[]", "invalid"),
        ("null", "invalid"), ("7", "invalid"), (#""city""#, "invalid"), ("{}", "invalid"),
    ])
    func `a value that is no JSON object is refused by both readers`(_ value: String, _ expected: String) {
        #expect(readingChange(value).hasPrefix(expected) && readingPerson(value).hasPrefix(expected))
    }

    @Test func `memories and changes are not read as each other, and a change has no tombstone`() {
        #expect(problem(written(Self.change()).consumed(), MemoryRecord.init).hasPrefix("invalid key"))
        #expect(problem(written(Self.person()).consumed(), MemoryChangeRecord.init).hasPrefix("invalid key"))
        #expect(readingChange(nil).hasPrefix("invalid value"))
    }
}
