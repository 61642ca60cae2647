package import Pipeline
import Synchronization

/// Queues finished spans until they are exported. Spans that exceed the limit are dropped and counted: recording never
/// waits for a collector.
package final class SpanQueue: SpanRecorder {
    private struct State {
        var spans: [FinishedSpan] = []
        var dropped = 0
        var wake: (@Sendable () -> Void)?
    }

    private let maximum: Int
    private let batch: Int
    private let ratio: Double
    package let followsSender: Bool
    private let state = Mutex(State())

    package init(_ configuration: OTLPConfiguration) {
        (maximum, batch) = (configuration.maximumQueue, configuration.maximumBatch)
        (ratio, followsSender) = (configuration.ratio, configuration.followsSender)
    }

    package func record(_ span: FinishedSpan) {
        guard span.context.isSampled else { return }
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            guard state.spans.count < maximum else {
                state.dropped += 1
                return nil
            }
            state.spans.append(span)
            guard state.spans.count == batch else { return nil }
            defer { state.wake = nil }
            return state.wake
        }
        wake?()
    }

    package func newTrace() -> (high: UInt64, low: UInt64, isSampled: Bool) {
        if ratio <= 0 { return (1, 1, false) }
        let (high, low) = (UInt64.random(in: 1 ... .max), UInt64.random(in: 1 ... .max))
        return (high, low, isSampled(low))
    }

    package func isRecorded(_ context: SpanContext) -> Bool {
        followsSender ? context.isSampled : isSampled(context.traceLow)
    }

    /// OpenTelemetry's TraceIdRatioBased: the decision depends on the lower half of the id, so all processes with the
    /// same ratio agree.
    private func isSampled(_ low: UInt64) -> Bool { ratio >= 1 || Double(low >> 1) < ratio * 0x1p63 }

    /// The number of dropped spans since the start.
    package var dropped: Int { state.withLock { $0.dropped } }

    func countDropped(_ count: Int) { state.withLock { $0.dropped += count } }

    /// Removes and returns the oldest spans, at most one batch.
    func removeBatch() -> [FinishedSpan] {
        state.withLock { state in
            let removed = Array(state.spans.prefix(batch))
            state.spans.removeFirst(removed.count)
            return removed
        }
    }

    /// Calls `wake` once, as soon as there is a whole batch.
    func onBatch(_ wake: @escaping @Sendable () -> Void) {
        let isFull = state.withLock { state in
            let isFull = state.spans.count >= batch
            state.wake = isFull ? nil : wake
            return isFull
        }
        if isFull { wake() }
    }
}
