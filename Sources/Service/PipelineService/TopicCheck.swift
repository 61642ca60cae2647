package import IntentEvents
package import Logging
package import RecordLog
import ServiceLifecycle

/// Checks that a pipeline's topics exist, have the same number of partitions, and have settings that the pipeline works
/// with.
package enum TopicCheck {
    /// Waits until the topics of these roles exist, and checks them. ``AccessRole/access(_:service:)`` names the
    /// topics.
    ///
    /// - Parameter patience: The time to wait for a broker that does not answer, or for topics that are about to be
    ///   created.
    /// - Returns: The partition count of each topic.
    /// - Throws: ``RecordLog/LogError`` that reports missing topics, topics with different numbers of partitions, or
    ///   ``Findings/problems``. With different numbers, the records of a session would be in partitions with different
    ///   numbers and different owners.
    package static func wait(
        for topics: Topics, as roles: [AccessRole], in log: any LogCluster, patience: Duration, logger: Logger
    )
        async throws -> Int32
    {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: patience)
        var logged = ""
        while true {
            let problem: LogError
            do {
                let existing = try await log.topics()
                let partitions = try check(existing, topics, as: roles)
                try await checkSettings(of: topics, as: roles, existing, in: log) { logger.log(level: $0, "\($1)") }
                return partitions
            } catch {
                guard error.code == .unknownTopicOrPartition || error.disposition == .retry else { throw error }
                problem = error
            }
            guard clock.now < deadline else { throw problem }
            if problem.message != logged { logger.notice("waiting: \(problem.message)") }
            logged = problem.message
            try await clock.sleep(until: clock.now.advanced(by: .milliseconds(250)))
        }
    }

    /// Waits up to 60 s until the topics exist. No process of the pipeline can start without them.
    ///
    /// - Returns: The partition count of each topic; `nil` if the process was asked to end before the topics were
    ///   ready. The number never changes while there are sessions: a process that is assigned a partition beyond it
    ///   must stop.
    /// - Throws: ``RecordLog/LogError`` that reports missing topics or wrong settings.
    package static func untilReady(_ topics: Topics, as roles: [AccessRole], in log: any LogCluster, logger: Logger)
        async throws -> Int32?
    {
        try await cancelWhenGracefulShutdown {
            do {
                return try await wait(for: topics, as: roles, in: log, patience: .seconds(60), logger: logger)
            } catch is CancellationError {
                return nil
            }
        }
    }

    /// Returns the partition count of each topic of these roles.
    ///
    /// - Throws: ``RecordLog/LogError`` that reports the fault.
    package static func check(_ existing: [TopicDescription], _ topics: Topics, as roles: [AccessRole]) throws(LogError)
        -> Int32
    {
        let counts = Dictionary(existing.map { ($0.name, $0.partitions) }) { first, _ in first }
        let described = described(topics, as: roles)
        let missing = described.filter { counts[$0] == nil }
        guard missing.isEmpty else {
            // Kafka does not list the topics that a client may not describe.
            let options = roles.map { "--role \($0.rawValue)" }.joined(separator: " ")
            throw LogError(
                .unknownTopicOrPartition,
                "the topics \(missing.joined(separator: ", ")) do not exist: run '\(PipelineProgram.tool) topics apply\(topics.option)'; or this process may not describe "
                    + "them: '\(PipelineProgram.tool) acl print \(options)\(topics.option)' prints the rights that it needs"
            )
        }
        let first = described.first ?? topics.requests
        let partitions = counts[first] ?? 0
        if let other = described.first(where: { counts[$0] != partitions }) {
            throw LogError(
                .invalidConfiguration,
                "\(first) has \(partitions) partitions and \(other) has \(counts[other] ?? 0): all topics of a pipeline must have the same "
                    + "number, and it can't be changed while there are sessions; create topics with another prefix and switch to them",
                disposition: .fatal)
        }
        return partitions
    }

    /// Returns the topics that these roles check.
    private static func described(_ topics: Topics, as roles: [AccessRole]) -> [String] {
        let names = Set(roles.flatMap { $0.access(topics).describes })
        return topics.all.filter(names.contains)
    }

    /// Returns the partition count for new topics.
    ///
    /// - Parameter wanted: The wanted count; `nil` for the count of the existing topics.
    /// - Throws: ``RecordLog/LogError/Code/topicAlreadyExists`` if topics exist with another count: creating others
    ///   beside them would end the pipeline.
    package static func partitions(_ wanted: Int32?, beside existing: [TopicDescription], _ topics: Topics)
        throws(LogError) -> Int32
    {
        let names = Set(topics.all)
        let there = existing.filter { names.contains($0.name) }
        guard let first = there.first else { return wanted ?? Topics.usualPartitions }
        let count = wanted ?? first.partitions
        guard let other = there.first(where: { $0.partitions != count }) else { return count }
        let beside = wanted == nil ? "\(first.name) has \(first.partitions)" : "not \(count)"
        throw LogError(
            .topicAlreadyExists,
            "topic \"\(other.name)\" has \(other.partitions) partitions, \(beside), and this can't change it, so nothing was created: all topics of a pipeline must "
                + "have the same number. Create topics with another --topic-prefix\(wanted == nil ? "" : ", or leave --partitions out")"
        )
    }
}

extension Topics {
    /// The option that names these topics to a program, after a space; empty for the default prefix.
    var option: String { prefix == Topics().prefix ? "" : " --topic-prefix \(prefix)" }
}
