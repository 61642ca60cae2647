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
}
