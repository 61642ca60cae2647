import IntentModel
package import Logging

/// Escapes control characters in the output of another handler, so that an id from outside can't imitate a line of the
/// log.
package struct PrintableLogHandler: LogHandler {
    private var handler: any LogHandler

    package init(_ handler: any LogHandler) { self.handler = handler }

    package var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue.mapValues(\.printable) }
    }
    package var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }
    package var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue?.printable }
    }

    package func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.printable)"
        event.metadata = event.metadata?.mapValues(\.printable)
        handler.log(event: event)
    }
}

extension Logger.MetadataValue {
    fileprivate var printable: Self {
        switch self {
        case .string(let text): .string(text.printable)
        case .stringConvertible(let value): .string(value.description.printable)
        case .dictionary(let values): .dictionary(values.mapValues(\.printable))
        case .array(let values): .array(values.map(\.printable))
        }
    }
}
