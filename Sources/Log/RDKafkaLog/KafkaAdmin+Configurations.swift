import CRDKafka
import RecordLog

extension KafkaAdmin {
    /// Returns the settings of these topics by name. Topics that do not exist are omitted.
    func configurations(of topics: [String]) throws(LogError) -> [String: [String: String]] {
        if topics.isEmpty { return [:] }
        // Every process asks for the settings when it starts, so a broker that can't answer must not delay the start.
        try checkController(within: 250, "so it can't tell the settings of topics")
        var resources = topics.map { rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, $0) }
        defer { rd_kafka_ConfigResource_destroy_array(&resources, resources.count) }
        let event = try request(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, "reading the settings of topics") { options, queue in
            rd_kafka_DescribeConfigs(handle.pointer, &resources, resources.count, options, queue)
        }
        let result = rd_kafka_event_DescribeConfigs_result(event.pointer)
        var count = 0
        guard let found = rd_kafka_DescribeConfigs_result_resources(result, &count) else { return [:] }
        var configurations: [String: [String: String]] = [:]
        for resource in UnsafeBufferPointer(start: found, count: count) {
            let name = String(cString: rd_kafka_ConfigResource_name(resource))
            let error = rd_kafka_ConfigResource_error(resource)
            if error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART { continue }
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                let reason = rd_kafka_ConfigResource_error_string(resource).map { String(cString: $0) } ?? ""
                throw LogError(error, "reading the settings of topic \"\(name)\": \(reason)")
            }
            configurations[name] = Self.entries(of: resource)
        }
        return configurations
    }

    private static func entries(of resource: OpaquePointer?) -> [String: String] {
        var count = 0
        guard let entries = rd_kafka_ConfigResource_configs(resource, &count) else { return [:] }
        var values: [String: String] = [:]
        for entry in UnsafeBufferPointer(start: entries, count: count) {
            // Secret values are absent.
            guard let value = rd_kafka_ConfigEntry_value(entry) else { continue }
            values[String(cString: rd_kafka_ConfigEntry_name(entry))] = String(cString: value)
        }
        return values
    }
}
