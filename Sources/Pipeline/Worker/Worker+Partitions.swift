import Conversation
import DequeModule
import IntentModel
import Logging
public import RecordLog

// Partitions come and go, and what is finished is committed.
extension Worker {
    func assigned(_ partitions: [TopicPartition]) throws(LogError) {
        membership.unanswered = partitions
        membership.nextLookUp = readAt
        guard !membership.isClosing else {
            // The group goes on, and these partitions wait until the process has left it.
            membership.unanswered = nil
            try client.assign([:])
            return try client.pause(partitions)
        }
        if partitions.isEmpty { try take(partitions, [:]) } else { try lookUpCommitted() }
    }

    /// Asks for the positions of the group's last assignment, until they are known. A broker that is slow or away at that time would otherwise end every worker of the
    /// group at once.
    ///
    /// - Returns: whether it has asked.
    @discardableResult
    func lookUpCommitted() throws(LogError) -> Bool {
        guard let unanswered = membership.unanswered, readAt >= membership.nextLookUp else { return false }
        membership.nextLookUp = .distant
        membership.lookUps += 1
        try client.lookUpCommitted(unanswered)
        return true
    }

    /// The group's positions. Those of an earlier assignment are passed over.
    func found(committed answer: Result<[TopicPartition: CommittedOffset], LogError>) throws(LogError) {
        membership.lookUps -= 1
        guard membership.lookUps == 0, let partitions = membership.unanswered else { return }
        switch answer {
        case .success(let committed): try take(partitions, committed)
        case .failure(let error):
            guard error.disposition == .retry else { throw error }
            logger.warning("the group's positions can't be read yet; trying again", metadata: ["error": "\(error)"])
            membership.nextLookUp = readAt.advanced(by: .milliseconds(500))
        }
    }

    private func take(_ partitions: [TopicPartition], _ committed: [TopicPartition: CommittedOffset]) throws(LogError) {
        membership.unanswered = nil
        let inFlight =
            queue.jobs.values.map { ($0.partition, $0.offset) }
            + unreadable.letters.values.map { ($0.record.partition, $0.record.offset) }
        self.partitions.assign(partitions, committed, inFlight: inFlight)
        releaseUpdates { !self.partitions.isAssigned($0) }
        ahead = LookAhead()
        membership.isSteady = true
        try client.assign(committed.mapValues { .offset($0.offset) })
        logger.info(
            "took partitions", metadata: ["topic": "\(configuration.topic)", "partitions": "\(ownedPartitions)"])
    }

    func finish(_ partition: Int32, _ offset: Int64) {
        partitions.finish(partition, offset)
        membership.isDirty = true
    }

    /// What runs may finish, and goes on if its partition comes back; what waits is left to the next owner.
    func revoked(lost: Bool) throws(LogError) {
        membership.isSteady = false
        membership.unanswered = nil
        try stopLookingAhead()
        releasePermits()
        if lost || membership.isClosing { releaseUpdates { _ in true } }
        queue.removeIdle()
        if lost {
            partitions.release()
            membership.revokedBy = nil
            return try client.release()
        }
        membership.revokedBy = clock().advanced(by: configuration.drainTimeout)
    }

    func releaseIfDrained() throws(LogError) {
        guard membership.isAwaited, let deadline = membership.revokedBy else { return }
        let now = clock()
        guard inFlight == 0 || now >= deadline else { return }
        if membership.isDirty { try commit() }
        // What was finished and is not committed would be repeated.
        guard membership.commitsInFlight == 0 || now >= deadline.advanced(by: configuration.drainTimeout) else {
            return
        }
        membership.isAwaited = false
        if !membership.isClosing { membership.revokedBy = nil }
        partitions.release()
        try client.release()
    }

    /// Partitions whose outcomes the log does not take are read no further. All others are.
    func holdBack() throws(LogError) {
        let clogged = partitions.unacknowledged.keys.filter {
            partitions.isAssigned($0) && !partitions.heldBack.contains($0) && isClogged($0, share: 1)
        }
        if clogged.isEmpty { return }
        partitions.heldBack.formUnion(clogged)
        try client.pause(clogged.map { TopicPartition(configuration.topic, $0) })
    }

    func resumeIfPossible() throws(LogError) {
        guard membership.revokedBy == nil else { return }
        let free = partitions.heldBack.filter { !isClogged($0, share: 2) }
        partitions.heldBack.subtract(free)
        guard ahead.isPaused, hasRoom else {
            if !free.isEmpty, !ahead.isPaused {
                try client.resume(free.map { TopicPartition(configuration.topic, $0) })
            }
            return
        }
        ahead.isPaused = false
        try stopLookingAhead()
        try client.resume(partitions.readable.map { TopicPartition(configuration.topic, $0) })
    }

    func commitIfDue() throws(LogError) {
        guard membership.isDirty, membership.commitsInFlight == 0, membership.revokedBy == nil,
            clock() >= membership.nextCommit
        else { return }
        try commit()
    }

    /// A commit was refused: the next one has all positions again.
    func repeatCommit() {
        partitions.commitFailed()
        if membership.revokedBy == nil { membership.isDirty = true }
    }

    private func commit() throws(LogError) {
        membership.isDirty = false
        membership.nextCommit = clock().advanced(by: configuration.commitInterval)
        let offsets = partitions.commit(of: configuration.topic)
        permits.beginCommit()
        if offsets.isEmpty { return committed(nil) }
        membership.commitsInFlight += 1
        try client.commit(offsets)
    }

    /// Finishes what was begun, commits it and leaves the group. Handlers that are not done in time are cancelled; their work is repeated elsewhere.
    public func close(timeout: Duration) throws(LogError) {
        membership.isClosing = true
        try revoked(lost: false)
        let deadline = clock().advanced(by: timeout)
        while !(inFlight == 0 && membership.commitsInFlight == 0 && !membership.isDirty), clock() < deadline {
            try step(timeout: .milliseconds(50))
            if inFlight == 0, membership.isDirty { try commit() }
        }
        let left = queue.jobs.values.sorted { $0.id < $1.id }
        for job in left { job.cancellation.cancel(.shutdown) }
        for job in left { job.task?.cancel() }
        try leaveUnknown()
        try client.close(timeout: timeout)
    }
}
