package import ArgumentParser
import Foundation
import HTTPFulfilment
import IntentFiles

/// Which intents of definition files a worker serves, and whom it may ask to do them: the options of every worker.
package struct DefinitionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the intents that are defined in *.intents.yaml and *.intents.json here, too. Read anew on SIGHUP.", valueName: "folder"))
    package var definitions: String?

    @Option(
        help: ArgumentHelp(
            "The hosts that definitions may have called, host[:port], separated by commas; only this machine unless given.",
            valueName: "hosts"))
    package var fulfilmentHosts: String?

    @Option(help: ArgumentHelp("Certificates in PEM that services are verified against, instead of the system's.", valueName: "file"))
    package var fulfilmentCAFile: String?

    @Option(help: ArgumentHelp("A proxy that all calls of services go through, such as http://proxy.example.com:3128.", valueName: "url"))
    package var fulfilmentProxy: String?

    package init() {}

    package func validate() throws {
        do throws(HTTPFulfilmentError) {
            if let fulfilmentHosts { _ = try AllowedHosts(fulfilmentHosts) }
            if let fulfilmentProxy { _ = try HTTPFulfilmentProxy(url: fulfilmentProxy) }
        } catch {
            throw ValidationError("--\(error.field) \(error.message).")
        }
    }

    /// The arguments that give a child process the same.
    package var arguments: [String] {
        [
            ("--definitions", definitions.map { URL(fileURLWithPath: $0).path }), ("--fulfilment-hosts", fulfilmentHosts),
            ("--fulfilment-ca-file", fulfilmentCAFile.map { URL(fileURLWithPath: $0).path }), ("--fulfilment-proxy", fulfilmentProxy),
        ].flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// The connections of all calls.
    ///
    /// - Returns: `nil` without definitions. It has to be closed.
    func client(_ callbackURL: (@Sendable (_ replyTo: String) -> String)?) throws -> HTTPFulfilmentClient? {
        if definitions == nil { return nil }
        do throws(HTTPFulfilmentError) {
            var configuration = HTTPFulfilmentClientConfiguration()
            if let fulfilmentHosts { configuration.hosts = try AllowedHosts(fulfilmentHosts) }
            configuration.certificateAuthorities = fulfilmentCAFile
            if let fulfilmentProxy { configuration.proxy = try HTTPFulfilmentProxy(url: fulfilmentProxy) }
            configuration.callbackURL = callbackURL
            return try HTTPFulfilmentClient(configuration)
        } catch {
            throw ValidationError("--\(error.field) \(error.message).")
        }
    }
}
