import Conversation
public import CoreMetrics
import IntentModel
import RecordLog

/// What a worker tells a metrics backend. The worker's thread uses it.
public final class WorkerMetrics {
    private var handlers: MetricSeries<StageKey, DurationRecorder>
    private var figures: PublishedFigures

    public init(_ factory: any MetricsFactory) {
        handlers = MetricSeries(durations: .handlerDuration, factory)
        figures = PublishedFigures(factory)
    }

    /// A handler has returned.
    func returned(_ job: Job, _ content: Outcome.Content, inApp: Bool, at now: Instant) {
        guard let began = job.began else { return }
        let intent = job.item.intent
        let key = StageKey(intent: intent, phase: job.item.phase, isInApp: inApp, step: EndedStep(content))
        let recorder = handlers[key, { content.isUnsupported ? nil : key.labels(intent.text) }]
        recorder.record(milliseconds: max(0, now.milliseconds(since: began)), trace: job.trace)
    }

    /// Passes on what has changed since the last call. Call it about once a second.
    public func publish(_ worker: Worker) {
        let (counters, configuration) = (worker.counters, worker.configuration)
        let stage = MetricLabels(worker.stage)
        figures.set(.handlersRunning, stage, to: worker.runningHandlers)
        figures.set(.workWaiting, stage, to: worker.queue.waiting)
        figures.count(.workExpired, stage, total: counters.expired)
        figures.count(.handlersOverdue, stage, total: counters.overdue)
        figures.count(.handlersAbandoned, stage, total: counters.abandoned)
        figures.publish(counters.deadLetters, configuration.role)
        for (topic, count) in counters.unreadableBatches {
            figures.count(.unreadableBatches, MetricLabels(topic), total: count)
        }
        figures.publish(
            counters.rebalances, owned: worker.partitions.trackers.count, of: configuration.partitions,
            configuration.role)
        figures.publish(consumed: counters.consumed, produced: counters.produced)
        figures.set(.queued, MetricLabels(configuration.role), to: worker.client.unwritten + worker.outbound.backlog)
        let positions = worker.partitions.trackers.map { (TopicPartition(configuration.topic, $0), $1.next) }
        figures.publish(lag: Dictionary(uniqueKeysWithValues: positions), worker.client)
    }
}

extension Outcome.Content {
    /// The worker does not serve the intent, so its name may be any text.
    fileprivate var isUnsupported: Bool {
        if case .finished(.failed(let failure)) = self { failure.reason == .unsupported } else { false }
    }
}
