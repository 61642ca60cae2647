import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

/// The pages of the reference: `GOLDEN=write` writes them again.
@Suite("The reference of events and rejections") struct ReferencePageTests {
    private func check(_ text: String, _ page: String) throws {
        try Golden.check(text, "docs/reference/\(page)", writtenBy: "ReferencePageTests")
    }

    @Test func `the page of events is what the contract says`() throws {
        try check(EventReference().markdown(), "events.md")
    }

    @Test(
        "every event has one section, with every member, and an example that shows the event",
        arguments: Contract.events)
    func isDescribed(_ event: ContractEvent) throws {
        let page = try EventReference().markdown()
        let sections = page.split(separator: "\n### \(event.name)\n", omittingEmptySubsequences: false)
        try #require(sections.count == 2)
        let section = try #require(sections[1].split(separator: "\n### ").first)
        for member in event.members { #expect(section.contains("\n| `\(member.name)` | "), "\(member.name)") }
        let golden = try Golden(named: EventReference.example(of: event))
        #expect(golden.type == event.type.rawValue)
        #expect(event.topics.contains { $0.name(Topics()) == golden.topic })
    }

    @Test func `the page of rejections is what the readers say, and has every reason`() throws {
        try check(RejectionReference.markdown, "rejections.md")
        for rejected in RejectionReference.unreadable { #expect(rejected.error != nil, "\(rejected.input)") }
        for reason in RejectionReason.allCases {
            #expect(RejectionReference.markdown.contains("\n| `\(reason.rawValue)` | "))
        }
    }
}

/// Compares the published documents with the contract. `GOLDEN=write` writes them again.
@Suite("The published contract") struct ContractDocumentTests {
    private static var examples: [ContractExample] {
        get throws {
            try Golden.stored.compactMap { name in
                let golden = try Golden(named: name)
                return ContractExample(name: name, try JSONView(parsing: Array(golden.text.utf8), limits: .journal))
            }
        }
    }

    private func check(_ document: JSON, _ path: String) throws {
        try Golden.check(document.indented + "\n", "deploy/contract/\(path)", writtenBy: "ContractDocumentTests")
    }

    @Test func `the JSON Schema of every event is in a file, and there are no others`() throws {
        for event in Contract.events { try check(Contract.jsonSchema(of: event), "schemas/\(event.name).json") }
        let folder = Golden.folder.appending(path: "../../deploy/contract/schemas").path
        let stored = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(stored) == Set(Contract.events.map { "\($0.name).json" }))
    }

    @Test func `the AsyncAPI document is in a file, and its examples are the golden files`() throws {
        let document = Contract.asyncAPI(examples: try Self.examples)
        try check(document, "asyncapi.json")
        let messages = document.view["components"]?["messages"]?.members ?? []
        #expect(messages.count == Contract.events.count)
        for message in messages {
            #expect(message.value["examples"]?.elements.isEmpty == false, "\(message.name) has no example")
        }
    }

    @Test func `the topics of the AsyncAPI document are those that the tool creates, with the same settings`() throws {
        let topics = Topics(prefix: "test")
        let channels = Contract.asyncAPI(topics, partitions: 7, replicationFactor: 3).view["channels"]?.members ?? []
        let specifications = topics.specifications(partitions: 7, replicationFactor: 3)
        #expect(channels.map { $0.value["address"]?.string } == specifications.map(\.name))
        for (channel, specification) in zip(channels, specifications) {
            let binding = try #require(channel.value["bindings"]?["kafka"])
            #expect(
                binding["topic"]?.string == specification.name && binding["partitions"]?.int == 7
                    && binding["replicas"]?.int == 3)
            let settings = (binding["topicConfiguration"]?.members ?? []).map { setting in
                let texts = setting.value.elements.compactMap(\.string)
                let joined = texts.isEmpty ? setting.value.json.description : texts.joined(separator: ",")
                return (setting.name, setting.value.string ?? joined)
            }
            #expect(Dictionary(uniqueKeysWithValues: settings) == specification.configuration, "\(specification.name)")
        }
    }

    @Test func `every reference of a schema leads to a definition beside it`() throws {
        for event in Contract.events {
            let schema = Contract.jsonSchema(of: event).view
            let definitions = Set(schema["$defs"]?.members.map(\.name) ?? [])
            let wanted = Set(
                schema.json.description.matches(of: /"\$ref":"#\/\$defs\/([A-Za-z]+)"/).map { String($0.output.1) })
            #expect(definitions == wanted, "\(event.name)")
        }
    }
}
