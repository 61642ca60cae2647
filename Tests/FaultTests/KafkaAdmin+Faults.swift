import CRDKafka
import RecordLog

@testable import RDKafkaLog

extension KafkaAdmin {
    /// Deletes topics. The broker may finish the deletion a moment later.
    func delete(_ names: [String]) throws(LogError) {
        var topics = names.map { rd_kafka_DeleteTopic_new($0) }
        defer { rd_kafka_DeleteTopic_destroy_array(&topics, topics.count) }
        let event = try request(RD_KAFKA_ADMIN_OP_DELETETOPICS, "deleting topics") { options, queue in
            rd_kafka_DeleteTopics(handle.pointer, &topics, topics.count, options, queue)
        }
        let result = rd_kafka_event_DeleteTopics_result(event.pointer)
        var count = 0
        guard let results = rd_kafka_DeleteTopics_result_topics(result, &count) else { return }
        for result in UnsafeBufferPointer(start: results, count: count) {
            let error = rd_kafka_topic_result_error(result)
            if error != RD_KAFKA_RESP_ERR_NO_ERROR { throw LogError(error, "deleting a topic") }
        }
    }

    /// Sets the settings of a topic. Settings that are not named return to the broker's defaults.
    func configure(_ topic: String, _ settings: [String: String]) throws(LogError) {
        var resources = [rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic)]
        defer { rd_kafka_ConfigResource_destroy_array(&resources, 1) }
        for (name, value) in settings { rd_kafka_ConfigResource_set_config(resources[0], name, value) }
        let event = try request(RD_KAFKA_ADMIN_OP_ALTERCONFIGS, "changing a topic") { options, queue in
            rd_kafka_AlterConfigs(handle.pointer, &resources, 1, options, queue)
        }
        let result = rd_kafka_event_AlterConfigs_result(event.pointer)
        var count = 0
        guard let changed = rd_kafka_AlterConfigs_result_resources(result, &count), count == 1 else { return }
        let error = rd_kafka_ConfigResource_error(changed[0])
        if error != RD_KAFKA_RESP_ERR_NO_ERROR { throw LogError(error, "changing \"\(topic)\"") }
    }
}
