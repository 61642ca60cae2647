import ArgumentParser
import Foundation
import PipelineService
import RDKafkaLog
import Testing

@Suite("Secrets of the connection to Kafka")
struct SecretTests {
    @Test(
        "a secret on the command line is refused without repeating it, and the message says where it belongs",
        arguments: [
            "sasl.password", "ssl.key.password", "ssl.keystore.password", "sasl.oauthbearer.client.secret",
            "ssl.key.pem",
        ])
    func refused(name: String) throws {
        for argument in ["\(name)=hunter2", " \(name) =hunter2"] {
            let error = #expect(throws: (any Error).self) { try KafkaOptions.parse(["-b", "h:1", "-X", argument]) }
            let text = KafkaOptions.fullMessage(for: error!)
            #expect(
                text.contains(name) && text.contains("--kafka-config") && text.contains("INTENTS_KAFKA_CONFIG"),
                "\(text)")
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }

    @Test(
        "what is no secret may be on the command line",
        arguments: ["sasl.username=me", "ssl.key.location=/k", "sasl.mechanisms=PLAIN"])
    func taken(property: String) throws { #expect(try KafkaOptions.parse(["-X", property]).properties == [property]) }

    @Test("a secret of a file is used, and an error about the file does not repeat it")
    func file() throws {
        let file = try TemporaryProperties(
            "bootstrap.servers=h:1\nsasl.mechanisms=PLAIN\nsasl.username=me\nsasl.password=hunter2")
        defer { file.remove() }
        let options = try KafkaOptions.parse(["--kafka-config", file.path])
        #expect(try options.configuration().properties["sasl.password"] == "hunter2")
        let misspelt = try TemporaryProperties("bootstrap.servers=h:1\nsasl.pasword=hunter2")
        defer { misspelt.remove() }
        let error = #expect(throws: (any Error).self) {
            try KafkaOptions.parse(["--kafka-config", misspelt.path]).configuration()
        }
        let text = KafkaOptions.fullMessage(for: error!)
        #expect(text.contains("sasl.pasword") && !text.contains("hunter2"), "\(text)")
    }

    @Test(
        "a file with a secret that others can read is worth a warning",
        arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o644, true)])
    func permissions(mode: Int, warns: Bool) throws {
        let secret = try TemporaryProperties("sasl.password=hunter2", mode: mode)
        defer { secret.remove() }
        let warning = try PropertiesFile(secret.path).warning
        #expect((warning != nil) == warns, "\(warning ?? "")")
        if let warning { #expect(warning.contains("chmod 600 \(secret.path)") && !warning.contains("hunter2")) }
        let harmless = try TemporaryProperties("linger.ms=5", mode: mode)
        defer { harmless.remove() }
        #expect(try PropertiesFile(harmless.path).warning == nil)
    }

    @Test("a copy of the file for other processes can be read by this user alone")
    func copied() throws {
        let original = try TemporaryProperties("bootstrap.servers=h:1\nsasl.password=hunter2", mode: 0o644)
        defer { original.remove() }
        let copy = original.path + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let options = try KafkaOptions.parse(["--kafka-config", original.path, "-X", "linger.ms=5"])
            .copyingPropertiesFile(to: copy)
        let arguments = options.arguments(bootstrapServers: "h:1")
        #expect(arguments == ["--bootstrap-servers", "h:1", "-X", "linger.ms=5", "--kafka-config", copy])
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try PropertiesFile(copy).properties == PropertiesFile(original.path).properties)
        // An existing file at the path of the copy is not used.
        #expect(throws: (any Error).self) {
            try KafkaOptions.parse(["--kafka-config", original.path]).copyingPropertiesFile(to: copy)
        }
    }
}

/// A properties file for a test.
private struct TemporaryProperties {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
        "intents-test-\(UUID().uuidString).properties"
    ).path

    init(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
