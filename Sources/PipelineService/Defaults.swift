/// librdkafka properties that our processes set unless they are told otherwise.
package enum PipelineDefaults {
    /// A member that dies is missed after so long. Kafka's 45 s are too long for somebody who waits for an answer.
    private static let groupMember = ["session.timeout.ms": "10000", "heartbeat.interval.ms": "1000"]

    /// A session has to fit into one record of the journal; with all that is bounded at its bound, that is some 3 MB.
    package static let coordinator = groupMember.merging(["message.max.bytes": "4000000"]) { $1 }

    /// Half a millisecond in which records gather: without it, librdkafka's thread goes in circles while five requests are under way, and sends
    /// many small ones.
    package static let worker = groupMember.merging(["linger.ms": "0.5"]) { $1 }

    /// For a person's tools: an answer shows at once.
    package static let tool = ["fetch.wait.max.ms": "5"]

    /// On the development broker, where an empty fetch sleeps all of `fetch.wait.max.ms`, and nobody waits for a dead member.
    package static let development = ["fetch.wait.max.ms": "1", "session.timeout.ms": "6000", "heartbeat.interval.ms": "500"]
}
