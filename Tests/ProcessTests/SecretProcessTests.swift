import Foundation
import IntentEvents
import IntentModel
import RecordEncryption
import RecordLog
import Testing

@Suite("Secrets and the processes of a pipeline", .tags(.processes, .slow), .timeLimit(.minutes(10)))
struct SecretProcessTests {
    @Test(arguments: ["intents dev", "intent-coordinator", "sample-worker", "intent-http-worker"])
    func `no program takes a secret as an argument`(_ command: String) async throws {
        let ending = try await Programs.run("\(command) -b 127.0.0.1:1 -X sasl.password=hunter2", exits: 2)
        #expect(ending.errors.contains("--kafka-config") && !ending.errors.contains("hunter2"), "\(ending.errors)")
    }

    /// The file that a process gets for the properties of Kafka.
    private func properties(of process: Int32) -> String? {
        let words = RunningPipeline.arguments(of: process)
        return words.firstIndex(of: "--kafka-config").map { words[$0 + 1] }
    }

    @Test func `'intents dev' passes secrets in a file for this user only, and removes it at the end`() async throws {
        // A pipe, such as that of `--kafka-config <(…)`, can be read only once.
        let pipe = FileManager.default.temporaryDirectory.appending(path: "intents-test-\(UUID().uuidString)").path
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        let writing = Task.detached { try Data("sasl.password=hunter2\n".utf8).write(to: URL(fileURLWithPath: pipe)) }
        var copies: Set<String> = []
        try await RunningPipeline.with("--kafka-config \(pipe) -X socket.keepalive.enable=true") { pipeline in
            try await writing.value
            let children = pipeline.children()
            #expect(children.count >= 5)
            for process in children + [pipeline.pid] {
                let line = RunningPipeline.arguments(of: process).joined(separator: " ")
                #expect(!line.isEmpty && !line.contains("hunter2"), "\(line)")
            }
            copies = Set(children.compactMap(properties))
            #expect(copies.count == 1)
            for copy in copies {
                #expect(try String(contentsOfFile: copy, encoding: .utf8) == "sasl.password=hunter2\n")
                #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
            }
        }
        for copy in copies { #expect(!FileManager.default.fileExists(atPath: copy)) }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `the file is gone also if intents dev is interrupted while it starts`(_ signal: Int32) async throws {
        let folder = Scratch()
        let file = try folder.file("kafka.properties", "sasl.password=hunter2\n")
        // The worker lives as long as its parent and never joins.
        let worker = try folder.file("worker", "#!/bin/sh\nexec cat\n", isProgram: true)
        let program = try RunningProgram("intents dev --no-console --port 0 --kafka-config \(file) --worker \(worker)")
        defer { program.end() }
        let path = try await found("the coordinator is started") {
            try #require(program.isRunning)
            return RunningPipeline.children(of: program.pid, "intent-coordinator").lazy.compactMap(properties).first
        }
        #expect(FileManager.default.fileExists(atPath: path))
        kill(program.pid, signal)
        try await eventually("intents dev has ended", within: 40) { !program.isRunning }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `no secret is in the log of a process, whatever its level`() async throws {
        let folder = Scratch()
        let file = try folder.file("kafka.properties", "sasl.password=hunter2\nssl.key.password=hunter2\n")
        let secret = try folder.file("handoffs", "hunter2-of-the-handoffs\n")
        let options = "-b 127.0.0.1:1 --kafka-config \(file) --log-level trace"
        let commands = ["intent-coordinator --handoff-secret-file \(secret)", "sample-worker --phase handle"]
        let programs = try commands.map { try RunningProgram("\($0) \(options)", stopsWithInput: true) }
        defer { for process in programs { process.end() } }
        for process in programs {
            try await eventually("it has tried to connect", within: 30) { process.errors.contains("waiting: ") }
            process.end()
            #expect(process.errors.contains("intent-") && !process.errors.contains("hunter2"), "\(process.errors)")
        }
    }
}

@Suite("Encryption by real processes", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)))
struct EncryptionProcessTests {
    private static let planted = "planted-4711"

    @Test func `an encrypted pipeline stores only requests in clear, and a purge destroys their key`() async throws {
        let keys = ["--encryption-key-file", try Scratch.encryptionKeys()]
        try await RunningPipeline.with("", keys) { pipeline in
            try await pipeline.intents("send RequestRide --session s -p dropOff=\(Self.planted) --wait", keys, exits: 3)
            let shown = try await pipeline.intents("session show s --output json", keys)
            #expect(shown.output.contains(Self.planted), "\(shown.all)")
            try await pipeline.intents("session show s", exits: 4, warns: "--encryption-key-file")
            #expect(!pipeline.log.contains(Self.planted))

            let topics = Topics()
            let log = try RawLog(pipeline.servers)
            defer { log.close() }
            var readable: [String] = []
            for topic in topics.all {
                let values = try await log.records(topic).map { String(decoding: $0.value ?? [], as: UTF8.self) }
                if values.contains(where: { $0.contains(Self.planted) }) { readable.append(topic) }
            }
            #expect(readable == [topics.requests])
            let used = Set(try await log.records(topics.results).compactMap(KeyRecord.id))
            #expect(used.count == 1)

            let purged = try await pipeline.intents("session purge s --output json", keys)
            #expect(purged.json.last?["destroyedKeys"]?.int == 1, "\(purged.all)")
            let destroyed = try await log.records(topics.keys).filter { $0.value == nil }.compactMap(\.key)
            #expect(destroyed == used.map { Bytes($0.utf8) })
            let after = try await pipeline.intents("session show s --output json", keys)
            #expect(!after.output.contains("outsideServiceArea") && after.json.first?["stage"]?.string == "ended")
            // The pipeline continues, and the session can be opened again.
            try await pipeline.intents("send RequestRide --session s -p ride=Comfort --wait", keys, exits: 3)
        }
    }

    @Test(arguments: ["intent-coordinator --open-handoffs", "sample-worker", "intents watch", "intents session list"])
    func `a file without a usable key ends every program with 2, and names the line`(_ command: String) async throws {
        let file = try Scratch().file("keys", "secret")
        let options = "-b 127.0.0.1:1 --encryption-key-file \(file)"
        let ending = try await Programs.run("\(command) \(options)", exits: 2, within: 30)
        #expect(ending.errors.contains("line 1 is no key") && !ending.errors.contains("secret"), "\(ending.errors)")
    }
}
