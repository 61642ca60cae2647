import ArgumentParser
import Foundation
import HTTPFulfilment
import IntentFiles

/// Which definition files a worker serves, and which services it may call.
struct DefinitionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the intents that are defined in *.intents.yaml and *.intents.json here, too. Read again on SIGHUP.", valueName: "folder")
    )
    var definitions: String?

    @Option(
        help: ArgumentHelp(
            "The hosts that definitions may have called, host[:port], separated by commas; only this machine by default.",
            valueName: "hosts"))
    var fulfilmentHosts: String?

    @Option(help: ArgumentHelp("Certificates in PEM that services are verified against, instead of the system's.", valueName: "file"))
    var fulfilmentCAFile: String?

    @Option(help: ArgumentHelp("A proxy that all calls of services go through, such as http://proxy.example.com:3128.", valueName: "url"))
    var fulfilmentProxy: String?

    init() {}

    func validate() throws {
        do throws(HTTPFulfilmentError) {
            if let fulfilmentHosts { _ = try AllowedHosts(fulfilmentHosts) }
            if let fulfilmentProxy { _ = try HTTPFulfilmentProxy(url: fulfilmentProxy) }
        } catch {
            throw ValidationError("--\(error.field) \(error.message).")
        }
    }

    /// The connections of all calls.
    ///
    /// - Returns: A client that has to be closed.
    func client(_ callbackURL: (@Sendable (_ replyTo: String) -> String)?) throws -> HTTPFulfilmentClient {
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
