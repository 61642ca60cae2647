package import Conversation
package import IntentEvents
package import RecordLog

/// Reads `intents.catalog` once, to its end. Tools and gateways use it.
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

    /// Returns the catalogue of the intents that workers serve at present.
    ///
    /// - Parameters:
    ///   - timeout: The time limit of reading.
    ///   - now: The time at which leases are evaluated. A lease that has expired between its record's timestamp and
    ///     this time does not count.
    /// - Throws: ``RecordLog/LogError`` with advice if the topic is missing or can't be read in time.
    package func read(timeout: Duration, at now: Instant = .now) async throws -> Catalogue {
        let existing = try await log.topics()
        guard let topic = existing.first(where: { $0.name == topics.catalog }) else {
            throw LogError(
                .unknownTopicOrPartition,
                "the topic \(topics.catalog) does not exist, or this program may not describe it: 'intents topics apply' creates it"
            )
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
                    .timedOut,
                    "\(topics.catalog) could not be read within \(timeout): is Kafka running, and may this program read it?"
                )
            }
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                switch event {
                // Invalid records are ignored here, because the coordinators log them.
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
