import Foundation
import Testing

@Suite("Secrets and the processes of a pipeline", .tags(.processes, .slow), .timeLimit(.minutes(3)))
struct SecretProcessTests {
    @Test(
        "no program takes a secret as an argument",
        arguments: ["intents", "intent-coordinator", "sample-worker", "intent-http-worker"])
    func refused(_ program: String) async throws {
        let arguments = (program == "intents" ? ["dev"] : []) + ["-b", "127.0.0.1:1", "-X", "sasl.password=hunter2"]
        let ending = try await Programs.run(program, arguments)
        #expect(ending.status == 2 && ending.errors.contains("--kafka-config"), "\(ending.errors)")
        #expect(!ending.errors.contains("hunter2"), "\(ending.errors)")
    }

    @Test(
        "the processes of intents dev get secrets by a file that only this user can read, and that is gone at the end")
    func handedOn() async throws {
        // A pipe, such as that of `--kafka-config <(…)`, can be read only once.
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("intents-test-\(UUID().uuidString)")
            .path
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        let writing = Task.detached { try Data("sasl.password=hunter2\n".utf8).write(to: URL(fileURLWithPath: pipe)) }
        var copies: Set<String> = []
        try await RunningPipeline.with(["--kafka-config", pipe, "-X", "socket.keepalive.enable=true"]) { pipeline in
            try await writing.value
            let children = pipeline.children()
            #expect(children.count >= 5)
            for child in children + [pipeline.pid] {
                let line = try String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
                #expect(!line.contains("hunter2"), "\(line)")
                let words = line.split(separator: "\0").map(String.init)
                if child != pipeline.pid, let option = words.firstIndex(of: "--kafka-config") {
                    copies.insert(words[option + 1])
                }
            }
            #expect(copies.count == 1)
            for copy in copies {
                #expect(try String(contentsOfFile: copy, encoding: .utf8) == "sasl.password=hunter2\n")
                #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
            }
        }
        for copy in copies { #expect(!FileManager.default.fileExists(atPath: copy)) }
    }

    @Test("the file is gone also if intents dev is interrupted while it starts", arguments: [SIGINT, SIGTERM])
    func interrupted(_ signal: Int32) async throws {
        let file = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("sasl.password=hunter2\n".utf8).write(to: file)
        let process = Process()
        process.executableURL = Programs.url("intents")
        // The worker lives as long as its parent and never joins.
        let worker = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: worker) }
        try Data("#!/bin/sh\nexec cat\n".utf8).write(to: worker)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: worker.path)
        process.arguments = [
            "dev", "--no-console", "--port", "0", "--kafka-config", file.path, "--worker", worker.path,
        ]
        process.environment = Programs.environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        func copy() throws -> String? {
            for child in RunningPipeline.children(of: process.processIdentifier, "intent-coordinator") {
                let words = try String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8).split(separator: "\0")
                    .map(String.init)
                if let option = words.firstIndex(of: "--kafka-config") { return words[option + 1] }
            }
            return nil
        }
        try await eventually("the coordinator is started", within: 60) { try copy() != nil || !process.isRunning }
        let path = try #require(try copy())
        #expect(FileManager.default.fileExists(atPath: path))
        kill(process.processIdentifier, signal)
        try await eventually("intents dev has ended", within: 40) { !process.isRunning }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("no secret is in the log of a process, whatever its level")
    func logged() async throws {
        let file = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("sasl.password=hunter2\nssl.key.password=hunter2\n".utf8).write(to: file)
        let secret = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: secret) }
        try Data("hunter2-of-the-handoffs\n".utf8).write(to: secret)
        let connection = ["-b", "127.0.0.1:1", "--kafka-config", file.path, "--log-level", "trace"]
        let programs = [
            ("intent-coordinator", ["--handoff-secret-file", secret.path]), ("sample-worker", ["--phase", "handle"]),
        ]
        for (program, options) in programs {
            let process = try RoleProcess(program, connection + options)
            try await eventually("it has tried to connect", within: 30) { process.errors.contains("waiting: ") }
            process.end { log in
                #expect(log.contains("intent-"), "\(log)")
                #expect(!log.contains("hunter2"), "\(log)")
            }
        }
    }
}
