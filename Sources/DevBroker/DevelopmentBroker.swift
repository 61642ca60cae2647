import CRDKafkaMock
import Synchronization

/// A Kafka broker for development and tests, inside this process: librdkafka's own mock cluster of one node.
///
/// Any process on this machine can connect to ``bootstrapServers``. Groups, commits, headers, compression, and the difference between empty and
/// absent values work as in Kafka. Differences from Kafka:
///
/// - The kernel chooses a new port on 127.0.0.1 each time; librdkafka can't request a specific one.
/// - All data is in memory. A partition keeps its newest 5 MiB or 100,000 batches. Older ones are lost, and a reader that is further behind jumps
///   forward. Nothing is compacted.
/// - It does not serve admin requests. Topics are created with ``createTopic(_:partitions:)``, or by the first record that a producer sends to one,
///   with four partitions.
/// - Transactions are accepted without effect. An idempotent producer's sequence is not checked.
/// - An empty fetch always takes the client's full `fetch.wait.max.ms`, and a group waits 3 s for its first members.
///
/// All methods may be called from any thread.
public final class DevelopmentBroker: Sendable {
    /// `host:port`, for a client's `bootstrap.servers`.
    public let bootstrapServers: String

    /// Properties with which a client of this broker gets records within some milliseconds: an empty fetch always takes its full wait time here.
    public static let clientProperties = ["fetch.wait.max.ms": "1"]

    private let running: Mutex<Running?>

    private struct Running: @unchecked Sendable {
        var handle: OpaquePointer
        var cluster: OpaquePointer
    }

    /// Starts a broker.
    ///
    /// - Parameter topics: Partition counts by topic name.
    public init(topics: [String: Int32] = [:]) throws(DevelopmentBrokerError) {
        let configuration = rd_kafka_conf_new()
        // Without this, it logs every connection and every request that it does not support.
        rd_kafka_conf_set_log_cb(configuration, nil)
        var text = [CChar](repeating: 0, count: 512)
        guard let handle = rd_kafka_new(RD_KAFKA_PRODUCER, configuration, &text, text.count) else {
            rd_kafka_conf_destroy(configuration)
            throw DevelopmentBrokerError(
                "the broker can't start: " + String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        }
        guard let cluster = rd_kafka_mock_cluster_new(handle, 1), let servers = rd_kafka_mock_cluster_bootstraps(cluster) else {
            rd_kafka_destroy(handle)
            throw DevelopmentBrokerError("the broker can't open a port on 127.0.0.1")
        }
        running = Mutex(Running(handle: handle, cluster: cluster))
        bootstrapServers = String(cString: servers)
        for (name, partitions) in topics.sorted(by: { $0.key < $1.key }) { try createTopic(name, partitions: partitions) }
    }

    deinit {
        close()
    }

    /// Creates a topic. A topic that exists stays unchanged.
    public func createTopic(_ name: String, partitions: Int32) throws(DevelopmentBrokerError) {
        let error = withCluster { rd_kafka_mock_topic_create($0, name, partitions, 1) }
        if error == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS { return }
        try check(error, "topic \"\(name)\" with \(partitions) partitions")
    }

    /// Stops the broker and discards its data. Takes some milliseconds; further calls do nothing.
    public func close() {
        guard let running = running.withLock({ $0.take() }) else { return }
        rd_kafka_mock_cluster_destroy(running.cluster)
        rd_kafka_destroy(running.handle)
    }

    /// Calls `body` with the cluster, or returns an error if the broker is closed.
    private func withCluster(_ body: (OpaquePointer) -> rd_kafka_resp_err_t) -> rd_kafka_resp_err_t {
        running.withLock { $0.map { body($0.cluster) } ?? RD_KAFKA_RESP_ERR__DESTROY }
    }

    private func check(_ error: rd_kafka_resp_err_t, _ what: String) throws(DevelopmentBrokerError) {
        if error != RD_KAFKA_RESP_ERR_NO_ERROR { throw DevelopmentBrokerError(what, error) }
    }

    // MARK: Faults

    /// Answers the next requests of this kind with these errors, one error per request. Later requests succeed again.
    public func fail(_ request: Request, with errors: [Fault]) {
        let codes = errors.map { rd_kafka_resp_err_t($0.code) }
        _ = withCluster { cluster in
            rd_kafka_mock_push_request_errors_array(cluster, request.key, codes.count, codes)
            return RD_KAFKA_RESP_ERR_NO_ERROR
        }
    }

    /// Reports this error in all metadata of the topic; `nil` clears it.
    public func fail(topic: String, with error: Fault?) {
        _ = withCluster { cluster in
            rd_kafka_mock_topic_set_error(cluster, topic, rd_kafka_resp_err_t(error?.code ?? 0))
            return RD_KAFKA_RESP_ERR_NO_ERROR
        }
    }

    /// Removes the errors of ``fail(_:with:)`` that no request has received yet.
    public func clearFaults(of request: Request) {
        _ = withCluster { cluster in
            rd_kafka_mock_clear_request_errors(cluster, request.key)
            return RD_KAFKA_RESP_ERR_NO_ERROR
        }
    }

    /// Closes all connections and accepts none until it is up again. The data stays.
    public func setDown(_ isDown: Bool) throws(DevelopmentBrokerError) {
        let error = withCluster { isDown ? rd_kafka_mock_broker_set_down($0, 1) : rd_kafka_mock_broker_set_up($0, 1) }
        try check(error, "taking the broker \(isDown ? "down" : "up")")
    }

    /// Delays every response by this time in milliseconds.
    public func setRoundTripTime(milliseconds: Int32) throws(DevelopmentBrokerError) {
        try check(withCluster { rd_kafka_mock_broker_set_rtt($0, 1, milliseconds) }, "the round-trip time")
    }
}
