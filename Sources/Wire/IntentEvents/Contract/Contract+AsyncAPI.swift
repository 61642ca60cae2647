public import IntentModel
import RecordLog

// The contract as an AsyncAPI document.
extension Contract {
    /// An AsyncAPI 3.0 document of all topics, events, and who writes and reads them, with the Kafka bindings 0.5.0.
    ///
    /// - Parameters:
    ///   - partitions: Of each topic.
    ///   - replicationFactor: Copies of each partition; `nil` if that is the brokers' default.
    ///   - examples: What the messages show.
    public static func asyncAPI(
        _ topics: Topics = Topics(), partitions: Int32 = Topics.usualPartitions, replicationFactor: Int? = nil,
        examples: [ContractExample] = []
    ) -> JSON {
        let specifications = topics.specifications(partitions: partitions, replicationFactor: replicationFactor ?? -1)
        let configurations = Dictionary(uniqueKeysWithValues: specifications.map { ($0.name, $0) })
        return .object([
            "asyncapi": .string("3.0.0"), "id": .string("urn:intentpipeline"), "info": info,
            "defaultContentType": .string("application/json"),
            "channels": members(ContractTopic.allCases) { topic in
                (topic.rawValue, channel(topic, topics, configurations[topic.name(topics)]))
            },
            "operations": members(operations) { ($0.name, $0.json(topics)) },
            "components": .object([
                "messages": members(events) { event in (event.name, message(event, examples)) },
                "schemas": members(schemas) { ($0.name, $0.schema.referring(to: components)) },
            ]),
        ])
    }

    /// The event of a type on a topic.
    public static func event(of type: EventType, on topic: ContractTopic) -> ContractEvent? {
        events.first { $0.type == type && $0.topics.contains(topic) }
    }

    private static let components = "#/components/schemas/"

    private static let info = JSON.object([
        "title": .string("IntentPipeline"), "version": .string("1.0.0"),
        "description": .string(
            "Every event on every topic of an intent pipeline. Readers ignore members that they don't know, and have a default for words that they don't "
                + "know: a later version of the same event may have more of both."),
        "license": .object([
            "name": .string("Apache 2.0"), "url": .string("https://www.apache.org/licenses/LICENSE-2.0"),
        ]),
    ])

    private static func members<Element>(_ elements: [Element], _ member: (Element) -> (String, JSON)) -> JSON {
        .make { writer in
            writer.beginObject()
            for element in elements {
                let (name, value) = member(element)
                writer.member(named: name, value)
            }
            writer.endObject()
        }
    }

    private static func reference(_ place: String) -> JSON { .object(["$ref": .string(place)]) }

    // MARK: Channels

    private static func channel(_ topic: ContractTopic, _ topics: Topics, _ specification: TopicSpecification?) -> JSON
    {
        let settings = (specification?.configuration ?? [:]).sorted { $0.key < $1.key }
        let binding = JSON.make { writer in
            writer.beginObject()
            writer.member("topic", topic.name(topics))
            if let specification {
                writer.member("partitions", Int(specification.partitions))
                if specification.replicationFactor > 0 { writer.member("replicas", specification.replicationFactor) }
            }
            writer.member("topicConfiguration", members(settings) { ($0.key, setting($0.key, $0.value)) })
            writer.member("bindingVersion", bindingVersion)
            writer.endObject()
        }
        return .object([
            "address": .string(topic.name(topics)), "description": .string(topic.about),
            "messages": members(events.filter { $0.topics.contains(topic) }) {
                ($0.name, reference("#/components/messages/\($0.name)"))
            },
            "bindings": .object(["kafka": binding]),
        ])
    }

    private static let bindingVersion = "0.5.0"

    /// Kafka's bindings have lists and numbers where Kafka has texts.
    private static func setting(_ name: String, _ value: String) -> JSON {
        if name == "cleanup.policy" { return .array(value.split(separator: ",").map { .string(String($0)) }) }
        return (try? JSON(parsing: Array(value.utf8))) ?? .string(value)
    }

    // MARK: Operations

    /// What one party does with one topic.
    private struct Operation {
        var party: ContractParty
        var topic: ContractTopic
        var isWriting: Bool

        var name: String { "\(party.rawValue).\(isWriting ? "writes" : "reads").\(topic.rawValue)" }

        func json(_ topics: Topics) -> JSON {
            let messages = events.filter { $0.topics.contains(topic) && (!isWriting || $0.writers.contains(party)) }
            let isShared = !isWriting && topics.inputs.contains(topic.name(topics))
            let group = isShared ? party.group(topics) : nil
            return .make { writer in
                writer.beginObject()
                writer.member("action", isWriting ? "send" : "receive")
                writer.member("channel", reference("#/channels/\(topic.rawValue)"))
                writer.member(
                    "summary", "The \(party.rawValue) \(isWriting ? "writes" : "reads") \(topic.name(topics)).")
                if !messages.isEmpty {
                    writer.member(
                        "messages",
                        .array(messages.map { reference("#/channels/\(topic.rawValue)/messages/\($0.name)") }))
                }
                if let group {
                    let id = JSON.object(["type": .string("string"), "enum": .array([.string(group)])])
                    writer.member(
                        "bindings",
                        .object(["kafka": .object(["groupId": id, "bindingVersion": .string(bindingVersion)])]))
                }
                writer.endObject()
            }
        }
    }

    private static let operations: [Operation] = ContractTopic.allCases.flatMap { topic in
        topic.writers.map { Operation(party: $0, topic: topic, isWriting: true) }
            + topic.readers.map { Operation(party: $0, topic: topic, isWriting: false) }
    }

    // MARK: Messages and schemas

    private static func message(_ event: ContractEvent, _ examples: [ContractExample]) -> JSON {
        let own = examples.filter { $0.type == event.type && event.topics.contains($0.topic) }
        let headers = event.topics.contains(.requests) ? "requestHeaders" : "headers"
        return .make { writer in
            writer.beginObject()
            writer.member("name", event.type.rawValue)
            writer.member("title", event.name)
            writer.member("summary", event.about)
            writer.member("contentType", "application/json")
            writer.member(
                "headers",
                .object([
                    "type": .string("object"), "allOf": .array([reference(components + headers)]),
                    "properties": .object(["ce_type": ContractSchema.constant(event.type.rawValue).json]),
                ]))
            writer.member("payload", reference(components + event.name))
            writer.member(
                "bindings",
                .object([
                    "kafka": .object(["key": event.topics[0].key.json, "bindingVersion": .string(bindingVersion)])
                ]))
            if !own.isEmpty { writer.member("examples", .array(own.map(example))) }
            writer.endObject()
        }
    }

    private static func example(_ example: ContractExample) -> JSON {
        .object([
            "name": .string(example.name),
            "headers": members(example.headers.sorted { $0.key < $1.key }) { ($0.key, .string($0.value)) },
            "payload": example.value,
        ])
    }

    private static var schemas: [(name: String, schema: ContractSchema)] {
        [("headers", headerSchema(areRequired: true)), ("requestHeaders", headerSchema(areRequired: false))]
            + ContractShape.allCases.map { ($0.rawValue, $0.schema) }
            + events.map { ($0.name, $0.schema.about($0.about)) }
    }
}
