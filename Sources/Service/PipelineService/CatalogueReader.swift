package import Conversation
package import IntentEvents
package import RecordLog

/// Reads `intents.catalog` to its end, and watches it for a while if processes seem to make no progress. Tools use it.
package struct CatalogueReader {
    private let log: any LogCluster
    private let topics: Topics
    private let now: @Sendable () -> Instant

    package init(_ log: any LogCluster, topics: Topics, now: @escaping @Sendable () -> Instant = { .now }) {
        self.log = log
        self.topics = topics
        self.now = now
    }

    package init(_ options: KafkaOptions) throws {
        self.init(try options.log(), topics: options.topics)
    }

    /// Returns the catalogue of the intents that workers serve at present. A lease that has expired between its record's
    /// timestamp and now does not count.
    ///
    /// - Parameter timeout: The time limit of reading.
    /// - Throws: ``RecordLog/LogError`` with advice if the topic is missing or can't be read in time.
    package func read(timeout: Duration) async throws -> Catalogue {
        try await read(timeout: timeout) { _, _ in false }
    }

    /// Returns the catalogue with what keeps requests from making progress.
    ///
    /// What the broker's clock shows is certain, and the newest renewal tells that clock. Where renewals are missing, or
    /// this clock may be wrong, further renewals are waited for.
    ///
    /// - Parameters:
    ///   - timeout: The time limit of reading.
    ///   - limit: The time limit of watching: each live process renews its lease meanwhile.
    /// - Throws: ``RecordLog/LogError`` with advice if the topic is missing or can't be read in time.
    package func faults(timeout: Duration, watching limit: Duration) async throws -> (
        catalogue: Catalogue, faults: [PipelineFault]
    ) {
        var start: ContinuousClock.Instant?
        var partitions: Int32 = 0
        var catalogue = try await read(timeout: timeout) { catalogue, count in
            partitions = count
            let began = start ?? .now
            start = began
            if began.duration(to: .now) >= limit { return false }
            return isUncertain(catalogue, partitions: count)
        }
        // Nobody has shown what time it is.
        if !isClockRight(catalogue) { catalogue.forgetUnrenewed(after: limit) }
        let certain = certainFaults(catalogue, partitions)
        return (catalogue, certain.isEmpty ? catalogue.faults(partitions: partitions, at: now()) : certain)
    }

    private func isUncertain(_ catalogue: Catalogue, partitions: Int32) -> Bool {
        if !isClockRight(catalogue) { return true }
        if !certainFaults(catalogue, partitions).isEmpty { return false }
        return catalogue.byLogTime.processes.contains { $0.isSuspect(at: catalogue.newest) }
            || !catalogue.faults(partitions: partitions, at: now()).isEmpty
    }

    /// Returns the faults by the broker's clock, as of the newest record.
    private func certainFaults(_ catalogue: Catalogue, _ partitions: Int32) -> [PipelineFault] {
        var logged = catalogue.byLogTime
        _ = logged.expire(at: catalogue.newest)
        return logged.faults(partitions: partitions, at: catalogue.newest)
    }

    /// Whether a renewal shows that this clock tells the age of leases: one that has just come, or a recent one.
    private func isClockRight(_ catalogue: Catalogue) -> Bool {
        let age = catalogue.newestPast.duration(to: now())
        return catalogue.hasRenewals || age >= .zero && age <= .milliseconds(WorkerLease.renewal) + .seconds(1)
    }

    /// - Parameter watches: Called with the catalogue, and with the number of partitions, once all is read; `false` ends
    ///   the reading.
    private func read(timeout: Duration, while watches: (Catalogue, Int32) -> Bool) async throws -> Catalogue {
        let existing = try await log.topics()
        guard let topic = existing.first(where: { $0.name == topics.catalog }) else {
            throw LogError(
                .unknownTopicOrPartition,
                "the topic \(topics.catalog) does not exist, or this program may not describe it: '\(PipelineProgram.tool) topics apply' creates it"
            )
        }
        var configuration = ClientConfiguration(clientID: "intents-catalog")
        configuration.isReadOnly = true
        let client = try log.connect(configuration)
        defer { try? client.close(timeout: .seconds(1)) }
        var catalogue = Catalogue(trustsClock: true)
        var open = Set(0..<topic.partitions)
        for number in open { try client.read(TopicPartition(topics.catalog, number), from: .beginning) }
        func poll(isPast: Bool) throws {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                switch event {
                // Invalid records are ignored here, because the coordinators log them.
                case .read(let record): _ = try? catalogue.take(record, at: now(), isPast: isPast)
                case .readEnd(let place, _): open.remove(place.partition)
                case .failed(let error) where error.disposition == .fatal || error.code == .unauthorized: throw error
                default: break
                }
            }
        }
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while !open.isEmpty {
            guard ContinuousClock.now < deadline else {
                throw LogError(
                    .timedOut,
                    "\(topics.catalog) could not be read within \(timeout): is Kafka running, and may this program read it?"
                )
            }
            try poll(isPast: true)
        }
        while watches(catalogue, topic.partitions) { try poll(isPast: false) }
        _ = catalogue.expire(at: now())
        return catalogue
    }
}
