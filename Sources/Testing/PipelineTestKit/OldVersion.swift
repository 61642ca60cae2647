public import RecordLog

/// The client of a coordinator of version 0.1.0, seen from the journal. The client neither writes nor reads the
/// parts of the journal's records that later versions have added.
public final class OldVersion: ForwardingClient, @unchecked Sendable {
    override public func send(_ record: Record, token: UInt64) throws(LogError) {
        guard record.topic.hasSuffix(".sessions") else { return try super.send(record, token: token) }
        var old = record
        (old.headers, old.value) = (record.headers.map(Self.header), Self.value(record.key, record.value))
        try super.send(old, token: token)
    }

    override public func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try super.poll(maximum: maximum, timeout: timeout).map { event in
            guard case .read(var record) = event, record.topic.hasSuffix(".sessions") else { return event }
            (record.headers, record.value) = (record.headers.map(Self.header), Self.value(record.key, record.value))
            return .read(record)
        }
    }

    /// Returns the header without the parts of the stamp that version 0.1.0 does not have.
    private static func header(_ header: RecordHeader) -> RecordHeader {
        guard let text = header.text else { return header }
        let parts = text.split(separator: " ").filter { part in
            ![
                "lastRequest=", "lastOutcome=", "answers=", "lastAnswer=", "inputs=", "openRequests=", "openAnswers=",
                "openOutcomes=",
                "format=",
            ].contains { part.hasPrefix($0) }
        }
        return RecordHeader(header.name, parts.joined(separator: " "))
    }

    /// Returns the value without the terms of a fence.
    private static func value(_ key: Bytes?, _ value: Bytes?) -> Bytes? {
        value != nil && key?.starts(with: "$fence/".utf8) == true ? Array("{}".utf8) : value
    }
}
