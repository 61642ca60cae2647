import ArgumentParser
import Foundation
import HTTPFulfilment
import IntentFiles

/// The options for the definition files that a worker serves and the services that it may call.
struct DefinitionOptions: ParsableArguments {
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

    init() {}

    func validate() throws {
        do throws(HTTPFulfilmentError) {
            if let fulfilmentHosts { _ = try AllowedHosts(fulfilmentHosts) }
            if let fulfilmentProxy { _ = try HTTPFulfilmentProxy(url: fulfilmentProxy) }
        } catch {
            throw ValidationError("--\(error.field) \(error.message).")
        }
    }

    /// Makes the HTTP client for all calls.
    ///
    /// - Returns: A client that the caller has to close.
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
