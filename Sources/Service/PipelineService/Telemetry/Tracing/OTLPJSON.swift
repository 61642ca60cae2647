import IntentModel
import Pipeline

/// Encodes spans as OTLP's JSON: the body of a request to `/v1/traces`.
enum OTLPJSON {
    static func body(_ spans: [FinishedSpan], resource: [(String, String)], version: String) -> [UInt8] {
        var writer = JSONWriter(reserving: 1_024 * spans.count + 512)
        writer.beginObject()
        writer.name("resourceSpans")
        writer.beginArray()
        writer.beginObject()
        writer.name("resource")
        writer.beginObject()
        writer.attributes(resource.map { ($0.0, .text($0.1)) })
        writer.endObject()
        writer.name("scopeSpans")
        writer.beginArray()
        writer.beginObject()
        writer.name("scope")
        writer.beginObject()
        writer.member("name", "IntentPipeline")
        writer.member("version", version)
        writer.endObject()
        writer.member("schemaUrl", "https://opentelemetry.io/schemas/1.44.0")
        writer.name("spans")
        writer.beginArray()
        for span in spans { writer.span(span) }
        writer.endArray()
        writer.endObject()
        writer.endArray()
        writer.endObject()
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func span(_ span: FinishedSpan) {
        beginObject()
        member("traceId", span.context.traceID)
        member("spanId", span.context.spanID)
        if let state = span.context.state { member("traceState", state) }
        if let parent = span.parent { member("parentSpanId", SpanContext.hex(parent)) }
        member("name", span.name)
        member("kind", span.kind.rawValue)
        // OTLP's JSON encodes 64-bit integers as strings.
        member("startTimeUnixNano", String(span.start))
        member("endTimeUnixNano", String(max(span.start, span.end)))
        attributes(span.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        if !span.events.isEmpty {
            name("events")
            beginArray()
            for event in span.events {
                beginObject()
                member("timeUnixNano", String(event.nanoseconds))
                member("name", event.name)
                attributes(event.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
                endObject()
            }
            endArray()
        }
        if !span.links.isEmpty {
            name("links")
            beginArray()
            for link in span.links {
                beginObject()
                member("traceId", link.traceID)
                member("spanId", link.spanID)
                if let state = link.state { member("traceState", state) }
                endObject()
            }
            endArray()
        }
        if let error = span.error {
            name("status")
            beginObject()
            member("code", 2)
            if !error.isEmpty { member("message", error) }
            endObject()
        }
        endObject()
    }

    fileprivate mutating func attributes(_ attributes: [(String, FinishedSpan.Value)]) {
        if attributes.isEmpty { return }
        name("attributes")
        beginArray()
        for (key, value) in attributes {
            beginObject()
            member("key", key)
            name("value")
            self.value(value)
            endObject()
        }
        endArray()
    }

    private mutating func value(_ value: FinishedSpan.Value) {
        beginObject()
        switch value {
        case .text(let text): member("stringValue", text)
        case .number(let number): member("intValue", String(number))
        case .real(let number):
            name("doubleValue")
            self.number(number)
        case .bool(let bool): member("boolValue", bool)
        case .list(let values):
            name("arrayValue")
            beginObject()
            name("values")
            beginArray()
            for value in values { self.value(value) }
            endArray()
            endObject()
        }
        endObject()
    }
}
