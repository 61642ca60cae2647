import Conversation
import IntentModel
import RecordLog
import Tracing

/// The spans of a worker: one for each call of a handler. They are a part of the span that the work names, and they link to it.
struct WorkerTracing {
    private let tracer: any Tracer
    private let configuration: WorkerConfiguration

    init(_ tracer: any Tracer, _ configuration: WorkerConfiguration) {
        (self.tracer, self.configuration) = (tracer, configuration)
    }

    /// Begins the span of a call, if its work came in a trace that is recorded. What the handler traces, and what it calls, becomes a part of it.
    func begin(_ job: Job) {
        guard let trace = job.item.trace, trace.isRecorded else { return }
        var context = InstrumentationContext.topLevel
        tracer.extract(trace, into: &context, using: TraceHeaders())
        let span = tracer.startSpan(
            "process \(configuration.topic)", context: context, ofKind: .consumer, at: DefaultTracerClock.now)
        span.addLink(SpanLink(context: context, attributes: [:]))
        span.updateAttributes { attributes in
            attributes["messaging.system"] = "kafka"
            attributes["messaging.operation.name"] = "process"
            attributes["messaging.operation.type"] = "process"
            attributes["messaging.destination.name"] = configuration.topic
            attributes["messaging.destination.partition.id"] = "\(job.partition)"
            attributes["messaging.kafka.offset"] = Int(job.offset)
            attributes["messaging.consumer.group.name"] = configuration.group.id
            attributes["messaging.message.conversation_id"] = job.session.text
            attributes["intents.intent"] = job.item.intent.text
            attributes["intents.attempt"] = job.item.attempt
        }
        job.span = span
        var own: TraceContext? = trace
        tracer.inject(span.context, into: &own, using: TraceHeaders())
        job.trace = own
    }

    /// The handler has returned.
    func end(_ job: Job, _ content: Outcome.Content) {
        guard let span = job.span else { return }
        job.span = nil
        let step = EndedStep(content)
        span.updateAttributes { $0["intents.outcome"] = step.rawValue }
        if step == .failure { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

/// W3C's headers, as work has them.
private struct TraceHeaders: Extractor, Injector {
    func extract(key: String, from trace: TraceContext?) -> String? { trace[header: key] }
    func inject(_ value: String, forKey key: String, into trace: inout TraceContext?) { trace[header: key] = value }
}
