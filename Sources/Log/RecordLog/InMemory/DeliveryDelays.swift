/// Delays deliveries of a client, so that the client may read a record before it receives the record's acknowledgement.
struct DeliveryDelays: Sendable {
    /// The delays by topic, in polls. The key `nil` is for all topics without their own delay; the value `nil` waits
    /// for ``release(_:)``.
    private var delays: [String?: Int?] = [:]
    /// The delayed deliveries, oldest first, with the number of the poll that returns them.
    private var late: [(delivery: Delivery, due: Int?)] = []

    mutating func delay(_ topic: String?, by polls: Int?) {
        delays[topic] = .some(polls)
    }

    /// Ends the delay of a topic, or of all topics, and makes its delayed deliveries due.
    mutating func release(_ topic: String?) {
        if topic == nil { delays = [:] } else { delays[topic] = nil }
        for index in late.indices where (topic ?? late[index].delivery.topic) == late[index].delivery.topic {
            late[index].due = 0
        }
    }

    /// Delays a delivery that the poll with this number could return, or returns the delivery if it is not delayed.
    mutating func delayIfNeeded(_ delivery: Delivery, at poll: Int) -> Delivery? {
        let delay = delays[delivery.topic] ?? delays[nil]
        // A delivery never overtakes an earlier one of its topic.
        guard delay != nil || late.contains(where: { $0.delivery.topic == delivery.topic }) else { return delivery }
        late.append((delivery, (delay ?? 0).map { poll + $0 }))
        return nil
    }

    /// Removes and returns the deliveries that this poll returns.
    mutating func due(at poll: Int) -> [Delivery] {
        if late.isEmpty { return [] }
        var due: [Delivery] = []
        var waiting: Set<String> = []
        late.removeAll { delivery, time in
            guard let time, time <= poll, !waiting.contains(delivery.topic) else {
                waiting.insert(delivery.topic)
                return false
            }
            due.append(delivery)
            return true
        }
        return due
    }
}
