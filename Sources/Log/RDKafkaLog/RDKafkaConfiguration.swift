import CRDKafka
import RecordLog

/// Owns an `rd_kafka_conf_t` until a handle is created from it.
struct RDKafkaConfiguration: ~Copyable {
    private var pointer: OpaquePointer?
    private let scope: KafkaProperties.Scope

    /// Sets the defaults, then the user's properties, which are checked, then the fixed properties.
    ///
    /// - Throws: ``LogError/Code/invalidConfiguration`` with the property's name.
    init(_ configuration: KafkaConfiguration, scope: KafkaProperties.Scope, clientID: String, group: String? = nil)
        throws(LogError)
    {
        pointer = rd_kafka_conf_new()
        self.scope = scope
        for (name, value) in KafkaProperties.defaults(for: scope) { try set(name, value) }
        for (name, value) in KafkaProperties.newerDefaults(for: scope) {
            rd_kafka_conf_set(pointer, name, value, nil, 0)
        }
        // Sorted by name, so that the same mistake always results in the same message.
        for (name, value) in configuration.properties.sorted(by: { $0.key < $1.key }) {
            if let reason = KafkaProperties.owned[name]
                ?? (scope == .gaplessProducer ? KafkaProperties.ownedIfGapless[name] : nil)
            {
                throw LogError(.invalidConfiguration, "\(name) can't be set: \(reason)")
            }
            if KafkaProperties.applies(name, to: scope) { try set(name, value) }
        }
        for (name, value) in KafkaProperties.fixed(for: scope) { try set(name, value) }
        let aliases = ["bootstrap.servers", "metadata.broker.list"]
        guard
            let servers = configuration.bootstrapServers
                ?? aliases.lazy.compactMap({ configuration.properties[$0] }).first,
            !servers.isEmpty
        else {
            throw LogError(.invalidConfiguration, "bootstrap.servers is missing: set it to a broker's host:port")
        }
        try set("bootstrap.servers", servers)
        try set("client.id", clientID)
        try set("log.queue", "true")
        if let group { try set("group.id", group) }
        MainThreadSlack.add(to: pointer)
        rd_kafka_conf_set_events(
            pointer,
            RD_KAFKA_EVENT_FETCH | RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_REBALANCE | RD_KAFKA_EVENT_OFFSET_COMMIT
                | RD_KAFKA_EVENT_ERROR
                | RD_KAFKA_EVENT_LOG)
    }

    deinit {
        if let pointer { rd_kafka_conf_destroy(pointer) }
    }

    /// Creates the handle. The handle's threads start to connect immediately.
    consuming func makeHandle(_ destroyer: HandleDestroyer) throws(LogError) -> RDKafkaHandle {
        let (made, message) = withErrorText { text, size in
            rd_kafka_new(scope.isConsumer ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER, pointer, text, size)
        }
        guard let made else { throw LogError(.invalidConfiguration, message) }
        pointer = nil  // The handle owns it now.
        return RDKafkaHandle(pointer: made, destroyer: destroyer)
    }

    private func set(_ name: String, _ value: String) throws(LogError) {
        let (result, message) = withErrorText { text, size in rd_kafka_conf_set(pointer, name, value, text, size) }
        if result == RD_KAFKA_CONF_OK { return }
        // The message omits the value of an unknown property, which may be a secret with a misspelt name.
        let isShown = result == RD_KAFKA_CONF_INVALID && !KafkaConfiguration.isSecret(name)
        throw LogError(.invalidConfiguration, isShown ? "\(name)=\(value): \(message)" : "\(name): \(message)")
    }
}

/// Calls a function of librdkafka that writes the reason of a failure to a buffer.
func withErrorText<Result>(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Result) -> (Result, String) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
        buffer.initialize(repeating: 0)
        let result = body(buffer.baseAddress, buffer.count)
        return (result, buffer.baseAddress.map { String(cString: $0) } ?? "")
    }
}
