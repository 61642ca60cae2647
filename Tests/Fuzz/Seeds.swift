import Foundation
import IntentModel

/// Writes the inputs that fuzzing begins with, in a folder for each decoder, and a dictionary of the words of the wire.
/// The inputs are made from the golden files and the samples, so that fuzzing alone needs no files. Runs in the root of
/// the repository.
struct Seeds {
    private let folder: URL
    private var words: Set<String> = [
        "wait", "own", "memory", "intents-journal", "application/cloudevents+json", "9223372036854775807",
    ]

    static func write(to path: String) {
        var seeds = Seeds(folder: URL(filePath: path))
        for decoder in decoders { seeds.makeFolder(decoder.key) }
        seeds.events()
        seeds.memories()
        seeds.journals()
        seeds.encrypted()
        seeds.files()
        seeds.lines()
        seeds.dictionary()
    }

    private init(folder: URL) { self.folder = folder }

    private func makeFolder(_ name: String) {
        try? FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }

    private func add(_ bytes: [UInt8], _ name: String, to decoder: String) {
        let file = folder.appending(path: decoder).appending(path: name)
        do { try Data(bytes).write(to: file) } catch { fatalError("\(file.path) can't be written: \(error)") }
    }

    private static func read(_ path: String) -> [UInt8] {
        (try? Data(contentsOf: URL(filePath: path))).map { Array($0) } ?? []
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    // MARK: Golden records

    private mutating func events() {
        let golden = "Tests/IntentEventsTests/Golden"
        var records: [(name: String, record: [UInt8])] = []
        for name in Self.names(in: golden) where name.hasSuffix(".json") {
            guard let view = try? JSONView(parsing: Self.read("\(golden)/\(name)"), limits: .journal) else { continue }
            note(view)
            // Every other seed has a timestamp, so that the fuzzer learns to change timestamps.
            let time = name.utf8.count.isMultiple(of: 2) ? [("@", "-9223118634554000000")] : []
            let record = Self.record(
                view, headers: time + (view["headers"]?.members.map { ($0.name, $0.value.string ?? "") } ?? []))
            switch view["topic"]?.string {
            case "intents.requests", "intents.answers": add(record, name, to: "request")
            case "intents.outcomes": add(record, name, to: "outcome")
            case "intents.results":
                add(record, name, to: "result")
                if name.hasPrefix("prompt"), let prompt = view["value"] {
                    add(
                        prompt.json.bytes + [FuzzedRecords.separator] + Array(#"{"answer":"1"}"#.utf8), name, to: "form"
                    )
                }
            case "intents.catalog": add(record, name, to: "catalogue")
            case "intents.dead-letters": add(record, name, to: "dead-letter")
            default: add(record, name, to: "work")
            }
            if ["intents.requests", "intents.answers", "intents.outcomes"].contains(view["topic"]?.string) {
                records.append((name, record))
            }
            if let value = view["value"] {
                add(value.json.bytes, name, to: "json")
                if view["topic"]?.string == "intents.outcomes" { add(value.json.bytes, name, to: "reply") }
            }
        }
        conversations(records)
    }

    /// Adds conversations: a request, and each other event in the place where it can occur.
    private func conversations(_ records: [(name: String, record: [UInt8])]) {
        func find(_ name: String) -> [UInt8] { records.first { $0.name == name }?.record ?? [] }
        let path = [
            "intent.requested.v1.json", "intent.resolved.v1.json", "intent.confirmed.v1.json", "intent.handled.v1.json",
        ].map(find)
        for (name, record) in records {
            let before =
                name.contains("resolved")
                ? 1 : name.contains("confirmed") ? 2 : name.contains("handled") || name.contains("starting") ? 3 : 4
            for depth in Set([1, before]) {
                let events =
                    Array(path.prefix(depth)) + [record] + path.dropFirst(depth) + [Array("s\nwait: 200\n".utf8)]
                add(Array(events.joined(separator: [FuzzedRecords.separator])), "\(depth)-\(name)", to: "session")
            }
        }
    }

    private static func record(_ view: JSONView, headers: [(String, String)]) -> [UInt8] {
        var text = "\(view["key"]?.string ?? "")\n"
        for (name, value) in headers { text += "\(name): \(value)\n" }
        guard let value = view["value"], !value.isNull else { return Array(text.utf8) }
        return Array("\(text)\n\(value.kind == .string ? value.string ?? "" : value.json.description)".utf8)
    }

    /// Adds records of the memory of people. Only coordinators write them, so there are no golden files of them.
    private mutating func memories() {
        let value = #"{"key":"city","value":"Leeds","intent":"Book","time":1772366400000}"#
        let position = #"{"epoch":1,"offset":7}"#
        let changes = [
            ("remember", #"{"stream":"a","number":1,"since":\#(position),"time":1772366400000,"remember":\#(value)}"#),
            (
                "forget",
                #"{"stream":"b","number":2,"time":1772366400000,"event":"f","forget":{"keys":["city","seat"]}}"#
            ),
            ("forget-all", #"{"stream":"b","number":3,"time":1772366400000,"event":"f","forget":{}}"#),
        ]
        let forgetting = #"{"keys":["city"],"count":1,"stream":"b","number":2,"position":\#(position)}"#
        let person =
            #"{"values":[\#(value)],"forgettings":[\#(forgetting)],"streams":[{"name":"a","number":1}],"position":\#(position)}"#
        var records = changes.map { name, json in
            (name, Array("[\"app_user\",\"ann\"]\n\n\(json)".utf8))
        }
        records.append(("person", Array("[\"app_user\",\"ann\",\"1\",\"7\"]\n\n\(person)".utf8)))
        records.append(("tombstone", Array("[\"app_user\",\"ann\",\"1\",\"7\"]\n".utf8)))
        for (name, record) in records { add(record, name, to: "memory") }
        add(Array(records.map(\.1).joined(separator: [FuzzedRecords.separator])), "all", to: "memory")
        for (name, json) in changes {
            add(Array("s\nmemory: 1\n\n\(json)".utf8), "memory-\(name)", to: "session")
        }
        for json in changes.map(\.1) + [person] {
            if let view = try? JSONView(parsing: Array(json.utf8), limits: .journal) { note(view) }
        }
    }

    private func encrypted() {
        let wrapped = "0a1b2c3d.\(String(repeating: "5e", count: 60))"
        add(Array("\(String(repeating: "0a", count: 32))\n".utf8), "file", to: "encryption")
        add(Array("id\n\n{\"wrapped\":\"\(wrapped)\"}".utf8), "key", to: "encryption")
        add(
            Array("s\nintents-encryption: A256GCM key=\(String(repeating: "7f", count: 16))\n\nvalue".utf8), "shared",
            to: "encryption")
        add(Array("s\nintents-encryption: A256GCM wrapped=\(wrapped)\n\nvalue".utf8), "own", to: "encryption")
    }

    private mutating func journals() {
        let golden = "Tests/PipelineTests/Golden"
        for name in Self.names(in: golden) where name.hasSuffix(".json") {
            guard let view = try? JSONView(parsing: Self.read("\(golden)/\(name)"), limits: .journal) else { continue }
            note(view)
            for (index, record) in (view["records"]?.elements ?? []).enumerated() {
                let bytes = Self.record(record, headers: [("intents-journal", record["stamp"]?.string ?? "")])
                add(bytes, "\(index)-\(name)", to: "journal")
            }
        }
    }

    // MARK: Files

    private mutating func files() {
        let golden = "Tests/IntentKitTests/DefinitionFiles/Golden"
        for name in Self.names(in: golden) where name.contains(".intents.") && !name.hasSuffix(".txt") {
            add(Self.read("\(golden)/\(name)"), name, to: "definition")
        }
        for name in Self.names(in: golden) where name.hasSuffix(".csv") {
            add(
                Array(Self.tables.utf8) + [FuzzedRecords.separator] + Self.read("\(golden)/\(name)"), name,
                to: "definition")
        }
        add(Self.read("deploy/samples/tables.intents.yaml"), "tables", to: "definition")
        let localizations = Self.read("Examples/Rides/Resources/localizations.json")
        add(Array(localizations.prefix(600)) + Array("}".utf8), "part", to: "translations")
        add(localizations, "whole", to: "translations")
        add(Array(Self.catalogue.utf8), "catalogue", to: "translations")
        add(Array("# SASL\nsecurity.protocol=SASL_SSL\n sasl.password = a=b \n\n".utf8), "0", to: "properties")
    }

    private static let catalogue = """
        {"sourceLanguage":"en","strings":{"%@ of %1$@, ${a}":{"localizations":{"nl":{"stringUnit":{"state":"translated","value":"${a}: %1$@ %@"}},
        "pt-BR":{"stringUnit":{"state":"new","value":""}},"de":{"variations":{}}}}},"version":"1.0"}
        """

    private static let tables = """
        version: 1
        entities:
          City: {file: cities.csv, id: code, name: name, synonyms: aliases, subtitle: country, properties: [people, zone]}
          Airport: {file: airports.csv, separator: ";"}
          Other: {file: other.json}
        intents:
          A: {parameters: {a: {type: City}, b: {type: Airport}, c: {type: Other}}}

        """

    // MARK: Lines

    private func lines() {
        let url = "https://Rides.example.com.:8443/intents/{intent}/{phase}?tenant=7%20a#x"
        let lines: [(decoder: String, texts: [String])] = [
            (
                "url",
                [
                    url, "http://[::1]:80/a\n/b/c\n?d\n//other.example/e\n10.1.0.0/16\nfd12:3456::/32",
                    "http://localhost\nhttps://a.b/c",
                ]
            ),
            (
                "rpc",
                [
                    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"RequestRide","arguments":{"dropOff":"the airport"}}}"#,
                    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#,
                    #"{"jsonrpc":"2.0","id":"a","result":{"action":"accept","content":{}}}"#,
                ]
            ),
            (
                "callback",
                [
                    #"["me","r1",4,2,"2f0c2f0c2f0c2f0c2f0c2f0c2f0c2f0c","BookTable",false,"en-GB"]"#, "AQIDBA",
                    "0123456789abcdef0123456789abcdef",
                    "t=1700000000,v2=00ff\n{}",
                ]
            ),
            (
                "text",
                [
                    "2026-03-01T12:00:00.250Z", "2024-02-29t23:59:60+14:00", "PT1H30M", "-P2W3DT4H5M6,7S",
                    "1 hour and 30 minutes", "250ms",
                    "zh-Hant_TW.UTF-8", "${ride} to %1$@, %@ at 100%%", "twenty-five", "Ünïcödé \u{202E}\u{1B}[2J",
                ]
            ),
            (
                "value",
                [
                    "true", "-12", "12.50", "1e3", #""twenty-one""#, #""2026-03-02T18:30:00Z""#, #""PT1H30M""#,
                    #""https://example.com/a?b#c""#,
                    #"{"value":12.5,"unit":"km"}"#, #""12 km""#, #"{"latitude":53.3,"longitude":-6.2,"name":"Spire"}"#,
                    #""53.3,-6.2""#,
                    #"{"name":"Ann","handle":"ann@example.com"}"#,
                    #"{"displayName":"Ann","handles":[{"value":"+3531234","type":"phoneNumber"}]}"#,
                    #"{"filename":"a.txt","type":"text/plain","data":"aGk="}"#,
                    #"{"amount":"14.50","currencyCode":"EUR"}"#, #""€14.50""#,
                    #"{"type":"card","name":"Visa","lastDigits":"1234"}"#,
                    #"{"start":"2026-03-02T18:00:00Z","end":"2026-03-02T20:00:00Z"}"#,
                    #""from 2026-03-02 18:00:00Z to 2026-03-02 20:00:00Z""#, #""2026-03-02T18:00:00Z/PT2H""#,
                    #"{"frequency":"weekly","interval":2,"weekdays":["monday","thursday"],"count":10}"#,
                    #""FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10""#,
                    #""every Monday and Thursday until 2026-12-31T00:00:00Z""#,
                    "[1,2,3]",
                    #""1, 2 and 3""#,
                ]
            ),
        ]
        for (decoder, texts) in lines {
            for (index, text) in texts.enumerated() {
                // Each value is added for each type: the first byte selects the type.
                for type in decoder == "value" ? Array(UInt8.min..<UInt8(valueTypes.count)) : [] {
                    add([type] + Array(text.utf8), "\(index)-\(type)", to: decoder)
                }
                if decoder != "value" { add(Array(text.utf8), "\(index)", to: decoder) }
            }
        }
        for (index, reply) in Self.replies.enumerated() { add(Array(reply.utf8), "\(index)", to: "reply") }
    }

    private static let replies = [
        #"{"success":{"value":2}}"#, #"{"notRequired":{}}"#, #"{"needsValue":{"dialog":"When?"}}"#,
        #"{"disambiguation":{"options":[{"id":"a","title":"A","value":1},{"id":"b","title":"B","value":2}],"dialog":"Which?"}}"#,
        #"{"confirmationRequired":{"value":2,"dialog":"Two?"}}"#, #"{"unsupported":{"reason":"full","dialog":"No."}}"#,
        #"{"code":"ready","dialog":"Fine","response":{"price":1},"validFor":"5m","proposed":{"a":1}}"#,
        #"{"code":"success","items":[{"id":"a","title":"A","subtitle":"B","value":1}],"choice":{"dialog":"?","remembers":{"a":"b"}},"#
            + #""opens":{"intent":"Next","parameters":{"a":1}},"remembered":{"a":1}}"#,
        #"{"code":"continueInApp","activity":{"activityType":"a","title":"A","webpageURL":"https://a.b/","userInfo":{"a":1}}}"#,
    ]

    // MARK: Words

    /// Adds the names of members, and texts.
    private mutating func note(_ view: JSONView) {
        for (name, value) in view.members {
            words.insert(name)
            note(value)
        }
        for element in view.elements { note(element) }
        if let text = view.string { words.insert(text) }
    }

    /// Writes the words in the form that libFuzzer reads.
    private func dictionary() {
        let plain = words.filter {
            1...40 ~= $0.utf8.count && $0.utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }
        }
        let lines = plain.sorted().map { "\"\($0)\"\n\"\\\"\($0)\\\":\"\n" }
        add(Array(lines.joined().utf8), "words", to: ".")
    }
}
