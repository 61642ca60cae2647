import Conversation
import DequeModule
import IntentModel
import Logging
public import RecordLog

// Partitions come and go, and what is finished is committed.
extension Worker {
    func assigned(_ partitions: [TopicPartition]) throws(LogError) {
        unanswered = partitions
        nextLookUp = readAt
        guard !isClosing else {
            // The group goes on, and these partitions wait until the process has left it.
            unanswered = nil
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
        guard let unanswered, readAt >= nextLookUp else { return false }
        nextLookUp = .distant
        lookUps += 1
        try client.lookUpCommitted(unanswered)
        return true
    }

    /// The group's positions. Those of an earlier assignment are passed over.
    func found(committed answer: Result<[TopicPartition: CommittedOffset], LogError>) throws(LogError) {
        lookUps -= 1
        guard lookUps == 0, let partitions = unanswered else { return }
        switch answer {
        case .success(let committed): try take(partitions, committed)
        case .failure(let error):
            guard error.disposition == .retry else { throw error }
            logger.warning("the group's positions can't be read yet; trying again", metadata: ["error": "\(error)"])
            nextLookUp = readAt.advanced(by: .milliseconds(500))
        }
    }

    private func take(_ partitions: [TopicPartition], _ committed: [TopicPartition: CommittedOffset]) throws(LogError) {
        unanswered = nil
        trackers.removeAll()
        for partition in partitions { trackers[partition.partition] = OffsetTracker(committed[partition]) }
        keepRunning()
        releaseUpdates { trackers[$0] == nil }
        isPaused = false
        heldBack = []
        ahead = LookAhead()
        isSteady = true
        try client.assign(committed.mapValues { .offset($0.offset) })
        logger.info(
            "took partitions", metadata: ["topic": "\(configuration.topic)", "partitions": "\(trackers.keys.sorted())"])
    }

    /// Notes which records are in flight. With eager rebalancing, most partitions come back to the worker that had them, and their records with them.
    /// What has finished before its record is read again is not done again either.
    private func keepRunning() {
        for (partition, offsets) in finishedAway { for offset in offsets { trackers[partition]?.finish(offset) } }
        finishedAway = [:]
        kept = [:]
        for job in jobs.values where trackers[job.partition] != nil {
            kept[job.partition, default: []].insert(job.offset)
        }
        for letter in deadLetters.values where trackers[letter.record.partition] != nil {
            kept[letter.record.partition, default: []].insert(letter.record.offset)
        }
    }

    func finish(_ partition: Int32, _ offset: Int64) {
        if trackers[partition] == nil {
            finishedAway[partition, default: []].append(offset)
        } else {
            trackers[partition]?.finish(offset)
        }
        isDirty = true
    }

    /// What runs may finish, and goes on if its partition comes back; what waits is left to the next owner.
    func revoked(lost: Bool) throws(LogError) {
        isSteady = false
        unanswered = nil
        try stopLookingAhead()
        releasePermits()
        if lost || isClosing { releaseUpdates { _ in true } }
        for lane in lanes.values {
            for job in lane.jobs where job.task == nil {
                jobs[job.id] = nil
                if !job.isBegun { waiting -= 1 }
            }
        }
        lanes = lanes.filter { _, lane in
            lane.removeAll { $0.task == nil }
            return !lane.jobs.isEmpty
        }
        if lost {
            trackers.removeAll()
            revokedBy = nil
            return try client.release()
        }
        revokedBy = clock().advanced(by: configuration.drainTimeout)
    }

    func releaseIfDrained() throws(LogError) {
        guard isAwaited, let deadline = revokedBy else { return }
        let now = clock()
        guard inFlight == 0 || now >= deadline else { return }
        if isDirty { try commit() }
        // What was finished and is not committed would be repeated.
        guard commitsInFlight == 0 || now >= deadline.advanced(by: configuration.drainTimeout) else { return }
        isAwaited = false
        if !isClosing { revokedBy = nil }
        trackers.removeAll()
        try client.release()
    }

    /// Partitions whose outcomes the log does not take are read no further. All others are.
    func holdBack() throws(LogError) {
        let clogged = unacknowledged.keys.filter {
            trackers[$0] != nil && !heldBack.contains($0) && isClogged($0, share: 1)
        }
        if clogged.isEmpty { return }
        heldBack.formUnion(clogged)
        try client.pause(clogged.map { TopicPartition(configuration.topic, $0) })
    }

    func resumeIfPossible() throws(LogError) {
        guard revokedBy == nil else { return }
        let free = heldBack.filter { !isClogged($0, share: 2) }
        heldBack.subtract(free)
        guard isPaused, hasRoom else {
            if !free.isEmpty, !isPaused { try client.resume(free.map { TopicPartition(configuration.topic, $0) }) }
            return
        }
        isPaused = false
        try stopLookingAhead()
        try client.resume(
            trackers.keys.filter { !heldBack.contains($0) }.map { TopicPartition(configuration.topic, $0) })
    }

    func commitIfDue() throws(LogError) {
        guard isDirty, commitsInFlight == 0, revokedBy == nil, clock() >= nextCommit else { return }
        try commit()
    }

    /// A commit was refused: the next one has all positions again.
    func repeatCommit() {
        for number in trackers.keys { trackers[number]?.commitFailed() }
        if revokedBy == nil { isDirty = true }
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
