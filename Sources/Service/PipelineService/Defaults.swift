/// Default librdkafka properties of the pipeline's processes. A properties file or `-X` overrides them.
package enum PipelineDefaults {
    /// A crashed member is detected after `session.timeout.ms`. Kafka's default of 45 s is too long for a person who
    /// waits for a reply.
    private static let groupMember = ["session.timeout.ms": "10000", "heartbeat.interval.ms": "1000"]

    /// A session must fit into one record of the journal, together with its unacknowledged results.
    private static let journalWriter = ["message.max.bytes": "4000000"]

    /// The defaults of coordinators. While a member joins or leaves, its partitions wait until every other member has
    /// learned of the rebalance with a heartbeat, and people wait with them.
    package static let coordinator = groupMember.merging(journalWriter) { $1 }.merging(["heartbeat.interval.ms": "300"])
    { $1 }

    /// The defaults of workers. Batching records for 0.5 ms prevents librdkafka's thread from spinning while five
    /// requests are in flight, and from sending many small ones.
    package static let worker = groupMember.merging(["linger.ms": "0.5"]) { $1 }

    /// The defaults of the tool for writing to the journal.
    package static let journalTool = journalWriter

    /// The port of the pipeline that `intents dev` runs, unless another program listens at it.
    package static let developmentPort: UInt16 = 8232

    /// The defaults with the development broker, with faster detection of a crashed member.
    package static let development = ["session.timeout.ms": "6000", "heartbeat.interval.ms": "500"]
}
