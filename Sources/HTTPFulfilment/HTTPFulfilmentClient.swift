import AsyncHTTPClient
import NIOCore
import NIOSSL

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The connections of all fulfilments of a process, and the limits that apply to all of them.
///
/// A process needs one. It has to be closed; ``withClient(_:_:)`` closes it automatically.
public final class HTTPFulfilmentClient: Sendable {
    let configuration: HTTPFulfilmentClientConfiguration
    /// Keeps connections open between requests.
    let http: HTTPClient
    /// Opens a new connection for each request. A reused connection may have been closed by the other end, which would leave it uncertain whether
    /// the request arrived.
    let once: HTTPClient

    /// - Throws: ``HTTPFulfilmentError`` that names the setting.
    public init(_ configuration: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration()) throws(HTTPFulfilmentError) {
        self.configuration = configuration
        if configuration.connectTimeout <= .zero { throw HTTPFulfilmentError("connectTimeout", "must be more than zero") }
        if configuration.connectionsPerHost < 1 { throw HTTPFulfilmentError("connectionsPerHost", "must be at least 1") }
        var settings = HTTPClient.Configuration()
        settings.redirectConfiguration = .disallow
        settings.httpVersion = .http1Only
        settings.timeout = HTTPClient.Configuration.Timeout(connect: TimeAmount(configuration.connectTimeout))
        settings.connectionPool.retryConnectionEstablishment = false
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connectionsPerHost
        settings.tlsConfiguration = try Self.tls(configuration.certificateAuthorities)
        if let proxy = configuration.proxy { settings.proxy = .server(host: proxy.host, port: proxy.port) }
        let hosts = configuration.hosts
        settings.http1_1ConnectionDebugInitializer = { channel in
            // Host names were checked before; the addresses that they resolve to are checked here.
            guard let address = channel.remoteAddress?.ipAddress, !hosts.allows(address: address) else {
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            return channel.close().flatMapThrowing { throw RefusedAddress() }
        }
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        settings.maximumUsesPerConnection = 1
        once = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
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

    /// Closes its connections. Running requests fail, and the client must not be used afterwards.
    public func close() async {
        try? await http.shutdown()
        try? await once.shutdown()
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

/// A connection led to a link-local address that is not listed in ``AllowedHosts``.
struct RefusedAddress: Error {}

/// The settings of all fulfilments of a process. Definitions can't change them.
public struct HTTPFulfilmentClientConfiguration: Sendable {
    /// The hosts that may be called.
    public var hosts: AllowedHosts = .loopback
    /// A file of PEM certificates that replace the system's trusted certificates. Verification can't be turned off.
    public var certificateAuthorities: String?
    /// A proxy for all requests. Environment variables such as `http_proxy` are not read; a program that supports them passes the value here.
    public var proxy: HTTPFulfilmentProxy?
    /// The limit for opening a connection, including TLS; more than zero.
    public var connectTimeout: Duration = .seconds(3)
    /// The maximum number of simultaneous connections to one host; further requests wait. At least 1.
    public var connectionsPerHost = 64
    /// Makes the URL for a deferred outcome from the call's `InvocationContext.replyTo`; `nil` if this process accepts none.
    public var callbackURL: (@Sendable (_ replyTo: String) -> String)?

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

    /// - Throws: ``HTTPFulfilmentError`` if it is not an `http` URL without user, path and query.
    public init(url: String) throws(HTTPFulfilmentError) {
        guard let url = try? FulfilmentURL(url), !url.isSecure, url.path == "/" else {
            throw HTTPFulfilmentError("fulfilment-proxy", "must be a URL such as http://proxy.example.com:3128")
        }
        self.init(host: url.host, port: url.port)
    }
}

/// The clock for signatures and deadlines, and the wait between two attempts.
struct FulfilmentClock: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
