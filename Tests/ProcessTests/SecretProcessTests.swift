import Foundation
import Testing

@Suite("Secrets and the processes of a pipeline", .tags(.processes, .slow), .timeLimit(.minutes(3)))
struct SecretProcessTests {
    @Test("no program takes a secret as an argument", arguments: ["intents", "intent-coordinator", "intent-worker", "intent-http-worker"])
    func refused(_ program: String) async throws {
        let arguments = (program == "intents" ? ["dev"] : []) + ["-b", "127.0.0.1:1", "-X", "sasl.password=hunter2"]
        let ending = try await Programs.run(program, arguments)
        #expect(ending.status == 2 && ending.errors.contains("--kafka-config"), "\(ending.errors)")
        #expect(!ending.errors.contains("hunter2"), "\(ending.errors)")
    }

    @Test("the processes of intents dev get secrets by a file that only this user can read, and that is gone at the end")
    func handedOn() async throws {
        // A pipe, as of `--kafka-config <(…)`, can be read only once.
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("intents-test-\(UUID().uuidString)").path
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
                if child != pipeline.pid, let option = words.firstIndex(of: "--kafka-config") { copies.insert(words[option + 1]) }
            }
            #expect(copies.count == 1)
            for copy in copies {
                #expect(try String(contentsOfFile: copy, encoding: .utf8) == "sasl.password=hunter2\n")
                #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
            }
        }
        for copy in copies { #expect(!FileManager.default.fileExists(atPath: copy)) }
    }
}
