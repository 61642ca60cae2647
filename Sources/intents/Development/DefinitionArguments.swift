import ArgumentParser
import Foundation

/// The definition files that `intents dev` has its workers serve. The workers check the values.
struct DefinitionArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also serve the intents of *.intents.yaml and *.intents.json in this folder. Read again on SIGHUP.", valueName: "folder")
    )
    var definitions: String?

    @Option(
        help: ArgumentHelp(
            "The hosts that definitions may call, host[:port], separated by commas. Defaults to this machine only.",
            valueName: "hosts"))
    var fulfilmentHosts: String?

    @Option(help: ArgumentHelp("PEM certificates to verify services with, instead of the system's.", valueName: "file"))
    var fulfilmentCAFile: String?

    @Option(help: ArgumentHelp("A proxy for all calls to services, such as http://proxy.example.com:3128.", valueName: "url"))
    var fulfilmentProxy: String?

    /// The arguments of a worker.
    var arguments: [String] {
        [
            ("--definitions", definitions.map { URL(fileURLWithPath: $0).path }), ("--fulfilment-hosts", fulfilmentHosts),
            ("--fulfilment-ca-file", fulfilmentCAFile.map { URL(fileURLWithPath: $0).path }), ("--fulfilment-proxy", fulfilmentProxy),
        ].flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}
