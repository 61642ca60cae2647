/// The limits of a callback server for its clients. A connection that exceeds a limit is closed, so that no client can
/// block the server for others.
public struct CallbackLimits: Sendable, Hashable {
    /// The maximum number of open connections; at least 1. Further connections are closed at once.
    public var connections = 1_024
    /// The maximum number of open connections of one address; at least 1. The addresses of an IPv6 network of 64 bits
    /// count as one. Behind a proxy, all connections have the address of the proxy.
    public var connectionsPerAddress = 256
    /// The maximum size of a request's head in bytes: the request line and the headers.
    public var headBytes = 16_384
    /// The maximum number of headers of a request.
    public var headers = 64
    /// The time limit for the head of a request. For the first request of a connection, the limit includes the TLS
    /// handshake.
    public var headTime = Duration.seconds(10)
    /// The time limit for a whole request, from its first byte to its last.
    public var requestTime = Duration.seconds(30)
    /// The time for which a connection stays open for another request.
    public var idleTime = Duration.seconds(30)

    public init() {}

    /// The time for which the connection of a rejected request stays open without being read, so that the sender can
    /// still read the response.
    static let lingerTime = Duration.seconds(1)
    /// The allowance for the framing of chunks in addition to the body, in bytes.
    static let framingBytes = 65_536
}
