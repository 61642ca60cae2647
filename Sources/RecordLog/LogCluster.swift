/// A log of records in topics and partitions: Kafka, or a model of it.
public protocol LogCluster: Sendable {
    /// Makes a client. It connects in the background; a broker that can't be reached is reported by the client's events.
    func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient

    /// Creates topics. A topic that exists with the same partition count is left unchanged.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the broker does not support the request, ``LogError/Code/topicAlreadyExists`` if a topic exists
    ///   with another partition count.
    func createTopics(_ topics: [TopicSpecification]) async throws(LogError)

    /// The existing topics without internal ones, sorted by name.
    func topics() async throws(LogError) -> [TopicDescription]

    /// The settings of these topics by name, such as `cleanup.policy`, with the values that apply: also those that come from the broker's own settings.
    /// Topics that do not exist are left out.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the broker does not support the request, ``LogError/Code/unauthorized`` if it does not permit it
    ///   (Kafka: the operation `DescribeConfigs` on each topic).
    func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]]
}

extension LogCluster {
    /// Throws ``LogError/Code/unsupported``.
    public func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] {
        throw LogError(.unsupported, "this log does not tell the settings of its topics")
    }
}
