import DequeModule

/// A client's calls, its closing and its crash.
extension LogModel {
    /// Adds a client and returns its number.
    mutating func connect(_ configuration: ClientConfiguration) -> Int {
        var client = ClientModel(configuration)
        client.plannedCrash = plannedCrashes.removeValue(forKey: configuration.clientID)
        clients.append(client)
        join(clients.count - 1)
        return clients.count - 1
    }

    /// Begins every call: counts it, and performs a planned crash.
    mutating func beginCall(_ number: Int, now: Int64) throws(LogError) {
        if clients[number].life == .alive {
            clients[number].calls += 1
            guard let plan = clients[number].plannedCrash, clients[number].calls >= plan.call else { return }
            crash(number, plan.point, leavingGroup: plan.leavingGroup, now: now)
        }
        let end = clients[number].life == .closed ? "was closed" : "has crashed"
        throw LogError(.closed, "\(clients[number].configuration.clientID) \(end)", disposition: .fatal)
    }

    mutating func poll(_ number: Int, _ maximum: Int, now: Int64) -> [LogEvent] {
        // In this order: a writer that was paused writes its queued records before it learns that it was replaced.
        flush(number, now: now)
        returnFromEviction(number)
        return clients[number].nextEvents(atMost: max(1, maximum), from: topics, changes: changes)
    }

    mutating func send(_ number: Int, _ record: Record, token: UInt64, now: Int64) throws(LogError) {
        if clients[number].configuration.isReadOnly { throw .readOnly }
        if clients[number].failure.isStopped, let error = clients[number].failure.error { throw error }
        let queueLimit = clients[number].limits.unanswered ?? queueLimit
        guard clients[number].unanswered < queueLimit else {
            throw LogError(.queueFull, "\(queueLimit) records are not acknowledged yet", disposition: .retry)
        }
        clients[number].unanswered += 1
        if let limit = clients[number].limits.recordBytes, record.size > limit {
            let error = LogError(.recordTooLarge, "\(record.size) bytes; this client accepts \(limit)")
            clients[number].events.append(.delivered(fail(record, record.partition ?? -1, token, error, by: number)))
            return
        }
        var record = record
        record.timestamp = record.timestamp ?? now
        clients[number].queue.append((record, token))
    }

    mutating func pause(_ number: Int, _ partitions: [TopicPartition]) {
        clients[number].paused.formUnion(partitions.filter { clients[number].assigned[$0] != nil })
    }

    mutating func resume(_ number: Int, _ partitions: [TopicPartition]) {
        clients[number].paused.subtract(partitions)
    }

    /// Opens a partition. A partition that does not exist is reported as an event, like a broker's response.
    mutating func read(_ number: Int, _ partition: TopicPartition, from start: StartOffset) {
        guard let model = topics[partition.topic]?[partition.partition] else {
            clients[number].events.append(.failed(.unknown(partition.topic, partition.partition)))
            return
        }
        clients[number].readers[partition] = ReaderModel(start, in: model)
    }

    mutating func stopReading(_ number: Int, _ partition: TopicPartition) {
        clients[number].readers[partition] = nil
    }

    /// Writes the queue, leaves the group and closes the client. Returns the number of records that could not be
    /// written.
    mutating func close(_ number: Int, now: Int64) -> Int {
        let lost = flush(number, now: now) + clients[number].queue.count
        end(number, .closed)
        leave(number)
        return lost
    }

    /// Crashes a client. A client that does not leave its group stays a member until it is evicted.
    mutating func crash(_ number: Int, _ point: CrashPoint, leavingGroup: Bool, now: Int64) {
        guard clients[number].life == .alive else { return }
        switch point {
        case .beforeSending: break
        case .afterSending: flush(number, now: now)
        case .duringSending(let written): flush(number, atMost: written, now: now)
        case .sendingAllBut(let topic):
            clients[number].queue.removeAll { $0.record.topic == topic }
            flush(number, now: now)
        }
        end(number, .crashed)
        if leavingGroup { leave(number) }
    }

    private mutating func end(_ number: Int, _ life: ClientModel.Life) {
        clients[number].life = life
        clients[number].queue = []
        clients[number].events = []
        clients[number].delays = DeliveryDelays()
        clients[number].stopFetching()
        clients[number].readers = [:]
    }
}
