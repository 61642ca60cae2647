import Conversation
import IntentModel
import RecordLog

/// Makes the records of events: CloudEvents in binary mode.
public struct EventEncoder: Sendable {
    private let source: Bytes
    private var time = Instant(milliseconds: .min)
    private var timeBytes: Bytes = []

    /// - Parameter source: the `ce_source` of what this process writes, such as `/intents/resolver`.
    public init(source: String) { self.source = Bytes(source.utf8) }

    mutating func headers(
        _ type: EventType, id: Bytes, subject: Identifier?, at now: Instant, trace: TraceContext?,
        principal: Principal? = nil
    ) -> [RecordHeader] {
        if now != time {
            time = now
            timeBytes = Bytes(now.description.utf8)
        }
        var headers: [RecordHeader] = []
        headers.reserveCapacity(9)
        headers.append(RecordHeader("ce_specversion", Self.specVersion))
        headers.append(RecordHeader("ce_id", id))
        headers.append(RecordHeader("ce_source", source))
        headers.append(RecordHeader("ce_type", Self.types[type]))
        headers.append(RecordHeader("ce_time", timeBytes))
        if let subject { headers.append(RecordHeader("ce_subject", Bytes(subject.utf8))) }
        if let principal {
            headers.append(RecordHeader("ce_authtype", principal.kind.rawValue))
            if !principal.id.isEmpty { headers.append(RecordHeader("ce_authid", principal.id.text)) }
        }
        headers.append(RecordHeader("content-type", Self.json))
        if let trace {
            headers.append(RecordHeader("traceparent", Bytes(trace.parent.utf8)))
            if let state = trace.state { headers.append(RecordHeader("tracestate", Bytes(state.utf8))) }
        }
        return headers
    }

    private static let specVersion = Bytes("1.0".utf8)
    private static let json = Bytes("application/json".utf8)
    private static let types = Dictionary(
        uniqueKeysWithValues: EventType.allCases.map { ($0, Bytes($0.rawValue.utf8)) })
}
