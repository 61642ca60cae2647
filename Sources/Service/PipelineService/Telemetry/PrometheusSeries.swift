package import Conversation
import CoreMetrics
import Pipeline
import Synchronization

/// The samples of one metric with the same labels.
package protocol PrometheusSeries: AnyObject, Sendable {
    /// Appends the samples in Prometheus's text format.
    ///
    /// - Parameter labels: The labels without braces; empty if there are none.
    func write(_ name: String, _ labels: String, _ format: PrometheusText.Format, to text: inout String)
}

/// One metric, with all series of its name.
package struct PrometheusFamily: Sendable {
    package enum Kind: String, Sendable { case counter, gauge, histogram, info }

    package var name: String
    package var kind: Kind
    package var help: String
    /// The series by their labels in the text format.
    package var series: [String: any PrometheusSeries] = [:]
}

/// A counter or a gauge.
package final class PrometheusNumber: PrometheusSeries, CounterHandler, FloatingPointCounterHandler, MeterHandler,
    RecorderHandler
{
    private let bits: Atomic<UInt64>

    package init(_ value: Double = 0) { bits = Atomic(value.bitPattern) }

    package var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    private func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (done, seen) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if done { return }
            old = seen
        }
    }

    package func increment(by amount: Int64) { add(Double(amount)) }
    package func increment(by amount: Double) { add(amount) }
    package func decrement(by amount: Double) { add(-amount) }
    package func set(_ value: Int64) { set(Double(value)) }
    package func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    package func record(_ value: Int64) { set(Double(value)) }
    package func record(_ value: Double) { set(value) }
    package func reset() { set(0 as Double) }

    package func write(_ name: String, _ labels: String, _ format: PrometheusText.Format, to text: inout String) {
        text += name + PrometheusText.braced(labels) + " " + PrometheusText.number(value) + "\n"
    }
}

/// A histogram: for each bound, the number of values up to the bound.
package final class PrometheusHistogram: PrometheusSeries, TimerWithExemplars, RecorderHandler {
    /// The bounds of recorders whose metric declares no buckets.
    static let amounts: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000]

    private struct Exemplar {
        var traceID: String
        var value: Double
    }

    private struct State {
        /// The number of values in each bucket. The last bucket has the values above the last bound.
        var counts: [UInt64]
        var sum = 0.0
        var exemplars: [Exemplar?]
    }

    private let bounds: [Double]
    /// The divisor from recorded to reported values, such as 1e9 for nanoseconds that are reported as seconds.
    private let unit: Double
    private let state: Mutex<State>

    init(buckets: [Double], unit: Double) {
        bounds = buckets
        self.unit = unit
        state = Mutex(
            State(
                counts: Array(repeating: 0, count: buckets.count + 1),
                exemplars: Array(repeating: nil, count: buckets.count + 1)))
    }

    private func add(_ value: Double, _ trace: TraceContext?) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        let traceID = trace.flatMap { SpanContext($0) }.flatMap { $0.isSampled ? $0.traceID : nil }
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
            if let traceID { state.exemplars[index] = Exemplar(traceID: traceID, value: value) }
        }
    }

    package func recordNanoseconds(_ duration: Int64) { add(Double(duration) / unit, nil) }
    package func recordNanoseconds(_ duration: Int64, trace: TraceContext) { add(Double(duration) / unit, trace) }
    package func record(_ value: Int64) { add(Double(value) / unit, nil) }
    package func record(_ value: Double) { add(value / unit, nil) }

    package func write(_ name: String, _ labels: String, _ format: PrometheusText.Format, to text: inout String) {
        let (counts, sum, exemplars) = state.withLock { ($0.counts, $0.sum, $0.exemplars) }
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? PrometheusText.number(bounds[index]) : "+Inf"
            let all = labels.isEmpty ? "le=\"\(bound)\"" : "\(labels),le=\"\(bound)\""
            text += "\(name)_bucket{\(all)} \(total)"
            if format == .openMetrics, let exemplar = exemplars[index] {
                text += " # {trace_id=\"\(exemplar.traceID)\"} \(PrometheusText.number(exemplar.value))"
            }
            text += "\n"
        }
        text += "\(name)_sum\(PrometheusText.braced(labels)) \(PrometheusText.number(sum))\n"
        text += "\(name)_count\(PrometheusText.braced(labels)) \(total)\n"
    }
}
