import DequeModule

/// The state of one client in a ``LogModel``.
struct ClientModel: Sendable {
    enum Life: Sendable { case alive, closed, crashed }

    /// The progress of a client's eviction from its group.
    enum Eviction: Sendable {
        /// The client is a member of its group, or has no group.
        case none
        /// The client was evicted and has not polled since.
        case pending
        /// The client was notified, and rejoins after it has released its partitions.
        case announced
    }

    /// The client's membership in its group, according to the events that the client has polled.
    struct Membership: Sendable {
        var stage = GroupModel.Stage.joining
        /// The partitions of the last polled assignment.
        var held: [TopicPartition] = []
        /// The generation of the last polled assignment.
        var generation: Int32 = -1
        /// The generation of the newest assignment, polled or not.
        var offeredGeneration: Int32 = -1
        var eviction = Eviction.none
        /// The number of polls before the poll that reports the eviction.
        var pollsUntilNotice = 0
    }

    /// The limits of this client, in addition to the limits of the log.
    struct Limits: Sendable {
        /// The maximum of ``unanswered``; `nil` for the log's limit.
        var unanswered: Int?
        /// The size in bytes above which the client itself rejects a record; `nil` for no limit.
        var recordBytes: Int?
    }

    /// The failure after which the client writes no more records.
    struct Failure: Sendable {
        /// The fatal error of a record; `nil` while the client writes. Later records fail with this error.
        var error: LogError?
        /// `true` if a record of one of the client's ``ClientConfiguration/gaplessTopics`` failed. The client then also
        /// rejects new records.
        var isStopped = false
        /// The number of later records that are in the log although their deliveries fail, because they were in flight.
        var inFlight = 0
    }

    let configuration: ClientConfiguration
    var life = Life.alive
    /// The number of protocol calls of the client, without ``LogClient/wake()``.
    var calls = 0
    var plannedCrash: PlannedCrash?

    /// The sent records that are not written yet.
    var queue: Deque<(record: Record, token: UInt64)> = []
    /// The number of sent records without a polled delivery. The queue limit applies to this number, as in librdkafka.
    var unanswered = 0
    var limits = Limits()
    var failure = Failure()
    /// The number of polls that have returned.
    var polls = 0
    var delays = DeliveryDelays()
    /// Events for the next polls.
    var events: Deque<LogEvent> = []
    /// The number of records without key and partition that the client has written, by topic.
    var roundRobin: [String: Int] = [:]

    var membership = Membership()

    /// Positions in assigned partitions, from ``LogClient/assign(_:later:)`` or ``LogClient/start(_:)`` until the group
    /// revokes the partitions.
    var assigned: [TopicPartition: ReaderModel] = [:] { didSet { open = nil } }
    /// Assigned partitions that are not fetched before ``LogClient/start(_:)``.
    var startsLater: Set<TopicPartition> = []
    var paused: Set<TopicPartition> = [] { didSet { open = nil } }
    /// Positions in partitions opened with ``LogClient/read(_:from:)``.
    var readers: [TopicPartition: ReaderModel] = [:] { didSet { open = nil } }
    /// The partitions that polls fetch from, in order, each with `true` if the group has assigned it. `nil` after a
    /// change of the partitions.
    private var open: [(partition: TopicPartition, isAssigned: Bool)]? { didSet { drained = nil } }
    /// The value of ``LogModel/changes`` at which nothing was left to fetch; `nil` if records may be left. Most polls
    /// in a simulation have nothing to fetch.
    private var drained: Int?
    /// The index in ``open`` of the partition that the next poll fetches first, so that no partition starves.
    private var turn = 0

    init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
    }

    /// Reports a delivery in the next poll, or in a later poll if the deliveries of the topic are delayed.
    mutating func report(_ delivery: Delivery) {
        if let delivery = delays.delayIfNeeded(delivery, at: polls) { events.append(.delivered(delivery)) }
    }

    /// Stops fetching from assigned partitions.
    mutating func stopFetching() {
        assigned = [:]
        startsLater = []
        paused = []
    }

    /// Removes the group's events that the client has not polled yet.
    mutating func dropUnpolledGroupEvents() {
        events.removeAll { event in
            switch event {
            case .assigned, .revoked: true
            default: false
            }
        }
    }

    /// Returns the events of one poll: pending events first, then records.
    mutating func nextEvents(atMost maximum: Int, from topics: [String: TopicModel], changes: Int) -> [LogEvent] {
        var polled: [LogEvent] = []
        for delivery in delays.due(at: polls) { events.append(.delivered(delivery)) }
        polls += 1
        while polled.count < maximum, let event = events.popFirst() {
            apply(event)
            polled.append(event)
        }
        if drained != changes {
            let count = polled.count
            fetch(into: &polled, maximum, from: topics)
            drained = polled.count == count && count < maximum ? changes : nil
        }
        return polled
    }

    /// Updates the client's state after it has polled this event.
    private mutating func apply(_ event: LogEvent) {
        switch event {
        case .delivered: unanswered -= 1
        case .assigned(let partitions):
            membership.stage = .offered
            membership.held = partitions
            membership.generation = membership.offeredGeneration
        case .revoked: membership.stage = .revoking
        case .record, .read, .readEnd, .committed, .committedOffsets, .outOfRange, .unreadable, .failed: break
        }
    }

    private mutating func fetch(into polled: inout [LogEvent], _ maximum: Int, from topics: [String: TopicModel]) {
        let open =
            self.open
            ?? assigned.keys.filter { !paused.contains($0) }.sorted().map { ($0, true) }
            + readers.keys.sorted().map { ($0, false) }
        guard !open.isEmpty else { return }
        for index in open.indices {
            let (partition, isAssigned) = open[(index + turn) % open.count]
            guard polled.count < maximum, let model = topics[partition.topic]?[partition.partition], !model.isLeaderAway
            else { continue }
            guard var reader = isAssigned ? assigned[partition] : readers[partition],
                reader.hasNews(in: model, isAssigned: isAssigned)
            else { continue }
            if let requested = reader.recover(in: model) {
                polled.append(.outOfRange(OutOfRange(partition, requested: requested, range: model.start..<model.next)))
            }
            repeat {
                let (found, unreadable) = reader.advance(in: model, atMost: maximum - polled.count)
                polled += found.map { isAssigned ? .record($0) : .read($0) }
                if let (offsets, cause) = unreadable {
                    polled.append(
                        .unreadable(UnreadableRange(partition, offsets, cause: cause, isAssigned: isAssigned)))
                }
            } while !model.unreadable.isEmpty && polled.count < maximum && reader.position < model.stableEnd
            if isAssigned {
                assigned[partition] = reader
            } else {
                if polled.count < maximum, let end = reader.newEnd(in: model) {
                    polled.append(.readEnd(partition, next: end))
                }
                readers[partition] = reader
            }
        }
        // Setting `assigned` and `readers` has reset `open`, but the set of partitions is the same.
        self.open = open
        turn = (turn + 1) % open.count
    }
}
