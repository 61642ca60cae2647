import DequeModule

/// One client as the model keeps it.
struct ClientModel: Sendable {
    enum Life: Sendable { case alive, closed, crashed }

    /// What a client that was thrown out of its group knows of it.
    enum Eviction: Sendable {
        /// It is in its group, or has none.
        case none
        /// It was thrown out and has not polled since.
        case pending
        /// It was told; it joins again once it has released what it held.
        case announced
    }

    let configuration: ClientConfiguration
    var life = Life.alive
    /// How many calls of the protocol it has made, ``LogClient/wake()`` left out.
    var calls = 0
    var plannedCrash: PlannedCrash?

    /// Sent and not yet written.
    var queue: Deque<(record: Record, token: UInt64)> = []
    /// Sent and not yet told as delivered; this is what the queue's bound counts, as librdkafka does.
    var unanswered = 0
    /// A record was refused for good: nothing behind it is written any more.
    var broken: LogError?
    /// To be told by the next polls.
    var events: Deque<LogEvent> = []
    /// Of each topic, how many records without key or partition it has written.
    var roundRobin: [String: Int] = [:]

    /// Where its own knowledge of the group stands: the group's stage, but as of the events that it has polled.
    var stage = GroupModel.Stage.joining
    /// What it was told to hold.
    var held: [TopicPartition] = []
    /// The generation that it was told of last, and the one of the assignment that it has not polled yet.
    var generation: Int32 = -1
    var offeredGeneration: Int32 = -1
    var eviction = Eviction.none

    /// Positions in assigned partitions, from ``LogClient/assign(_:)`` until the group wants them back.
    var assigned: [TopicPartition: ReaderModel] = [:]
    var paused: Set<TopicPartition> = []
    /// Positions in partitions opened for reading.
    var readers: [TopicPartition: ReaderModel] = [:]
    /// Which open partition is served first by the next poll, so that none starves the others.
    private var turn = 0

    init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
    }

    /// No more records of assigned partitions.
    mutating func stopFetching() {
        assigned = [:]
        paused = []
    }

    /// Takes back what the group said and the client has not polled yet.
    mutating func dropUntoldGroupEvents() {
        events.removeAll { event in
            switch event {
            case .assigned, .revoked: true
            default: false
            }
        }
    }

    /// The events of one poll: what is due, then records.
    mutating func take(_ maximum: Int, from topics: [String: TopicModel]) -> [LogEvent] {
        var told: [LogEvent] = []
        while told.count < maximum, let event = events.popFirst() {
            note(event)
            told.append(event)
        }
        fetch(into: &told, maximum, from: topics)
        return told
    }

    /// What the client knows once it has polled this event.
    private mutating func note(_ event: LogEvent) {
        switch event {
        case .delivered: unanswered -= 1
        case .assigned(let partitions):
            stage = .offered
            held = partitions
            generation = offeredGeneration
        case .revoked: stage = .revoking
        case .record, .read, .readEnd, .committed, .failed: break
        }
    }

    private mutating func fetch(into told: inout [LogEvent], _ maximum: Int, from topics: [String: TopicModel]) {
        let open = assigned.keys.filter { !paused.contains($0) }.sorted().map { ($0, true) } + readers.keys.sorted().map { ($0, false) }
        guard !open.isEmpty else { return }
        for index in open.indices {
            let (partition, isAssigned) = open[(index + turn) % open.count]
            guard told.count < maximum, let model = topics[partition.topic]?[partition.partition] else { continue }
            guard var reader = isAssigned ? assigned[partition] : readers[partition] else { continue }
            if reader.recover(in: model) {
                told.append(.failed(LogError(.offsetOutOfRange, "\(partition) does not have the offset; going on at \(reader.position)")))
            }
            let found = reader.advance(in: model, atMost: maximum - told.count)
            told += found.map { isAssigned ? .record($0) : .read($0) }
            if isAssigned {
                assigned[partition] = reader
            } else {
                if told.count < maximum, let end = reader.newEnd(in: model) { told.append(.readEnd(partition, next: end)) }
                readers[partition] = reader
            }
        }
        turn = (turn + 1) % open.count
    }
}
