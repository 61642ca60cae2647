import IntentEvents
import Logging
import PersonGateway
import PipelineService
import RecordLog
import ServiceLifecycle
import Synchronization

/// Measures how much was written to the topics, and the lag of the groups that consume them.
final class TopicMonitor: Sendable {
    private struct State {
        var figures: [TopicFigures] = []
        /// The end offsets of the last ``Figures/window`` seconds, oldest first.
        var measured: [(at: ContinuousClock.Instant, ends: [TopicPartition: Int64])] = []
        /// The committed offsets of the groups. If several services share a topic, the lowest offset counts.
        var committed: [TopicPartition: Int64] = [:]
    }

    private let client: any LogClient
    private let log: any LogCluster
    private let topics: Topics
    private let names: [String]
    private let partitions: Int32
    private let logger: Logger
    private let state = Mutex(State())

    /// The interval between two measurements.
    static let interval: Duration = .seconds(2)

    /// - Parameter client: A client without a consumer group.
    init(client: any LogClient, log: any LogCluster, topics: Topics, partitions: Int32, logger: Logger) {
        (self.client, self.log, self.topics, self.partitions, self.logger) = (client, log, topics, partitions, logger)
        names =
            [topics.requests, topics.answers] + topics.work + [
                topics.outcomes, topics.results, topics.sessions, topics.deadLetters,
            ]
    }

    var figures: [TopicFigures] { state.withLock(\.figures) }

    private func places(_ topic: String) -> [TopicPartition] { (0..<partitions).map { TopicPartition(topic, $0) } }

    /// Measures once the end offsets of all partitions, one after the other. Each query waits while the broker is
    /// unavailable.
    ///
    /// - Parameter shouldContinue: Called before each partition; `false` stops without new figures.
    func measure(while shouldContinue: () -> Bool = { true }) throws(LogError) {
        var ends: [TopicPartition: Int64] = [:]
        for place in names.flatMap(places) {
            guard shouldContinue() else { return }
            do { ends[place] = try client.range(of: place).upperBound } catch {
                guard error.disposition != .fatal else { throw error }
                logger.debug("\(error)")
            }
        }
        let now = ContinuousClock.now
        state.withLock { state in
            // The newest measurement counts, whatever its age: one may take longer than the window.
            while state.measured.count > 1, state.measured[0].at.duration(to: now) > .seconds(Figures.window + 1) {
                state.measured.removeFirst()
            }
            let earlier = state.measured.first
            let seconds = earlier.map { $0.at.duration(to: now) / .seconds(1) } ?? 0
            state.figures = names.compactMap { name in
                let places = places(name).filter { ends[$0] != nil }
                guard places.count == Int(partitions) else { return nil }
                let end = places.reduce(0) { $0 + (ends[$1] ?? 0) }
                let before = places.reduce(0) { $0 + (earlier?.ends[$1] ?? ends[$1] ?? 0) }
                let behind = places.compactMap { place in state.committed[place].map { max(0, (ends[place] ?? 0) - $0) }
                }
                return TopicFigures(
                    topic: name, ends: end, rate: seconds > 0 ? Double(max(0, end - before)) / seconds : 0,
                    lag: behind.isEmpty ? nil : behind.reduce(0, +))
            }
            state.measured.append((now, ends))
        }
    }

    /// Queries the committed offsets of these services' groups until graceful shutdown. The lag stays unknown where the
    /// query is not authorized.
    ///
    /// - Parameter services: The services that serve any intent at present; `nil` is the default service.
    func followGroups(_ services: @escaping @Sendable () -> Set<String?>) async throws {
        try await cancelWhenGracefulShutdown { [self] in
            do {
                while true {
                    await queryCommittedOffsets(of: services())
                    try await ContinuousClock().sleep(for: Self.interval)
                }
            } catch is CancellationError {}
        }
    }

    /// Queries the committed offsets once.
    func queryCommittedOffsets(of services: Set<String?>) async {
        let committed = await committed(by: services)
        state.withLock { $0.committed = committed }
    }

    private func committed(by services: Set<String?>) async -> [TopicPartition: Int64] {
        let workers = services.union([nil]).flatMap { service in
            AccessRole.workers.map { $0.access(topics, service: service) }
        }
        var least: [TopicPartition: Int64] = [:]
        for access in [AccessRole.coordinator.access(topics)] + workers {
            // Each query waits while the broker is unavailable. The process must be able to end between two queries.
            if Task.isCancelled { break }
            guard let group = access.group else { continue }
            let wanted =
                group == AccessRole.coordinator.access(topics).group
                ? [topics.requests, topics.answers, topics.outcomes] : access.reads.filter(topics.work.contains)
            do {
                for (place, offset) in try await log.committed(by: group, wanted.flatMap(places)) {
                    least[place] = min(least[place] ?? .max, offset.offset)
                }
            } catch { logger.debug("\(error)") }
        }
        return least
    }
}
