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
