import CRDKafka
import RecordLog

extension KafkaClient {
    /// Answers ``LogEvent/assigned(_:)``. Positions of partitions that were not assigned are ignored.
    func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError) {
        if isClosed { throw Self.closed }
        guard case .assigning(let partitions) = assignment.rebalance else { return }
        assignment.rebalance = .settled
        for stream in streams.ofMember.values { stream.closeAll() }
        assignment.startsLater = later.intersection(partitions)
        for partition in partitions where !assignment.startsLater.contains(partition) {
            streams.ofMember[partition.topic]?[partition.partition].open(from: positions[partition])
        }
        try assignOpenPartitions()
    }

    /// Starts reading deferred partitions. With the eager protocol, librdkafka accepts only whole assignments, so the
    /// new assignment includes the partitions that are read already. Their fetching is interrupted and continues at
    /// their positions.
    func start(_ positions: [TopicPartition: StartOffset]) throws(LogError) {
        if isClosed { throw Self.closed }
        let started = positions.filter { assignment.startsLater.remove($0.key) != nil }
        if started.isEmpty { return }
        for (partition, start) in started { streams.ofMember[partition.topic]?[partition.partition].open(from: start) }
        try renewAssignment()
    }

    func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError) {
        if isClosed { throw Self.closed }
        var hasMoved = false
        for (place, start) in positions {
            guard !assignment.startsLater.contains(place), let stream = streams.ofMember[place.topic],
                stream[place.partition].isOpen
            else { continue }
            let wasPaused = stream[place.partition].isPaused
            stream[place.partition].open(from: start)
            stream[place.partition].isPaused = wasPaused
            hasMoved = true
        }
        if hasMoved { try renewAssignment() }
    }

    func release() throws(LogError) {
        if isClosed { throw Self.closed }
        guard case .revoking = assignment.rebalance else { return }
        assignment.rebalance = .settled
        assignment.startsLater = []
        for stream in streams.ofMember.values { stream.closeAll() }
        try unassign()
    }

    func lookUpCommitted(_ partitions: [TopicPartition]) throws(LogError) {
        let timeout = min(configuration.requestTimeout, Self.questionTimeout)
        questions.askCommitted(try memberPointer(), partitions, timeout: timeout) { [weak self] in self?.wake() }
    }

    func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) {
        let member = try memberPointer()
        if offsets.isEmpty {
            // librdkafka would commit its own stored offsets, and it stores none.
            overflow.insert(.committed(nil), at: 0)
            return
        }
        let list = TopicPartitionList(capacity: offsets.count)
        for (partition, offset) in offsets { list.add(partition, offset) }
        let error = rd_kafka_commit_queue(member, list.pointer, queue?.pointer, nil, nil)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(error) }
    }

    func pause(_ partitions: [TopicPartition]) throws(LogError) { try setPaused(true, partitions) }

    func resume(_ partitions: [TopicPartition]) throws(LogError) { try setPaused(false, partitions) }

    private func setPaused(_ isPaused: Bool, _ partitions: [TopicPartition]) throws(LogError) {
        let member = try memberPointer()
        let changed = partitions.filter {
            guard let partition = streams.ofMember[$0.topic]?[$0.partition] else { return false }
            return partition.isOpen && partition.isPaused != isPaused
        }
        if changed.isEmpty { return }
        // A searched partition stays paused until the search ends.
        let list = TopicPartitionList(changed.filter { streams.ofMember[$0.topic]?[$0.partition].isSearched == false })
        let error =
            isPaused
            ? rd_kafka_pause_partitions(member, list.pointer) : rd_kafka_resume_partitions(member, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(error) }
        for partition in changed { streams.ofMember[partition.topic]?[partition.partition].isPaused = isPaused }
    }

    func handleRebalance(_ event: borrowing RDKafkaEvent, into events: inout [LogEvent]) {
        guard let member = member?.pointer else { return }
        let partitions = event.partitions
        switch event.error {
        case RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS:
            assignment.rebalance = .assigning(partitions)
            events.append(.assigned(partitions))
        case RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS:
            assignment.rebalance = .revoking
            assignment.startsLater = []
            assignment.isBroken = false
            events.append(.revoked(partitions, lost: rd_kafka_assignment_lost(member) != 0))
        default:
            events.append(.failed(LogError(event.error, event.errorText)))
            rd_kafka_assign(member, nil)
        }
    }

    /// Handles a missing position: the offset is out of the log's range, or the group has no committed offset.
    ///
    /// - Parameter range: The range of the partition; `nil` if it is unknown.
    func handleMissingOffset(
        _ place: TopicPartition, _ offset: Int64, _ range: Range<Int64>?, into events: inout [LogEvent]
    ) {
        // Reader and member may both have the partition open. The error then belongs to the one at that position.
        let reader = streams.ofReader[place.topic].flatMap { $0[place.partition].isOpen ? $0 : nil }
        let member = streams.ofMember[place.topic].flatMap { $0[place.partition].isOpen ? $0 : nil }
        let isReaders = reader.map { $0[place.partition].position == offset || member == nil } ?? false
        guard let stream = isReaders ? reader : member else { return }
        let partition = stream[place.partition]
        let wasPaused = partition.isPaused
        let isUnreported = partition.position < 0 && partition.reportedMissing != offset
        if offset >= 0, isUnreported || partition.position == offset {
            events.append(.outOfRange(OutOfRange(place, requested: offset, range: range)))
            stream[place.partition].open(from: .beginning)
            stream[place.partition].reportedMissing = offset
        } else if offset < 0, partition.position < 0 {
            // The group has no committed offset.
            stream[place.partition].open(from: .beginning)
        }
        // Otherwise the error belongs to an earlier position that was replaced. Starting again from the current
        // position is harmless.
        stream[place.partition].isPaused = wasPaused
        if stream.isReader { restartReader(place) } else { assignment.isBroken = true }
    }

    /// Restarts fetching after a position was missing. librdkafka stops fetching such a partition, and with the eager
    /// protocol only a new assignment starts it again.
    func repairAssignment() {
        do { try renewAssignment() } catch { overflow.insert(.failed(error), at: 0) }
    }

    /// Starts fetching all open partitions, each at its current position.
    private func renewAssignment() throws(LogError) {
        assignment.isBroken = false
        guard case .settled = assignment.rebalance else { return }
        try assignOpenPartitions()
        let paused = streams.ofMember.values.flatMap { stream in
            stream.openPartitions.filter { $1.isPaused || $1.isSearched }.map { TopicPartition(stream.name, $0.0) }
        }
        if paused.isEmpty { return }
        let list = TopicPartitionList(paused)
        rd_kafka_pause_partitions(try memberPointer(), list.pointer)
    }

    private func assignOpenPartitions() throws(LogError) {
        let list = TopicPartitionList()
        let paused = TopicPartitionList()
        for stream in streams.ofMember.values {
            for (number, partition) in stream.openPartitions {
                let place = TopicPartition(stream.name, number)
                list.add(place, offset: partition.resumption?.number ?? Self.committedOffset)
                paused.add(place)
            }
        }
        let member = try memberPointer()
        // A pause survives an assignment, but newly assigned partitions must not be paused.
        rd_kafka_resume_partitions(member, paused.pointer)
        let error = rd_kafka_assign(member, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(error, "accepting partitions") }
    }

    func unassign() throws(LogError) {
        let error = rd_kafka_assign(try memberPointer(), nil)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(error, "releasing partitions") }
    }

    private func memberPointer() throws(LogError) -> OpaquePointer {
        if isClosed { throw Self.closed }
        guard let pointer = member?.pointer else {
            throw LogError(.invalidConfiguration, "client \(client.clientID) has no group: set one when connecting")
        }
        return pointer
    }

    /// librdkafka's number for the group's committed offset.
    private static var committedOffset: Int64 { -1000 }
}
