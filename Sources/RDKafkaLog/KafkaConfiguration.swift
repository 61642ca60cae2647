public import RecordLog

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where Kafka is, and how to talk to it.
///
/// Precedence, highest first: what the pipeline depends on and sets itself (naming such a property is an error, see ``validate()``);
/// ``properties``; this module's defaults (`linger.ms=0`, `fetch.wait.max.ms=10`, `reconnect.backoff.max.ms=500`,
/// `socket.nagle.disable=true`, `queue.buffering.max.messages=100000`, `queue.buffering.max.kbytes=65536`,
/// `queued.max.messages.kbytes=16384`, `statistics.interval.ms=0`); librdkafka's defaults.
public struct KafkaConfiguration: Sendable {
    /// Receives librdkafka's own log lines: a syslog level (0 emergency to 7 debug), the facility (`FAIL`, `CONNECT` and so on), and the line. It
    /// is called while the client is polled, on the polling thread, and must not call the client.
    public typealias LogHandler = @Sendable (_ level: Int, _ facility: String, _ message: String) -> Void

    /// `host:port`, separated by commas. `nil` takes `bootstrap.servers` from ``properties``.
    public var bootstrapServers: String?
    /// librdkafka's properties by name (its `CONFIGURATION.md`): TLS, SASL, timeouts, compression and so on. Those for consumers reach only
    /// consumers, those for producers only producers.
    public var properties: [String: String]
    /// How long calls that wait for the broker wait at most.
    public var requestTimeout: Duration
    /// `nil` writes warnings and worse to standard error.
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

    /// Checks what can be checked without a broker: that there is one to talk to, that no property is the pipeline's own, and that librdkafka
    /// knows every property and takes its value.
    ///
    /// - Throws: ``LogError/Code/invalidConfiguration`` with the property's name and what is wrong with it.
    public func validate() throws(LogError) {
        for scope in [KafkaProperties.Scope.producer, .member] {
            _ = try RDKafkaConfiguration(self, scope: scope, clientID: "check")
        }
    }

    /// Reads a properties file as kcat does: `name=value` lines, spaces around either are dropped, empty lines and those that begin with `#` are
    /// skipped, the last of several values counts.
    ///
    /// - Throws: ``LogError/Code/invalidConfiguration`` with the number of a line that is none of these.
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

    /// Reads an argument of `-X`: `name=value`.
    ///
    /// - Throws: ``LogError/Code/invalidConfiguration`` if it is not that.
    public static func property(parsing argument: String) throws(LogError) -> (name: String, value: String) {
        guard let (name, value) = pair(argument[...]) else {
            throw LogError(.invalidConfiguration, "\"\(argument)\" is not a property: write name=value, such as linger.ms=5")
        }
        return (name, value)
    }

    /// Passes a log line on.
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
