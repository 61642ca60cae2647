package import ArgumentParser
import Foundation
package import Logging

/// The options for logging to standard error.
package struct LoggingOptions: ParsableArguments {
    @Option(
        help: "The log level: trace, debug, info, notice, warning, error or critical. [environment: LOG_LEVEL]",
        transform: LoggingOptions.level)
    package var logLevel: Logger.Level?

    package init() {}

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text.lowercased()) else {
            throw ValidationError("'\(text)' is not a log level: use trace, debug, info, notice, warning, error or critical.")
        }
        return level
    }

    /// A logger to standard error.
    package func logger(_ label: String) -> Logger {
        var logger = Logger(label: label, factory: { PrintableLogHandler(StreamLogHandler.standardError(label: $0)) })
        logger.logLevel =
            logLevel ?? ProcessInfo.processInfo.environment["LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? .info
        return logger
    }
}
