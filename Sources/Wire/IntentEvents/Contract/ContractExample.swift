public import IntentModel

/// A record that shows an event.
public struct ContractExample: Sendable, Hashable {
    public var name: String
    public var topic: ContractTopic
    public var type: EventType
    /// By name, in their order.
    public var headers: [String: String]
    public var value: JSON

    /// Reads a record as the golden files have it: an object with `topic`, `headers` and `value`.
    ///
    /// - Parameter prefix: that of the name of the topic.
    /// - Returns: `nil` if it shows no event: a dead letter, a tombstone, or a value that is not the event alone.
    public init?(name: String, _ record: JSONView, prefix: String = "intents") {
        guard let topic = record["topic"]?.string, topic.hasPrefix("\(prefix)."),
            let place = ContractTopic(rawValue: String(topic.dropFirst(prefix.count + 1))),
            let value = record["value"], value.kind == .object
        else { return nil }
        var headers: [String: String] = [:]
        for header in record["headers"]?.members ?? [] { headers[header.name] = header.value.string }
        guard let type = headers["ce_type"].flatMap(EventType.init), Contract.event(of: type, on: place) != nil else {
            return nil
        }
        self.name = name
        self.topic = place
        self.type = type
        self.headers = headers
        self.value = value.json
    }
}
