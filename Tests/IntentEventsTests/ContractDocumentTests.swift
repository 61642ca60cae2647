import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

/// Compares the published documents with the contract. `GOLDEN=write` writes them again.
@Suite("The published contract")
struct ContractDocumentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../deploy/contract")

    private static var examples: [ContractExample] {
        get throws {
            try Golden.stored.compactMap { name in
                let golden = try Golden(named: name)
                return ContractExample(name: name, try JSONView(parsing: Array(golden.text.utf8), limits: .journal))
            }
        }
    }

    private func check(_ text: String, _ path: String) throws {
        let file = Self.folder.appending(path: path)
        if Golden.isWriting {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let stored = try? String(contentsOf: file, encoding: .utf8)
        #expect(
            stored == text,
            "deploy/contract/\(path) is not what the code says: GOLDEN=write swift test --filter ContractDocumentTests writes it again"
        )
    }

    @Test("the JSON Schema of every event is in a file, and there are no others")
    func schemas() throws {
        for event in Contract.events {
            try check(Contract.jsonSchema(of: event).indented + "\n", "schemas/\(event.name).json")
        }
        let stored = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: "schemas").path)
        #expect(Set(stored) == Set(Contract.events.map { "\($0.name).json" }))
    }

    @Test("the AsyncAPI document is in a file, and its examples are the golden files")
    func asyncAPI() throws {
        let document = Contract.asyncAPI(examples: try Self.examples)
        try check(document.indented + "\n", "asyncapi.json")
        let messages = document.view["components"]?["messages"]?.members ?? []
        #expect(messages.count == Contract.events.count)
        for message in messages {
            #expect(message.value["examples"]?.elements.isEmpty == false, "\(message.name) has no example")
        }
    }

    @Test("the topics of the AsyncAPI document are those that the tool creates, with the same settings")
    func topics() throws {
        let topics = Topics(prefix: "test")
        let channels = Contract.asyncAPI(topics, partitions: 7, replicationFactor: 3).view["channels"]?.members ?? []
        let specifications = topics.specifications(partitions: 7, replicationFactor: 3)
        #expect(channels.map { $0.value["address"]?.string } == specifications.map(\.name))
        for (channel, specification) in zip(channels, specifications) {
            let binding = try #require(channel.value["bindings"]?["kafka"])
            #expect(
                binding["topic"]?.string == specification.name && binding["partitions"]?.int == 7
                    && binding["replicas"]?.int == 3)
            let settings = Dictionary(
                uniqueKeysWithValues: (binding["topicConfiguration"]?.members ?? []).map { setting in
                    let texts = setting.value.elements.compactMap(\.string)
                    return (
                        setting.name,
                        setting.value.string
                            ?? (texts.isEmpty ? setting.value.json.description : texts.joined(separator: ","))
                    )
                })
            #expect(settings == specification.configuration, "\(specification.name)")
        }
    }

    @Test("every reference of a schema leads to a definition beside it")
    func references() throws {
        for event in Contract.events {
            let schema = Contract.jsonSchema(of: event).view
            let definitions = Set(schema["$defs"]?.members.map(\.name) ?? [])
            let wanted = Set(
                schema.json.description.matches(of: /"\$ref":"#\/\$defs\/([A-Za-z]+)"/).map { String($0.output.1) })
            #expect(definitions == wanted, "\(event.name)")
        }
    }
}
