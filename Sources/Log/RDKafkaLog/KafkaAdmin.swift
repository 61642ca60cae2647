import CRDKafka
import Dispatch
import RecordLog

/// A short-lived connection that lists, creates and describes topics, and reads the state of groups. Every call waits
/// for the broker.
struct KafkaAdmin: ~Copyable {
    let handle: RDKafkaHandle
    private let timeout: Int32
    private let configuration: KafkaConfiguration
    /// The time in milliseconds after which a wait for the broker is reported.
    private static let maximumSilence: Int32 = 1_000

    /// Calls `body` with a connection on a separate thread, so that waiting for the broker blocks no other work.
    ///
    /// - Parameter group: The group that the request is about. The connection does not join it.
    static func run<Result: Sendable>(
        _ configuration: KafkaConfiguration, group: String? = nil,
        _ body: @escaping @Sendable (borrowing KafkaAdmin) throws(LogError) -> Result
    ) async throws(LogError) -> Result {
        let result: Swift.Result<Result, LogError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "rdkafka.admin").async {
                continuation.resume(
                    returning: Swift.Result { () throws(LogError) in
                        try RDKafkaVersion.current.check()
                        return try body(try KafkaAdmin(configuration, group))
                    })
            }
        }
        return try result.get()
    }

    private init(_ configuration: KafkaConfiguration, _ group: String?) throws(LogError) {
        // With a handle that has no group, librdkafka up to and including 2.16.0 crashes if the broker that it asks for
        // a group's offsets does not coordinate the group (librdkafka #5040): while brokers restart, or before the
        // first group exists.
        let scope: KafkaProperties.Scope = group == nil ? .admin : .reader
        handle = try RDKafkaConfiguration(configuration, scope: scope, clientID: "admin", group: group).makeHandle(
            HandleDestroyer())
        timeout = configuration.requestTimeout.milliseconds
        self.configuration = configuration
    }

    private var servers: String {
        configuration.bootstrapServers ?? configuration.properties["bootstrap.servers"] ?? "Kafka"
    }

    func topics() throws(LogError) -> [TopicDescription] {
        try withMetadata(\.descriptions)
    }

    private func withMetadata<Result>(_ body: (rd_kafka_metadata) -> Result) throws(LogError) -> Result {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let silence = timeout < 3 * Self.maximumSilence ? timeout : Self.maximumSilence
        var error = rd_kafka_metadata(handle.pointer, 1, nil, &metadata, silence)
        if error != RD_KAFKA_RESP_ERR_NO_ERROR, timeout > silence {
            configuration.report(
                level: 4, "WAIT", "\(servers) has not answered yet; the wait ends in \((timeout - silence) / 1000) s")
            error = rd_kafka_metadata(handle.pointer, 1, nil, &metadata, timeout - silence)
        }
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata else {
            throw try connectionError(error)
        }
        defer { rd_kafka_metadata_destroy(metadata) }
        return body(metadata.pointee)
    }

    /// Returns the reason that librdkafka reports for the missing answer. Rejected credentials are retriable too: the
    /// broker may accept them later.
    private func connectionError(_ error: rd_kafka_resp_err_t) throws(LogError) -> LogError {
        let queue = try RDKafkaQueue(rd_kafka_queue_get_main(handle.pointer))
        var cause: LogError?
        while let event = queue.poll(0) {
            guard event.type == RD_KAFKA_EVENT_ERROR, event.error != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN else {
                continue
            }
            let found = LogError(event.error, event.errorText)
            if cause?.code != .unauthorized { cause = found }
        }
        if let cause, cause.code == .unauthorized {
            return LogError(
                .unauthorized, "Kafka at \(servers) refuses the connection: \(cause.message)", disposition: .retry)
        }
        let reason = cause.map { " \($0.message)" } ?? ""
        return LogError(
            error, "Kafka at \(servers) did not return its topics: is the address right, and is it running?\(reason)")
    }

    func create(_ specifications: [TopicSpecification]) throws(LogError) {
        if specifications.isEmpty { return }
        try checkController(within: 2000, "so it can't create topics: create them with its own tools")
        var topics: [OpaquePointer?] = []
        defer { rd_kafka_NewTopic_destroy_array(&topics, topics.count) }
        for specification in specifications { topics.append(try makeTopic(specification)) }
        let event = try request(RD_KAFKA_ADMIN_OP_CREATETOPICS, "creating topics") { options, queue in
            rd_kafka_CreateTopics(handle.pointer, &topics, topics.count, options, queue)
        }
        try check(event, specifications)
    }

    /// Sends a request and waits for its result. Errors of the whole request are thrown; only parts of the returned
    /// result can have errors.
    func request(
        _ operation: rd_kafka_admin_op_t, _ what: String,
        _ send: (_ options: OpaquePointer?, _ queue: OpaquePointer) -> Void
    ) throws(LogError) -> RDKafkaEvent {
        let queue = try RDKafkaQueue(rd_kafka_queue_new(handle.pointer))
        let options = rd_kafka_AdminOptions_new(handle.pointer, operation)
        defer { rd_kafka_AdminOptions_destroy(options) }
        let (set, message) = withErrorText { rd_kafka_AdminOptions_set_request_timeout(options, timeout, $0, $1) }
        guard set == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(set, message) }
        send(options, queue.pointer)
        // librdkafka applies the timeout itself; the extra second covers the case that it doesn't.
        guard let event = queue.poll(timeout + 1000) else { throw LogError(.timedOut, what, disposition: .retry) }
        guard event.error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw LogError(event.error, "\(what): \(event.errorText)")
        }
        return event
    }

    /// Throws if the cluster has no controller, which admin requests need. librdkafka would wait for one and then
    /// report only a timeout.
    ///
    /// - Parameters:
    ///   - limit: The time to wait for the controller, in milliseconds. Kafka names its controller in the first
    ///     response.
    ///   - consequence: The end of the error's message.
    func checkController(within limit: Int32, _ consequence: String) throws(LogError) {
        let brokers = try withMetadata { metadata in
            UnsafeBufferPointer(start: metadata.brokers, count: Int(metadata.broker_cnt)).map(\.id)
        }
        guard brokers.contains(rd_kafka_controllerid(handle.pointer, min(timeout, limit))) else {
            throw LogError(.unsupported, "the broker has no controller, \(consequence)")
        }
    }

    private func makeTopic(_ specification: TopicSpecification) throws(LogError) -> OpaquePointer {
        let (topic, message) = withErrorText { text, size in
            rd_kafka_NewTopic_new(
                specification.name, specification.partitions, Int32(clamping: specification.replicationFactor), text,
                size)
        }
        guard let topic else { throw LogError(.invalidConfiguration, "topic \"\(specification.name)\": \(message)") }
        for (name, value) in specification.configuration.sorted(by: { $0.key < $1.key }) {
            let error = rd_kafka_NewTopic_set_config(topic, name, value)
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                rd_kafka_NewTopic_destroy(topic)
                throw LogError(error, "topic \"\(specification.name)\": \(name)=\(value)")
            }
        }
        return topic
    }

    private func check(_ event: borrowing RDKafkaEvent, _ specifications: [TopicSpecification]) throws(LogError) {
        let result = rd_kafka_event_CreateTopics_result(event.pointer)
        var count = 0
        guard let results = rd_kafka_CreateTopics_result_topics(result, &count) else { return }
        var existing: Set<String> = []
        for result in UnsafeBufferPointer(start: results, count: count) {
            let error = rd_kafka_topic_result_error(result)
            let name = String(cString: rd_kafka_topic_result_name(result))
            switch error {
            case RD_KAFKA_RESP_ERR_NO_ERROR: break
            case RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS: existing.insert(name)
            default:
                let reason = rd_kafka_topic_result_error_string(result).map { String(cString: $0) } ?? ""
                throw LogError(error, "topic \"\(name)\": \(reason)")
            }
        }
        if existing.isEmpty { return }
        let partitions = Dictionary(uniqueKeysWithValues: try topics().map { ($0.name, $0.partitions) })
        for specification in specifications where existing.contains(specification.name) {
            guard let found = partitions[specification.name], specification.partitions >= 0,
                found != specification.partitions
            else {
                continue
            }
            throw LogError(
                .topicAlreadyExists,
                "topic \"\(specification.name)\" has \(found) partitions, not \(specification.partitions), and this can't change it"
            )
        }
    }
}

extension rd_kafka_metadata {
    /// The topics without an error, by name.
    var descriptions: [TopicDescription] {
        UnsafeBufferPointer(start: topics, count: Int(topic_cnt)).filter { $0.err == RD_KAFKA_RESP_ERR_NO_ERROR }.map {
            topic in
            let partitions = UnsafeBufferPointer(start: topic.partitions, count: Int(topic.partition_cnt))
            return TopicDescription(
                name: String(cString: topic.topic), partitions: topic.partition_cnt,
                replicationFactor: Int(partitions.first?.replica_cnt ?? 0),
                leaderless: partitions.filter { $0.leader < 0 }.map(\.id).sorted())
        }.sorted { $0.name < $1.name }
    }
}
