import Foundation
import IntentEvents
import IntentModel
import RecordEncryption
import RecordLog
import Testing

@Suite("Encryption by real processes", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(5)))
struct EncryptionProcessTests {
    private static let planted = "planted-4711"

    @Test(
        "an encrypted pipeline leaves nothing of a conversation in its topics but what was sent to it, and a purge destroys the key of its session"
    )
    func encrypted() async throws {
        let file = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("\(String(repeating: "0a", count: 32))\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let keys = ["--encryption-key-file", file.path]
        try await RunningPipeline.with(keys) { pipeline in
            let asked = try await pipeline.intents(
                ["send", "RequestRide", "--session", "s", "-p", "dropOff=\(Self.planted)", "--wait"] + keys)
            #expect(asked.status == 3, "\(asked.output)\(asked.errors)")
            let shown = try await pipeline.intents(["session", "show", "s", "--output", "json"] + keys)
            #expect(shown.status == 0 && shown.output.contains(Self.planted), "\(shown.output)\(shown.errors)")
            let refused = try await pipeline.intents(["session", "show", "s"])
            #expect(refused.status == 4 && refused.errors.contains("--encryption-key-file"))
            #expect(!pipeline.log.contains(Self.planted))

            let topics = Topics()
            let log = try RawLog(pipeline.servers)
            defer { log.close() }
            var readable: [String] = []
            for topic in topics.all {
                let records = try await log.records(topic, partitions: 4)
                if records.contains(where: { String(decoding: $0.value ?? [], as: UTF8.self).contains(Self.planted) }) {
                    readable.append(topic)
                }
            }
            #expect(readable == [topics.requests])
            let results = try await log.records(topics.results, partitions: 4)
            let used = Set(results.compactMap(KeyRecord.id))
            #expect(used.count == 1 && !results.isEmpty)

            let purged = try await pipeline.intents(["session", "purge", "s", "--output", "json"] + keys)
            #expect(
                purged.status == 0 && purged.json.last?["destroyedKeys"]?.int == 1, "\(purged.output)\(purged.errors)")
            let destroyed = try await log.records(topics.keys, partitions: 4).filter { $0.value == nil }.compactMap(
                \.key)
            #expect(destroyed == used.map { Bytes($0.utf8) })
            let after = try await pipeline.intents(["session", "show", "s", "--output", "json"] + keys)
            #expect(after.status == 0 && !after.output.contains("outsideServiceArea"))
            #expect(after.json.first?["stage"]?.string == "ended")
            // The pipeline continues, and the session can be opened again.
            let again = try await pipeline.intents(
                ["send", "RequestRide", "--session", "s", "-p", "ride=Comfort", "--wait"] + keys)
            #expect(again.status == 3, "\(again.output)\(again.errors)")
        }
    }

    @Test("a file without a usable key ends every program with 2, and names the line")
    func unusable() async throws {
        let file = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("secret".utf8).write(to: file)
        for (program, arguments) in [
            ("intent-coordinator", ["--open-handoffs"]), ("sample-worker", []), ("intents", ["watch"]),
            ("intents", ["session", "list"]),
        ] {
            let ending = try await Programs.run(
                program, arguments + ["--bootstrap-servers", "127.0.0.1:1", "--encryption-key-file", file.path],
                timeout: 30)
            #expect(
                ending.status == 2 && ending.errors.contains("line 1 is no key"),
                "\(program): \(ending.status) \(ending.errors)")
            #expect(!ending.errors.contains("secret"))
        }
    }
}
