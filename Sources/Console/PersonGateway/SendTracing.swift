import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Tracing

/// Traces the events that a gateway writes, with one span each. The span is part of the caller's trace or begins a new
/// one, and the pipeline's spans are part of the same trace.
struct SendTracing: Sendable {
    let tracer: any Tracer

    /// - Parameter topic: The topic of the event.
    func begin(_ said: inout SaidEvent, to topic: String) -> any Span {
        var context = InstrumentationContext.topLevel
        tracer.extract(said.trace, into: &context, using: TraceHeaders())
        let span = tracer.startSpan("send \(topic)", context: context, ofKind: .producer, at: DefaultTracerClock.now)
        tracer.inject(span.context, into: &said.trace, using: TraceHeaders())
        span.updateAttributes { attributes in
            attributes["messaging.system"] = "kafka"
            attributes["messaging.operation.name"] = "send"
            attributes["messaging.operation.type"] = "send"
            attributes["messaging.destination.name"] = topic
            attributes["messaging.message.conversation_id"] = said.session.text
            attributes["messaging.message.id"] = said.id.text
            attributes["intents.event"] = said.type.rawValue
        }
        return span
    }

    /// - Parameter place: The place of the event; `nil` if Kafka has not acknowledged it.
    static func end(_ span: any Span, _ place: LogPosition?) {
        if let place {
            span.updateAttributes { attributes in
                attributes["messaging.destination.partition.id"] = "\(place.partition)"
                attributes["messaging.kafka.offset"] = Int(place.offset)
            }
        } else {
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }
}

/// The W3C trace headers of an event.
private struct TraceHeaders: Extractor, Injector {
    func extract(key: String, from trace: TraceContext?) -> String? { trace[header: key] }
    func inject(_ value: String, forKey key: String, into trace: inout TraceContext?) { trace[header: key] = value }
}
