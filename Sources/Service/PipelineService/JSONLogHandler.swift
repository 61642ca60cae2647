package import Conversation
import IntentModel
package import Logging

/// Writes each log entry as a line of JSON, for log collectors: `time`, `level`, `logger`, `message`, `error` if there
/// is one, and the metadata under their own names.
///
/// Control characters are escaped, as in ``PrintableLogHandler``, so that text from outside can't imitate another field
/// or move a cursor.
package struct JSONLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel = Logger.Level.info

    private let label: String
    private let clock: @Sendable () -> Instant
    private let write: @Sendable ([UInt8]) -> Void

    /// The reserved names. Metadata with a reserved name get an underscore as prefix.
    private static let reserved: Set<String> = ["time", "level", "logger", "message", "error"]

    /// - Parameters:
    ///   - clock: Returns the time of this machine.
    ///   - write: Writes a whole line, including its end.
    package init(label: String, clock: @escaping @Sendable () -> Instant, write: @escaping @Sendable ([UInt8]) -> Void)
    {
        self.label = label
        self.clock = clock
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("time", clock().description)
        writer.member("level", event.level.rawValue)
        writer.member("logger", label)
        writer.member("message", event.message.description.printable)
        if let error = event.error { writer.member("error", "\(error)".printable) }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            writer.name(named: Self.reserved.contains(name) ? "_\(name)" : name.printable)
            value.write(to: &writer)
        }
        writer.endObject()
        write(writer.bytes + [UInt8(ascii: "\n")])
    }
}

extension Logger.MetadataValue {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .string(let text): writer.string(text.printable)
        case .stringConvertible(let value): writer.string(value.description.printable)
        case .dictionary(let values):
            writer.beginObject()
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                writer.name(named: name.printable)
                value.write(to: &writer)
            }
            writer.endObject()
        case .array(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        }
    }
}
