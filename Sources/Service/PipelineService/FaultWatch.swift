package import CoreMetrics
package import IntentEvents
import Pipeline
package import RecordLog
import Synchronization

/// Watches what keeps requests from making progress: partitions without a leader, a broker that can't be reached, and
/// what the leases of the processes show.
package final class FaultWatch: Sendable {
    fileprivate struct State {
        /// The time of the next question to the brokers, and of the last step.
        var nextQuestion: Duration = .zero, stepped: Duration?
        /// The time of the first question since the last answer, and why the last one failed; `nil` after an answer.
        var silence: (since: Duration, error: LogError)?
        /// The partitions without a leader, and when each topic was first seen with some.
        var leaderless: [String: (fault: PipelineFault, since: Duration)] = [:]
        /// The time until which leases say nothing: renewals that were written meanwhile have to be read first.
        var leasesCountFrom: Duration = .zero
    }

    private let topics: Topics
    private let leases: @Sendable () -> [PipelineFault]
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())
    private let gauges: [(kind: PipelineFault.Kind, gauge: any MeterHandler)]

    /// The interval between two questions to the brokers, and while something is wrong with their answers.
    package static let interval: Duration = .seconds(10), urgentInterval: Duration = .seconds(1)
    /// The maximum time that a question waits for its answer.
    package static let timeout: Duration = .seconds(1)
    /// How long brokers must not answer, or a partition must have no leader, until that is a fault: an election is none.
    package static let patience: Duration = .seconds(3)
    /// How long leases say nothing after a silence of the brokers, or of this process: until each process has renewed
    /// its lease.
    package static let renewal: Duration = .milliseconds(WorkerLease.renewal) + .seconds(1)

    /// - Parameters:
    ///   - metrics: Gets the number of faults of each kind.
    ///   - elapsed: Returns the time of a clock that is never set.
    ///   - leases: Returns the faults that the leases show.
    package init(
        _ topics: Topics, metrics: (any MetricsFactory)?, elapsed: @escaping @Sendable () -> Duration,
        leases: @escaping @Sendable () -> [PipelineFault]
    ) {
        (self.topics, self.leases, self.elapsed) = (topics, leases, elapsed)
        let metric = PipelineMetric.faults
        gauges = PipelineFault.Kind.allCases.compactMap { kind in
            metrics.map { (kind, $0.makeMeter(label: metric.name, dimensions: [("kind", kind.rawValue)])) }
        }
    }

    /// Watches with a clock that begins now.
    package convenience init(
        _ topics: Topics, metrics: (any MetricsFactory)?, leases: @escaping @Sendable () -> [PipelineFault]
    ) {
        let start = ContinuousClock.now
        self.init(topics, metrics: metrics, elapsed: { start.duration(to: .now) }, leases: leases)
    }

    /// Asks the brokers if that is due, and publishes the number of faults. Called about once a second, by a thread that
    /// may wait for ``timeout``.
    ///
    /// - Returns: The present faults.
    package func step(_ client: any LogClient) -> [PipelineFault] {
        let now = elapsed()
        let isDue = state.withLock { state in
            // This process was stopped, and has renewals to read.
            if let stepped = state.stepped, now - stepped >= .milliseconds(WorkerLease.renewal) {
                state.leasesCountFrom = now + Self.renewal
            }
            state.stepped = now
            return state.nextQuestion <= now
        }
        if isDue { ask(client, at: now) }
        let counts = state.withLock { $0.silence == nil && $0.leasesCountFrom <= now }
        let ofLeases = counts ? leases() : []
        let faults = state.withLock { $0.faults(at: now, ofLeases) }
        for (kind, gauge) in gauges { gauge.set(Int64(faults.count { $0.kind == kind })) }
        return faults
    }

    private func ask(_ client: any LogClient, at now: Duration) {
        let answer = Result { () throws(LogError) in try client.topics(timeout: Self.timeout) }
        state.withLock { state in
            switch answer {
            case .success(let existing):
                if state.silence != nil { state.leasesCountFrom = elapsed() + Self.renewal }
                state.silence = nil
                let before = state.leaderless
                state.leaderless = PipelineFault.leaderless(existing, topics).mapValues { ($0, now) }
                for (topic, known) in before { state.leaderless[topic]?.since = known.since }
            case .failure(let error): state.silence = (state.silence?.since ?? now, error)
            }
            let isUrgent = state.silence != nil || !state.leaderless.isEmpty
            state.nextQuestion = now + (isUrgent ? Self.urgentInterval : Self.interval)
        }
    }
}

extension FaultWatch.State {
    fileprivate func faults(at now: Duration, _ leases: [PipelineFault]) -> [PipelineFault] {
        if let silence {
            let duration = now - silence.since
            return duration < FaultWatch.patience ? [] : [.brokerUnreachable(for: duration, silence.error)]
        }
        return leaderless.values.filter { now - $0.since >= FaultWatch.patience }.map(\.fault).sorted {
            $0.message < $1.message
        } + leases
    }
}

extension PipelineFault {
    /// The partitions of the pipeline's topics that no broker leads, by topic.
    package static func leaderless(_ existing: [TopicDescription], _ topics: Topics) -> [String: PipelineFault] {
        let lacking = existing.filter { topics.all.contains($0.name) && !$0.leaderless.isEmpty }
        return Dictionary(lacking.map { ($0.name, leaderless($0)) }) { $1 }
    }

    private static func leaderless(_ topic: TopicDescription) -> PipelineFault {
        let numbers = topic.leaderless.prefix(10).map { "\($0)" }.joined(separator: ", ")
        return PipelineFault(
            .partitionWithoutLeader,
            "no broker leads \(topic.leaderless.count) of \(topic.partitions) partitions of \(topic.name) (\(numbers)): what is written there waits",
            advice: "start the brokers that have them: 'kafka-topics.sh --describe --unavailable-partitions' names them"
        )
    }

    fileprivate static func brokerUnreachable(for silence: Duration, _ error: LogError) -> PipelineFault {
        PipelineFault(
            .brokerUnreachable, "Kafka has not answered for \(silence.components.seconds) s: \(error.message)",
            advice: "look at the brokers and the network; everything goes on when Kafka answers again")
    }
}
