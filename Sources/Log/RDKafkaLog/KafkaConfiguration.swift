public import RecordLog

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The address of Kafka and the properties of its clients.
///
/// Precedence, highest first:
///
/// - properties that the pipeline sets itself (setting one of them is an error, see ``validate()``);
/// - ``properties``;
/// - this module's defaults (`linger.ms=0`, `fetch.wait.max.ms=100` for the member of a group and for a follower, and
///   10 for a reader of single partitions, `fetch.queue.backoff.ms=10` where librdkafka knows it,
///   `reconnect.backoff.max.ms=500`, `socket.nagle.disable=true`, `queue.buffering.max.messages=100000`,
///   `queue.buffering.max.kbytes=65536`, `queued.max.messages.kbytes=16384` for the member and 65536 for a reader,
///   `fetch.error.backoff.ms=100`, `statistics.interval.ms=0`);
/// - librdkafka's defaults.
public struct KafkaConfiguration: Sendable, CustomStringConvertible {
    /// A handler of librdkafka's log lines. Its arguments are a syslog level (0 emergency to 7 debug), the facility
    /// (`FAIL`, `CONNECT` and so on), and the line. The handler is called on the polling thread while the client is
    /// polled, and must not call the client.
    public typealias LogHandler = @Sendable (_ level: Int, _ facility: String, _ message: String) -> Void

    /// The brokers' addresses: `host:port`, separated by commas. Defaults to `bootstrap.servers` of ``properties``.
    public var bootstrapServers: String?
    /// librdkafka's properties by name (see its `CONFIGURATION.md`): TLS, SASL, timeouts, compression and so on.
    /// Consumer properties apply only to consumers, producer properties only to producers.
    public var properties: [String: String]
    /// The timeout of calls that wait for the broker.
    public var requestTimeout: Duration
    /// The handler of log lines; `nil` writes warnings and more severe lines to standard error.
    public var logHandler: LogHandler?

    public init(
        bootstrapServers: String? = nil, properties: [String: String] = [:], requestTimeout: Duration = .seconds(10),
        logHandler: LogHandler? = nil
    ) {
        self.bootstrapServers = bootstrapServers
        self.properties = properties
        self.requestTimeout = requestTimeout
        self.logHandler = logHandler
    }

    /// The address and the properties, with secrets hidden, because a configuration may be logged as part of a service.
    public var description: String {
        let properties = properties.sorted { $0.key < $1.key }.map { "\($0)=\(Self.isSecret($0) ? "…" : $1)" }
        return ([bootstrapServers ?? ""] + properties).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Checks the settings without a broker: the address is present, no property is one that the pipeline sets itself,
    /// and librdkafka knows every property and accepts its value.
    ///
    /// Clients with ``ClientConfiguration/gaplessTopics`` also set `message.timeout.ms` and `message.send.max.retries`,
    /// and reject these properties when they connect.
    ///
    /// - Throws: ``LogError/Code/invalidConfiguration`` with the property's name and the problem.
    public func validate() throws(LogError) {
        for scope in [KafkaProperties.Scope.producer, .member] {
            _ = try RDKafkaConfiguration(self, scope: scope, clientID: "check")
        }
    }

    /// Parses a properties file in kcat's syntax: `name=value` lines. Spaces around names and values are removed, empty
    /// lines and lines that begin
    /// with `#` are skipped, and the last of several values for a name is used.
    ///
    /// - Throws: ``LogError/Code/invalidConfiguration`` with the number of an invalid line.
    public static func properties(parsing text: String) throws(LogError) -> [String: String] {
        var properties: [String: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trim(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let (name, value) = pair(line) else {
                throw LogError(.invalidConfiguration, "line \(index + 1) is not \"name=value\"")
            }
            properties[name] = value
        }
        return properties
    }

    /// Parses an argument of `-X`: `name=value`.
    ///
    /// - Throws: ``LogError/Code/invalidConfiguration`` if the argument does not have this form.
    public static func property(parsing argument: String) throws(LogError) -> (name: String, value: String) {
        guard let (name, value) = pair(argument[...]) else {
            throw LogError(
                .invalidConfiguration, "\"\(argument)\" is not a property: write name=value, such as linger.ms=5")
        }
        return (name, value)
    }

    /// `true` if a property of librdkafka is a secret: `sasl.password`, `ssl.key.password`, `ssl.keystore.password`,
    /// `ssl.key.pem`, `sasl.oauthbearer.client.secret`, and other properties with one of these endings.
    ///
    /// A secret must not be an argument of a program, because every user of the machine can read the arguments.
    package static func isSecret(_ property: String) -> Bool {
        [".password", ".passphrase", ".secret", ".key.pem"].contains(where: property.hasSuffix)
    }

    /// Passes a log line to the handler, or to standard error if there is none.
    func report(level: Int, _ facility: String, _ message: String) {
        if let logHandler { return logHandler(level, facility, message) }
        if level > 4 { return }
        let line = Array("librdkafka: \(facility): \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    private static func pair(_ line: Substring) -> (String, String)? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let name = trim(line[..<equals])
        return name.isEmpty ? nil : (String(name), String(trim(line[line.index(after: equals)...])))
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
