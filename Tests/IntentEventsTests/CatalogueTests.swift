import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The catalogue")
struct CatalogueTests {
    private static let now = Instant(milliseconds: 1_772_366_400_000)
    private let topics = Topics()
    private var catalogue = Catalogue()
    private var encoder = EventEncoder(source: "/test")

    private mutating func take(
        _ lease: WorkerLease, written: Instant = now, at now: Instant = now, isPast: Bool = false
    ) throws {
        try catalogue.take(consumed(encoder.record(lease, topics: topics, at: written)), at: now, isPast: isPast)
    }

    private func consumed(_ record: Record) -> ConsumedRecord {
        ConsumedRecord(
            topic: record.topic, partition: 0, offset: 0, timestamp: record.timestamp ?? 0, key: record.key,
            value: record.value,
            headers: record.headers)
    }

    private mutating func withdraw(_ lease: WorkerLease) throws {
        let key = CatalogueKey.worker(service: lease.service, instance: lease.instance)
        try catalogue.take(consumed(encoder.withdrawal(of: key, topics: topics, at: Self.now)), at: Self.now)
    }

    private var names: [String] { catalogue.entries.map(\.intent.text) }

    private func answer(_ intent: Identifier) -> CatalogueRoutes.Answer {
        CatalogueRoutes(catalogue.entries).answer(for: intent)
    }

    @Test("an intent is served while any worker's lease names it: the last one to stop withdraws it")
    mutating func leases() throws {
        let first = WorkerLease(instance: "a", intents: ["OrderTea", "MakeTea"])
        let second = WorkerLease(instance: "b", intents: ["OrderTea"])
        try take(first)
        try take(second)
        #expect(names == ["MakeTea", "OrderTea"] && catalogue.entries[1].services.first?.workers == 2)
        try withdraw(first)
        #expect(names == ["OrderTea"])
        try withdraw(second)
        #expect(names.isEmpty && catalogue.isEmpty)
    }

