import ArgumentParser
import Foundation

/// The definition files that the workers of `intents dev` serve. The workers check the values.
struct DefinitionArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the intents of *.intents.yaml and *.intents.json in this folder instead of the sample domains. Read again when they change, and on SIGHUP.",
            valueName: "folder")
    )
    var definitions: String?

    @Option(
        help: ArgumentHelp(
            "The hosts that definitions may call, host[:port], separated by commas. Defaults to this machine only.",
            valueName: "hosts"))
    var fulfilmentHosts: String?

    @Option(
        help: ArgumentHelp(
            "Networks without public addresses that these hosts' names may lead to, such as 10.1.0.0/16, separated by commas.",
            valueName: "networks"))
    var fulfilmentNetworks: String?

    @Flag(help: "Allow http:// to other machines, where anyone on the way can read and change requests and replies.")
    var fulfilmentPlainHTTP = false

    @Option(help: ArgumentHelp("PEM certificates to verify services with, instead of the system's.", valueName: "file"))
    var fulfilmentCAFile: String?

    @Option(
        help: ArgumentHelp(
            "A proxy for all calls to other machines, such as http://proxy.example.com:3128.", valueName: "url"))
    var fulfilmentProxy: String?

    /// The arguments for a worker.
    var arguments: [String] {
        [
            ("--definitions", definitions.map { URL(fileURLWithPath: $0).path }),
            ("--fulfilment-hosts", fulfilmentHosts),
            ("--fulfilment-networks", fulfilmentNetworks),
            ("--fulfilment-ca-file", fulfilmentCAFile.map { URL(fileURLWithPath: $0).path }),
            ("--fulfilment-proxy", fulfilmentProxy),
        ].flatMap { name, value in value.map { [name, $0] } ?? [] }
            + (fulfilmentPlainHTTP ? ["--fulfilment-plain-http"] : [])
    }
}
