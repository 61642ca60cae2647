public import ArgumentParser
import Foundation

/// The options of every process of the pipeline.
public struct ProcessOptions: ParsableArguments {
    @OptionGroup public var kafka: KafkaOptions
    @OptionGroup public var logging: LoggingOptions

    @Option(help: "What this process is called in ce_source and in logs; host and process id unless given.")
    public var instance: String?

    @Flag(help: .hidden)
    public var stopWithInput = false

    public init() {}

    public func validate() throws {
        if let instance, instance.isEmpty || instance.contains(where: { $0.isWhitespace || $0 == "/" }) {
            throw ValidationError("--instance is a word without spaces and slashes.")
        }
    }

    var name: String { instance ?? "\(ProcessInfo.processInfo.hostName)-\(getpid())" }
}
