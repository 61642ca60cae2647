/// A log of records in topics and partitions: Kafka, or a model of it.
public protocol LogCluster: Sendable {
    /// A new client. Connecting happens in the background; a broker that can't be reached is told by the client's events.
    func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient

    /// Creates topics. One that exists already with the same partition count is fine.
    ///
    /// - Throws: ``LogError/Code/unsupported`` where the broker has no such request, ``LogError/Code/topicAlreadyExists`` for another
    ///   partition count.
    func createTopics(_ topics: [TopicSpecification]) async throws(LogError)

    /// The topics there are, internal ones left out, by name.
    func topics() async throws(LogError) -> [TopicDescription]
}
