import IntentModel

/// The figures of a topic: the number of written records, the rate, and the lag of its consumers.
package struct TopicFigures: Sendable, Hashable {
    package var topic: String
    /// The sum of the end offsets of all partitions.
    package var ends: Int64
    /// The rate in records per second.
    package var rate: Double
    /// The number of records that the consumers have not processed yet; `nil` if unknown.
    package var lag: Int64?

    package init(topic: String, ends: Int64, rate: Double, lag: Int64?) {
        self.topic = topic
        self.ends = ends
        self.rate = rate
        self.lag = lag
    }

    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("topic", topic)
            writer.member("ends", Int(ends))
            writer.member("rate", JSON.number(rate))
            writer.member("lag", lag.map { .number(Int($0)) } ?? .null)
            writer.endObject()
        }
    }
}
