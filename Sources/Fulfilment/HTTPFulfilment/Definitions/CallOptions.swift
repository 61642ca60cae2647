import ArgumentParser
import IntentRuntime

/// The options for the services that definition files may call.
struct CallOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The hosts that definitions may call, host[:port], separated by commas. Defaults to this machine only.",
            valueName: "hosts"))
    var fulfilmentHosts: String?

    @Option(
        help: ArgumentHelp(
            """
            Networks without public addresses that the names in --fulfilment-hosts may lead to, such as 10.1.0.0/16, separated by commas. Defaults to \
            none.
            """,
            valueName: "networks"))
    var fulfilmentNetworks: String?

    @Flag(
        help: """
            Allow http:// to other machines. Anyone on the way can read and change requests and replies, also signed ones. Without it only https:// is \
            called, except on this machine.
            """)
    var fulfilmentPlainHTTP = false

    @Option(help: ArgumentHelp("PEM certificates to verify services with, instead of the system's.", valueName: "file"))
    var fulfilmentCAFile: String?

    @Option(
        help: ArgumentHelp(
            """
            A proxy for all calls to other machines, such as http://proxy.example.com:3128. The addresses that names lead to are not checked behind it: it has to \
            refuse internal ones.
            """,
            valueName: "url"))
    var fulfilmentProxy: String?

    init() {}

    func validate() throws {
        do throws(HTTPFulfilmentError) {
            _ = try hosts
            if let fulfilmentProxy { _ = try HTTPFulfilmentProxy(url: fulfilmentProxy) }
        } catch {
            throw ValidationError("--\(error.field) \(error.message).")
        }
        if fulfilmentHosts == nil, fulfilmentNetworks != nil {
            throw ValidationError(
                "--fulfilment-networks needs --fulfilment-hosts: without it only this machine is called.")
        }
    }

    private var hosts: AllowedHosts {
        get throws(HTTPFulfilmentError) {
            guard let fulfilmentHosts else { return .loopback }
            return try AllowedHosts(
                fulfilmentHosts, networks: fulfilmentNetworks ?? "", allowsPlainHTTP: fulfilmentPlainHTTP)
        }
    }

    /// Makes the HTTP client for all calls.
    ///
    /// - Parameter onFailure: Called for each failed call, with its address, which is shown to no person.
    /// - Returns: A client that the caller has to close.
    func client(
        _ callbackURL: (@Sendable (_ replyTo: String) -> String)? = nil,
        onFailure: @escaping @Sendable (_ call: FulfilmentCall, _ problem: String) -> Void
    ) throws -> HTTPFulfilmentClient {
        do throws(HTTPFulfilmentError) {
            var configuration = HTTPFulfilmentClientConfiguration()
            configuration.hosts = try hosts
            configuration.certificateAuthorities = fulfilmentCAFile
            if let fulfilmentProxy { configuration.proxy = try HTTPFulfilmentProxy(url: fulfilmentProxy) }
            configuration.callbackURL = callbackURL
            configuration.onFailure = onFailure
            return try HTTPFulfilmentClient(configuration)
        } catch {
            throw ValidationError("--\(error.field) \(error.message).")
        }
    }
}
