import IntentEvents
import PipelineTestKit
import RecordLog

/// The client of a coordinator of a future version. The coordinator writes format 2, which this version can't read, and
/// reads both formats.
final class FutureVersion: ForwardingClient, @unchecked Sendable {
    private static let (before, after) = (Array(#"{"future":"#.utf8), Array("}".utf8))

    override func send(_ record: Record, token: UInt64) throws(LogError) {
        guard record.topic.hasSuffix(".sessions") else { return try super.send(record, token: token) }
        var future = record
        future.headers = record.headers.map { Self.format(" format=1", " format=2", $0) }
        if record.key?.first != UInt8(ascii: "$"), let value = record.value {
            future.value = Self.before + value + Self.after
        }
        try super.send(future, token: token)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try super.poll(maximum: maximum, timeout: timeout).map { event in
            guard case .read(var record) = event, record.topic.hasSuffix(".sessions") else { return event }
            record.headers = record.headers.map { Self.format(" format=2", " format=1", $0) }
            if let value = record.value, value.starts(with: Self.before) {
                record.value = Array(value[Self.before.count..<value.count - 1])
            }
            return .read(record)
        }
    }

    private static func format(_ old: String, _ new: String, _ header: RecordHeader) -> RecordHeader {
        header.text.map { RecordHeader(header.name, $0.replacing(old, with: new)) } ?? header
    }
}
