import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Tracing

/// The spans of a gateway: one for each event that it writes. It is a part of the caller's trace, or begins one, and what the pipeline does is a part of it.
struct SendTracing: Sendable {
    let tracer: any Tracer

    /// - Parameter topic: where the event goes.
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

    /// - Parameter place: where the event is; `nil` if Kafka has not taken it.
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

/// W3C's headers, as an event has them.
private struct TraceHeaders: Extractor, Injector {
    func extract(key: String, from trace: TraceContext?) -> String? { trace[header: key] }
    func inject(_ value: String, forKey key: String, into trace: inout TraceContext?) { trace[header: key] = value }
}
