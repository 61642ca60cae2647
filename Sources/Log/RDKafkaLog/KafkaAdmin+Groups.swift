import CRDKafka
import RecordLog

extension KafkaAdmin {
    /// Runs a request about a group. Retries while no coordinator of the group answers, for at most the request
    /// timeout.
    ///
    /// Each attempt has a new connection, because librdkafka caches the coordinator of a connection.
    static func run<Result: Sendable>(
        _ configuration: KafkaConfiguration, about group: String,
        _ body: @escaping @Sendable (borrowing KafkaAdmin) throws(LogError) -> Result
    ) async throws(LogError) -> Result {
        let end = ContinuousClock.now + configuration.requestTimeout
        while true {
            do { return try await run(configuration, group: group, body) } catch {
                guard error.code == .disconnected, error.disposition == .retry, ContinuousClock.now < end,
                    !Task.isCancelled
                else {
                    throw error
                }
                try? await ContinuousClock().sleep(for: retryInterval)
            }
        }
    }

    private static let retryInterval = Duration.milliseconds(100)

    /// Returns the committed offsets of a group. Partitions without a commit are omitted.
    func committed(by group: String, _ partitions: [TopicPartition]) throws(LogError) -> [TopicPartition:
        CommittedOffset]
    {
        if partitions.isEmpty { return [:] }
        let wanted = TopicPartitionList(partitions)
        var requests = [rd_kafka_ListConsumerGroupOffsets_new(group, wanted.pointer)]
        defer { rd_kafka_ListConsumerGroupOffsets_destroy_array(&requests, requests.count) }
        let what = "reading the offsets of the group \(group)"
        let event = try request(RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPOFFSETS, what) { options, queue in
            rd_kafka_ListConsumerGroupOffsets(handle.pointer, &requests, requests.count, options, queue)
        }
        return try event.committedOffsets(what)
    }

    /// Returns the members of a group with their assigned partitions. A group that does not exist has no members.
    func members(of group: String) throws(LogError) -> [GroupMember] {
        let what = "describing the group \(group)"
        // librdkafka 2.0.2 can abort the process when it describes groups at a broker that does not support the
        // request, such as a broker without a controller.
        try checkController(within: 2000, "so it can't tell the members of groups")
        let event = try request(RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS, what) { options, queue in
            // librdkafka copies the names.
            group.withCString { name in
                var names: [UnsafePointer<CChar>?] = [name]
                rd_kafka_DescribeConsumerGroups(handle.pointer, &names, names.count, options, queue)
            }
        }
        var count = 0
        let result = rd_kafka_event_DescribeConsumerGroups_result(event.pointer)
        guard let groups = rd_kafka_DescribeConsumerGroups_result_groups(result, &count), count == 1,
            let description = groups[0]
        else {
            return []
        }
        try Self.check(rd_kafka_ConsumerGroupDescription_error(description), what)
        return (0..<rd_kafka_ConsumerGroupDescription_member_count(description)).compactMap { index in
            guard let member = rd_kafka_ConsumerGroupDescription_member(description, index) else { return nil }
            let list = rd_kafka_MemberDescription_assignment(member).flatMap {
                rd_kafka_MemberAssignment_partitions($0)
            }
            let assigned = list.map {
                UnsafeBufferPointer(start: $0.pointee.elems, count: Int($0.pointee.cnt)).map(\.topicPartition)
            }
            return GroupMember(
                clientID: rd_kafka_MemberDescription_client_id(member).map { String(cString: $0) } ?? "",
                partitions: (assigned ?? []).sorted())
        }
    }

    /// - Parameter error: An error that is owned by the result of the request.
    static func check(_ error: OpaquePointer?, _ what: String) throws(LogError) {
        guard let error, rd_kafka_error_code(error) != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        throw LogError(rd_kafka_error_code(error), "\(what): \(String(cString: rd_kafka_error_string(error)))")
    }
}
