package import ArgumentParser
import Foundation
package import Logging
import Pipeline
import Tracing

/// The options for logging to standard error.
package struct LoggingOptions: ParsableArguments {
    @Option(
        help: "The log level: trace, debug, info, notice, warning, error or critical. [environment: LOG_LEVEL]",
        transform: LoggingOptions.level)
    package var logLevel: Logger.Level?

    @Option(
        help: ArgumentHelp(
            "How to log: text, json (an object on each line), or auto, which is text on a terminal and json elsewhere. [environment: INTENTS_LOG_FORMAT]",
            valueName: "auto|text|json"), transform: LoggingOptions.format)
    package var logFormat: Format?

    package enum Format: String, Sendable { case auto, text, json }

    package init() {}

    private static func format(_ text: String) throws -> Format {
        guard let format = Format(rawValue: text) else {
            throw ValidationError("'\(text)' is no log format: use auto, text or json.")
        }
        return format
    }

    private var isJSON: Bool {
        switch logFormat ?? Self.environment("INTENTS_LOG_FORMAT").flatMap({ Format(rawValue: $0) }) ?? .auto {
        case .auto: isatty(STDERR_FILENO) == 0
        case .text: false
        case .json: true
        }
    }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text.lowercased()) else {
            throw ValidationError(
                "'\(text)' is not a log level: use trace, debug, info, notice, warning, error or critical.")
        }
        return level
    }

    /// A logger to standard error.
    package func logger(_ label: String) -> Logger {
        var logger = Logger(label: label, factory: handlers)
        logger.logLevel = level
        return logger
    }

    /// Installs these options for all loggers of this process, including those of handlers. Call this once in a
    /// process.
    package func bootstrap() {
        let (handlers, level) = (handlers, level)
        LoggingSystem.bootstrap { label in
            var handler = handlers(label)
            handler.logLevel = level
            return handler
        }
    }

    private var level: Logger.Level {
        logLevel ?? Self.environment("LOG_LEVEL").flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? .info
    }

    private var handlers: @Sendable (String) -> any LogHandler {
        let isJSON = isJSON
        return { label in
            var handler: any LogHandler =
                isJSON
                ? JSONLogHandler(label: label, clock: { .now }, write: { FileHandle.standardError.write(Data($0)) })
                : PrintableLogHandler(StreamLogHandler.standardError(label: label))
            handler.metadataProvider = .ofWork
            return handler
        }
    }
}

extension Logger.MetadataProvider {
    /// The metadata that identify the request of a handler's work, and its trace.
    fileprivate static let ofWork = Logger.MetadataProvider {
        var metadata: Logger.Metadata = [:]
        if let work = WorkContext.current {
            metadata["session"] = "\(work.session)"
            metadata["request"] = "\(work.request)"
        }
        if let span = InstrumentationContext.current?[SpanContextKey.self]
            ?? WorkContext.current?.trace.flatMap({ SpanContext($0) })
        {
            metadata["trace_id"] = "\(span.traceID)"
            metadata["span_id"] = "\(span.spanID)"
        }
        return metadata
    }
}
