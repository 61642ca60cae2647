import CRDKafka
import RecordLog

extension LogError {
    init(_ error: rd_kafka_resp_err_t, _ message: String? = nil) {
        let (code, disposition) = Self.meaning(of: error)
        let text = String(cString: rd_kafka_err2str(error))
        self.init(
            code, message.map { "\($0) (\(String(cString: rd_kafka_err2name(error))))" } ?? text,
            disposition: disposition)
    }

    /// Converts and destroys the error that a librdkafka call returned; `nil` if there was none.
    init?(consuming error: OpaquePointer?) {
        guard let error else { return nil }
        defer { rd_kafka_error_destroy(error) }
        self.init(rd_kafka_error_code(error), String(cString: rd_kafka_error_string(error)))
        if rd_kafka_error_is_fatal(error) != 0 { disposition = .fatal }
    }

    /// Maps librdkafka's codes to a code and a disposition. Unlisted codes become ``Code/other`` with
    /// ``Disposition/abort``.
    private static func meaning(of error: rd_kafka_resp_err_t) -> (Code, Disposition) {
        switch error {
        case RD_KAFKA_RESP_ERR__QUEUE_FULL: (.queueFull, .retry)
        case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, RD_KAFKA_RESP_ERR__RESOLVE,
            RD_KAFKA_RESP_ERR__WAIT_COORD, RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION, RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE,
            RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
            RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS,
            RD_KAFKA_RESP_ERR_NOT_COORDINATOR, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
            (.disconnected, .retry)
        case RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE,
            RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT, RD_KAFKA_RESP_ERR__MAX_POLL_EXCEEDED:
            (.timedOut, .retry)
        case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC,
            RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
            RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
            (.unknownTopicOrPartition, .abort)
        case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE, RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET: (.offsetOutOfRange, .abort)
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE: (.recordTooLarge, .abort)
        case RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION, RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID,
            RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID:
            (.illegalGeneration, .abort)
        case RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS: (.rebalanceInProgress, .retry)
        case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED,
            RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED,
            RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR__SSL:
            (.unauthorized, .abort)
        case RD_KAFKA_RESP_ERR__INVALID_ARG, RD_KAFKA_RESP_ERR_INVALID_CONFIG, RD_KAFKA_RESP_ERR_INVALID_PARTITIONS,
            RD_KAFKA_RESP_ERR_INVALID_REPLICATION_FACTOR:
            (.invalidConfiguration, .abort)
        case RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE, RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION,
            RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED:
            (.unsupported, .abort)
        case RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS: (.topicAlreadyExists, .abort)
        case RD_KAFKA_RESP_ERR__PURGE_QUEUE, RD_KAFKA_RESP_ERR__PURGE_INFLIGHT, RD_KAFKA_RESP_ERR__DESTROY:
            (.closed, .abort)
        case RD_KAFKA_RESP_ERR__FATAL, RD_KAFKA_RESP_ERR__FENCED: (.closed, .fatal)
        default: (.other, .abort)
        }
    }
}
