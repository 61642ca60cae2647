import CRDKafka
import RecordLog

@testable import RDKafkaLog

extension KafkaAdmin {
    /// Deletes a topic. The broker may finish the deletion a moment later.
    func delete(_ topic: String) throws(LogError) {
        var topics = [rd_kafka_DeleteTopic_new(topic)]
        defer { rd_kafka_DeleteTopic_destroy_array(&topics, 1) }
        let event = try request(RD_KAFKA_ADMIN_OP_DELETETOPICS, "deleting a topic") { options, queue in
            rd_kafka_DeleteTopics(handle.pointer, &topics, 1, options, queue)
        }
        let result = rd_kafka_event_DeleteTopics_result(event.pointer)
        var count = 0
        guard let deleted = rd_kafka_DeleteTopics_result_topics(result, &count), count == 1 else { return }
        let error = rd_kafka_topic_result_error(deleted[0])
        if error != RD_KAFKA_RESP_ERR_NO_ERROR { throw LogError(error, "deleting \"\(topic)\"") }
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
