import Conversation
public import CoreMetrics
import IntentEvents
import IntentModel
import RecordLog

/// What a coordinator tells a metrics backend. The coordinator's thread uses it.
public final class CoordinatorMetrics {
    /// By phase: those of one request follow one another.
    private var stages: [MetricSeries<StageKey, DurationRecorder>]
    private var runs: MetricSeries<MetricLabels, DurationRecorder>
    private var waits: MetricSeries<Prompt.Kind, DurationRecorder>
    private var restores: MetricSeries<Bool, DurationRecorder>
    private var turns: MetricSeries<Identifier, any RecorderHandler>
    private var results: MetricSeries<MetricLabels, any CounterHandler>
    private var prompts: MetricSeries<Prompt.Kind, any CounterHandler>
    private var retries: MetricSeries<MetricLabels, any CounterHandler>
    private var figures: PublishedFigures

    public init(_ factory: any MetricsFactory) {
        stages = Phase.allCases.map { _ in MetricSeries(durations: .stageDuration, factory) }
        runs = MetricSeries(durations: .runDuration, factory)
        waits = MetricSeries(durations: .promptWait, factory)
        restores = MetricSeries(durations: .restore, factory)
        turns = MetricSeries(amounts: .runTurns, factory)
        results = MetricSeries(counts: .results, factory)
        prompts = MetricSeries(counts: .prompts, factory)
        retries = MetricSeries(counts: .retries, factory)
        figures = PublishedFigures(factory)
    }

    func retried(_ step: ObservedStep, _ reason: RejectionReason) {
        guard let phase = step.phase else { return }
        retries[MetricLabels(phase.label(inApp: step.isInApp), reason.rawValue)].increment(by: 1)
    }

    func ended(_ end: EndedStep, _ step: ObservedStep, _ catalogue: CatalogueFollower?, at now: Instant) {
        guard let milliseconds = step.times.inStep(at: now) else { return }
        if let phase = step.phase {
            let key = StageKey(intent: step.intent, phase: phase, isInApp: step.isInApp, step: end)
            let recorder = stages[phase.index][
                key, { Self.label(step.intent, catalogue).map { key.labels($0) } },
                shared: key.labels(PipelineMetric.other)]
            recorder.record(milliseconds: milliseconds, trace: step.trace)
        } else if let prompt = step.prompt, end == .answered {
            // Silence says how long the limit is, not how long people take.
            waits[prompt, { MetricLabels(prompt.rawValue) }].record(milliseconds: milliseconds, trace: step.trace)
        }
    }

    func prompted(_ kind: Prompt.Kind) { prompts[kind, { MetricLabels(kind.rawValue) }].increment(by: 1) }

    /// - Parameter step: where the request was, if the session has worked on it.
    func completed(_ completion: Completion, _ step: ObservedStep?, _ catalogue: CatalogueFollower?, at now: Instant) {
        let (intent, status, code) = (completion.intent, completion.status.rawValue, completion.code.rawValue)
        results[
            MetricLabels(intent.text, status, code),
            { Self.label(intent, catalogue).map { MetricLabels($0, status, code) } },
            shared: MetricLabels(PipelineMetric.other, status, code)
        ].increment(by: 1)
        guard let step else { return }
        if let milliseconds = step.times.working(at: now, waits: step.waitsForPerson) {
            let recorder = runs[
                MetricLabels(intent.text, code), { Self.label(intent, catalogue).map { MetricLabels($0, code) } },
                shared: MetricLabels(PipelineMetric.other, code)]
            recorder.record(milliseconds: milliseconds, trace: step.trace)
        }
        turns[intent, { Self.label(intent, catalogue).map { MetricLabels($0) } }].record(Int64(completion.turns))
    }

    private static func label(_ intent: Identifier, _ catalogue: CatalogueFollower?) -> String? {
        guard let catalogue else { return intent.text }
        return catalogue.label(intent)
    }

    func restored(milliseconds: Int64) {
        restores[true, { MetricLabels() }].record(milliseconds: milliseconds, trace: nil)
    }

    /// Passes on what has changed since the last call. Call it about once a second.
    public func publish(_ coordinator: Coordinator) {
        let counters = coordinator.counters
        figures.count(.decisions, total: counters.decisions)
        for (reason, count) in counters.ignored { figures.count(.ignored, MetricLabels(reason.rawValue), total: count) }
        for (reason, count) in counters.refused { figures.count(.refused, MetricLabels(reason.rawValue), total: count) }
        figures.publish(counters.deadLetters, "coordinator")
        for (topic, count) in coordinator.unreadableBatches {
            figures.count(.unreadableBatches, MetricLabels(topic), total: count)
        }
        for (refused, count) in counters.refusedRecords {
            figures.count(.recordsRefused, MetricLabels(refused.topic, refused.code.rawValue), total: count)
        }
        figures.count(.takeovers, total: counters.takeovers.all)
        figures.count(.journalGaps, total: counters.gaps)
        figures.count(.inputLost, total: counters.inputLost)
        figures.set(.openSessions, to: coordinator.openSessions)
        figures.set(.forgottenSessions, to: coordinator.forgottenSessions)
        figures.set(.journalInFlight, to: coordinator.inOrder.reduce(0) { $0 + $1.journal.inFlight })
        figures.set(.journalInFlightBytes, to: coordinator.inFlightBytes)
        figures.set(.stopped, to: coordinator.stoppedPartitions.count)
        figures.publish(
            counters.rebalances, owned: coordinator.ownedPartitions.count, of: coordinator.configuration.partitions,
            "coordinator")
        figures.publish(consumed: counters.consumed, produced: counters.produced)
        figures.set(
            .queued, MetricLabels("coordinator"), to: coordinator.client.unwritten + coordinator.outbound.backlog)
        let positions = coordinator.positions
        figures.publish(lag: positions, coordinator.client)
        let (withheld, now) = (coordinator.withheldSince, coordinator.now)
        figures.publish(
            .inputWithheld, positions.keys.map { ($0, Int(now.milliseconds(since: withheld[$0] ?? now) / 1_000)) })
    }
}

extension CatalogueFollower {
    /// The name to count an intent under; `nil` if it has no series of its own. Anyone may request an intent of any name, so it is one that the workers serve.
    fileprivate func label(_ intent: Identifier) -> String? {
        // Until the catalogue is read, it says of none that it is not served.
        guard isReady, case .served = answer(for: intent) else { return nil }
        return intent.text
    }
}
