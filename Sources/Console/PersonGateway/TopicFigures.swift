import IntentModel

/// How much was written to a topic, and how far those are who work it off.
package struct TopicFigures: Sendable, Hashable {
    package var topic: String
    /// The sum of its partitions' ends.
    package var ends: Int64
    /// Records a second.
    package var rate: Double
    /// Records that are not worked off yet; `nil` if that is not known.
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
