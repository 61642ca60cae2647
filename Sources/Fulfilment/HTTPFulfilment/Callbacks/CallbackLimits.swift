/// What a callback server bears of its clients. Past a bound it closes the connection, so a client can't keep it from others.
public struct CallbackLimits: Sendable, Hashable {
    /// How many connections are open at a time; more are closed at once. At least 1.
    public var connections = 1_024
    /// How many of them one address may have; at least 1. The addresses of an IPv6 network of 64 bits count as one. Behind a proxy, all of them have the address
    /// of the proxy.
    public var connectionsPerAddress = 256
    /// The size of a request's head: request line and headers.
    public var headBytes = 16_384
    /// How many headers a request may have.
    public var headers = 64
    /// How long the head of a request may take. For the first one of a connection it includes the TLS handshake.
    public var headTime = Duration.seconds(10)
    /// How long a whole request may take, from its first byte to its last.
    public var requestTime = Duration.seconds(30)
    /// How long a connection is kept open for another request.
    public var idleTime = Duration.seconds(30)

    public init() {}

    /// How long a refused request's connection stays open, unread, so that its sender can still read why.
    static let lingerTime = Duration.seconds(1)
    /// What a body may cost beside its own bytes: the framing of chunks.
    static let framingBytes = 65_536
}
