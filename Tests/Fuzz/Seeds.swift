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
        seeds.listed()
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
            addWords(view)
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
                    let answered = prompt.json.bytes + [FuzzedRecords.separator] + Array(#"{"answer":"1"}"#.utf8)
                    add(answered, name, to: "form")
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
                let all = Array(path.prefix(depth)) + [record] + path.dropFirst(depth) + [Array("s\nwait: 200\n".utf8)]
                add(Array(all.joined(separator: [FuzzedRecords.separator])), "\(depth)-\(name)", to: "session")
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
            ), ("forget-all", #"{"stream":"b","number":3,"time":1772366400000,"event":"f","forget":{}}"#),
        ]
        let forgetting = #"{"keys":["city"],"count":1,"stream":"b","number":2,"position":\#(position)}"#
        let person =
            #"{"values":[\#(value)],"forgettings":[\#(forgetting)],"streams":[{"name":"a","number":1}],"position":\#(position)}"#
        var records = changes.map { name, json in (name, Array("[\"app_user\",\"ann\"]\n\n\(json)".utf8)) }
        records.append(("person", Array("[\"app_user\",\"ann\",\"1\",\"7\"]\n\n\(person)".utf8)))
        records.append(("tombstone", Array("[\"app_user\",\"ann\",\"1\",\"7\"]\n".utf8)))
        for (name, record) in records { add(record, name, to: "memory") }
        add(Array(records.map(\.1).joined(separator: [FuzzedRecords.separator])), "all", to: "memory")
        for (name, json) in changes { add(Array("s\nmemory: 1\n\n\(json)".utf8), "memory-\(name)", to: "session") }
        for json in changes.map(\.1) + [person] {
            if let view = try? JSONView(parsing: Array(json.utf8), limits: .journal) { addWords(view) }
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
            addWords(view)
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
            let tables = Array(Self.tables.utf8) + [FuzzedRecords.separator]
            add(tables + Self.read("\(golden)/\(name)"), name, to: "definition")
        }
        add(Self.read("deploy/samples/tables.intents.yaml"), "tables", to: "definition")
        let localizations = Self.read("Examples/Rides/Resources/localizations.json")
        add(Array(localizations.prefix(600)) + Array("}".utf8), "part", to: "translations")
        add(localizations, "whole", to: "translations")
    }

    private static let tables = """
        version: 1
        entities:
          City: {file: cities.csv, id: code, name: name, synonyms: aliases, subtitle: country, properties: [people, zone]}
          Airport: {file: airports.csv, separator: ";"}
          Other: {file: other.json}
        intents:
          A: {parameters: {a: {type: City}, b: {type: Airport}, c: {type: Other}}}

        """

    // MARK: Seeds.json

    /// Adds the seeds of a file: lists of seeds for each decoder. A seed is JSON where a decoder reads JSON, and text
    /// elsewhere.
    private func listed() {
        guard let lists = try? JSONView(parsing: Self.read("Tests/Fuzz/Seeds.json"), limits: .journal) else {
            fatalError("Tests/Fuzz/Seeds.json can't be read as JSON")
        }
        for (decoder, seeds) in lists.members {
            let isText = ["url", "callback", "text", "properties"].contains(decoder)
            for (index, seed) in seeds.elements.enumerated() {
                let bytes = isText ? Array((seed.string ?? "").utf8) : seed.json.bytes
                // Each value is added for each type: the first byte selects the type.
                for type in decoder == "value" ? Array(UInt8.min..<UInt8(valueTypes.count)) : [] {
                    add([type] + bytes, "\(index)-\(type)", to: decoder)
                }
                if decoder != "value" { add(bytes, "\(index)", to: decoder) }
            }
        }
    }

    // MARK: Words

    /// Adds the names of members, and texts.
    private mutating func addWords(_ view: JSONView) {
        for (name, value) in view.members {
            words.insert(name)
            addWords(value)
        }
        for element in view.elements { addWords(element) }
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
