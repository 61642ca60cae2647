import ArgumentParser
import Foundation

/// The definition files that `intents dev` has its workers serve. The workers check the values.
struct DefinitionArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the intents that are defined in *.intents.yaml and *.intents.json here, too. Read again on SIGHUP.", valueName: "folder")
    )
    var definitions: String?

    @Option(
        help: ArgumentHelp(
            "The hosts that definitions may have called, host[:port], separated by commas. Defaults to this machine only.",
            valueName: "hosts"))
    var fulfilmentHosts: String?

    @Option(help: ArgumentHelp("Certificates in PEM that services are verified against, instead of the system's.", valueName: "file"))
    var fulfilmentCAFile: String?

    @Option(help: ArgumentHelp("A proxy that all calls of services go through, such as http://proxy.example.com:3128.", valueName: "url"))
    var fulfilmentProxy: String?

    /// The arguments of a worker.
    var arguments: [String] {
        [
            ("--definitions", definitions.map { URL(fileURLWithPath: $0).path }), ("--fulfilment-hosts", fulfilmentHosts),
            ("--fulfilment-ca-file", fulfilmentCAFile.map { URL(fileURLWithPath: $0).path }), ("--fulfilment-proxy", fulfilmentProxy),
        ].flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}