    @Test(
        "two intents whose names only look equal are two: each goes to its own service, and a third one is not served")
    mutating func lookalikes() throws {
        try take(WorkerLease(service: "a", instance: "a", intents: ["\u{E9}"]))
        try take(WorkerLease(service: "b", instance: "b", intents: ["e\u{301}"]))
        #expect(
            catalogue.entries.map(\.intent) == ["e\u{301}", "\u{E9}"]
                && !catalogue.entries.contains(where: \.isContested))
        try take(WorkerLease(service: "b", instance: "b", intents: ["Kate"]))
        if case .served = answer("\u{212A}ate") { Issue.record("it is another intent") }
        if case .unserved = answer("Kate") { Issue.record("it is served") }
    }

    @Test("a worker that serves other intents says so under the same key, in a log that keeps the old record too")
    mutating func replaced() throws {
        try take(WorkerLease(instance: "a", intents: ["OrderTea", "MakeTea"]))
        try take(WorkerLease(instance: "a", intents: ["MakeTea"]))
        #expect(names == ["MakeTea"])
    }

    @Test(
        "a lease runs out when its reader has not seen it renewed for its time, and not before",
        arguments: [-3_600, 0, 3_600])
    mutating func readersClock(senderAhead: Int) throws {
        try take(
            WorkerLease(instance: "a", intents: ["OrderTea"]), written: Self.now.advanced(by: .seconds(senderAhead)))
        let end = Self.now.advanced(by: .milliseconds(WorkerLease.duration))
        let isEarly = catalogue.expire(at: end.advanced(by: .milliseconds(-1)))
        #expect(!isEarly && names == ["OrderTea"])
        let isOver = catalogue.expire(at: end)
        #expect(isOver && names.isEmpty)
    }

    @Test(
        "a lease that was over before its reader began does not count, if the log's clock and the reader's say so",
        arguments: [(-301, true), (-299, false)], [0, 3_600])
    mutating func overBefore(written: (seconds: Int, isOver: Bool), readerAhead: Int) throws {
        let now = Self.now.advanced(by: .seconds(readerAhead))
        try take(
            WorkerLease(instance: "a", intents: ["OrderTea"]),
            written: Self.now.advanced(by: .seconds(written.seconds)), at: now,
            isPast: true)
        try take(WorkerLease(instance: "b", intents: ["MakeTea"]), at: now, isPast: true)
        _ = catalogue.expire(at: now)
        #expect(names == (written.isOver ? ["MakeTea"] : ["MakeTea", "OrderTea"]))
    }

    @Test(
        "of leases that were there before, a reader that is behind the log's clock keeps all until it has seen no renewal"
    )
    mutating func readerBehind() throws {
        let now = Self.now.advanced(by: .seconds(-3_600))
        try take(
            WorkerLease(instance: "a", intents: ["OrderTea"]), written: Self.now.advanced(by: .seconds(-301)), at: now,
            isPast: true)
        try take(WorkerLease(instance: "b", intents: ["MakeTea"]), at: now, isPast: true)
        _ = catalogue.expire(at: now)
        #expect(names == ["MakeTea", "OrderTea"])
        try take(WorkerLease(instance: "b", intents: ["MakeTea"]), at: now.advanced(by: .seconds(60)))
        _ = catalogue.expire(at: now.advanced(by: .milliseconds(WorkerLease.duration)))
        #expect(names == ["MakeTea"])
    }

    @Test("a lease that is not renewed runs out")
    mutating func expiry() throws {
        try take(WorkerLease(instance: "a", intents: ["OrderTea"]))
        let later = Self.now.advanced(by: .milliseconds(WorkerLease.duration))
        let early = catalogue.expire(at: later.advanced(by: .milliseconds(-1)))
        #expect(!early)
        try take(WorkerLease(instance: "b", intents: ["MakeTea"]), at: Self.now.advanced(by: .seconds(60)))
        let isOver = catalogue.expire(at: later)
        #expect(isOver && names == ["MakeTea"])
    }

    @Test("what an intent is may come before or after who serves it, and is listed only while someone does")
    mutating func descriptions() throws {
        let intent = PublishedIntent(service: "tea", intent: "OrderTea", title: "Order tea")
        try catalogue.take(consumed(encoder.record(intent, topics: topics, at: Self.now)), at: Self.now)
        #expect(names.isEmpty)
        try take(WorkerLease(service: "tea", instance: "a", intents: ["OrderTea"]))
        #expect(catalogue.entries.map(\.published) == [intent])
        try take(WorkerLease(instance: "b", intents: ["MakeTea"]))
        #expect(catalogue.entries[0].published == nil)
    }

    @Test("of two services with one intent, the higher version gets its work, then the first name; and it is told")
    mutating func contested() throws {
        try take(WorkerLease(service: "tea", instance: "a", version: "1.9", intents: ["OrderTea"]))
        try take(WorkerLease(service: "kettle", instance: "b", version: "1.10", intents: ["OrderTea"]))
        #expect(catalogue.entries[0].services.map(\.service) == ["kettle", "tea"] && catalogue.entries[0].isContested)
        #expect(answer("OrderTea") == .served(IntentRoute(service: "kettle", appService: "kettle")))
        try take(WorkerLease(service: "tea", instance: "a", version: "1.10", intents: ["OrderTea"]))
        #expect(catalogue.entries[0].services.map(\.service) == ["kettle", "tea"])
        try take(WorkerLease(instance: "c", intents: ["OrderTea"]))
        #expect(catalogue.entries[0].services.map(\.service) == ["kettle", "tea", nil])
    }

    @Test("an intent that only an app serves runs there; one that both serve begins with the extension")
    mutating func inApp() throws {
        try take(WorkerLease(service: "phone", instance: "a", intents: [], inApp: ["ShowTeas", "OrderTea"]))
        try take(WorkerLease(instance: "b", intents: ["OrderTea"], inApp: []))
        #expect(answer("ShowTeas") == .served(IntentRoute(appService: "phone", isInApp: true)))
        #expect(answer("OrderTea") == .served(IntentRoute(appService: "phone")))
        // The service's own app takes precedence.
        try take(WorkerLease(instance: "c", intents: [], inApp: ["OrderTea"]))
        #expect(answer("OrderTea") == .served(nil))
    }

    @Test(
        "an unknown intent is refused with the names that it may be; with an empty catalogue it goes where it always went"
    )
    mutating func unknown() throws {
        #expect(answer("OrderTee") == .served(nil))
        try take(WorkerLease(instance: "a", intents: ["OrderTea", "OrderTeas", "RequestRide"]))
        guard case .unserved(let why) = answer("ordertee"), case .unserved(let strange) = answer("FlyToTheMoon") else {
            Issue.record("it is served")
            return
        }
        #expect(why.reason == .unsupported && why.field == "intent")
        #expect(why.message == "no worker serves 'ordertee'; did you mean OrderTea, OrderTeas?")
        #expect(strange.message.hasSuffix("'intents catalog list' lists what is served"))
    }

    @Test(
        "a record that does not fit its key, or the rules, changes nothing",
        arguments: [
            ("worker/tea/a", #"{"service":"tea","instance":"b","intents":[]}"#),
            ("worker/Tea/a", #"{"service":"Tea","instance":"a"}"#),
            ("worker/default/a", #"{"service":"tea","instance":"a"}"#),
            ("worker/default/a", #"{"instance":"a","intents":"OrderTea"}"#),
            ("worker/default/a", #"{"instance":"a","validFor":-1}"#),
            ("worker/default/a", #"{"instance":"a","intents":[""]}"#),
            ("a", #"{"instance":"a"}"#), ("worker/default/a", "[]"), ("worker/default/", #"{"instance":""}"#),
        ])
    mutating func wrong(_ key: String, _ value: String) throws {
        let record = ConsumedRecord(
            topic: topics.catalog, partition: 0, offset: 0, timestamp: Self.now.milliseconds, key: Array(key.utf8),
            value: Array(value.utf8),
            headers: [RecordHeader("ce_type", EventType.serving.rawValue)])
        #expect(throws: EventError.self) { try CatalogueRecord(record) }
        #expect(catalogue.isEmpty)
    }

    @Test(
        "details are in the reader's language, as far as there is one",
        arguments: [("nl-BE", "Thee"), ("de", "Tea"), ("NL", "Thee")])
    func languages(_ locale: String, _ title: String) {
        let texts = JSON.object(["nl": .object(["title": .string("Thee")])])
        let intent = PublishedIntent(intent: "OrderTea", title: "Tea", details: ["languages": texts])
        #expect(intent.details(in: locale)["title"]?.view.string ?? intent.title == title)
    }

    @Test("near names differ in few letters, the nearest first")
    func near() {
        let names = ["RequestRide", "RequestRides", "CancelRide", "Call"]
        #expect(NearNames.of("RequestRyde", in: names) == ["RequestRide", "RequestRides"])
        #expect(NearNames.of("requestried", in: names).first == "RequestRide")
        #expect(NearNames.of("Cal", in: names) == ["Call"] && NearNames.of("", in: names).isEmpty)
    }

    @Test("descriptions are kept up to a number and a size, those of intents that are served first")
    mutating func bounds() throws {
        func describe(_ name: String, bytes: Int) -> PublishedIntent {
            PublishedIntent(
                intent: Identifier(name), title: name,
                details: ["description": .string(String(repeating: "x", count: bytes))])
        }
        try take(WorkerLease(instance: "a", intents: ["Served"]))
        for number in 0..<120 {
            try catalogue.take(
                consumed(encoder.record(describe("Junk\(number)", bytes: 400_000), topics: topics, at: Self.now)),
                at: Self.now)
        }
        try catalogue.take(
            consumed(encoder.record(describe("Served", bytes: 10), topics: topics, at: Self.now)), at: Self.now)
        #expect(catalogue.entries.first { $0.intent == "Served" }?.published != nil)
        let junk = (0..<120).map { "Junk\($0)" }
        try take(WorkerLease(instance: "b", intents: junk.map { Identifier($0) }))
        let kept = catalogue.entries.compactMap(\.published)
        #expect(catalogue.leftOut > 30 && !kept.isEmpty)
        #expect(kept.reduce(0) { $0 + $1.json.bytes.count } <= 33 << 20, "\(kept.count)")
    }

    @Test("more descriptions than are kept are told to the log once a minute")
    mutating func manyDescriptions() throws {
        let names = (0..<Catalogue.maximumDescriptions + 2).map { "I\($0)" }
        try take(WorkerLease(instance: "a", intents: names.map { Identifier($0) }))
        for name in names {
            let before = catalogue.complaint(at: Self.now)
            #expect(before == nil || name == names.last)
            try catalogue.take(
                consumed(
                    encoder.record(PublishedIntent(intent: Identifier(name), title: name), topics: topics, at: Self.now)
                ), at: Self.now
            )
        }
        #expect(catalogue.leftOut == 2 && catalogue.complaint(at: Self.now) == nil)
        #expect(catalogue.complaint(at: Self.now.advanced(by: .seconds(60)))?.contains("2 were left out") == true)
        #expect(catalogue.complaint(at: Self.now.advanced(by: .seconds(600))) == nil)
    }
}
