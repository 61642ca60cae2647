/// Default librdkafka properties of the pipeline's processes. A properties file or `-X` overrides them.
package enum PipelineDefaults {
    /// A crashed member is detected after `session.timeout.ms`. Kafka's default of 45 s is too long for a person who waits for a reply.
    private static let groupMember = ["session.timeout.ms": "10000", "heartbeat.interval.ms": "1000"]

    /// A session has to fit into one record of the journal, and so do its results that are not acknowledged.
    private static let journalWriter = ["message.max.bytes": "4000000"]

    /// While a member joins or leaves, its partitions wait until each other one has noticed that with a heartbeat, and people wait with them.
    package static let coordinator = groupMember.merging(journalWriter) { $1 }.merging(["heartbeat.interval.ms": "300"]) { $1 }

    /// Batches records for 0.5 ms. Without it, librdkafka's thread spins while five requests are in flight, and sends many small ones.
    package static let worker = groupMember.merging(["linger.ms": "0.5"]) { $1 }

    /// For the tool, where it writes to the journal.
    package static let journalTool = journalWriter

    /// The port of the pipeline that `intents dev` runs, where nothing else listens there.
    package static let developmentPort: UInt16 = 8232

    /// For the development broker: a crashed member is detected sooner.
    package static let development = ["session.timeout.ms": "6000", "heartbeat.interval.ms": "500"]
}
