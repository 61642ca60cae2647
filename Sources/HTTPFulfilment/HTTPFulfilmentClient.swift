import AsyncHTTPClient
import NIOCore
import NIOSSL

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The connections of all fulfilments of a process, and what none of them may do.
///
/// One for a process; it has to be closed: ``withClient(_:_:)`` does that by itself.
public final class HTTPFulfilmentClient: Sendable {
    let configuration: HTTPFulfilmentClientConfiguration
    /// Keeps connections open between requests.
    let http: HTTPClient
    /// A new connection for each request: one that its other end has closed in the meantime can't make it uncertain whether the request arrived.
    let once: HTTPClient

    /// - Throws: ``HTTPFulfilmentError`` that names the setting.
    public init(_ configuration: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration()) throws(HTTPFulfilmentError) {
        self.configuration = configuration
        if configuration.connectTimeout <= .zero { throw HTTPFulfilmentError("connectTimeout", "is more than zero") }
        if configuration.connectionsPerHost < 1 { throw HTTPFulfilmentError("connectionsPerHost", "is at least 1") }
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
            // Names lead to addresses that nobody has looked at yet.
            guard let address = channel.remoteAddress?.ipAddress, !hosts.allows(address: address) else {
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            return channel.close().flatMapThrowing { throw RefusedAddress() }
        }
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        settings.maximumUsesPerConnection = 1
        once = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    /// Makes a client, and closes it when `body` has ended.
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

    /// Closes its connections; requests that are under way fail. No use of it may begin after that.
    public func close() async {
        try? await http.shutdown()
        try? await once.shutdown()
    }

    private static func tls(_ file: String?) throws(HTTPFulfilmentError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        guard let file else { return tls }
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw HTTPFulfilmentError("fulfilment-ca-file", "names '\(file)', where no certificates in PEM can be read")
        }
        tls.trustRoots = .certificates(certificates)
        return tls
    }
}

/// A connection led to an address that is never called unless it is named.
struct RefusedAddress: Error {}

/// What holds for all fulfilments of a process, and no definition can change.
public struct HTTPFulfilmentClientConfiguration: Sendable {
    /// Where requests may go.
    public var hosts: AllowedHosts = .loopback
    /// A file of certificates in PEM that services are verified against, instead of the system's. Verification itself can't be turned off.
    public var certificateAuthorities: String?
    /// A proxy that all requests go through. The variables of the environment are not looked at: whoever wants them passes them on.
    public var proxy: HTTPFulfilmentProxy?
    /// Until a connection stands, TLS included; more than zero.
    public var connectTimeout: Duration = .seconds(3)
    /// Connections to one host at the same time; more requests wait for one. At least 1.
    public var connectionsPerHost = 64
    /// The URL that an answer is posted to later, made of the call's ``Intents/InvocationContext/replyTo``; `nil` if this process takes none.
    public var callbackURL: (@Sendable (_ replyTo: String) -> String)?

    public init() {}
}

/// A proxy for HTTP: `http://proxy.example.com:3128`.
public struct HTTPFulfilmentProxy: Sendable, Hashable {
    public var host: String
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Throws: ``HTTPFulfilmentError`` unless it is a URL of HTTP without user, path and query.
    public init(url: String) throws(HTTPFulfilmentError) {
        guard let url = try? FulfilmentURL(url), !url.isSecure, url.path == "/" else {
            throw HTTPFulfilmentError("fulfilment-proxy", "is a URL such as http://proxy.example.com:3128")
        }
        self.init(host: url.host, port: url.port)
    }
}

/// The time for signatures and deadlines, and the wait between two tries.
struct FulfilmentClock: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
