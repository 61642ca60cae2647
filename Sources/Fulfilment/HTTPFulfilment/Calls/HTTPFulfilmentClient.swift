import AsyncHTTPClient
public import IntentRuntime
import NIOCore
import NIOSSL

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The connections of all fulfilments of a process, and the limits that apply to all of them.
///
/// A process needs one client. The client must be closed; ``withClient(_:_:)`` closes it automatically.
public final class HTTPFulfilmentClient: Sendable {
    let configuration: HTTPFulfilmentClientConfiguration
    /// The clients by ``Reach`` that keep connections open between requests.
    private let reusable: [HTTPClient]
    /// The clients by ``Reach`` that open a new connection for each request. The other end may have closed a reused
    /// connection, which would leave it uncertain whether the request arrived.
    private let fresh: [HTTPClient]

    /// - Throws: ``HTTPFulfilmentError`` that names the setting.
    public init(_ configuration: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration())
        throws(HTTPFulfilmentError)
    {
        self.configuration = configuration
        if configuration.connectTimeout <= .zero {
            throw HTTPFulfilmentError("connectTimeout", "must be more than zero")
        }
        if configuration.connectionsPerHost < 1 {
            throw HTTPFulfilmentError("connectionsPerHost", "must be at least 1")
        }
        let tls = try Self.tls(configuration.certificateAuthorities)
        func clients(maximumUses: Int?) -> [HTTPClient] {
            Reach.allCases.map { reach in
                var settings = Self.settings(configuration, reach)
                settings.tlsConfiguration = tls
                settings.maximumUsesPerConnection = maximumUses
                return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
            }
        }
        reusable = clients(maximumUses: nil)
        fresh = clients(maximumUses: 1)
    }

    /// Returns the client for a URL.
    ///
    /// - Parameter isOnce: `true` if the request needs a connection of its own.
    func http(for url: FulfilmentURL, isOnce: Bool) -> HTTPClient {
        let reach = Reach(url.host)
        return (isOnce ? fresh : reusable)[reach.rawValue]
    }

    private static func settings(_ configuration: HTTPFulfilmentClientConfiguration, _ reach: Reach)
        -> HTTPClient.Configuration
    {
        var settings = HTTPClient.Configuration()
        settings.redirectConfiguration = .disallow
        settings.httpVersion = .http1Only
        settings.timeout = HTTPClient.Configuration.Timeout(connect: TimeAmount(configuration.connectTimeout))
        settings.connectionPool.retryConnectionEstablishment = false
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connectionsPerHost
        if let proxy = configuration.proxy, reach != .thisMachine {
            // The connection leads to the proxy, and only the proxy knows the address of the host.
            settings.proxy = .server(host: proxy.host, port: proxy.port)
            return settings
        }
        let hosts = configuration.hosts
        // The closure runs when there is a connection, before a request is written to it. The address of the connection
        // can't change any more.
        settings.http1_1ConnectionDebugInitializer = { channel in
            if let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }),
                hosts.allows(address: address, of: reach)
            {
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            let address = channel.remoteAddress?.ipAddress ?? "an unknown address"
            return channel.close().flatMapThrowing { throw RefusedAddress(address: address) }
        }
        return settings
    }

    /// Makes a client and closes it when `body` ends.
    public static func withClient<Result: Sendable>(
        _ configuration: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(),
        _ body: (HTTPFulfilmentClient) async throws -> Result
    ) async throws -> Result {
        let client = try HTTPFulfilmentClient(configuration)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    /// Closes the connections. Running requests fail, and the client must not be used afterwards.
    public func close() async {
        for client in reusable + fresh { try? await client.shutdown() }
    }

    private static func tls(_ file: String?) throws(HTTPFulfilmentError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        guard let file else { return tls }
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw HTTPFulfilmentError("fulfilment-ca-file", "names '\(file)', which has no readable PEM certificates")
        }
        tls.trustRoots = .certificates(certificates)
        return tls
    }
}

/// An error for a connection to an address that ``AllowedHosts`` does not allow.
struct RefusedAddress: Error {
    var address: String
}

/// The settings of all fulfilments of a process. Definitions can't change them.
public struct HTTPFulfilmentClientConfiguration: Sendable {
    /// The hosts that may be called.
    public var hosts: AllowedHosts = .loopback
    /// A file of PEM certificates that replace the system's trusted certificates. Verification can't be turned off.
    public var certificateAuthorities: String?
    /// A proxy for all requests except those to this machine. Environment variables such as `http_proxy` are not read;
    /// a program that supports them passes the value here. The proxy resolves names, so their addresses can't be
    /// checked: the proxy must reject internal addresses.
    public var proxy: HTTPFulfilmentProxy?
    /// The time limit for opening a connection, including TLS; more than zero.
    public var connectTimeout: Duration = .seconds(3)
    /// The maximum number of simultaneous connections to one host; further requests wait. At least 1.
    public var connectionsPerHost = 64
    /// Makes the URL for a deferred outcome from the call's `InvocationContext.replyTo`; `nil` if this process accepts
    /// no deferred outcomes.
    public var callbackURL: (@Sendable (_ replyTo: String) -> String)?
    /// Called for each failed call, with the URL and the reason, for the operator's log. The failure itself names no
    /// address, because the person sees its message.
    public var onFailure: (@Sendable (_ call: FulfilmentCall, _ problem: String) -> Void)?

    public init() {}
}

/// An HTTP proxy: `http://proxy.example.com:3128`.
public struct HTTPFulfilmentProxy: Sendable, Hashable {
    public var host: String
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Throws: ``HTTPFulfilmentError`` if `url` is not an `http` URL without user, path and query.
    public init(url: String) throws(HTTPFulfilmentError) {
        guard let url = try? FulfilmentURL(url), !url.isSecure, url.path == "/" else {
            throw HTTPFulfilmentError("fulfilment-proxy", "must be a URL such as http://proxy.example.com:3128")
        }
        self.init(host: url.host, port: url.port)
    }
}

/// The clock for signatures and deadlines, and for the wait between two attempts.
struct FulfilmentClock: Sendable {
    /// The time in milliseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
