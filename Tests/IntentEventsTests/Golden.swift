import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

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
        let view = try JSONView(parsing: Array(Data(contentsOf: Self.file(name))), limits: .journal)
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

    /// The type of the event.
    var type: String? { headers.first { $0.name == "ce_type" }?.value }

    var record: Record {
        Record(
            topic: topic, partition: 3, key: key.map { Array($0.utf8) }, value: value?.bytes,
            headers: headers.map { RecordHeader($0.name, $0.value) }, timestamp: 1_772_366_400_000)
    }

    /// The record as a reader gets it.
    var consumed: ConsumedRecord { record.consumed() }

    func write() throws { try Data(text.utf8).write(to: Self.file(name)) }

    // MARK: Files

    static var stored: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Golden").path)
                .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        }
    }

    static func storedText(_ name: String) -> String? { try? String(contentsOf: file(name), encoding: .utf8) }

    private static func file(_ name: String) -> URL { folder.appending(path: "Golden/\(name).json") }

    /// The folder of these tests.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    /// `true` to write the files again: set `GOLDEN=write`. A changed file changes the contract: review the difference.
    static let isWriting = ProcessInfo.processInfo.environment["GOLDEN"] == "write"

    /// Compares a document with its file, or writes the file.
    ///
    /// - Parameters:
    ///   - path: The file's path in the repository.
    ///   - suite: The suite that writes the file again.
    static func check(_ text: String, _ path: String, writtenBy suite: String) throws {
        let file = folder.appending(path: "../../\(path)")
        if isWriting {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let stored = try? String(contentsOf: file, encoding: .utf8)
        #expect(
            stored == text,
            "\(path) is not what the code says: GOLDEN=write swift test --filter \(suite) writes it again")
    }
}
