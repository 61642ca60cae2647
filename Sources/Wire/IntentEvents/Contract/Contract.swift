public import IntentModel
import RecordLog

/// The contract of the wire, version 1: every event with its members, and every topic. The JSON Schemas and the AsyncAPI document are made from it.
public enum Contract {
    /// All events, in the order of the documents.
    public static let events: [ContractEvent] = requests + results + work + outcomes + catalogue

    /// The events of a type: two of a type that is on two sides.
    public static func events(of type: EventType) -> [ContractEvent] { events.filter { $0.type == type } }

    /// The names of the members that readers know of an event of `intents.requests` and `intents.answers`.
    package static func requestMembers(of type: EventType) -> [String] {
        requests.first { $0.type == type }?.members.map(\.name) ?? []
    }

    /// Where the schemas are at home. Nothing is there to be fetched: it is only a name.
    public static let namespace = "urn:intentpipeline:v1:"

    /// An event's JSON Schema (2020-12), which stands alone.
    public static func jsonSchema(of event: ContractEvent) -> JSON {
        let schema = event.schema
        let shapes = ContractShape.closure(of: schema).sorted { $0.rawValue < $1.rawValue }
        return .make { writer in
            writer.beginObject()
            writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            writer.member("$id", namespace + event.name)
            writer.member("title", event.name)
            writer.member("description", event.about)
            for member in schema.json.view.members { writer.member(named: member.name, member.value.json) }
            if !shapes.isEmpty {
                writer.name("$defs")
                writer.beginObject()
                for shape in shapes { writer.member(named: shape.rawValue, shape.schema.json) }
                writer.endObject()
            }
            writer.endObject()
        }
    }

    /// The schema of an event's value for a document of its own, such as OpenAPI's.
    ///
    /// - Parameter place: where the document has the ``shapes(at:)``, such as `#/components/schemas/`.
    public static func schema(of event: ContractEvent, at place: String) -> JSON { event.schema.referring(to: place) }

    /// The shapes that schemas refer to, for a document of its own.
    public static func shapes(at place: String) -> [(name: String, schema: JSON)] {
        ContractShape.allCases.map { ($0.rawValue, $0.schema.referring(to: place)) }
    }
}
