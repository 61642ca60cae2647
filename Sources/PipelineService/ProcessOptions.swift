package import ArgumentParser
import Foundation

/// The options of every process of the pipeline.
package struct ProcessOptions: ParsableArguments {
    @OptionGroup package var kafka: KafkaOptions
    @OptionGroup package var logging: LoggingOptions

    @Option(help: "What this process is called in ce_source and in logs; host and process id unless given.")
    package var instance: String?

    @Flag(help: .hidden)
    package var stopWithInput = false

    package init() {}

    package func validate() throws {
        if let instance, instance.isEmpty || instance.contains(where: { $0.isWhitespace || $0 == "/" }) {
            throw ValidationError("--instance is a word without spaces and slashes.")
        }
    }

    package var name: String { instance ?? Self.defaultName }

    /// Host and process id.
    package static var defaultName: String { "\(ProcessInfo.processInfo.hostName)-\(getpid())" }
}
