package import CoreMetrics
package import Logging
package import Pipeline
import Synchronization

/// The metrics of this process for Prometheus: a backend of swift-metrics.
///
/// A name gets the suffixes that Prometheus expects (`_total`, `_seconds`), and characters that Prometheus does not
/// allow become `_`. Handlers with the same name and labels share one series. A name that is in use for another kind of
/// metric is logged, and its recorded values are dropped.
package final class PrometheusRegistry: MetricsFactory {
    /// A sample that is computed on each scrape.
    package struct Sample: Sendable {
        package var labels: [(String, String)]
        package var value: Double

        package init(_ value: Double, _ labels: [(String, String)] = []) { (self.labels, self.value) = (labels, value) }
    }

    private struct Collector: Sendable {
        var name: String
        var kind: PrometheusFamily.Kind
        var help: String
        var samples: @Sendable () -> [Sample]
    }

    private struct State {
        var families: [String: PrometheusFamily] = [:]
        var collectors: [Collector] = []
        var conflicts: Set<String> = []
    }

    private let described: [String: PipelineMetric]
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter described: The metrics with known help and buckets.
    package init(described: [PipelineMetric], logger: Logger) {
        self.described = Dictionary(described.map { ($0.name, $0) }) { first, _ in first }
        self.logger = logger
    }

    /// Adds a metric whose samples are computed on each scrape.
    package func collect(
        _ name: String, _ kind: PrometheusFamily.Kind, _ help: String, _ samples: @escaping @Sendable () -> [Sample]
    ) {
        state.withLock { $0.collectors.append(Collector(name: name, kind: kind, help: help, samples: samples)) }
    }

    /// Returns all metrics in a text format of Prometheus.
    package func text(_ format: PrometheusText.Format) -> String {
        let (families, collectors) = state.withLock { (Array($0.families.values), $0.collectors) }
        var all = families
        for collector in collectors {
            var family = PrometheusFamily(name: collector.name, kind: collector.kind, help: collector.help)
            for sample in collector.samples() {
                let labels = PrometheusText.labels(sample.labels)
                family.series[labels] = PrometheusNumber(sample.value)
            }
            all.append(family)
        }
        return PrometheusText.text(all.sorted { $0.name < $1.name }, format)
    }

    // MARK: The factory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(PrometheusText.name(label, suffix: "_total"), .counter, dimensions) { _ in PrometheusNumber() }
    }

    package func makeFloatingPointCounter(label: String, dimensions: [(String, String)])
        -> any FloatingPointCounterHandler
    {
        series(PrometheusText.name(label, suffix: "_total"), .counter, dimensions) { _ in PrometheusNumber() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(PrometheusText.name(label), .gauge, dimensions) { _ in PrometheusNumber() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let name = PrometheusText.name(label)
        guard aggregate else { return series(name, .gauge, dimensions) { _ in PrometheusNumber() } }
        return series(name, .histogram, dimensions) {
            PrometheusHistogram(buckets: $0 ?? PrometheusHistogram.amounts, unit: 1)
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(PrometheusText.name(label, suffix: "_seconds"), .histogram, dimensions) {
            PrometheusHistogram(buckets: $0 ?? PipelineMetric.durationBuckets, unit: 1e9)
        }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func series<Series: PrometheusSeries>(
        _ name: String, _ kind: PrometheusFamily.Kind, _ dimensions: [(String, String)], _ make: ([Double]?) -> Series
    ) -> Series {
        let labels = PrometheusText.labels(dimensions)
        let metric = described[name]
        let (found, isNewConflict) = state.withLock { state -> (Series?, Bool) in
            var family = state.families[name] ?? PrometheusFamily(name: name, kind: kind, help: metric?.help ?? "")
            if let known = family.series[labels] as? Series, family.kind == kind { return (known, false) }
            guard family.kind == kind, family.series[labels] == nil else {
                return (nil, state.conflicts.insert(name).inserted)
            }
            let new = make(metric?.buckets)
            family.series[labels] = new
            state.families[name] = family
            return (new, false)
        }
        if let found { return found }
        if isNewConflict {
            logger.error(
                "a metric's name is in use for another kind of metric; its values are dropped",
                metadata: ["metric": "\(name)"])
        }
        return make(metric?.buckets)
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                guard let labels = family.series.first(where: { $0.value === handler })?.key else { continue }
                state.families[name]?.series[labels] = nil
            }
        }
    }
}
