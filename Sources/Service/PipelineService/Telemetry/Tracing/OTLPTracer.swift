import Conversation
package import Pipeline
import Synchronization
package import Tracing

/// A tracer for swift-distributed-tracing. It passes ended spans to a ``SpanRecorder``, and propagates contexts in
/// W3C's headers.
package final class OTLPTracer: Tracer {
    private let recorder: any SpanRecorder

    package init(_ recorder: any SpanRecorder) { self.recorder = recorder }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> OTLPSpan {
        var context = context()
        let parent = context[SpanContextKey.self]
        var own: SpanContext
        if let parent {
            own = parent
        } else if let work = WorkContext.current {
            // The call of the handler is not recorded, so the handler's own spans are not recorded either.
            let (high, low, _) = recorder.newTrace()
            let sender = work.trace.flatMap { SpanContext($0) }
            own = SpanContext(
                traceHigh: sender?.traceHigh ?? high, traceLow: sender?.traceLow ?? low, span: 0, isSampled: false,
                state: work.trace?.state
            )
        } else {
            let (high, low, isSampled) = recorder.newTrace()
            own = SpanContext(traceHigh: high, traceLow: low, span: 0, isSampled: isSampled)
        }
        own.span = UInt64.random(in: 1 ... .max)
        context[SpanContextKey.self] = own
        return OTLPSpan(
            own, parent: parent?.span, context, operationName, kind, start: instant().nanosecondsSinceEpoch, recorder)
    }

    package func activeSpan(identifiedBy context: InstrumentationContext) -> OTLPSpan? { nil }

    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        let state = extractor.extract(key: "tracestate", from: carrier)
        guard var span = SpanContext(traceparent: parent, state: state) else { return }
        span.isSampled = recorder.isRecorded(span)
        context[SpanContextKey.self] = span
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    )
    where Inject.Carrier == Carrier {
        guard let span = context[SpanContextKey.self] else { return }
        injector.inject(span.traceparent, forKey: "traceparent", into: &carrier)
        if let state = span.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
    }
}

/// The key of a task's current span.
package enum SpanContextKey: InstrumentationContextKey {
    package typealias Value = SpanContext
}

/// A span of ``OTLPTracer``.
package final class OTLPSpan: Tracing.Span {
    private struct State {
        var span: FinishedSpan
        var attributes: SpanAttributes = [:]
        var hasEnded = false
    }

    package let context: InstrumentationContext
    private let recorder: any SpanRecorder
    private let state: Mutex<State>
    private let isSampled: Bool

    init(
        _ own: SpanContext, parent: UInt64?, _ context: InstrumentationContext, _ name: String, _ kind: SpanKind,
        start: UInt64,
        _ recorder: any SpanRecorder
    ) {
        self.context = context
        self.recorder = recorder
        isSampled = own.isSampled
        state = Mutex(
            State(span: FinishedSpan(own, parent: parent, name, FinishedSpan.Kind(kind), start: start, end: start)))
    }

    package var isRecording: Bool { isSampled && state.withLock { !$0.hasEnded } }

    package var operationName: String {
        get { state.withLock { $0.span.name } }
        set { state.withLock { $0.span.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { if isSampled { state.withLock { $0.attributes = newValue } } }
    }

    package func setStatus(_ status: SpanStatus) {
        state.withLock { $0.span.error = status.code == .error ? status.message ?? "" : nil }
    }

    package func addEvent(_ event: SpanEvent) {
        guard isSampled else { return }
        let event = FinishedSpan.Event(
            name: event.name, nanoseconds: event.nanosecondsSinceEpoch, attributes: event.attributes.values)
        state.withLock { $0.span.events.append(event) }
    }

    /// Records only the type of the error, because its description may contain a person's words.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        guard isSampled else { return }
        var values = attributes.values
        values["exception.type"] = .text(String(reflecting: type(of: error)))
        let event = FinishedSpan.Event(
            name: "exception", nanoseconds: instant().nanosecondsSinceEpoch, attributes: values)
        state.withLock { $0.span.events.append(event) }
    }

    package func addLink(_ link: SpanLink) {
        guard isSampled, let linked = link.context[SpanContextKey.self] else { return }
        state.withLock { $0.span.links.append(linked) }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard isSampled else { return }
        let end = instant().nanosecondsSinceEpoch
        let ended = state.withLock { state -> FinishedSpan? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            state.span.end = end
            state.span.attributes = state.attributes.values
            return state.span
        }
        if let ended { recorder.record(ended) }
    }
}

extension FinishedSpan.Kind {
    fileprivate init(_ kind: SpanKind) {
        switch kind {
        case .server: self = .server
        case .client: self = .client
        case .producer: self = .producer
        case .consumer: self = .consumer
        case .internal: self = .internal
        }
    }
}

extension SpanAttributes {
    fileprivate var values: [String: FinishedSpan.Value] {
        var values: [String: FinishedSpan.Value] = [:]
        forEach { name, attribute in values[name] = attribute.value }
        return values
    }
}

extension SpanAttribute {
    fileprivate var value: FinishedSpan.Value? {
        switch self {
        case .string(let text): .text(text)
        case .int32(let number): .number(Int(number))
        case .int64(let number): .number(Int(number))
        case .double(let number): .real(number)
        case .bool(let bool): .bool(bool)
        case .stringConvertible(let value): .text(value.description)
        case .stringArray(let values): .list(values.map { .text($0) })
        case .int32Array(let values): .list(values.map { .number(Int($0)) })
        case .int64Array(let values): .list(values.map { .number(Int($0)) })
        case .doubleArray(let values): .list(values.map { .real($0) })
        case .boolArray(let values): .list(values.map { .bool($0) })
        case .stringConvertibleArray(let values): .list(values.map { .text($0.description) })
        default: nil
        }
    }
}
