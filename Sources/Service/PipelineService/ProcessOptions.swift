package import ArgumentParser
import Foundation

/// The common options of all processes of the pipeline.
package struct ProcessOptions: ParsableArguments {
    @OptionGroup package var kafka: KafkaOptions
    @OptionGroup package var logging: LoggingOptions
    @OptionGroup package var telemetry: TelemetryOptions

    @Option(help: "The name of this process in ce_source and in logs. Defaults to host and process id.")
    package var instance: String?

    @Flag(help: .hidden)
    package var stopWithInput = false

    package init() {}

    package func validate() throws {
        if let instance, instance.isEmpty || instance.contains(where: { $0.isWhitespace || $0 == "/" }) {
            throw ValidationError("--instance must be a word without spaces and slashes.")
        }
    }

    package var name: String { instance ?? Self.defaultName }

    /// The default name: host and process id.
    package static var defaultName: String { "\(ProcessInfo.processInfo.hostName)-\(getpid())" }
}
