/// librdkafka properties that our processes set unless they are told otherwise.
public enum PipelineDefaults {
    /// A member that dies is missed after so long. Kafka's 45 s are too long for somebody who waits for an answer.
    public static let groupMember = ["session.timeout.ms": "10000", "heartbeat.interval.ms": "1000"]

    /// For a person's tools: an answer shows at once.
    public static let tool = ["fetch.wait.max.ms": "5"]

    /// On the development broker, where an empty fetch sleeps all of `fetch.wait.max.ms`, and nobody waits for a dead member.
    public static let development = ["fetch.wait.max.ms": "2", "session.timeout.ms": "6000", "heartbeat.interval.ms": "500"]
}
