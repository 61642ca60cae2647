import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Records of what is remembered about people, and of its changes")
struct MemoryRecordTests {
    private static let ann = Principal(.appUser, "ann")
    private static let now = Instant(milliseconds: 1_772_366_400_250)
    private static let topics = Topics()
    private static let extremes: [Int64] = [.min, -1, 0, 1, .max]

    private func written(_ record: MemoryChangeRecord, at now: Instant = now) -> Record {
        record.record(topics: Self.topics, at: now)
    }

    private func written(_ record: MemoryRecord, at now: Instant = now) -> Record {
        record.record(topics: Self.topics, partition: 5, at: now)
    }

    private static func value(_ text: JSON = .string("Leeds"), time: Instant = now) -> RememberedValue {
        RememberedValue(key: "city", value: text, intent: "Book", time: time)
    }

    // MARK: Round trips

    @Test("are read as they were written, whatever they say", arguments: JournalTests.seeds)
    func roundTrips(_ seed: UInt64) throws {
        var random = RandomSession(seed: seed)
        for number in 1...400 {
            let principal = random.principal()
            let change = MemoryChangeRecord(of: principal, random.change())
            #expect(try MemoryChangeRecord(written(change).consumed()) == change, "seed \(seed), change \(number)")
            let person = MemoryRecord(of: principal, random.rememberedPerson())
            #expect(try MemoryRecord(written(person).consumed()) == person, "seed \(seed), person \(number)")
            let replaced = MemoryRecord(replaced: person.position, of: principal)
            #expect(try MemoryRecord(written(replaced).consumed()) == replaced, "seed \(seed), tombstone \(number)")
            #expect(written(replaced).key == written(person).key)
        }
    }

    @Test("that a person wants none in particular is kept apart from that nothing is remembered")
    func none() throws {
        let change = MemoryChangeRecord(
            of: Self.ann, MemoryChange(.remember(Self.value(.null)), stream: "a", number: 1, time: Self.now))
        #expect(try MemoryChangeRecord(written(change).consumed()) == change)
        let person = MemoryRecord(
            of: Self.ann, RememberedPerson(values: [Self.value(.null)], position: MemoryPosition(offset: 3)))
        #expect(try MemoryRecord(written(person).consumed()) == person)
    }

    @Test("to forget all is kept apart from to forget nothing", arguments: [nil, [], ["city"]])
    func keys(_ keys: [String]?) throws {
        let change = MemoryChangeRecord(
            of: Self.ann, MemoryChange(.forget(keys), stream: "a", number: 1, time: Self.now, event: "f"))
        #expect(try MemoryChangeRecord(written(change).consumed()) == change)
    }

