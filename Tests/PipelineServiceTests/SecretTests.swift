import ArgumentParser
import Foundation
import PipelineService
import RDKafkaLog
import Testing

@Suite("Secrets of the connection to Kafka") struct SecretTests {
    private let files = PropertiesFiles()

    @Test(
        "a secret on the command line is refused without repeating it, and the message says where it belongs",
        arguments: [
            "sasl.password", "ssl.key.password", "ssl.keystore.password", "sasl.oauthbearer.client.secret",
            "ssl.key.pem",
        ])
    func refused(name: String) throws {
        for argument in ["\(name)=hunter2", " \(name) =hunter2"] {
            let error = try #require(throws: (any Error).self) {
                try KafkaOptions.parse(["-b", "h:1", "-X", argument])
            }
            let text = KafkaOptions.fullMessage(for: error)
            for part in [name, "--kafka-config", "INTENTS_KAFKA_CONFIG"] { #expect(text.contains(part), "\(text)") }
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }

    @Test(arguments: ["sasl.username=me", "ssl.key.location=/k", "sasl.mechanisms=PLAIN"])
    func `what is no secret may be on the command line`(property: String) throws {
        #expect(try KafkaOptions.parse(["-X", property]).properties == [property])
    }

    @Test func `a secret of a file is used, and an error about the file does not repeat it`() throws {
        let file = try files.write(
            "bootstrap.servers=h:1\nsasl.mechanisms=PLAIN\nsasl.username=me\nsasl.password=hunter2")
        let options = try KafkaOptions.parse(["--kafka-config", file])
        #expect(try options.configuration().properties["sasl.password"] == "hunter2")
        let misspelt = try files.write("bootstrap.servers=h:1\nsasl.pasword=hunter2")
        let error = try #require(throws: (any Error).self) {
            try KafkaOptions.parse(["--kafka-config", misspelt]).configuration()
        }
        let text = KafkaOptions.fullMessage(for: error)
        #expect(text.contains("sasl.pasword") && !text.contains("hunter2"), "\(text)")
    }

    @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o644, true)])
    func `a file with a secret that others can read is worth a warning`(mode: Int, warns: Bool) throws {
        let secret = try files.write("sasl.password=hunter2", mode: mode)
        let warning = try PropertiesFile(secret).warning
        #expect((warning != nil) == warns, "\(warning ?? "")")
        if let warning { #expect(warning.contains("chmod 600 \(secret)") && !warning.contains("hunter2")) }
        let harmless = try files.write("linger.ms=5", mode: mode)
        #expect(try PropertiesFile(harmless).warning == nil)
    }

    @Test func `a copy of the file for other processes can be read by this user alone`() throws {
        let original = try files.write("bootstrap.servers=h:1\nsasl.password=hunter2", mode: 0o644)
        let copy = original + "-copy"
        let options = try KafkaOptions.parse(["--kafka-config", original, "-X", "linger.ms=5"])
            .copyingPropertiesFile(to: copy)
        let arguments = options.arguments(bootstrapServers: "h:1")
        #expect(arguments == ["--bootstrap-servers", "h:1", "-X", "linger.ms=5", "--kafka-config", copy])
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try PropertiesFile(copy).properties == PropertiesFile(original).properties)
        // An existing file at the path of the copy is not used.
        #expect(throws: (any Error).self) {
            try KafkaOptions.parse(["--kafka-config", original]).copyingPropertiesFile(to: copy)
        }
    }
}

/// The properties files of one test, removed with this object.
private final class PropertiesFiles {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "intents-test-\(UUID().uuidString)")

    /// Writes a file, and returns its path.
    func write(_ text: String, mode: Int = 0o600) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(UUID().uuidString).properties")
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
