import Foundation
import IntentEvents
import IntentModel
import RecordLog

/// A record in a readable file, with its topic, key, headers and value.
struct Golden {
    /// The name of the file, without its extension.
    var name: String
    var topic: String
    var key: String?
    var headers: [(name: String, value: String)]
    var value: JSON?

    init(_ name: String, _ record: Record) throws {
        self.name = name
        topic = record.topic
        key = record.key.map { String(decoding: $0, as: UTF8.self) }
        headers = record.headers.map { ($0.name, $0.text ?? "") }
        value = try record.value.map { try JSON(parsing: $0, limits: .journal) }
    }

    /// Reads a file.
    init(named name: String) throws {
        self.name = name
        let view = try JSONView(
            parsing: Array(Data(contentsOf: Self.folder.appending(path: name + ".json"))), limits: .journal)
        topic = view["topic"]?.string ?? ""
        key = view["key"]?.string
        headers = (view["headers"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }
        value = view["value"].flatMap { $0.isNull ? nil : $0.compact }
    }

    /// The text of the file.
    var text: String {
        let json = JSON.make { writer in
            writer.beginObject()
            writer.member("topic", topic)
            writer.member("key", key.map { .string($0) } ?? .null)
            writer.name("headers")
            writer.beginObject()
            for header in headers { writer.member(named: header.name, .string(header.value)) }
            writer.endObject()
            writer.member("value", value ?? .null)
            writer.endObject()
        }
        return json.view.readable() + "\n"
    }

    var record: Record {
        Record(
            topic: topic, partition: 3, key: key.map { Array($0.utf8) }, value: value?.bytes,
            headers: headers.map { RecordHeader($0.name, $0.value) }, timestamp: 1_772_366_400_000)
    }

    /// The record as a reader gets it.
    var consumed: ConsumedRecord { record.consumed() }

    func write() throws { try Data(text.utf8).write(to: Self.folder.appending(path: name + ".json")) }

    static var stored: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.map {
                String($0.dropLast(5))
            }
            .sorted()
        }
    }

    static func storedText(_ name: String) -> String? {
        try? String(contentsOf: folder.appending(path: name + ".json"), encoding: .utf8)
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    /// `true` to write the files again: set `GOLDEN=write`. A changed file changes the contract: review the difference.
    static let isWriting = ProcessInfo.processInfo.environment["GOLDEN"] == "write"
}
