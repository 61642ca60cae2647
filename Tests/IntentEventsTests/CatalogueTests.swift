import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The catalogue") struct CatalogueTests {
    private static let now = Examples.time
    private let topics = Topics()
    private var catalogue = Catalogue()
    private var encoder = EventEncoder(source: "/test")

    private mutating func add(
        _ instance: String, _ intents: [Identifier], service: String? = nil, version: String? = nil,
        inApp: [Identifier] = [], written: Instant = now, at now: Instant = now, isPast: Bool = false
    ) throws {
        let lease = WorkerLease(service: service, instance: instance, version: version, intents: intents, inApp: inApp)
        try catalogue.take(encoder.record(lease, topics: topics, at: written).consumed(), at: now, isPast: isPast)
    }

    private mutating func publish(_ name: String, service: String? = nil, details: [String: JSON] = [:]) throws {
        let intent = PublishedIntent(service: service, intent: Identifier(name), title: name, details: details)
        try catalogue.take(encoder.record(intent, topics: topics, at: Self.now).consumed(), at: Self.now)
    }

    private mutating func withdraw(_ instance: String) throws {
        let key = CatalogueKey.worker(service: nil, instance: instance)
        try catalogue.take(encoder.withdrawal(of: key, topics: topics, at: Self.now).consumed(), at: Self.now)
    }

    private var names: [String] { catalogue.entries.map(\.intent.text) }

    private var routes: CatalogueRoutes { CatalogueRoutes(catalogue.entries) }

    private func refusal(_ intent: Identifier) -> Rejection? {
        if case .unserved(let rejection) = routes.answer(for: intent) { rejection } else { nil }
    }

    @Test mutating func `an intent is served until the last worker whose lease names it withdraws`() throws {
        try add("a", ["OrderTea", "MakeTea"])
        try add("b", ["OrderTea"])
        #expect(names == ["MakeTea", "OrderTea"] && catalogue.entries[1].services.first?.workers == 2)
        try withdraw("a")
        #expect(names == ["OrderTea"])
        try withdraw("b")
        #expect(names.isEmpty && catalogue.isEmpty)
    }

    @Test mutating func `two intents whose names only look equal have services of their own`() throws {
        try add("a", ["\u{E9}"], service: "a")
        try add("b", ["e\u{301}"], service: "b")
        #expect(catalogue.entries.map(\.intent) == ["e\u{301}", "\u{E9}"])
        #expect(!catalogue.entries.contains { $0.isContested })
        try add("b", ["Kate"], service: "b")
        #expect(refusal("\u{212A}ate") != nil && refusal("Kate") == nil)
    }

    @Test mutating func `a worker's new lease replaces its old one under the same key`() throws {
        try add("a", ["OrderTea", "MakeTea"])
        try add("a", ["MakeTea"])
        #expect(names == ["MakeTea"])
    }

    @Test(arguments: [-3_600, 0, 3_600])
    mutating func `a lease expires when its reader has not seen it renewed for its duration`(senderAhead: Int) throws {
        try add("a", ["OrderTea"], written: Examples.after(senderAhead))
        let end = Self.now.advanced(by: .milliseconds(WorkerLease.duration))
        let isEarly = catalogue.expire(at: end.advanced(by: .milliseconds(-1)))
        #expect(!isEarly && names == ["OrderTea"])
        let isOver = catalogue.expire(at: end)
        #expect(isOver && names.isEmpty)
    }

    /// The reader's clock may be ahead of the log's.
    @Test(arguments: [-301, -299], [0, 3_600])
    mutating func `a lease that expired before its reader began is ignored`(written: Int, readerAhead: Int) throws {
        let now = Examples.after(readerAhead)
        try add("a", ["OrderTea"], written: Examples.after(written), at: now, isPast: true)
        try add("b", ["MakeTea"], at: now, isPast: true)
        _ = catalogue.expire(at: now)
        #expect(names == (written == -301 ? ["MakeTea"] : ["MakeTea", "OrderTea"]))
    }

    @Test mutating func `a reader behind the log's clock drops past leases only without a renewal`() throws {
        let now = Examples.after(-3_600)
        try add("a", ["OrderTea"], written: Examples.after(-301), at: now, isPast: true)
        try add("b", ["MakeTea"], at: now, isPast: true)
        _ = catalogue.expire(at: now)
        #expect(names == ["MakeTea", "OrderTea"])
        try add("b", ["MakeTea"], at: now.advanced(by: .seconds(60)))
        _ = catalogue.expire(at: now.advanced(by: .milliseconds(WorkerLease.duration)))
        #expect(names == ["MakeTea"])
    }

    @Test mutating func `a description may come before or after a lease, and is listed only with one`() throws {
        try publish("OrderTea", service: "tea")
        #expect(names.isEmpty)
        try add("a", ["OrderTea"], service: "tea")
        let intent = PublishedIntent(service: "tea", intent: "OrderTea", title: "OrderTea")
        #expect(catalogue.entries.map(\.published) == [intent])
        try add("b", ["MakeTea"])
        #expect(catalogue.entries[0].published == nil)
    }

    @Test mutating func `of two services with one intent, the higher version, then the first name is served`() throws {
        try add("a", ["OrderTea"], service: "tea", version: "1.9")
        try add("b", ["OrderTea"], service: "kettle", version: "1.10")
        #expect(catalogue.entries[0].services.map(\.service) == ["kettle", "tea"] && catalogue.entries[0].isContested)
        #expect(routes.answer(for: "OrderTea") == .served(IntentRoute(service: "kettle", appService: "kettle")))
        try add("a", ["OrderTea"], service: "tea", version: "1.10")
        #expect(catalogue.entries[0].services.map(\.service) == ["kettle", "tea"])
        try add("c", ["OrderTea"])
        #expect(catalogue.entries[0].services.map(\.service) == ["kettle", "tea", nil])
    }

    @Test mutating func `an intent of only an app runs there, and one of both in the extension first`() throws {
        try add("a", [], service: "phone", inApp: ["ShowTeas", "OrderTea"])
        try add("b", ["OrderTea"])
        #expect(routes.answer(for: "ShowTeas") == .served(IntentRoute(appService: "phone", isInApp: true)))
        #expect(routes.answer(for: "OrderTea") == .served(IntentRoute(appService: "phone")))
        // The service's own app takes precedence.
        try add("c", [], inApp: ["OrderTea"])
        #expect(routes.answer(for: "OrderTea") == .served(nil))
    }

    @Test mutating func `an unknown intent is refused with near names, and served by an empty catalogue`() throws {
        #expect(routes.answer(for: "OrderTee") == .served(nil))
        try add("a", ["OrderTea", "OrderTeas", "RequestRide"])
        let why = try #require(refusal("ordertee"))
        #expect(why.reason == .unsupported && why.field == "intent")
        #expect(why.message == "no worker serves 'ordertee'; did you mean OrderTea, OrderTeas?")
        #expect(refusal("FlyToTheMoon")?.message.hasSuffix("'intents catalog list' lists what is served") == true)
    }

    @Test(arguments: [
        ("worker/tea/a", #"{"service":"tea","instance":"b","intents":[]}"#),
        ("worker/Tea/a", #"{"service":"Tea","instance":"a"}"#),
        ("worker/default/a", #"{"service":"tea","instance":"a"}"#),
        ("worker/default/a", #"{"instance":"a","intents":"OrderTea"}"#),
        ("worker/default/a", #"{"instance":"a","validFor":-1}"#),
        ("worker/default/a", #"{"instance":"a","intents":[""]}"#),
        ("a", #"{"instance":"a"}"#), ("worker/default/a", "[]"), ("worker/default/", #"{"instance":""}"#),
    ])
    mutating func `a record that breaks its key or the rules changes nothing`(_ key: String, _ value: String) throws {
        let record = record(Bytes(value.utf8), topic: topics.catalog, type: "worker.serving.v1", key: Bytes(key.utf8))
        #expect(throws: EventError.self) { try CatalogueRecord(record) }
        #expect(catalogue.isEmpty)
    }

    @Test(arguments: [("nl-BE", "Thee"), ("de", "Tea"), ("NL", "Thee")])
    func `details are in the reader's language if there is one`(_ locale: String, _ title: String) {
        let texts = JSON.object(["nl": .object(["title": .string("Thee")])])
        let intent = PublishedIntent(intent: "OrderTea", title: "Tea", details: ["languages": texts])
        #expect(intent.details(in: locale)["title"]?.view.string ?? intent.title == title)
    }

    @Test func `near names differ in few letters, the nearest first`() {
        let names = ["RequestRide", "RequestRides", "CancelRide", "Call"]
        #expect(NearNames.of("RequestRyde", in: names) == ["RequestRide", "RequestRides"])
        #expect(NearNames.of("requestried", in: names).first == "RequestRide")
        #expect(NearNames.of("Cal", in: names) == ["Call"] && NearNames.of("", in: names).isEmpty)
    }

    @Test mutating func `descriptions are bounded in number and size, and those of served intents come first`() throws {
        func text(_ bytes: Int) -> [String: JSON] { ["description": .string(String(repeating: "x", count: bytes))] }
        try add("a", ["Served"])
        for number in 0..<120 { try publish("Junk\(number)", details: text(400_000)) }
        try publish("Served", details: text(10))
        #expect(catalogue.entries.first { $0.intent == "Served" }?.published != nil)
        try add("b", (0..<120).map { Identifier("Junk\($0)") })
        let kept = catalogue.entries.compactMap(\.published)
        #expect(catalogue.leftOut > 30 && !kept.isEmpty)
        #expect(kept.reduce(0) { $0 + $1.json.bytes.count } <= 33 << 20, "\(kept.count)")
    }

    @Test mutating func `descriptions that are left out are logged once a minute`() throws {
        let names = (0..<Catalogue.maximumDescriptions + 2).map { "I\($0)" }
        try add("a", names.map { Identifier($0) })
        for name in names {
            let before = catalogue.complaint(at: Self.now)
            #expect(before == nil || name == names.last)
            try publish(name)
        }
        #expect(catalogue.leftOut == 2 && catalogue.complaint(at: Self.now) == nil)
        #expect(catalogue.complaint(at: Examples.after(60))?.contains("2 were left out") == true)
        #expect(catalogue.complaint(at: Examples.after(600)) == nil)
    }
}
