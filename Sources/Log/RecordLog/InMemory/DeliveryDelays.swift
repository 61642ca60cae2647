/// The deliveries that a client gets later than it could, so that it may read a record before it is told that the record was written.
struct DeliveryDelays: Sendable {
    /// Topics whose deliveries are late, and by how many polls; `nil` waits for ``release(_:)``. The key `nil` means all other topics.
    private var delays: [String?: Int?] = [:]
    /// Late deliveries, oldest first, with the number of the poll that returns them.
    private var late: [(delivery: Delivery, due: Int?)] = []

    mutating func delay(_ topic: String?, by polls: Int?) {
        delays[topic] = .some(polls)
    }

    /// Ends the delay of a topic, or of all, and makes its late deliveries due.
    mutating func release(_ topic: String?) {
        if topic == nil { delays = [:] } else { delays[topic] = nil }
        for index in late.indices where (topic ?? late[index].delivery.topic) == late[index].delivery.topic { late[index].due = 0 }
    }

    /// Takes a delivery that the poll with this number could return. Returns it if it is not late.
    mutating func pass(_ delivery: Delivery, at poll: Int) -> Delivery? {
        let delay = delays[delivery.topic] ?? delays[nil]
        // A delivery never overtakes an earlier one of its topic.
        guard delay != nil || late.contains(where: { $0.delivery.topic == delivery.topic }) else { return delivery }
        late.append((delivery, (delay ?? 0).map { poll + $0 }))
        return nil
    }

    /// Removes and returns what this poll returns.
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
