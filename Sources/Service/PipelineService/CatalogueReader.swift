package import Conversation
package import IntentEvents
package import RecordLog

/// Reads `intents.catalog` once, to its end: for tools and gateways.
package struct CatalogueReader {
    private let log: any LogCluster
    private let topics: Topics

    package init(_ log: any LogCluster, topics: Topics) {
        self.log = log
        self.topics = topics
    }

    package init(_ options: KafkaOptions) throws {
        self.init(try options.log(), topics: options.topics)
    }

    /// What workers serve at present.
    ///
    /// - Parameters:
    ///   - timeout: How long it may take.
    ///   - now: A lease does not count whose time has passed between its record's timestamp and then.
    /// - Throws: ``RecordLog/LogError`` that says what to do if the topic is missing, or can't be read in time.
    package func read(timeout: Duration, at now: Instant = .now) async throws -> Catalogue {
        let existing = try await log.topics()
        guard let topic = existing.first(where: { $0.name == topics.catalog }) else {
            throw LogError(
                .unknownTopicOrPartition,
                "the topic \(topics.catalog) does not exist, or this program may not describe it: 'intents topics apply' creates it")
        }
        var configuration = ClientConfiguration(clientID: "intents-catalog")
        configuration.isReadOnly = true
        let client = try log.connect(configuration)
        defer { try? client.close(timeout: .seconds(1)) }
        var catalogue = Catalogue()
        var open = Set(0..<topic.partitions)
        for number in open { try client.read(TopicPartition(topics.catalog, number), from: .beginning) }
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while !open.isEmpty {
            guard ContinuousClock.now < deadline else {
                throw LogError(
                    .timedOut, "\(topics.catalog) could not be read within \(timeout): is Kafka running, and may this program read it?")
            }
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                switch event {
                // What can't be read is the business of those who serve, and of the coordinators' logs.
                case .read(let record): _ = try? catalogue.take(record, at: now, isPast: true)
                case .readEnd(let place, _): open.remove(place.partition)
                case .failed(let error) where error.disposition == .fatal || error.code == .unauthorized: throw error
                default: break
                }
            }
        }
        _ = catalogue.expire(at: now, trustsClock: true)
        return catalogue
    }
}