    @Test(
        "have the time of writing, and keep the time of what was said or decided at any other time", arguments: extremes
    )
    func times(_ milliseconds: Int64) throws {
        let said = Instant(milliseconds: milliseconds)
        let change = MemoryChangeRecord(
            of: Self.ann, MemoryChange(.remember(Self.value(time: said)), stream: "a", number: 1, time: said))
        let person = MemoryRecord(
            of: Self.ann, RememberedPerson(values: [Self.value(time: said)], position: MemoryPosition(offset: 3)))
        #expect(
            written(change).timestamp == Self.now.milliseconds && written(person).timestamp == Self.now.milliseconds)
        #expect(try MemoryChangeRecord(written(change).consumed()) == change)
        #expect(try MemoryRecord(written(person).consumed()) == person)
        // The record's own timestamp changes nothing either.
        #expect(try MemoryChangeRecord(written(change, at: said).consumed()) == change)
        #expect(try MemoryRecord(written(person, at: said).consumed()) == person)
    }

    // MARK: Keys

    @Test("all changes of a person have one key, and each state of what is remembered about them has its own")
    func keysOfRecords() {
        func change(_ number: Int) -> Record {
            written(
                MemoryChangeRecord(
                    of: Self.ann, MemoryChange(.forget(nil), stream: "a", number: number, time: Self.now)))
        }
        #expect(change(1).key == change(2).key && change(1).key == Bytes(#"["app_user","ann"]"#.utf8))
        #expect(change(1).topic == "intents.memory-changes" && change(1).partition == nil)
        func person(_ epoch: Int, _ offset: Int64) -> Record {
            written(
                MemoryRecord(of: Self.ann, RememberedPerson(position: MemoryPosition(epoch: epoch, offset: offset))))
        }
        #expect(person(0, 7).key == Bytes(#"["app_user","ann","0","7"]"#.utf8))
        #expect(person(2, 7).key == Bytes(#"["app_user","ann","2","7"]"#.utf8))
        #expect(person(0, 7).topic == "intents.memory" && person(0, 7).partition == 5)
    }

    @Test("a key says the same whether its characters are escaped or not")
    func escaped() throws {
        let change = MemoryChangeRecord(
            of: Self.ann, MemoryChange(.forget(nil), stream: "a", number: 1, time: Self.now))
        var record = written(change)
        record.key = Bytes(#"[ "app\u005fuser" , "\u0061nn" ]"#.utf8)
        #expect(try MemoryChangeRecord(record.consumed()) == change)
        let person = MemoryRecord(of: Self.ann, RememberedPerson(position: MemoryPosition(offset: 7)))
        record = written(person)
        record.key = Bytes(#"["app_user","a\u006en","\u0030","7"]"#.utf8)
        #expect(try MemoryRecord(record.consumed()) == person)
    }

    @Test(
        "nobody's memory has a key that is no list of a principal and a position",
        arguments: [
            "", "ann", "[", "[]", "{}", #"{"app_user":"ann"}"#, "null", #""app_user""#, #"["app_user"]"#,
            #"["app_user","ann"]"#,
            #"["app_user","ann","0"]"#, #"["app_user","ann","0","7","8"]"#, #"["app_user","ann",0,7]"#,
            #"["app_user",null,"0","7"]"#,
            #"["robot","ann","0","7"]"#, #"["","ann","0","7"]"#, #"["app_user","ann","","7"]"#,
            #"["app_user","ann","x","7"]"#,
            #"["app_user","ann","-1","7"]"#, #"["app_user","ann","0","-7"]"#, #"["app_user","ann","0","7.5"]"#,
            #"["app_user","ann","0"," 7"]"#, #"["app_user","ann","0","9007199254740993"]"#,
            #"["app_user","ann","99999999999999999999","7"]"#, #"["app_user","ann","0","9223372036854775807"]"#,
        ])
    func badKeys(_ key: String) {
        var record = written(MemoryRecord(of: Self.ann, RememberedPerson(position: MemoryPosition(offset: 7))))
        for key in [Bytes(key.utf8), Bytes([0xFF]) + Bytes(key.utf8)] {
            record.key = key
            #expect(problem { () throws(EventError) in try MemoryRecord(record.consumed()) }.hasPrefix("invalid key"))
        }
        record.key = nil
        #expect(problem { () throws(EventError) in try MemoryRecord(record.consumed()) }.hasPrefix("invalid key"))
    }

    @Test(
        "nobody's change has a key that is no list of a principal's kind and id",
        arguments: [
            "", "ann", "[]", "null", #"["app_user"]"#, #"["robot","ann"]"#, #"["app_user",7]"#,
            #"["app_user","ann","0","7"]"#,
            #"["app_user","ann""#,
        ])
    func badKeysOfChanges(_ key: String) {
        var record = written(
            MemoryChangeRecord(of: Self.ann, MemoryChange(.forget(nil), stream: "a", number: 1, time: Self.now)))
        for key in [Bytes(key.utf8), nil] {
            record.key = key
            #expect(
                problem { () throws(EventError) in try MemoryChangeRecord(record.consumed()) }.hasPrefix("invalid key"))
        }
    }

    // MARK: Values

    private func readingChange(_ value: String?) -> String {
        let record = record(
            value.map { Bytes($0.utf8) }, topic: Self.topics.memoryChanges, key: Bytes(#"["app_user","ann"]"#.utf8))
        return problem { () throws(EventError) in try MemoryChangeRecord(record) }
    }

    private func readingPerson(_ value: String) -> String {
        let record = record(
            Bytes(value.utf8), topic: Self.topics.memory, key: Bytes(#"["app_user","ann","0","7"]"#.utf8))
        return problem { () throws(EventError) in try MemoryRecord(record) }
    }

    @Test(
        "a change is read, or it is said what is wrong with it",
        arguments: [
            (#"{"stream":"a","number":1,"time":0,"forget":{}}"#, "fine"),
            (
                #"{"stream":"a","number":9007199254740992,"time":-9223372036854775808,"forget":{"keys":[]},"more":[1]}"#,
                "fine"
            ),
            (
                #"{"stream":"a","number":1,"time":9223372036854775807,"remember":{"key":"k","value":null,"time":0}}"#,
                "fine"
            ),
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
            (
                #"{"stream":"a","number":1,"time":0,"remember":{"key":"k","value":1,"time":0},"forget":{}}"#,
                "invalid remember"
            ),
            (#"{"stream":"a","number":1,"time":0,"forget":[]}"#, "invalid forget"),
            (#"{"stream":"a","number":1,"time":0,"forget":{"keys":"city"}}"#, "invalid forget.keys"),
            (#"{"stream":"a","number":1,"time":0,"forget":{"keys":["city",1]}}"#, "invalid forget.keys.1"),
            (#"{"stream":"a","number":1,"time":0,"remember":{"key":"","value":1,"time":0}}"#, "invalid remember.key"),
            (#"{"stream":"a","number":1,"time":0,"remember":{"key":"k","time":0}}"#, "invalid remember.value"),
            (#"{"stream":"a","number":1,"time":0,"remember":{"key":"k","value":1}}"#, "invalid remember.time"),
        ])
    func change(_ value: String, _ said: String) {
        #expect(readingChange(value).hasPrefix(said), "\(readingChange(value))")
    }

    @Test("a key of a value has up to 256 bytes", arguments: [(256, "fine"), (257, "invalid remember.key")])
    func longKey(_ count: Int, _ said: String) {
        let key = String(repeating: "k", count: count)
        let value = #"{"stream":"a","number":1,"time":0,"remember":{"key":"\#(key)","value":1,"time":0}}"#
        #expect(readingChange(value).hasPrefix(said))
    }

    @Test(
        "what is remembered about a person is read, or it is said what is wrong with it",
        arguments: [
            (#"{"position":{"offset":7}}"#, "fine"),
            (#"{"position":{"epoch":0,"offset":7},"more":1}"#, "fine"),
            (#"{"values":[]}"#, "invalid position"),
            (#"{"position":{"offset":8}}"#, "invalid position"),
            (#"{"position":{"epoch":1,"offset":7}}"#, "invalid position"),
            (#"{"position":{"offset":-7}}"#, "invalid position.offset"),
            (#"{"position":{"offset":9007199254740993}}"#, "invalid position.offset"),
            (#"{"values":{},"position":{"offset":7}}"#, "invalid values"),
            (#"{"values":[{"key":"","value":1,"time":0}],"position":{"offset":7}}"#, "invalid values.0.key"),
            (#"{"forgettings":[{"count":-1}],"position":{"offset":7}}"#, "invalid forgettings.0.count"),
            (#"{"streams":[{"name":"a","number":-1}],"position":{"offset":7}}"#, "invalid streams.0.number"),
        ])
    func person(_ value: String, _ said: String) {
        #expect(readingPerson(value).hasPrefix(said), "\(readingPerson(value))")
    }

    @Test(
        "what is no JSON object is neither",
        arguments: [
            ("", "unparseable"), ("{", "unparseable"), (#"{"stream":"a"} {}"#, "unparseable"), ("[]", "invalid"),
            ("null", "invalid"),
            ("7", "invalid"), (#""city""#, "invalid"), ("{}", "invalid"),
        ])
    func noObject(_ value: String, _ said: String) {
        #expect(readingChange(value).hasPrefix(said), "\(readingChange(value))")
        #expect(readingPerson(value).hasPrefix(said), "\(readingPerson(value))")
    }

    @Test("neither is read as the other, and a change has no tombstone")
    func eachOther() {
        let change = written(
            MemoryChangeRecord(of: Self.ann, MemoryChange(.forget(nil), stream: "a", number: 1, time: Self.now)))
        #expect(problem { () throws(EventError) in try MemoryRecord(change.consumed()) }.hasPrefix("invalid key"))
        let person = written(MemoryRecord(of: Self.ann, RememberedPerson(position: MemoryPosition(offset: 7))))
        #expect(problem { () throws(EventError) in try MemoryChangeRecord(person.consumed()) }.hasPrefix("invalid key"))
        #expect(readingChange(nil).hasPrefix("invalid value"))
    }
}
