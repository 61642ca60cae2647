import CRDKafka
import RecordLog

extension KafkaAdmin {
    /// Asks about a group, and again while it has no coordinator that answers, at most as long as a request may take.
    ///
    /// Each time with a new connection: librdkafka remembers the coordinator of a connection.
    static func run<Result: Sendable>(
        _ configuration: KafkaConfiguration, about group: String,
        _ body: @escaping @Sendable (borrowing KafkaAdmin) throws(LogError) -> Result
    ) async throws(LogError) -> Result {
        let end = ContinuousClock.now + configuration.requestTimeout
        while true {
            do { return try await run(configuration, group: group, body) } catch {
                guard error.code == .disconnected, error.disposition == .retry, ContinuousClock.now < end, !Task.isCancelled else {
                    throw error
                }
                try? await ContinuousClock().sleep(for: retryInterval)
            }
        }
    }

    private static let retryInterval = Duration.milliseconds(100)

    /// The committed offsets of a group; partitions without a commit are left out.
    func committed(by group: String, _ partitions: [TopicPartition]) throws(LogError) -> [TopicPartition: CommittedOffset] {
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

    /// The members of a group, and what is assigned to them. A group that does not exist has none.
    func members(of group: String) throws(LogError) -> [GroupMember] {
        let what = "describing the group \(group)"
        // librdkafka 2.0.2 can abort the process when it describes groups at a broker that does not support it, such as one without a controller.
        try checkController(within: 2000, "so it can't tell the members of groups")
        let event = try request(RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS, what) { options, queue in
            // It copies the names.
            group.withCString { name in
                var names: [UnsafePointer<CChar>?] = [name]
                rd_kafka_DescribeConsumerGroups(handle.pointer, &names, names.count, options, queue)
            }
        }
        var count = 0
        let result = rd_kafka_event_DescribeConsumerGroups_result(event.pointer)
        guard let groups = rd_kafka_DescribeConsumerGroups_result_groups(result, &count), count == 1, let description = groups[0] else {
            return []
        }
        try Self.check(rd_kafka_ConsumerGroupDescription_error(description), what)
        return (0..<rd_kafka_ConsumerGroupDescription_member_count(description)).compactMap { index in
            guard let member = rd_kafka_ConsumerGroupDescription_member(description, index) else { return nil }
            let list = rd_kafka_MemberDescription_assignment(member).flatMap { rd_kafka_MemberAssignment_partitions($0) }
            let assigned = list.map { UnsafeBufferPointer(start: $0.pointee.elems, count: Int($0.pointee.cnt)).map(\.topicPartition) }
            return GroupMember(
                clientID: rd_kafka_MemberDescription_client_id(member).map { String(cString: $0) } ?? "",
                partitions: (assigned ?? []).sorted())
        }
    }

    /// - Parameter error: belongs to the result that it came with.
    static func check(_ error: OpaquePointer?, _ what: String) throws(LogError) {
        guard let error, rd_kafka_error_code(error) != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        throw LogError(rd_kafka_error_code(error), "\(what): \(String(cString: rd_kafka_error_string(error)))")
    }
}
