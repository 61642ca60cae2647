import Conversation
import DequeModule
import IntentModel
import Logging
public import RecordLog

// Partitions come and go, and what is finished is committed.
extension Worker {
    func assigned(_ partitions: [TopicPartition]) throws(LogError) {
        unanswered = partitions
        try takePartitions()
    }

    /// Answers the group's last assignment, once the group's positions can be read. A broker that is slow or away at that time would otherwise end every
    /// worker of the group at once.
    func takePartitions() throws(LogError) {
        guard let partitions = unanswered else { return }
        let committed: [TopicPartition: CommittedOffset]
        do throws(LogError) { committed = partitions.isEmpty ? [:] : try client.committed(partitions) } catch {
            guard error.disposition == .retry else { throw error }
            logger.warning("the group's positions can't be read yet; trying again", metadata: ["error": "\(error)"])
            return
        }
        unanswered = nil
        trackers.removeAll()
        for partition in partitions { trackers[partition.partition] = OffsetTracker(committed[partition]) }
        isPaused = false
        ahead = LookAhead()
        isSteady = true
        try client.assign(committed.mapValues { .offset($0.offset) })
        logger.info("took partitions", metadata: ["topic": "\(configuration.topic)", "partitions": "\(trackers.keys.sorted())"])
    }

    /// What runs may finish; what waits is left to the next owner.
    func revoked(lost: Bool) throws(LogError) {
        isSteady = false
        unanswered = nil
        try stopLookingAhead()
        releasePermits()
        releaseUpdates()
        for lane in lanes.values {
            for job in lane.jobs where job.task == nil { jobs[job.id] = nil }
        }
        lanes = lanes.compactMapValues { lane in
            var lane = lane
            lane.jobs.removeAll { $0.task == nil }
            return lane.jobs.isEmpty ? nil : lane
        }
        if lost {
            trackers.removeAll()
            revokedBy = nil
            return try client.release()
        }
        revokedBy = clock().advanced(by: configuration.drainTimeout)
    }

    func releaseIfDrained() throws(LogError) {
        guard let deadline = revokedBy, !isClosing else { return }
        let isLate = clock() >= deadline
        guard inFlight == 0 || isLate else { return }
        if isDirty { try commit() }
        guard commitsInFlight == 0 || isLate else { return }
        revokedBy = nil
        trackers.removeAll()
        try client.release()
    }

    func resumeIfPossible() throws(LogError) {
        guard isPaused, takenSlots <= configuration.maximumInFlight / 2, revokedBy == nil else { return }
        isPaused = false
        try stopLookingAhead()
        try client.resume(trackers.keys.map { TopicPartition(configuration.topic, $0) })
    }

    func commitIfDue() throws(LogError) {
        guard isDirty, commitsInFlight == 0, revokedBy == nil, clock() >= nextCommit else { return }
        try commit()
    }

    private func commit() throws(LogError) {
        isDirty = false
        nextCommit = clock().advanced(by: configuration.commitInterval)
        var offsets: [TopicPartition: CommittedOffset] = [:]
        for number in trackers.keys {
            if let offset = trackers[number]?.commit() { offsets[TopicPartition(configuration.topic, number)] = offset }
        }
        permits.beginCommit()
        if offsets.isEmpty { return try committed(nil) }
        commitsInFlight += 1
        try client.commit(offsets)
    }

    /// Finishes what was begun, commits it and leaves the group. Handlers that are not done in time are cancelled; their work is repeated elsewhere.
    public func close(timeout: Duration) throws(LogError) {
        isClosing = true
        try revoked(lost: false)
        let deadline = clock().advanced(by: timeout)
        while !(inFlight == 0 && commitsInFlight == 0 && !isDirty), clock() < deadline {
            try step(timeout: .milliseconds(50))
            if inFlight == 0, isDirty { try commit() }
        }
        let left = jobs.values.sorted { $0.id < $1.id }
        for job in left { job.cancellation.cancel(.shutdown) }
        for job in left { job.task?.cancel() }
        try leaveUnknown()
        try client.close(timeout: timeout)
    }
}
