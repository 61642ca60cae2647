import CoreMetrics
import IntentEvents
import IntentModel
import RecordLog

/// Figures that a loop has anyway, passed on now and then: counts as what was added since, and what is the case as it is.
struct PublishedFigures {
    private struct Key: Hashable {
        var metric: String
        var labels: MetricLabels
    }

    private let factory: any MetricsFactory
    private var counts: [Key: (handler: any CounterHandler, last: Int)] = [:]
    private var gauges: [Key: any MeterHandler] = [:]

    init(_ factory: any MetricsFactory) { self.factory = factory }

    /// - Parameter total: since the beginning.
    mutating func count(_ metric: PipelineMetric, _ labels: MetricLabels = MetricLabels(), total: Int) {
        let key = Key(metric: metric.name, labels: labels)
        // Also with 0: a series that begins with its first event would hide it, because a rate needs what was before.
        var known =
            counts[key] ?? (factory.makeCounter(label: metric.name, dimensions: labels.dimensions(of: metric)), 0)
        if total > known.last { known.handler.increment(by: Int64(total - known.last)) }
        known.last = total
        counts[key] = known
    }

    mutating func set(_ metric: PipelineMetric, _ labels: MetricLabels = MetricLabels(), to value: Int) {
        let key = Key(metric: metric.name, labels: labels)
        let handler = gauges[key] ?? factory.makeMeter(label: metric.name, dimensions: labels.dimensions(of: metric))
        gauges[key] = handler
        handler.set(Int64(value))
    }

    /// - Parameters:
    ///   - owned: how many partitions this process has.
    ///   - all: how many there are; `nil` if that is not known.
    mutating func publish(_ rebalances: RebalanceCounts, owned: Int, of all: Int32?, _ role: String) {
        count(.rebalances, MetricLabels(role, "assigned"), total: rebalances.assigned)
        count(.rebalances, MetricLabels(role, "revoked"), total: rebalances.revoked)
        count(.rebalances, MetricLabels(role, "lost"), total: rebalances.lost)
        set(.partitionsOwned, MetricLabels(role), to: owned)
        if let all { set(.partitions, to: Int(all)) }
    }

    /// Counts each reason from the beginning. An alert would not notice the first dead letter of a series that begins with it.
    mutating func publish(_ deadLetters: DeadLetterCounts, _ stage: String) {
        for reason in RejectionReason.allCases {
            count(.deadLetters, MetricLabels(stage, reason.rawValue), total: deadLetters.byReason[reason] ?? 0)
        }
        count(.deadLettersLost, MetricLabels(stage), total: deadLetters.lost)
        count(.deadLettersSpared, MetricLabels(stage), total: deadLetters.spared)
    }

    mutating func publish(consumed: EventCounts, produced: EventCounts) {
        for count in consumed.all {
            self.count(.consumed, MetricLabels(count.topic, count.type.rawValue), total: count.count)
        }
        for count in produced.all {
            self.count(.produced, MetricLabels(count.topic, count.type.rawValue), total: count.count)
        }
    }

    /// - Parameter positions: the next record of each partition that this process reads. Others have no lag here any more.
    mutating func publish(lag positions: [TopicPartition: Int64], _ client: any LogClient) {
        publish(
            .consumerLag,
            positions.compactMap { partition, next in
                client.knownEnd(of: partition).map { (partition, Int(max(0, $0 - next))) }
            })
    }

    /// Sets a gauge of partitions. Others have no value here any more.
    mutating func publish(_ metric: PipelineMetric, _ values: [(partition: TopicPartition, value: Int)]) {
        var current: Set<Key> = []
        for (partition, value) in values {
            let labels = MetricLabels(partition.topic, String(partition.partition))
            current.insert(Key(metric: metric.name, labels: labels))
            set(metric, labels, to: value)
        }
        for (key, handler) in gauges where key.metric == metric.name && !current.contains(key) {
            factory.destroyMeter(handler)
            gauges[key] = nil
        }
    }
}
