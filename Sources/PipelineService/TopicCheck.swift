package import IntentEvents
package import Logging
package import RecordLog
import ServiceLifecycle

/// Checks that a pipeline's topics exist and have the same number of partitions.
package enum TopicCheck {
    /// Waits until the topics exist.
    ///
    /// - Parameter patience: How long to wait for a broker that does not answer, or for topics that are about to be created.
    /// - Returns: How many partitions each of them has.
    /// - Throws: ``RecordLog/LogError`` that says what is missing, or that the topics have different numbers of partitions. In that case, the records
    ///   of a session would be in partitions with different numbers and different owners.
    package static func wait(for topics: Topics, in log: any LogCluster, patience: Duration, logger: Logger) async throws -> Int32 {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: patience)
        var told = ""
        while true {
            let problem: LogError
            do { return try check(try await log.topics(), topics) } catch {
                guard error.code == .unknownTopicOrPartition || error.disposition == .retry else { throw error }
                problem = error
            }
            guard clock.now < deadline else { throw problem }
            if problem.message != told { logger.notice("waiting: \(problem.message)") }
            told = problem.message
            try await clock.sleep(until: clock.now.advanced(by: .milliseconds(250)))
        }
    }

    /// Waits up to 60 s until the topics exist. No process of the pipeline can start without them.
    ///
    /// - Returns: `false` if the process was asked to end before that.
    /// - Throws: ``RecordLog/LogError`` that says what is missing or wrong.
    package static func untilReady(_ topics: Topics, in log: any LogCluster, logger: Logger) async throws -> Bool {
        try await cancelWhenGracefulShutdown {
            do { _ = try await wait(for: topics, in: log, patience: .seconds(60), logger: logger) } catch is CancellationError {
                return false
            }
            return true
        }
    }

    /// The number of partitions of each topic.
    ///
    /// - Throws: ``RecordLog/LogError`` that says what is wrong.
    package static func check(_ existing: [TopicDescription], _ topics: Topics) throws(LogError) -> Int32 {
        let counts = Dictionary(existing.map { ($0.name, $0.partitions) }) { first, _ in first }
        let missing = topics.all.filter { counts[$0] == nil }
        guard missing.isEmpty else {
            throw LogError(
                .unknownTopicOrPartition, "the topics \(missing.joined(separator: ", ")) do not exist: run 'intents topics apply'")
        }
        let partitions = counts[topics.requests] ?? 0
        if let other = topics.all.first(where: { counts[$0] != partitions }) {
            throw LogError(
                .invalidConfiguration,
                "\(topics.requests) has \(partitions) partitions and \(other) has \(counts[other] ?? 0): all topics of a pipeline must have the same "
                    + "number, and it can't be changed while there are sessions; create topics with another prefix and switch to them",
                disposition: .fatal)
        }
        return partitions
    }
}
